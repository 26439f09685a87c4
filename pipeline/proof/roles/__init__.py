"""Which thing goes with which, which way round, and when.

A claim may be made of nothing but words that were said and still be wrong. Of "postgres in prod, sqlite in
tests" it may make "sqlite in prod" (pairs.py), of "lint before you push" "push before you lint" (orders.py),
of "deploy by hand if it is a Friday" "deploy by hand" (conditions.py). So what was said is taken apart, and
each piece of a claim is held against it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from siltstone.pipeline.proof.roles.conditions import Conditions, conditions_of, other_condition
from siltstone.pipeline.proof.roles.orders import Order, orders_in, turned
from siltstone.pipeline.proof.roles.pairs import Unit, mixed, units_in
from siltstone.pipeline.proof.roles.tokens import sentences_in


class Roles(NamedTuple):
    """What was said, taken apart."""

    units: tuple[Unit, ...]
    orders: tuple[Order, ...]
    conditions: Conditions


def roles_of(texts: Iterable[str], known: str = "") -> Roles:
    """The roles of the things in what was said, and in the memory that it updates (`known`), whose conditions
    may be over."""
    told = [one for text in texts for one in sentences_in(text)]
    said = [*told, *sentences_in(known)]
    return Roles(
        tuple(unit._replace(sentence=n) for n, one in enumerate(said) for unit in units_in(one)),
        tuple(order for one in said for order in orders_in(one)),
        conditions_of(told),
    )


def rearranged(text: str, said: Roles) -> bool:
    """Whether a piece of a claim puts what was said together in another way."""
    return mixed(text, said.units) or turned(text, said.orders) or other_condition(text, said.conditions)
