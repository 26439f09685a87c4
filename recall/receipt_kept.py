"""A receipt as it is kept beside the block it tells of: the same bytes, the same receipt (D17)."""

from siltstone.recall.receipt import Receipt, Shown
from siltstone.store.light_json import dumps, loads


def dump(told: Receipt) -> str:
    """A receipt as a text."""
    return dumps(told)


def load(text: str) -> Receipt | None:
    """What `dump` made; None for anything else."""
    try:
        told = Receipt(*loads(text))
        return told._replace(
            scopes=tuple(told.scopes),
            shown=tuple(Shown(*one) for one in told.shown),
            named=tuple((path, why) for path, why in told.named),
            unreadable=tuple(told.unreadable),
            beside=tuple(told.beside),
        )
    except (ValueError, TypeError):
        return None
