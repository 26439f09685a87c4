"""Which ops of a plan may be applied: every op is checked against every rule of `refusals.py`."""

from collections.abc import Sequence
from dataclasses import dataclass

from siltstone.pipeline.compaction.plan import CompactView, Drop, Flag, Op, Refused, Session
from siltstone.pipeline.compaction.refusals import RULES

_SETTLES = ("superseded_by", "expired")
"""Reasons of deletions that settle a contradiction; code proves them."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The accepted and the refused ops of a plan."""

    accepted: tuple[Op, ...]
    refused: tuple[Refused, ...]


def check(ops: Sequence[Op], view: CompactView, flags: Sequence[Flag] = ()) -> Checked:
    """Check every op against every rule, in order. No op may touch what an earlier one changes.

    A deletion as "superseded" without a word of change becomes a flag (invariant 11).

    `flags` are contradictions that code found. They come before any op that could hide one, and after a
    deletion that may settle it. Nobody proposed them, so a refused one is not reported.
    """
    session = Session(view)
    accepted: list[Op] = []
    refused: list[Refused] = []
    known = {_pair(flag) for flag in flags}
    wanted = [op for op in ops if not (isinstance(op, Flag) and _pair(op) in known)]
    settling = {op.target.path for op in ops if isinstance(op, Drop) and op.because in _SETTLES}
    early = [flag for flag in flags if not _pair(flag) & settling]
    for op in (*early, *wanted, *flags):
        objection = _objection(op, session)
        if objection is not None:
            if any(op is flag for flag in flags):
                continue
            refused.append(objection)
            if objection.rule != "no-word-of-change" or not isinstance(op, Drop) or op.by is None:
                continue
            op = Flag(op.target, op.by)
            if _objection(op, session) is not None:
                continue
        accepted.append(op)
        session.take(op)
    return Checked(tuple(accepted), tuple(refused))


def _pair(flag: Flag) -> frozenset[str]:
    return frozenset((flag.one.path, flag.other.path))


def _objection(op: Op, session: Session) -> Refused | None:
    for name, rule in RULES:
        detail = rule(op, session)
        if detail is not None:
            return Refused(op, name, detail)
    return None
