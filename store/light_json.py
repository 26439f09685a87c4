"""JSON for hot commands (docs/benchmarks.md): the parts of `json` that are written in C, if Python has them.

The rest of it, and `re`, which it loads, take a hook a quarter of the time that it may take. What is no JSON
is left to `json` itself, so that errors and rare encodings are its own.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(told: str | bytes) -> "Any":
    """As `json.loads` of these. Raises ValueError and RecursionError."""
    if _scan is not None:
        try:
            text = told if isinstance(told, str) else told.decode()
            text = text.strip(" \t\n\r")
            value, end = _scan(text, 0)
            if end == len(text):
                return value
        except (ValueError, StopIteration, SystemError):
            pass  # SystemError: where `json` is not loaded, Python 3.11's scanner has no error of its own
    import json

    return json.loads(told)


def dumps(value: object, tight: bool = False) -> str:
    """As `json.dumps`; `tight`: without blanks. Raises TypeError and RecursionError."""
    if _encoder is not None:
        return "".join(_encoder[tight](value, 0))
    import json

    return json.dumps(value, separators=(",", ":") if tight else None)


class _Context:
    """What `json.JSONDecoder` tells its scanner."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def _other(value: object) -> str:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_scan: "Any" = None
_encoder: "Any" = None
try:
    import _json

    _scan = _json.make_scanner(_Context)  # type: ignore[arg-type]
    _encoder = tuple(
        _json.make_encoder(
            None, _other, _json.encode_basestring_ascii, None, colon, comma, False, False, True
        )
        for colon, comma in ((": ", ", "), (":", ","))
    )
except (ImportError, AttributeError, TypeError):
    pass  # another Python: `json` does it
