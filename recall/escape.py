"""Makes text from the store safe to show in a block. This is the only place that does so.

No memory can break the block around it. Our own lines start at the margin; a memory's text stands behind
"- " or is indented, opens or closes no wrapper, and never begins a line like a role or a heading of ours.
Invisible characters are removed, because a model reads them. The visible words stay as they are.
"""

import re

OPEN, CLOSE = "<siltstone-memory>", "</siltstone-memory>"
"""The wrapper around everything an agent is shown."""
INDENT = "  "
CUT = " …"
MIN_WORDS = 80
"""Characters that are worth to cut within a sentence."""
_SENTENCE_END = re.compile(r"[.!?](?= )|[。！？]")

_JOINERS = "\u200c\u200d"
"""Invisible, but emoji and Persian need them."""
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters without a glyph."""
_VARIANTS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""They choose a form of the letter before them. One does that; a row of them can spell hidden words."""

_BREAKS = re.compile("[ \t]*(?:\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")
_JOINED = re.compile(
    "(?<=[A-Za-z<>/_[\\]-])[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d\ufe00-\ufe0f]+(?=[A-Za-z<>/_[\\]-])"
    f"|(?<={_VARIANTS}){_VARIANTS}+|(?<![^\0-\x7f])[\U000e0100-\U000e01ef]+"
)
"""Joiners and variants next to characters of tags, where no script needs them."""
_OPENING = "<＜﹤‹〈[［"
"""The first characters of `_TAG` and `_BRACKET`."""
_TAG = re.compile(
    r"(?i)[<＜﹤‹〈](?=\s*(?:[/／!?|｜<]|(?:silt|mem|sy(?:s\b|st|[ﬅﬆ])|tree\b|instruction|user|human|assistant"
    r"|developer|tool|function|antml|role|prompt|core_|working_|workspace|recall|session|hook|environment"
    r"|permission|collaboration|skill|apps_|plugins_|project-|context|command|local-|bash|task-|turn_"
    r"|subagent|private|state_|im_|s>|thinking|goal\b|progress\b)))"
)
_BRACKET = re.compile(r"(?i)[\[［](?=\s*/?\s*(?:memory|inst|system|user|assistant|human|tool|developer)\b)")
_ROLE = re.compile(
    r"(?i)(?:[#*_>=-]+\s*)?(?:system|user|human|assistant|developer|tool|model|ai)\s*(?:\*\*|__)?\s*[:：]"
    r"|workspace memory|hot session state|recent session context|active_files:|open_errors:"
    r"|recent_decisions:|pending_memories:|-{3,}|={3,}|#{1,6}\s|machine-made\b|quoted from the project's own"
    r"|(?:said in|conversation (?:of|from)) earlier sessions\b|about this call\b|also remembered\b"
    r"|\[\d+\] \d{4}-\d\d-\d\d (?:user|agent|tool):"
    r"|(?:always|relevant now|feedback|project|decision|reference|project brief|progress|last session):\s*$"
)


def line(text: str, most: int) -> str:
    """`text` as one safe line of at most `most` characters (at least 8).

    A longer text is cut at the end of a sentence, else between words, else anywhere.
    """
    text = _BREAKS.sub(" ", text[: 8 * most])
    safe = _without_marks(" ".join(_visible(text).split()))
    while len(safe) > most:  # cutting can make a mark: "<sys" out of "<sysadmin"
        short = safe[: most - len(CUT)]
        sentence = max((found.end() for found in _SENTENCE_END.finditer(short)), default=0)
        word = short.rfind(" ")
        if 2 * sentence > len(short):
            short = short[:sentence]
        elif 4 * word > 3 * len(short):
            short = short[:word]
        safe = _without_marks(short.rstrip() + CUT)
    return safe


def lines(text: str, most: int) -> list[str]:
    """The lines of `text`, each safe and indented: whole lines up to about `most` characters, then "…"."""
    found: list[str] = []
    used = 0
    for part in _BREAKS.split(text[: 4 * most]):
        safe = _without_marks(_visible(part).expandtabs(4).rstrip())
        bare = safe.lstrip()
        if _ROLE.match(bare):
            safe = safe[: len(safe) - len(bare)] + "\\" + bare
        if used + len(safe) > most:
            return [*found, f"{INDENT}…"]
        found.append(f"{INDENT}{safe}" if safe else "")
        used += len(safe) + 1
    return found


def excerpt(description: str, body: str, room: int) -> str:
    """What a body says behind the sentence that is its line, as safe lines: whole, or cut as `cut` does.

    "" when that is all, or there is no room.
    """
    said = description.rstrip(" .")
    rest = body.removeprefix(said)
    told = rest.lstrip(". \n") if rest != body and rest[:1] in ("", ".", "\n") else body
    return cut("\n".join(lines(told[: 2 * room], 8 * room)), room)


def cut(safe: str, room: int) -> str:
    """The beginning of safe lines, at most `room` characters: whole lines, then whole sentences; of a first
    sentence that is longer the whole words."""
    if len(safe) <= room:
        return safe
    kept, room = "", room - len(CUT)
    for part in safe.split("\n"):
        left = room - len(kept)
        if len(part) < left:
            kept += f"{part}\n"
            continue
        end = max((found.end() for found in _SENTENCE_END.finditer(part, 0, max(left, 0))), default=0)
        kept += part[: end or (0 if kept or left < MIN_WORDS else part.rfind(" ", 0, left))]
        break
    kept = kept.rstrip()
    return f"{kept}{CUT}" if kept else ""


def _visible(text: str) -> str:
    """Without invisible characters: controls, overrides of direction, tag letters, lone surrogates."""
    if not text.isascii() or not text.isprintable():
        text = "".join(filter(_is_visible, text))
        if any(char in _JOINERS or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0100" for char in text):
            text = _JOINED.sub("", text)
    return text


def _is_visible(char: str) -> bool:
    if char.isprintable():
        return char not in _FILLERS
    return char == "\t" or char in _JOINERS or (char.isspace() and char > " ")


def _without_marks(text: str) -> str:
    """Without anything that opens or closes a wrapper or begins a role's turn."""
    if any(mark in text for mark in _OPENING):
        text = _BRACKET.sub("(", _TAG.sub("&lt;", text))
    return text
