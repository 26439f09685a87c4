"""What opens an error and what clears it (docs/seeds.md A33–A36, its vectors and defects)."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import CWD, TS_ERROR, after, ran, used
from support.table import table

from siltstone.pipeline import detector
from siltstone.recall.session.errors import (
    CATEGORIES,
    KEPT,
    LONGEST,
    MAX_LINES,
    category_of,
    errors_in,
    fingerprint,
)


def kind(command: str) -> str:
    return category_of(words for words, *_ in detector.programs(command))


@table("session_errors", "categories")
def test_category_of_a_command(category: str, commands: list[str]) -> None:
    assert {command: kind(command) for command in commands} == dict.fromkeys(commands, category)


@table("session_errors", "errors")
def test_errors_of_a_failing_command(command: str, output: str, categories: list[str]) -> None:
    assert [one.category for one in errors_in(command, kind(command), output)] == categories


@table("session_errors", "summaries")
def test_an_error_is_the_last_line_of_a_traceback_or_the_name_of_a_silent_check(
    command: str, output: str, summaries: list[str]
) -> None:
    state = after([ran(command, 1, output)])
    assert [error.summary for error in state.errors] == summaries
    assert after([ran(command, 0)], state).errors == ()


def test_a_fingerprint_is_of_the_summary() -> None:
    [error] = errors_in("npm run typecheck", "typecheck", TS_ERROR)
    assert error.summary == TS_ERROR
    assert error.fingerprint == sha256(TS_ERROR.encode()).hexdigest()[:12] == fingerprint(TS_ERROR)


def test_limits_of_lines_and_characters() -> None:
    output = "\n".join(f"Error: number {n} {'long ' * 100}" for n in range(9))
    errors = errors_in("node a.js", "runtime", output)
    assert len(errors) == MAX_LINES
    assert all(len(error.summary) <= LONGEST for error in errors)


@pytest.mark.parametrize("output", ["x" * 5_000_000, "Error: " * 700_000, "\n" * 3_000_000, "\ud800\x00"])
def test_any_output_is_read_in_bearable_time(output: str) -> None:
    assert len(errors_in("npm test", "test", output)) <= MAX_LINES


@table("session_errors", "parts")
def test_each_part_of_a_command_line_is_judged(command: str, summaries: list[str]) -> None:
    state = after([ran(command, 1, "Error: no cart")])
    assert [error.summary for error in state.errors] == summaries
    assert after([ran("npm test", 0)], state).errors == ()


@pytest.mark.parametrize("command", ["npm test", "git log -1 && npm test"])
def test_a_call_that_was_refused_says_nothing_of_the_tests(command: str) -> None:
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert after([ran(command, None, refused, failed=True)]).errors == ()


@table("session_errors", "failed")
def test_a_tool_that_says_it_failed_opens_an_error(exit: int | None, failed: bool, errors: int) -> None:
    assert len(after([ran("npm test", exit, "Error: no cart", failed=failed)]).errors) == errors


READERS = ["git log --oneline", "cat errors.log", "rtk cat ~/.local/share/session.json", "rg Error: src"]


@pytest.mark.parametrize("command", READERS)
def test_what_is_read_opens_nothing(command: str) -> None:
    assert after([ran(command, 1, "Error: this is what a file says")]).errors == ()


def test_without_a_status_nothing_opens_and_nothing_clears() -> None:
    assert after([ran("npm run typecheck", None, TS_ERROR)]).errors == ()
    opened = [ran("npm run typecheck", 2, TS_ERROR)]
    assert len(after([*opened, ran("npm run typecheck", None, "")]).errors) == 1
    assert len(after([*opened, ran("curl x", None, "status: 0, exit code 0")]).errors) == 1


@pytest.mark.parametrize("category", CATEGORIES)
def test_success_clears_its_category_and_no_other(category: str) -> None:
    commands = {"typecheck": "mypy .", "test": "pytest", "lint": "ruff check", "build": "make"}
    opened = [ran(command, 1, f"error: {name}") for name, command in commands.items()]
    left = after([*opened, ran(commands[category], 0)]).errors
    assert {error.category for error in left} == set(CATEGORIES) - {category}


def test_success_of_another_program_says_nothing_of_a_crash() -> None:
    crash = ran("node a.js", 1, "TypeError: x is undefined")
    assert len(after([crash, ran("ls", 0), ran("node b.js", 0)]).errors) == 1
    assert after([crash, ran("node a.js", 0)]).errors == ()


@table("session_errors", "clearing")
def test_only_tests_that_surely_passed_clear_what_tests_told(command: str, left: int) -> None:
    failing = ran("npm run test:unit", 1, "FAIL a.test.ts")
    assert len(after([failing, ran(command, 0)]).errors) == left


def test_a_build_that_succeeds_clears_the_type_errors_it_had_shown() -> None:
    assert after([ran("npm run build", 2, TS_ERROR), ran("npm run build", 0)]).errors == ()


def test_a_repeat_is_counted_and_not_doubled() -> None:
    [error] = after([ran("npm test", 1, "Error: x"), ran("npm test", 1, "Error: x")]).errors
    assert (error.seen, error.summary) == (2, "Error: x")


@pytest.mark.parametrize(
    ("tool", "path", "fixed"),
    [
        pytest.param("Edit", f"{CWD}/src/index.ts", True, id="edited"),
        pytest.param("Write", "src/index.ts", True, id="written"),
        pytest.param("Read", "src/index.ts", False, id="only read"),
        pytest.param("Edit", "src/other.ts", False, id="another file"),
        pytest.param("Edit", "dex.ts", False, id="end of the name"),
    ],
)
def test_changing_a_file_that_is_named_perhaps_fixes_it(tool: str, path: str, fixed: bool) -> None:
    [error] = after([ran("npm run typecheck", 2, TS_ERROR), used(tool, path)]).errors
    assert error.maybe_fixed is fixed


def test_what_was_perhaps_fixed_and_shows_again_is_open() -> None:
    failing = ran("npm run typecheck", 2, TS_ERROR)
    [error] = after([failing, used("Edit", "src/index.ts"), failing]).errors
    assert (error.maybe_fixed, error.seen) == (False, 2)


def test_what_was_perhaps_fixed_and_is_not_shown_again_goes() -> None:
    first, second = ran("npm test", 1, "Error: in a.ts"), ran("npm test", 1, "Error: in b.ts")
    state = after([first, used("Edit", "a.ts"), second])
    assert [error.summary for error in state.errors] == ["Error: in b.ts"]


def test_the_newest_errors_stay() -> None:
    state = after([ran(f"node {n}.js", 1, f"Error: {'abcdefghij'[n]}") for n in range(KEPT + 3)])
    assert [error.summary for error in state.errors] == [f"Error: {c}" for c in "defgh"]


def test_a_secret_in_an_error_is_hidden() -> None:
    secret = "gh" + "p_" + "Zq81LmX0vTt4bYw7RkS2nDf6HcJ9uE3aPo5i"
    state = after([ran("npm test", 1, f"Error: bad credentials {secret}")])
    assert state.errors
    assert secret not in str(state)


@given(st.text(max_size=200), st.text(max_size=60), st.integers(-3, 3))
def test_no_output_breaks_it(output: str, command: str, status: int) -> None:
    state = after([ran(command, status, f"Error: {output}")])
    assert len(state.errors) <= KEPT
    assert status != 0 or not state.errors
