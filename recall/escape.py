"""The one place that makes a text of the store safe to stand in a block.

Whatever a memory says, the block around it stays whole: what is ours stands at the start of a line,
what a memory says stands behind "- " or is indented; nothing in it opens or closes a wrapper, and no
line of it begins like a role or a head of ours. Letters that nobody sees are taken out, for a model
reads them. The words themselves stay as they are.
"""

from siltstone.store.late import LatePattern

INDENT = "  "
CUT = " …"

_JOINERS = "\u200c\u200d"
"""Unseen, but emoji and Persian need them."""
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters that look like nothing."""
_VARIANTS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""They choose a form of the letter before them: one does, a row of them spells words nobody sees."""

_BREAKS = LatePattern("[ \t]*(?:\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")
_JOINED = LatePattern(
    "(?<=[A-Za-z<>/_[\\]-])[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d\ufe00-\ufe0f]+(?=[A-Za-z<>/_[\\]-])"
    f"|(?<={_VARIANTS}){_VARIANTS}+|(?<![^\0-\x7f])[\U000e0100-\U000e01ef]+"
)
"""Joiners beside what tags are made of, where no script needs them."""
_OPENING = "<＜﹤‹〈[［"
"""What `_TAG` and `_BRACKET` begin with."""
_TAG = LatePattern(
    r"(?i)[<＜﹤‹〈](?=\s*(?:[/／!?|｜<]|(?:silt|mem|sy(?:s\b|st|[ﬅﬆ])|tree\b|instruction|user|human|assistant"
    r"|developer|tool|function|antml|role|prompt|core_|working_|workspace|recall|session|hook|environment"
    r"|permission|collaboration|skill|apps_|plugins_|project-|context|command|local-|bash|task-|turn_"
    r"|subagent|private|state_|im_|s>|thinking|goal\b|progress\b)))"
)
_BRACKET = LatePattern(r"(?i)[\[［](?=\s*/?\s*(?:memory|inst|system|user|assistant|human|tool|developer)\b)")
_ROLE = LatePattern(
    r"(?i)(?:[#*_>=-]+\s*)?(?:system|user|human|assistant|developer|tool|model|ai)\s*(?:\*\*|__)?\s*[:：]"
    r"|workspace memory|hot session state|recent session context|active_files:|open_errors:"
    r"|recent_decisions:|pending_memories:|-{3,}|={3,}|#{1,6}\s|machine-made\b|quoted from the project's own"
    r"|(?:always|relevant now|feedback|project|decision|reference|project brief|progress|last session):\s*$"
)


def line(text: str, most: int) -> str:
    """`text` as one line of at most `most` characters (at least 8), cut between words where one is near."""
    text = text[: 8 * most]
    if not text.isprintable():  # else no line in it breaks
        text = _BREAKS.sub(" ", text)
    seen = " ".join(_seen(text).split())
    safe = _marks(seen)
    while len(safe) > most:  # a word cut short may say what the whole did not: "<sys" of "<sysadmin"
        safe = _marks(_cut(safe, most))
    return safe


def lines(text: str, most: int) -> list[str]:
    """`text` line by line, each indented and safe; about `most` characters, whole lines, then a mark."""
    found: list[str] = []
    used = 0
    parts = _BREAKS.split(text[: 4 * most])
    for part in parts:
        seen = _marks(_seen(part).expandtabs(4).rstrip())
        bare = seen.lstrip()
        if _ROLE.match(bare):
            seen = seen[: len(seen) - len(bare)] + "\\" + bare
        if used + len(seen) > most:
            return [*found, f"{INDENT}…"]
        found.append(f"{INDENT}{seen}" if seen else "")
        used += len(seen) + 1
    return found


def _seen(text: str) -> str:
    """Without what nobody sees: controls, overrides of direction, tags, halves of surrogate pairs."""
    if not text.isascii() or not text.isprintable():
        text = "".join(filter(_is_seen, text))
        if any(char in _JOINERS or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0100" for char in text):
            text = _JOINED.sub("", text)
    return text


def _is_seen(char: str) -> bool:
    if char.isprintable():
        return char not in _FILLERS
    return char == "\t" or char in _JOINERS or (char.isspace() and char > " ")


def _marks(text: str) -> str:
    """Without what opens or closes a wrapper or begins a role's turn."""
    if any(mark in text for mark in _OPENING):
        text = _BRACKET.sub("(", _TAG.sub("&lt;", text))
    return text


def _cut(text: str, most: int) -> str:
    short = text[: most - len(CUT)]
    head = short.rpartition(" ")[0]
    return (head if len(head) * 4 > len(short) * 3 else short).rstrip() + CUT
