"""What a batch or a compaction would read and send, in words and for `--json`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siltstone.cli.models import Names
from siltstone.pipeline.estimate import Estimate
from siltstone.pipeline.extraction.session_summary import MOST_CHARS
from siltstone.pipeline.words import counted

CENT = 0.01


@dataclass(frozen=True, slots=True)
class Estimates:
    """What a batch would send to which models."""

    names: Names
    reading: Estimate
    sums: Estimate | None
    """None: no model sums sessions up."""
    asking: Estimate | None
    """What is due for compaction as things stand; None: no model compacts."""

    @property
    def sends_nothing(self) -> bool:
        sums, asking = self.sums, self.asking
        return not (self.reading.prompt or (sums and sums.prompts) or (asking and asking.groups))

    def in_words(self) -> str:
        """ "" where no model is named."""
        reading, sums, names = self.reading, self.sums, self.names
        pieces = []
        if names.extract is not None:
            now = f"{counted(reading.sessions.total(), 'session')}, {_size(reading)}, would be sent to"
            pieces.append(f"{now if reading.prompt else 'no session would now be sent to'} {names.extract}")
        if sums is not None and not sums.prompts:
            pieces.append(
                f"no session is to be summed up now; of later ones at most {MOST_CHARS:,} characters each "
                f"would be sent to {names.summary}"
            )
        elif sums is not None:
            end = f"the end of {counted(len(sums.prompts), 'session')}, {_size(sums)}"
            pieces.append(f"{end}, would be sent to {names.summary} to be summed up")
        if self.asking is not None:
            pieces.append(compaction_in_words(str(names.compact), self.asking))
        return "; ".join(pieces)

    def as_json(self) -> Mapping[str, Any]:
        reading, sums, asking = self.reading, self.sums, self.asking
        summaries = None
        if sums is not None:
            summaries = {"model": self.names.summary, "sessions": len(sums.prompts), **_sizes(sums)}
        return {
            "dry_run": True,
            "model": self.names.extract,
            "sessions": reading.sessions.total(),
            "windows": len(reading.prompts),
            **_sizes(reading),
            "summaries": summaries,
            "compaction": None if asking is None else compaction_json(str(self.names.compact), asking),
        }


def compaction_in_words(model: str, asking: Estimate) -> str:
    """What a compaction would send, to which model."""
    if not asking.prompts:
        return f"no memories are to be judged now; later ones would be sent to {model} when compaction is due"
    memories = counted(sum(len(group.entries) for group in asking.groups), "memory")
    more = "" if len(asking.prompts) == len(asking.groups) else " and what is learned"
    groups = counted(len(asking.prompts), "group")
    return f"{memories}{more} in {groups}, {_size(asking)}, would be sent to {model} to be compacted"


def compaction_json(model: str, asking: Estimate) -> dict[str, Any]:
    """The same, as `--json` prints it."""
    return {
        "model": model,
        "groups": [
            {"scope": group.scope, "tokens": tokens, "memories": [stored.path for stored in group.entries]}
            for group, tokens in zip(asking.groups, asking.prompts, strict=False)
        ],
        **_sizes(asking),
    }


def _sizes(one: Estimate) -> dict[str, Any]:
    return {"tokens": {"prompt": one.prompt, "completion": one.completion}, "cost": one.cost}


def _size(one: Estimate) -> str:
    cost = one.cost
    dear = "no known price" if cost is None else f"about {cost:.2f} USD" if cost >= CENT else "under 0.01 USD"
    return f"about {one.tokens:,} tokens ({dear})"
