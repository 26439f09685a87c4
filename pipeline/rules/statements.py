"""Plain statements that last, in English and Chinese: rules ("always …", "never …"), corrections ("use X, not
Y"), customs ("we use X"), decisions ("we decided X because …"), and who the user is.

Precision first: in doubt nothing is found. A sentence must say what it says by itself, without a word that
points at what was said or shown before; a question, a guess, a joke and what others say are no statement.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from siltstone.pipeline.rules.language import compiled, pattern, spoken, straight
from siltstone.pipeline.rules.pasted import foreign_spans, furnished
from siltstone.pipeline.rules.sentences import Span, mask, sentences
from siltstone.pipeline.words import asian, patterns

Kind = Literal["identity", "decision", "correction", "rule", "custom", "reference"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they are tried."""

MAX_MESSAGE = 400
"""Characters of a message in which statements are looked for: longer ones were mostly pasted."""
MAX_AMENDMENT = 160
"""Characters of a message that corrects the one before it."""
MIN_CHARS, MAX_CHARS = 16, 240
"""Of a sentence; a Chinese character counts for two."""

_PATTERNS = patterns(__file__)
_SMILE = re.compile("[\U0001f300-\U0001faff\u2639\u263a]|[:;]-?[)(](?!\\w)|:D(?!\\w)")
_ANNOUNCED: tuple[Kind, ...] = ("rule", "reference", "custom")
_OF_ONES_OWN: tuple[Kind, ...] = ("identity", "custom", "decision")
_ASKS = ("?", "？", "吗", "嗎", ":", "：", "…")


class Statement(NamedTuple):
    """A statement of a message: `text[start:end]`, without the words that only open it."""

    kind: Kind
    start: int
    end: int
    sentence: Span
    """The whole sentence: it may say where the statement holds."""


def statements(text: str) -> list[Statement]:
    """The statements of a typed message, in its order: none of one that is long, furnished or has a paste."""
    length = len(text.strip())
    if length > MAX_MESSAGE or length + asian(text) < MIN_CHARS or furnished(text) or foreign_spans(text):
        return []
    shape, plain = straight(mask(text)), straight(text)
    cut = sentences(shape)
    found: list[Statement] = []
    for i, one in enumerate(cut):
        behind = cut[i + 1] if i + 1 < len(cut) and cut[i + 1].line == one.line else one
        reasons = behind is not one and pattern("reasons").match(shape, behind.start)
        end = behind.end if reasons or pattern("instead").match(plain, one.start, behind.end) else one.end
        stated = _stated(plain[one.start : end])
        if stated is None:
            continue
        start, kind, core = one.start + stated[0], stated[1], stated[2]
        if not (_doubtful(shape[start:end], core) or _SMILE.search(text, start, end)):
            found.append(Statement(kind, start, end, (one.start, end)))
    return found


def kind_of(text: str, among: Sequence[Kind] = KINDS) -> Kind | None:
    """Which of these a sentence states; None where it is none of them."""
    found = _core(straight(text), among)
    return found[0] if found else None


@lru_cache(maxsize=256)
def _core(text: str, among: Sequence[Kind] = KINDS) -> tuple[Kind, int] | None:
    """What a sentence states, and where the words end that state it; None where it is none of these."""
    for kind in among:
        if found := pattern(kind, of=spoken("en", "zh")).match(text):
            of_one_piece = kind == "reference" and _PATTERNS["one_piece"].search(text)
            return None if of_one_piece else (kind, len(found[0].rstrip(" ,;，；")))
    return None


def unopened(text: str) -> int:
    """Where a sentence begins behind the words that only open it ("no, …", "by the way …")."""
    marked, plain = pattern("opens_marked").pattern, pattern("opens").pattern
    opening = compiled(
        rf"(?:(?:{marked})\s*[,.:;!，。：–—-]+\s*|(?:{plain})(?:\s*[,.:;!–—-]+\s*|\s+(?=\S)|(?=[^\x00-\x7f])))+"
    )
    found = opening.match(straight(text))
    return found.end() if found else 0


def amends(text: str) -> bool:
    """Whether a typed text gives another value for what was just said: "wait, actually let's use X"."""
    if len(text) > MAX_AMENDMENT:
        return False
    return pattern("amends", before=r"\W*", of=spoken("en", "zh")).match(straight(text)) is not None


def corrects(text: str) -> bool:
    """Whether a typed text begins by correcting what was said a moment ago: "hmm wait, actually …"."""
    return pattern("corrects", before=r"\W*", after=r"(?=\W|$)").match(straight(text[:200])) is not None


def stands_alone(text: str) -> bool:
    """Whether a typed message says something of itself: short, the user's own, no question and no guess."""
    return len(text) <= MAX_MESSAGE and not (
        furnished(text) or foreign_spans(text) or _doubtful(straight(mask(text)).strip())
    )


def _stated(sentence: str) -> tuple[int, Kind, int] | None:
    """Where in a sentence a statement begins, of what kind it is, and how many characters state it.

    It begins the sentence, stands behind "in all my projects:", or begins a later clause that tells of
    the user and their own side ("mind that my shell is fish", "no, we use uv"), or stands behind a colon.
    """
    start = unopened(sentence)
    wide = pattern("wide", before=r"(?:(?:in|for|across)\s+)?", after=r"\s*[:,：，]\s*")
    everywhere = wide.match(sentence, start)  # "in all my projects: …"
    if everywhere is not None:
        return everywhere.end(), "rule", 0
    core = _core(sentence[start:])
    if core is not None:
        return start, *core
    for gap in _PATTERNS["clause"].finditer(sentence, start):
        at = gap.end()
        core = _core(sentence[at:])
        if core is None:
            continue
        of_theirs = sentence[at : at + 1].lower() in "wim我"
        if (of_theirs and core[0] in _OF_ONES_OWN) or (":" in gap[0] and core[0] in _ANNOUNCED):
            return at, *core
    return None


def _doubtful(words: str, core: int = 0) -> bool:
    """Whether a sentence may hold for the moment alone, point elsewhere, be a guess, a joke or another's.

    Mostly the clause is looked at that states it, in the first `core` characters: what a reason behind it
    points at stands in the sentence itself.
    """
    if len(words) + asian(words) < MIN_CHARS or len(words) > MAX_CHARS or words.rstrip().endswith(_ASKS):
        return True
    end = _PATTERNS["main"].search(words, max(core, MIN_CHARS // 2))
    main = words[: end.start()] if end else words
    return any(pattern(key).search(main) for key in ("points", "unsettled", "reported")) or any(
        pattern(key).search(words) for key in ("guesses", "passing", "jokes")
    )
