"""Pruning tool output: what goes, what stays, what is said (docs/seeds.md B6–B9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table import rows, table

from siltstone.recall.session.pruning import MARK, RULES, kind, prune
from siltstone.store.errors import Misuse

LISTING = [f"src/module_{n}/part.py" for n in range(100)]
LONG_LISTING = ["total 96", *(f"-rw-r--r-- 1 dev dev {n * 37} Nov 21 05:28 file_{n}.txt" for n in range(99))]
TREE = [".", *(f"│   ├── part_{n}" for n in range(97)), "└── end", "3 directories"]
LOG = [f"2026-11-21T05:28:{n % 60:02d}Z step {chr(97 + n % 26)}{n} of the run" for n in range(100)]
PROSE = [f"{'a quick brown fox'[: 5 + n % 12]} jumps over {chr(97 + n % 26)}{'x' * n}" for n in range(100)]
KINDS = {"listing": LISTING, "ls -l": LONG_LISTING, "tree": TREE, "log": LOG, "text": PROSE}

ERRORS = [row["line"] for row in rows("prune", "errors")]
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


def test_kinds() -> None:
    shapes = dict.fromkeys(KINDS, "listing") | {name: name for name in ("tree", "log", "text")}
    assert {name: kind(told, "Bash") for name, told in KINDS.items()} == shapes
    assert kind([], "Bash") == "text"
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
    assert prune("\n".join(PROSE), "read", "moderate") == "\n".join(PROSE), "no listing, below high"


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


@pytest.mark.parametrize("level", ["safe", "critical"])
@table("prune", "otherwise")
def test_an_error_in_other_words_stays(error: str, level: str) -> None:
    """Errors without any of the usual words."""
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
def test_errors_stay_and_every_line_is_shown_in_its_order_or_counted(
    output: str, tool: str, level: str
) -> None:
    once = prune(output, tool, level)
    before, after = output.split("\n"), once.split("\n")
    for error in ERRORS:
        assert after.count(error) == before.count(error)
    left = iter(before)
    assert all(row.startswith(MARK) or row in left for row in after)
    cut = [int(row[len(MARK) :].split()[0].replace(",", "")) for row in after if row.startswith(MARK)]
    assert len(after) - len(cut) + sum(cut) == len(before)
    assert prune(once, tool, level) == once


@pytest.mark.parametrize("text", ["x" * 3_000_000, " " * 3_000_000, "a/" * 10**6, "\n" * 10**6, "─" * 10**6])
def test_any_output_is_pruned_in_bearable_time(text: str) -> None:
    assert prune(f"{text}\nError: x\n{text}", "Bash", "critical").count("Error: x") == 1
