"""Patterns that are compiled when they are first wanted: they find what compiled ones find."""

import re
import subprocess
import sys

import pytest

from siltstone.store.late import IGNORECASE, MULTILINE, LatePattern, at_lines
from siltstone.store.redaction.wordlist import one_of

TEXT = "a B bb  b c"


@pytest.mark.parametrize("flags", [0, re.IGNORECASE], ids=["as it stands", "any case"])
def test_it_finds_what_a_compiled_one_finds(flags: int) -> None:
    late, whole = LatePattern(r"\s*b+", flags), re.compile(r"\s*b+", flags)
    spans = [one.span() for one in whole.finditer(TEXT, 2, 9)]
    assert [one.span() for one in late.finditer(TEXT, 2, 9)] == spans
    assert late.findall(TEXT) == whole.findall(TEXT)
    assert (late.split(TEXT), late.split(TEXT, 1)) == (whole.split(TEXT), whole.split(TEXT, 1))
    assert (late.sub("x", TEXT), late.sub("x", TEXT, 1)) == (whole.sub("x", TEXT), whole.sub("x", TEXT, 1))
    for start in range(len(TEXT)):
        assert str(late.search(TEXT, start)) == str(whole.search(TEXT, start))
        assert str(late.match(TEXT, start, 6)) == str(whole.match(TEXT, start, 6))
        assert str(late.fullmatch(TEXT, start, 6)) == str(whole.fullmatch(TEXT, start, 6))


def test_what_begins_a_line_is_found_behind_the_break() -> None:
    for text in ("ab", "x ab\nabc\n ab\n\nab", "\nab\r\nab "):
        spans = [one.span() for one in re.finditer(r"(?m)^ab[^\n]*", text)]
        assert at_lines(LatePattern(r"\nab[^\n]*"), text) == spans


def test_what_stands_for_parts_of_re_says_the_same() -> None:
    assert (IGNORECASE, MULTILINE) == (re.IGNORECASE, re.MULTILINE)
    signs = "".join(map(chr, range(128))).replace(",", "")
    assert one_of(f"a{signs}") == f"(?:{re.escape(' '.join(f'a{signs}'.split()))})"


def test_nothing_is_compiled_before_a_text_is_looked_through() -> None:
    broken = LatePattern("(")
    with pytest.raises(re.error):
        broken.search("a")


def test_no_pattern_for_secrets_is_compiled_until_a_text_may_need_it() -> None:
    """To compile all takes a hook more than it may take at all (docs/benchmarks.md)."""
    counted = (
        "import re, re._compiler as compiler, siltstone.store.late\n"
        "made, whole = [], compiler.compile\n"
        "compiler.compile = lambda *given: made.append(given) or whole(*given)\n"
        "from siltstone.store.redaction import redact\n"
        "loaded = len(made)\n"
        "redact('请记住：所有的提交信息都用英文写。 Über 5 Zeilen nie.')\n"
        "print(loaded, len(made))\n"
    )
    done = subprocess.run([sys.executable, "-c", counted], capture_output=True, text=True, check=True)
    loaded, made = map(int, done.stdout.split())
    assert loaded == 0
    assert made <= 8
