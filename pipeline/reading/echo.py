"""Anti-echo: what we, the agent or a file put into a text is no word of the user's (invariant 7).

Readers drop injected messages. Here the injected parts of a message are found: our own recall block, the
agents' memory and context wrappers, instruction files, hook output, compaction summaries.
"""

import re

from siltstone.pipeline.rules.sentences import joined, without
from siltstone.pipeline.words import patterns

_PATTERNS = patterns(__file__)
_BLANK = re.compile(r"\n[ \t]*\n")
_CUT = re.compile(r"\[… [\d,]{1,20} characters cut …\]")


def spans(text: str) -> list[tuple[int, int]]:
    """Spans of a text that were put in, wrapper included. An unclosed wrapper reaches to the end."""
    if _PATTERNS["whole"].match(text):
        return [(0, len(text))]
    found = wrapped(text, _PATTERNS["opening"]) + [match.span() for match in _CUT.finditer(text)]
    for head in _PATTERNS["block_heads"].finditer(text):
        end = _BLANK.search(text, head.end())
        found.append((head.start(), end.start() if end else len(text)))
    return list(joined(found))


def wrapped(text: str, opening: re.Pattern[str]) -> list[tuple[int, int]]:
    """Spans from an opening tag (its name is group 1) to its closing one, in time linear in the text.

    Where none closes it, a tag at the start of a line reaches to the end; elsewhere it is prose.
    """
    found: list[tuple[int, int]] = []
    lower, at = "", 0
    unclosed: set[str] = set()
    while match := opening.search(text, at):
        if not lower:
            # Of the same length: "İ" would become two letters, and every span behind it would slip.
            lower = text.lower() if len(text.lower()) == len(text) else text.replace("İ", "i").lower()
        name, at = match.group(1).lower(), match.end()
        close = -1 if name in unclosed else lower.find(f"</{name}", at)
        if close >= 0:
            at = lower.find(">", close) + 1 or len(text)
            found.append((match.start(), at))
        elif not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
            found.append((match.start(), len(text)))
            break
        else:
            unclosed.add(name)
    return found


def strip(text: str) -> str:
    """The text without what was put in."""
    found = spans(text)
    return without(text, found).strip() if found else text
