"""What opens an error and what clears it (docs/seeds.md A33–A36, its vectors and defects)."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import CWD, TS_ERROR, after, ran, used

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


@pytest.mark.parametrize(
    ("category", "commands"),
    [
        ("typecheck", ["npm run typecheck", "npx tsc --noEmit", "uv run mypy .", "pnpm -r type-check"]),
        ("typecheck", ["yarn type:check", "cargo check", "npx vue-tsc", "cd app && npm run check-types"]),
        ("test", ["npm test", "python -m pytest -q", "go test ./...", "npm run test:unit -- --grep build"]),
        (
            "test",
            ["CI=1 npx jest tests/build", "./run_tests.sh", "bash -lc 'npm test'", "make -C build test"],
        ),
        ("test", ["(cd app && yarn test)", "docker compose run web pytest", "time ./gradlew test"]),
        ("lint", ["cargo clippy", "npx eslint src", "ruff check .", "npm run lint:fix", "next lint"]),
        ("build", ["npm run build", "make", "cargo build --release", "npm run build -- --mode test"]),
        ("build", ["pnpm --filter test-utils build", "docker build .", "sh scripts/build.sh", "cargo run"]),
        (
            "runtime",
            ["node script.js", "python app.py", "go run .", "", "npm install jest", "npm i -D eslint"],
        ),
        ("runtime", ["cat tests/a.py", "git commit -m 'fix tests'", "rm -rf build", "test -f x", "cd tests"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_category_of_a_command(category: str, commands: list[str]) -> None:
    assert {command: kind(command) for command in commands} == dict.fromkeys(commands, category)


@pytest.mark.parametrize(
    ("command", "output", "categories"),
    [
        pytest.param("npm run typecheck", TS_ERROR, ["typecheck"], id="typescript"),
        pytest.param("npm run build", TS_ERROR, ["typecheck"], id="typescript in a build"),
        pytest.param("node script.js", "Error: Cannot find module './missing'", ["runtime"], id="runtime"),
        pytest.param("node a.js", "TypeError: Cannot read property 'x' of undefined", ["runtime"], id="type"),
        pytest.param("node a.js", "it failed", [], id="prose of no check"),
        pytest.param("npm test", "1 test failed", ["test"], id="prose of a check"),
        pytest.param("npm test", "0 failed, 12 passed", [], id="nothing failed"),
        pytest.param("python a.py", "Traceback (most recent call last):", ["runtime"], id="traceback"),
        pytest.param("./a", "thread main panicked at src/main.rs:3", ["runtime"], id="panic"),
        pytest.param("npm i", "npm ERR! code ERESOLVE", ["runtime"], id="npm"),
        pytest.param("curl -s x", "status: 404", [], id="a status in a text"),
        pytest.param("npm test", "\x1b[31mError: red\x1b[0m", ["test"], id="colours"),
        pytest.param("npm test", "", [], id="silent"),
        pytest.param("npm test", "1 failed, 0 errors", ["test"], id="some failed, none broke"),
        pytest.param("node --test", "# fail 0", [], id="none of them"),
        pytest.param("npx tap", "not ok 1 - adds numbers", ["test"], id="tap"),
        pytest.param("npx eslint .", "✖ 3 problems (3 errors, 0 warnings)", ["lint"], id="several"),
        pytest.param("npm i x", "npm error code E404", ["runtime"], id="npm of today"),
        pytest.param("node a.js", "Uncaught ReferenceError: y is not defined", ["runtime"], id="uncaught"),
        pytest.param("git push", "status: 404\nexit code: 1", [], id="figures that look like a status"),
    ],
)
def test_errors_of_a_failing_command(command: str, output: str, categories: list[str]) -> None:
    assert [one.category for one in errors_in(command, kind(command), output)] == categories


FRAMES = 'Traceback (most recent call last):\n  File "{}", line 1, in <module>\n    {}\n'
NODE = "[eval]:1\ncart()\n^\n\nReferenceError: cart is not defined\n    at [eval]:1:1\n\nNode.js v22.1.0"
CHAINED = "\nDuring handling of the above exception, another exception occurred:\n\n"
MISSING = "ModuleNotFoundError: No module named 'cart'"


@pytest.mark.parametrize(
    ("command", "output", "summaries"),
    [
        pytest.param(
            "python3 app.py", f"{FRAMES.format('app.py', 'import cart')}{MISSING}", [MISSING], id="module"
        ),
        pytest.param(
            "python3 app.py",
            f"{FRAMES.format('app.py', 'assert cart')}AssertionError\n",
            ["AssertionError"],
            id="a name alone",
        ),
        pytest.param(
            "python3 app.py",
            f"{FRAMES.format('app.py', 'cart()')}KeyError: 1\n{CHAINED}"
            f"{FRAMES.format('app.py', 'stop()')}shop.Closed: it is late",
            ["KeyError: 1", "shop.Closed: it is late"],
            id="chained",
        ),
        pytest.param(
            "python3 app.py",
            FRAMES.format("app.py", "cart()"),
            ["Traceback (most recent call last):"],
            id="cut",
        ),
        pytest.param(
            "python3 -c 'import cart'",
            f"{FRAMES.format('<string>', 'import cart')}{MISSING}",
            [MISSING],
            id="program in the command",
        ),
        pytest.param(
            "cat a.log; python3 -c 'import cart'",
            f"Error: of somebody else\n{FRAMES.format('<string>', 'import cart')}{MISSING}",
            [MISSING],
            id="beside a reader",
        ),
        pytest.param("node -e 'cart()'", NODE, ["ReferenceError: cart is not defined"], id="node"),
        pytest.param(
            "python3 -c 'print(open(\"a.log\").read()); exit(1)'",
            "Error: of somebody else",
            [],
            id="what it read",
        ),
    ],
)
def test_of_a_traceback_its_last_line_is_the_error(command: str, output: str, summaries: list[str]) -> None:
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


@pytest.mark.parametrize(
    ("command", "summaries"),
    [
        pytest.param("echo x && npm test", ["Error: no cart"], id="what the agent said itself"),
        pytest.param(
            "echo 'Error: no cart'; npm test",
            ["npm test failed, or what ran beside it"],
            id="a line it was told to print",
        ),
        pytest.param("cd app && npm test", ["Error: no cart"], id="nothing printed"),
        pytest.param(
            "git log -1 && npm test", ["npm test failed, or what ran beside it"], id="beside a reader"
        ),
        pytest.param(
            "cd $(git root) && npm test",
            ["npm test failed, or what ran beside it"],
            id="beside a substitution",
        ),
        pytest.param("cat a.log && node a.js", [], id="no check beside a reader"),
        pytest.param("cd app && cat a.log", [], id="only readers print"),
        pytest.param("cat > a.sh <<EOF\nnpm test\nEOF", [], id="a here-document"),
    ],
)
def test_each_part_of_a_command_line_is_judged(command: str, summaries: list[str]) -> None:
    state = after([ran(command, 1, "Error: no cart")])
    assert [error.summary for error in state.errors] == summaries
    assert after([ran("npm test", 0)], state).errors == ()


@pytest.mark.parametrize(
    ("command", "output", "summaries"),
    [
        ("go build ./...", "./main.go:5:2: declared and not used: x", ["go build ./... failed"]),
        ("flake8 src", "src/a.py:1:1: F401 'os' imported but unused", ["flake8 src failed"]),
        ("npm test", "", ["npm test failed"]),
        ("node a.js", "", []),
        ("git log -1", "", []),
    ],
)
def test_a_check_that_fails_without_a_word_is_an_error_by_its_name(
    command: str, output: str, summaries: list[str]
) -> None:
    """ "open_errors: (none)" beside a build that fails would be untrue."""
    state = after([ran(command, 1, output)])
    assert [error.summary for error in state.errors] == summaries
    assert after([ran(command, 0)], state).errors == ()


@pytest.mark.parametrize("command", ["npm test", "git log -1 && npm test"])
def test_a_call_that_was_refused_says_nothing_of_the_tests(command: str) -> None:
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert after([ran(command, None, refused, failed=True)]).errors == ()


@pytest.mark.parametrize(
    ("exit", "failed", "errors"),
    [(None, True, 1), (1, True, 1), (0, True, 0), (None, False, 0)],
    ids=["failed alone", "both", "a status stands above it", "neither"],
)
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


@pytest.mark.parametrize(
    ("command", "left"),
    [
        pytest.param("npm test 2>&1", 0, id="the tests"),
        pytest.param("npx jest --silent", 0, id="other tests"),
        pytest.param("cd app && npm run lint && npm test", 0, id="each of a chain"),
        pytest.param("set -e; npm test; echo done", 0, id="each of a strict line"),
        pytest.param("set -o pipefail; npm test | tail -5", 0, id="each of a strict pipeline"),
        pytest.param("bash -lc 'npm test'", 0, id="in a shell"),
        pytest.param("git pull || exit 1; npm test;", 0, id="the end of a line"),
        pytest.param("npm test | tail -5", 1, id="the status is that of tail"),
        pytest.param("npm test; echo done", 1, id="the status is that of echo"),
        pytest.param("npm test || true", 1, id="whatever became of it"),
        pytest.param("npm run lint && npm test || true", 1, id="of the whole chain"),
        pytest.param("npm test &", 1, id="still running"),
        pytest.param("! npm test", 1, id="turned round"),
        pytest.param("npm test\nls", 1, id="a line before the last"),
        pytest.param("echo 'npm test && x'", 1, id="only said"),
        pytest.param("ls tests", 1, id="a folder of that name"),
        pytest.param("cat tests/a.test.ts", 1, id="a file of that name"),
        pytest.param("git commit -m 'Fix the tests'", 1, id="a message"),
        pytest.param("npm install jest", 1, id="a package of that name"),
        pytest.param("npm run build", 1, id="a build"),
    ],
)
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
