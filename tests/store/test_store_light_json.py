"""JSON for hot commands: the same as the standard library's, to the letter of its errors."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.store.light_json import dumps, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_values_are_written_as_json_writes_them_and_read_back(value: object) -> None:
    assert dumps(value) == json.dumps(value)
    assert dumps(value, tight=True) == json.dumps(value, separators=(",", ":"))
    assert loads(dumps(value)) == value
    assert loads(json.dumps(value, ensure_ascii=False, indent=1).encode(errors="surrogatepass")) == value


def outcome(read: object, told: str | bytes) -> str:
    try:
        return repr(read(told))  # type: ignore[operator]
    except (ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"


@given(st.binary() | st.text() | st.text('{}[]",:0123456789.eE+-\\ \n\tnulltrefasNI'))
def test_whatever_is_told_comes_to_the_same(told: str | bytes) -> None:
    assert outcome(loads, told) == outcome(json.loads, told)


@pytest.mark.parametrize(
    "told",
    [
        *("", "{", "[1,]", '{"a": 1} x', '{"a": "\n"}', '{"a": 1, "a": 2}', "NaN", "-Infinity", "\ufeff{}"),
        *("[" * 100_000, "﻿{}".encode(), "{}".encode("utf-16"), '"\ud800"'.encode(errors="surrogatepass")),
        *(b"\xff", b'"\xc3"', '"é"', " [1]\r\n", "\x0b[1]"),
    ],
    ids=lambda told: repr(told)[:20],
)
def test_what_is_hardly_json_comes_to_the_same(told: str | bytes) -> None:
    assert outcome(loads, told) == outcome(json.loads, told)


@pytest.mark.parametrize("value", [object(), {1}, {(1,): 2}, b"x"], ids=["object", "set", "key", "bytes"])
def test_what_is_no_json_is_not_written(value: object) -> None:
    with pytest.raises(TypeError):
        dumps(value)


def test_what_is_torn_is_told_where_json_is_not_loaded() -> None:
    """As in a hook: there the scanner of Python 3.11 fails without an error of its own."""
    code = (
        "import sys\nfrom siltstone.store.light_json import loads\n"
        "for told in ('{', '[1,', '{\"a', '{a:1}', '[1 2]', '\"\\x00\"'):\n"
        "    for name in ('json', 'json.decoder'):\n        sys.modules.pop(name, None)\n"
        "    try:\n        loads(told)\n    except ValueError as error:\n        print(error)\n"
    )
    env = dict(os.environ) | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) == 6
