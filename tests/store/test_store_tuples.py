"""Values made without typing behave as those that typing makes."""

import copy
import pickle
import typing

import pytest

from siltstone.store.tuples import NamedTuple


class Light(NamedTuple):
    name: str
    size: int = 3
    parts: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        return f"{self.name} of {self.size}"


class Typed(typing.NamedTuple):
    name: str
    size: int = 3
    parts: tuple[str, ...] = ()


class Below(Light):
    __slots__ = ()


GIVEN: list[tuple[tuple[object, ...], dict[str, object]]] = [
    (("a",), {}),
    (("a", 1, ("b",)), {}),
    ((), {"name": "a"}),
    (("a",), {"parts": ("b",)}),
    (("a",), {"parts": (), "size": 0}),
]
WRONG: list[tuple[tuple[object, ...], dict[str, object]]] = [
    ((), {}),
    ((), {"size": 1}),
    (("a", 1, (), 4), {}),
    (("a",), {"name": "b"}),
    (("a",), {"other": 1}),
    (("a", 1, ()), {"other": 1}),
]


@pytest.mark.parametrize(("values", "named"), GIVEN, ids=repr)
def test_a_value_is_as_typing_makes_it(values: tuple[object, ...], named: dict[str, object]) -> None:
    make: typing.Any = Light
    other: typing.Any = Typed
    one, like = make(*values, **named), other(*values, **named)
    assert tuple(one) == tuple(like)
    assert (one.name, one.size, one.parts) == (like.name, like.size, like.parts)
    assert repr(one) == repr(like).replace("Typed", "Light")
    assert one._asdict() == like._asdict()
    assert (one._fields, one._field_defaults) == (like._fields, like._field_defaults)
    assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == one  # noqa: S301 - our own bytes
    assert hash(one) == hash(like)


@pytest.mark.parametrize(("values", "named"), WRONG, ids=repr)
def test_what_typing_refuses_is_refused(values: tuple[object, ...], named: dict[str, object]) -> None:
    for kind in (Light, Typed):
        make: typing.Any = kind
        with pytest.raises(TypeError):
            make(*values, **named)


def test_a_changed_copy() -> None:
    one = Light("a", 1)
    assert one._replace(size=2) == Light("a", 2)
    assert (one.size, Light("a").told) == (1, "a of 3")
    with pytest.raises(ValueError, match="other"):
        copy_of(one, other=1)


def copy_of(one: typing.Any, **changed: object) -> object:
    return one._replace(**changed)


def test_made_of_a_row() -> None:
    assert Light._make(["a", 1, ()]) == ("a", 1, ())
    with pytest.raises(TypeError):
        Light._make(["a"])


def test_nothing_can_be_set() -> None:
    one: typing.Any = Light("a")
    for name in ("size", "other"):
        with pytest.raises(AttributeError):
            setattr(one, name, 1)


def test_it_matches_by_position_and_a_class_below_keeps_the_fields() -> None:
    match Below("a", 1):
        case Below(name, size, _):
            assert (name, size) == ("a", 1)
    assert Below("a").told == "a of 3"
