"""The user's agreement to a model, asked once for each (invariant 14), and estimates in words.

Agreeing to a run covers the transcripts and the memories that its models are sent; agreeing to
`silt compact` covers memories alone.
"""

from collections.abc import Iterable

from siltstone.cli.models import Names
from siltstone.pipeline.estimate import Estimate
from siltstone.pipeline.extraction.session_summary import MOST_CHARS
from siltstone.pipeline.words import counted
from siltstone.store.errors import ConsentNeeded
from siltstone.store.state import State

TRANSCRIPTS, MEMORIES = "consent", "consent-compact"
"""Prefixes of the state values that say since when the user agrees to a model."""

CENT = 0.01


def missing(state: State, wanted: Names) -> bool:
    """Whether the user has yet to agree to one of these models."""
    told = [name for name in (wanted.extract, wanted.summary) if name is not None]
    lacks = any(not _agreed(state, name, [TRANSCRIPTS]) for name in told)
    if wanted.compact is None or wanted.compact == wanted.extract:
        return lacks
    return lacks or not _agreed(state, wanted.compact, [TRANSCRIPTS, MEMORIES])


def agree(state: State, wanted: Names, at: str) -> None:
    """Note that the user agrees to these models."""
    if wanted.extract is not None:
        state.set_value(f"{TRANSCRIPTS}:{wanted.extract}", at)
    if wanted.summary is not None:
        state.set_value(f"{TRANSCRIPTS}:{wanted.summary}", at)
    if wanted.compact is not None and wanted.compact != wanted.extract:
        state.set_value(f"{MEMORIES}:{wanted.compact}", at)


def refuse(told: str, how: str) -> ConsentNeeded:
    return ConsentNeeded(f"{told}; {how}")


def told_run(wanted: Names, reading: Estimate, sums: Estimate | None, asking: Estimate | None) -> str:
    """What a run would send, to which models."""
    pieces = []
    if wanted.extract is not None:
        sessions = counted(reading.sessions.total(), "session")
        size = _size(reading)
        now = f"{sessions}, {size}, would be sent to" if reading.prompt else "no session would now be sent to"
        pieces.append(f"{now} {wanted.extract}")
    if sums is not None and wanted.summary is not None:
        pieces.append(_told_summaries(wanted.summary, sums))
    if asking is not None and wanted.compact is not None:
        pieces.append(told_compaction(wanted.compact, asking))
    return "; ".join(pieces)


def _told_summaries(model: str, sums: Estimate) -> str:
    if not sums.prompts:
        return (
            f"no session is to be summed up now; of later ones at most {MOST_CHARS:,} characters each would "
            f"be sent to {model}"
        )
    sessions = counted(len(sums.prompts), "session")
    return f"the end of {sessions}, {_size(sums)}, would be sent to {model} to be summed up"


def told_compaction(model: str, asking: Estimate) -> str:
    """What a compaction would send, to which model."""
    if not asking.groups:
        return f"no memories are to be judged now; later ones would be sent to {model} when compaction is due"
    memories = counted(sum(len(group.entries) for group in asking.groups), "memory")
    groups = counted(len(asking.groups), "group")
    size = _size(asking)
    return f"{memories} in {groups}, {size}, would be sent to {model} to be compacted"


def _size(one: Estimate) -> str:
    cost = one.cost
    dear = "no known price" if cost is None else f"about {cost:.2f} USD" if cost >= CENT else "under 0.01 USD"
    return f"about {one.tokens:,} tokens ({dear})"


def _agreed(state: State, model: str, prefixes: Iterable[str]) -> bool:
    return any(state.value(f"{prefix}:{model}") is not None for prefix in prefixes)
