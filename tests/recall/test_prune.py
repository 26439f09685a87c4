"""Pruning tool output: what goes, what stays, what is said (docs/seeds.md B6–B9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.recall.session.pruning import MARK, RULES, kind, prune
from siltstone.store.errors import Misuse

LISTING = [f"src/module_{n}/part.py" for n in range(100)]
LONG_LISTING = ["total 96", *(f"-rw-r--r-- 1 dev dev {n * 37} Nov 21 05:28 file_{n}.txt" for n in range(99))]
TREE = [".", *(f"│   ├── part_{n}" for n in range(97)), "└── end", "3 directories"]
LOG = [f"2026-11-21T05:28:{n % 60:02d}Z step {chr(97 + n % 26)}{n} of the run" for n in range(100)]
PROSE = [f"{'a quick brown fox'[: 5 + n % 12]} jumps over {chr(97 + n % 26)}{'x' * n}" for n in range(100)]
KINDS = {"listing": LISTING, "ls -l": LONG_LISTING, "tree": TREE, "log": LOG, "text": PROSE}

ERRORS = [
    "  ✕ renders the cart (5 ms)",
    "  ● Cart › renders",
    "not ok 3 - handles zero",
    "  1) Cart adds an item:",
    "CONFLICT (content): Merge conflict in a.txt",
    " ! [rejected]        main -> main (non-fast-forward)",
    "Process exited with code 137",
    "The command returned a non-zero code: 1",
    "tar: /var/x: No space left on device",
    "read tcp 10.0.0.1:80: connection reset by peer",
    "Killed by SIGKILL",
    "psycopg2: deadlock detected",
    "listen tcp :8080: bind: address already in use",
    "src/x.py:3:5: F401 'os' imported but unused",
    "Makefile:3: *** missing separator.  Stop.",
    "mismatched types",
    "Error: cannot find module",
    "src/a.ts(1,2): error TS2345: no",
    "FAILED tests/test_a.py::test_b - assert 1 == 2",
    "E       assert 3 == 4",
    "npm ERR! code ERESOLVE",
    "Traceback (most recent call last):",
    "thread 'main' panicked at src/main.rs:3",
    "panic: runtime error",
    "fatal: not a git repository",
    "ls: a: No such file or directory",
    "bash: x: command not found",
    "Segmentation fault (core dumped)",
    "make: *** [all] Error 2",
    "ValueError: bad",
    "java.lang.IllegalStateException: x",
    "✗ adds numbers",
    "2026-11-21 ERROR out of disk",
    "permission denied",
    "错误: 无法打开",
    "Process exited with exit code 2",
]
LINES = st.one_of(
    st.sampled_from(
        [*LISTING[:20], *LOG[:20], *PROSE[:20], *TREE[:5], "", "  ", "same", "same", "\ud800", "\x00"]
    ),
    st.sampled_from(ERRORS),
    st.text(st.characters(exclude_characters="\n"), max_size=30),
)
OUTPUTS = st.lists(LINES, max_size=130).map("\n".join)
LEVELS = st.sampled_from(sorted(RULES))
TOOLS = st.sampled_from(["ls", "Bash", "read", ""])


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        (LISTING, "listing"),
        (LONG_LISTING, "listing"),
        (TREE, "tree"),
        (LOG, "log"),
        (PROSE, "text"),
        ([], "text"),
    ],
)
def test_kinds(rows: list[str], shape: str) -> None:
    assert kind(rows, "Bash") == shape


def test_a_tool_that_lists_prints_listings() -> None:
    assert kind(["alpha", "beta"], "LS") == kind(["alpha"], "mcp__fs__list_directory") == "listing"


@pytest.mark.parametrize("level", ["safe", "moderate"])
@pytest.mark.parametrize("name", ["listing", "ls -l", "tree", "log"])
def test_below_high_what_lists_is_cut_to_thirty_at_each_end(name: str, level: str) -> None:
    rows = KINDS[name]
    shown = prune("\n".join(rows), "Bash", level).split("\n")
    assert shown[:30] == rows[:30]
    assert shown[-30:] == rows[-30:]
    assert len(shown) <= 62
    what = "listing" if name == "ls -l" else name
    assert shown[30] == f"{MARK}40 lines of this {what} cut, pressure {level}]"


def test_below_high_other_text_stays() -> None:
    assert prune("\n".join(PROSE), "read", "moderate") == "\n".join(PROSE)


@pytest.mark.parametrize(("level", "ends"), [("high", 20), ("critical", 10)])
@pytest.mark.parametrize("name", KINDS)
def test_from_high_on_everything_is_cut(name: str, level: str, ends: int) -> None:
    rows = KINDS[name]
    shown = prune("\n".join(rows), "Bash", level).split("\n")
    assert shown[0] == rows[0]
    assert shown[-1] == rows[-1]
    assert len(shown) <= 2 * ends + 2
    assert any(row.startswith(MARK) and row.endswith(f"pressure {level}]") for row in shown)


@pytest.mark.parametrize(("level", "most"), [("safe", 50), ("high", 30), ("critical", 15)])
def test_what_is_short_enough_stays(level: str, most: int) -> None:
    text = "\n".join(LISTING[:most])
    assert prune(text, "ls", level) == text
    assert prune(text + "\n", "ls", level) == text + "\n"


@pytest.mark.parametrize(("rows", "cut"), [(61, False), (62, True)])
def test_a_single_line_is_not_cut_for_it_would_only_be_replaced(rows: int, cut: bool) -> None:
    text = "\n".join(LISTING[:rows])
    assert (prune(text, "ls", "safe") != text) is cut


def test_errors_and_sums_in_the_middle_stay() -> None:
    rows = [*PROSE[:50], "Error: here", "12 passed, 1 failed", *PROSE[50:]]
    shown = prune("\n".join(rows), "Bash", "critical").split("\n")
    assert shown[10:14] == [
        f"{MARK}40 lines of this text cut, pressure critical]",
        "Error: here",
        "12 passed, 1 failed",
        f"{MARK}40 lines of this text cut, pressure critical]",
    ]


TOLD_OTHERWISE = (
    "./main.go:5:2: declared and not used: x",
    "make: *** [Makefile:3: all] Fehler 1",
    "erreur : fichier introuvable",
    "2026-11-21T05:28:03Z CRITICAL db down",
    "2026-11-21T05:28:03Z SEVERE: worker gone",
    "listen EADDRINUSE :::3000",
    "worker 3 crashed",
    "relation users does not exist",
    "unknown flag: --foo",
    "illegal option -- z",
    "double-linked list corrupted",
    "would reformat src/a.py",
    '10.0.0.1 "GET / HTTP/1.1" 503 12',
    "duplicate key value violates unique constraint",
)
"""Errors without any of the usual words."""


@pytest.mark.parametrize("level", ["safe", "critical"])
@pytest.mark.parametrize("error", TOLD_OTHERWISE)
def test_an_error_in_other_words_stays(error: str, level: str) -> None:
    assert error in prune("\n".join([*LOG[:40], error, *LOG[40:]]), "Bash", level).split("\n")


def test_a_repetition_is_told_once() -> None:
    rows = [f"Downloading chunk {n} of 90" for n in range(90)]
    assert prune("\n".join(rows), "Bash", "high").split("\n") == [
        rows[0],
        f"{MARK}88 lines of this text cut, pressure high]",
        rows[-1],
    ]


@pytest.mark.parametrize(("level", "shown"), [("safe", 61), ("moderate", 61), ("high", 3), ("critical", 3)])
def test_a_repetition_at_the_ends_goes_from_high_on_alone(level: str, shown: int) -> None:
    """B6: the first and last 30 lines stay; B7: repetition is filtered."""
    rows = [f"2026-11-21T05:28:{n % 60:02d}Z step {n} done" for n in range(100)]
    assert len(prune("\n".join(rows), "Bash", level).split("\n")) == shown


def test_what_is_synthetic_stays() -> None:
    text = "\n".join(LISTING)
    assert prune(text, "ls", "critical", synthetic=True) == text


def test_an_unknown_level_is_misuse() -> None:
    with pytest.raises(Misuse, match="there are safe, moderate, high, critical"):
        prune("", "ls", "hyper")


@given(OUTPUTS, TOOLS, LEVELS)
def test_no_line_that_tells_an_error_is_lost(output: str, tool: str, level: str) -> None:
    before, after = output.split("\n"), prune(output, tool, level).split("\n")
    for error in ERRORS:
        assert after.count(error) == before.count(error)


@given(OUTPUTS, TOOLS, LEVELS)
def test_what_is_shown_stood_there_in_that_order(output: str, tool: str, level: str) -> None:
    rows = iter(output.split("\n"))
    for row in prune(output, tool, level).split("\n"):
        assert row.startswith(MARK) or row in rows


@given(OUTPUTS, TOOLS, LEVELS)
def test_every_line_is_shown_or_counted(output: str, tool: str, level: str) -> None:
    shown = prune(output, tool, level).split("\n")
    cut = [int(row[len(MARK) :].split()[0].replace(",", "")) for row in shown if row.startswith(MARK)]
    assert len(shown) - len(cut) + sum(cut) == len(output.split("\n"))


@given(OUTPUTS, TOOLS, LEVELS)
def test_pruning_again_changes_nothing(output: str, tool: str, level: str) -> None:
    once = prune(output, tool, level)
    assert prune(once, tool, level) == once


@pytest.mark.parametrize("text", ["x" * 3_000_000, " " * 3_000_000, "a/" * 10**6, "\n" * 10**6, "─" * 10**6])
def test_any_output_is_pruned_in_bearable_time(text: str) -> None:
    assert prune(f"{text}\nError: x\n{text}", "Bash", "critical").count("Error: x") == 1
