"""Values of another shape than expected, put anywhere into what was expected."""

from collections.abc import Iterator
from typing import Any

OTHERS: tuple[Any, ...] = (None, True, 3, 1.5, "text", [], {}, [3], [{}], [[]], {"a": 3}, [{"hooks": 3}])
"""Values of every type, some of them what is looked for one level further down."""


def paths(value: Any) -> Iterator[tuple[str | int, ...]]:
    """The place of everything that a value holds."""
    below = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inner in below:
        yield (key,)
        yield from ((key, *rest) for rest in paths(inner))


def replaced(value: Any, path: tuple[str | int, ...], other: Any) -> Any:
    if not path:
        return other
    changed = list(value) if isinstance(value, list) else dict(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], other)  # type: ignore[index]
    return changed
