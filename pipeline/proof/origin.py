"""Where quoted words come from (invariant 6).

user-said           typed by the user, outside fenced code, `>` lines, pasted blocks and others' words
tool-observed       the agent's command, its exit status, the output of one that reads nothing (commands.py)
assistant-inferred  the agent's own words
read-content        everything else: files, pages, search results, logs
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from siltstone.pipeline.candidate import MAX_QUOTE
from siltstone.pipeline.messages import ToolCall
from siltstone.pipeline.proof.commands import agents_words, bare_name, only_acts, programs, reads, shells
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.reading.window import Shown
from siltstone.pipeline.rules.pasted import foreign_spans, own_words
from siltstone.pipeline.rules.sentences import Span, line_of
from siltstone.store.entry import Origin

MAX_SPANS = 50
"""Places of a quote in a text that are looked at."""
_MARKS = {
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»「」『』＂〝〞", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_STATUS = re.compile(r"(?:Error: )?Exit code \d+|command timed out after \d+ milliseconds", re.I)
"""What Claude Code puts before the output of a command that failed, and Codex in its place."""
_FILE = re.compile(r"[\w.-]{0,80}/[\w./-]{0,200}\.(?:sh|bash|py|js|mjs|ts|rb|go|rs|md|json|toml|ya?ml)(?!\w)")
"""A file by its path, whose name speaks to nobody: "scripts/start-agent.sh"."""
_ORIGINS: dict[str, Origin] = {"user": "user-said", "assistant": "assistant-inferred"}


@dataclass(frozen=True, slots=True)
class Located:
    """A quote found in a message as shown."""

    shown: Shown
    origin: Origin
    text: str
    """The words as they are in the message."""
    start: int
    """Their place in `Message.text`, or in a tool's output or input; -1: in its command or exit status."""


def find(shown: Shown, quote: str) -> Located | None:
    """The quote in this message, at its most trustworthy place; None when it is not there.

    NFKC, quote marks, dashes, white space and case are folded. An ellipsis at either end of the quote is
    ignored.
    """
    wanted = _wanted(quote)
    if not wanted or len(quote) > MAX_QUOTE:
        return None
    message = shown.message
    if message.tool is not None:
        return _in_tool(shown, message.tool, wanted)
    spans = _spans(message.text, wanted)
    if not spans:
        return None
    (start, end), origin = spans[0], _ORIGINS.get(message.role, "read-content")
    if message.role == "user":
        foreign = foreign_spans(message.text)
        own = [s for s in spans if not any(s[0] < stop and begin < s[1] for begin, stop in foreign)]
        (start, end), origin = (own or spans)[0], "user-said" if own else "read-content"
    return Located(shown, origin, message.text[start:end], start)


def place_of(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text first."""
    wanted = _wanted(quote)
    return next(iter(_spans(text, wanted)), None) if wanted else None


def _wanted(quote: str) -> str:
    """The quote in folded form, without what stands around it."""
    return fold(quote)[0].strip().removeprefix("...").removesuffix("...").strip(" \"'")


def not_typed(shown: Shown) -> list[str]:
    """What a message holds that is not the user's: pasted text, the agent's words, what a tool printed."""
    message = shown.message
    if message.role == "user":
        own = own_words(message.text)
        return ["".join(a if a != b else " " for a, b in zip(message.text, own, strict=True))]
    tool = message.tool
    return [message.text] if tool is None else [tool.output, "" if tool.command else tool.input]


@lru_cache(maxsize=1_024)
def fold(text: str) -> tuple[str, list[int]]:
    """The text in folded form, and for each of its characters the place in the original."""
    out: list[str] = []
    places: list[int] = []
    gap = True
    for place, char in enumerate(text):
        for piece in unicodedata.normalize("NFKC", _MARKS.get(char, char)).lower():
            piece = _MARKS.get(piece, piece)
            if piece.isspace() or unicodedata.category(piece) in ("Cf", "Cc"):
                if not gap:
                    out.append(" ")
                    places.append(place)
                gap = True
                continue
            out.append(piece)
            places.append(place)
            gap = False
    return "".join(out), places


def _spans(text: str, wanted: str) -> list[Span]:
    """Where a folded text stands in another: the first places. White space decides only where that is
    nowhere: code is broken into lines anew."""
    folded, places = fold(text)
    if wanted not in folded:
        places = [place for place, char in zip(places, folded, strict=True) if char != " "]
        folded, wanted = folded.replace(" ", ""), wanted.replace(" ", "")
    spans: list[Span] = []
    at = folded.find(wanted)
    while at >= 0 and len(spans) < MAX_SPANS:
        spans.append((places[at], places[at + len(wanted) - 1] + 1))
        at = folded.find(wanted, at + 1)
    return spans


def observed(tool: ToolCall) -> bool:
    """Whether a tool printed what the agent observed: it ran a command that reads nothing, or that failed and
    only says so."""
    if tool.command is None:
        return False
    if not reads(tool.command):
        return True
    return bool(tool.exit and only_acts(tool.command)) or (tool.went_wrong and _only_failed(tool))


def _only_failed(tool: ToolCall) -> bool:
    """Whether every line that a failed command printed is what the shell, or one of its programs, says of its
    own failure ("ls: cannot access …")."""
    names = {"(eval)", *shells(), *(one.name for one in programs(tool.command or ""))}
    lines = filter(None, map(str.strip, tool.output.split("\n")))
    errors = [pattern("own_error").fullmatch(line) for line in lines if not _STATUS.fullmatch(line)]
    return all(one is not None and bare_name(one["name"]) in names for one in errors)


def _in_tool(shown: Shown, tool: ToolCall, wanted: str) -> Located | None:
    if any(wanted in fold(own)[0] for own in agents_words(tool.command or "")):
        return Located(shown, "assistant-inferred", wanted, -1)
    if tool.command is not None:
        for start, end in _spans(tool.command, wanted):
            return Located(shown, "tool-observed", tool.command[start:end], -1)
        status = rf"exit(?:ed)?(?: (?:code|status|with))*:? ?{tool.exit}"
        if tool.exit is not None and re.fullmatch(status, wanted):
            return Located(shown, "tool-observed", wanted, -1)
    if spans := _spans(tool.output, wanted):
        start, end = spans[0]
        lines = {line_of(tool.output, *one) for one in spans}
        seen = (
            len(spans) < MAX_SPANS and observed(tool) and all(_speaks_to_nobody(one, tool) for one in lines)
        )
        return Located(shown, "tool-observed" if seen else "read-content", tool.output[start:end], start)
    # A prompt for a sub-agent, the text of a file: written by a machine for a machine.
    for start, end in _spans(tool.input, wanted):
        return Located(shown, "read-content", tool.input[start:end], start)
    return None


def _speaks_to_nobody(line: str, tool: ToolCall) -> bool:
    """Whether a line of an output speaks to nobody. An error of the command's own may ask for something
    ("please tell me who you are")."""
    fails = tool.went_wrong and pattern("error_start").match(line) is not None
    return fails or pattern("speaks").search(_FILE.sub(" ", line)) is None
