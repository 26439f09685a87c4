"""When something holds: "deploy by hand if it is a Friday", "never push unless the tests pass"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import negated
from siltstone.pipeline.proof.clauses import COMMA, REASON
from siltstone.pipeline.proof.normal_form import is_form
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.proof.roles.tokens import UNIT_END, Keys, keys_of
from siltstone.pipeline.proof.wording import NEUTRAL, opposite
from siltstone.pipeline.words import word_lists

_COURTESY = word_lists(__file__, "words")["courtesy"]


class Condition(NamedTuple):
    """A condition, and what it is said of."""

    of: str
    """What it is said of."""
    main: Keys
    """The words of that."""
    when: Keys
    """Those of the condition."""
    holds: bool
    """Whether it holds with the condition, or without it: "do it unless X" is "don't if X"."""
    excepts: bool
    """The condition takes something out of what holds."""


class Conditions(NamedTuple):
    said: tuple[Condition, ...]
    without: tuple[Keys, ...]
    """Of each unit that is said without one."""


def conditions_of(sentences: Sequence[str]) -> Conditions:
    """The conditions in sentences that were said, and what these say without one."""
    said = tuple(it for one in sentences for it in _conditions(one))
    bound = [one.main | one.when for one in said]
    units = (keys_of(it) for one in sentences for it in UNIT_END.split(one))
    return Conditions(said, tuple(one for one in units if not any(one <= its for its in bound)))


def other_condition(text: str, conditions: Conditions) -> bool:
    """Whether a text leaves out the condition under which it was said, turns it round, or makes a rule of an
    exception."""
    claimed = _conditions(text)
    if any(_turns_round(mine, its) for mine in claimed for its in conditions.said):
        return True
    if claimed or pattern("limits").search(text) or pattern("restricts").search(text):
        return False
    keys = keys_of(text)
    best = max((len(keys & one) for one in conditions.without), default=0)
    meant = (one for one in conditions.said if len(keys & one.main) > best)
    return any(_leaves_out(text, keys, one) for one in meant if len(keys & one.main) * 2 >= len(one.main))


def _leaves_out(text: str, keys: Keys, said: Condition) -> bool:
    """Whether a text without a condition has nothing of that under which it was said, or says of an exception
    what holds for the rest."""
    if not any(is_form(key, one) or key == one for key in said.when for one in keys):
        return True
    return said.excepts and negated(text) == negated(said.of) and not opposite(text, said.of)


def _turns_round(claim: Condition, said: Condition) -> bool:
    """Whether a claim takes the condition for what holds, or says no where it was said to hold. Where one
    condition stands within another, it is not known which words are whose."""
    exchanged = claim.when & said.main - said.when and claim.main & said.when - said.main
    if exchanged and pattern("limits").search(said.of) is None:
        return True
    when, main = claim.when & said.when, claim.main & said.main
    same = len(when) * 2 >= len(said.when) and len(main) * 2 >= len(claim.main) > 0
    return same and claim.holds != said.holds


@lru_cache(maxsize=4_096)
def _conditions(sentence: str) -> tuple[Condition, ...]:
    return tuple(_found(sentence))


def _found(sentence: str) -> Iterator[Condition]:
    """Each condition in a sentence, with what stands before it, or, where it comes first, behind it. Behind a
    comma an exception goes with what stands before, and anything else may begin another sentence."""
    for found in pattern("limits").finditer(sentence):
        excepts = pattern("excepts").fullmatch(found[0]) is not None
        *earlier, main = UNIT_END.split(sentence[: found.start()])
        when, first = sentence[found.end() :], not keys_of(main)
        end = COMMA.search(when) or (pattern("main_clause").search(when) if first else None)
        if first and excepts:  # "Except on Fridays, …" goes with the sentence before
            main = next((one for one in reversed(earlier) if keys_of(one)), "")
        elif first:
            behind = when[end.end() :].strip() if end else ""
            if REASON.match(behind):
                behind = "".join(COMMA.split(behind, maxsplit=1)[1:])
            main = UNIT_END.split(behind.strip(), maxsplit=1)[0]
        when = when[: end.start()] if end else when
        keys = keys_of(when)
        if keys - NEUTRAL - _COURTESY:
            lacks = excepts or pattern("not_until").fullmatch(found[0]) is not None
            yield Condition(main, keys_of(main), keys, not (negated(main) ^ lacks ^ negated(when)), excepts)
