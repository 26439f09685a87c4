"""What a running session's texts mean to the pipeline, asked one text at a time (`silt event`).

Each question first looks for the few words without which the answer is known (`request_words.py`). Only a
text that has them loads the rules: most events must not take longer than a blink (docs/benchmarks.md).
"""

from siltstone.pipeline.request_words import asking, folded, refusing
from siltstone.store.late import holds
from siltstone.store.light_cache import lru_cache
from siltstone.store.plain import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterable, Sequence

    from siltstone.pipeline.explicit import Save

SAID_FIRST = 1_000
"""Characters of a prompt: who takes something back says so first."""
_BLOCK = "candidate"
_PUT_IN = (
    "<,workspace memory,hot session state,[memory,recent session context,instructions,agents.md,claude.md,"
    "gemini.md,memory.md,hook feedback,[request interrupted,this session is being continued,"
    "i ran the following"
)


def parts(command: str) -> "Sequence[tuple[Sequence[str], str]]":
    """The programs of a command line, and whose words each prints (`commands.parts`)."""
    from siltstone.pipeline import commands

    return commands.parts(command)


def programs(command: str) -> "Sequence[tuple[Sequence[str], bool]]":
    """The programs of a command line, and whether a status of 0 vouches for each (`commands.programs`)."""
    from siltstone.pipeline import commands

    return commands.programs(command)


@lru_cache(maxsize=2)
def own(text: str) -> str:
    """The text without parts that a machine put in (`echo.strip`)."""
    if not holds(folded(text).text, _PUT_IN):
        return text
    from siltstone.pipeline import echo

    return echo.strip(text)


def kept(text: str) -> str:
    """A typed text without what it asks not to keep, the request included."""
    if not refusing(text).any:
        return text
    from siltstone.pipeline.explicit import find_refusals, without

    return without(text, [(refusal.start, refusal.end) for refusal in find_refusals(text)])


def takes_back(text: str) -> bool:
    """Whether a typed text may take back what was asked to be kept before (`taken_back.py`)."""
    if not refusing(text[:SAID_FIRST]).any:
        return False
    from siltstone.pipeline.explicit import find_refusals

    if not find_refusals(text):  # they are known by now, and the words that point back load slowly
        return False
    from siltstone.pipeline.retraction import refuses

    return refuses(text)


def wanted(text: str) -> str:
    """A typed text without what it asks to keep: what is left asks for work, or is "", as where it is nothing
    but fenced code."""
    if not asking(text).any:
        return text
    from siltstone.pipeline.explicit import without

    saves = _found(text)
    spans = [span for save in saves if save.body for span in (save.asked, (save.start, save.end))]
    if not spans:
        return text
    from siltstone.pipeline.sentences import fences

    left = without(text, spans)
    return left if any(map(str.isalnum, without(left, fences(left)))) else ""


def announced(kind: str, text: str) -> "Sequence[tuple[str, str]]":
    """Type and text of the memories a message asks to keep: typed saves, or a summary's candidate block.

    `kind` is "user" for what was typed. Nothing of it is proven yet: `silt run` decides what is kept, and
    where in its line a request ends.
    """
    if kind == "user":
        return _saves(text) if asking(text).any else ()
    return _candidates(text) if _BLOCK in text.casefold() else ()


def _saves(text: str) -> list[tuple[str, str]]:
    saves = _found(text)
    if saves:
        from siltstone.pipeline.paragraph import plainly_own, start_of

        if not plainly_own(text, ((save.start, save.end) for save in saves)):
            from siltstone.pipeline.foreign import own_words

            told = start_of(text, max(save.end for save in saves))
            own = own_words(told)
            saves = saves if _apart(told, own, saves) else _found(own)
    return [("feedback", save.body) for save in saves if save.body and not _hollow(save.body)]


def _apart(text: str, own: str, saves: "Sequence[Save]") -> bool:
    """Whether the words of others, which `own` lacks, stand so far from what a long text asks for that it
    asks for the same without them."""
    lines = asking(text).lines
    if not lines or refusing(text).any:  # what is asked not to be kept may stand far above the request
        return False
    if any(text[save.start : save.end] != own[save.start : save.end] for save in saves):
        return False
    pairs = zip(own.split("\n"), text.split("\n"), strict=True)
    left = "\n".join(line for line, whole in pairs if line != whole and line.strip())
    return _alike(text, own, lines.values()) and not (asking(left).any or refusing(left).any)


def _alike(text: str, own: str, lines: "Iterable[tuple[int, int]]") -> bool:
    """Whether these lines are the same in both, and what may be part of what they ask for: the line before
    each, and the list below one."""
    from siltstone.pipeline.sentences import below

    reached = 0
    for start, end in lines:
        above = text.rfind("\n", 0, max(start - 1, 0)) + 1
        if text[start:end].rstrip().endswith((":", "：")):
            end = below(text, max(end, reached))
        if text[max(above, reached) : end] != own[max(above, reached) : end]:
            return False
        reached = max(reached, end)
    return True


@lru_cache(maxsize=4)
def _found(text: str) -> "Sequence[Save]":
    """What a text asks to keep: a hook asks for it three times."""
    from siltstone.pipeline.explicit import find_saves

    return find_saves(text, remarks=False)


def _hollow(body: str) -> bool:
    if MARK not in body:
        return False
    from siltstone.pipeline.hollow import hollow

    return hollow(body)


def _candidates(text: str) -> list[tuple[str, str]]:
    from siltstone.pipeline import candidate_block

    return [(line.type, line.text) for line in candidate_block.parse(text).lines]
