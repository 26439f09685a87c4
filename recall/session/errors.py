"""Open errors of a session: a failing command opens one, a succeeding one clears it (docs/seeds.md A33–A36).

Only an exit status, or the tool's own report that it failed, opens an error, and only a status clears one.
Text in the output never counts as a status.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

from siltstone.recall.session.files import Touch, shown
from siltstone.recall.session.state import OpenError
from siltstone.store.redaction import cleaned

Programs = Sequence[tuple[Sequence[str], str, bool]]
"""Each program of a command line: its words; what it prints ("observed" facts, what the agent "said", or
"read" text of others, which reports no error); whether the line's status of 0 vouches for it."""

KEPT = 5
MAX_LINES = 5
"""Most errors taken from one output."""
LONGEST = 280
_ENDS = 100_000
"""Characters searched at either end of an output: errors stand in its first lines or its last."""

CATEGORIES = {
    "typecheck": "tsc vue-tsc mypy pyright basedpyright pyre flow typecheck type-check check-types"
    " types-check svelte-check",
    "test": "test tests pytest jest vitest mocha unittest rspec phpunit ava tap playwright cypress ctest"
    " nextest karma tox nox",
    "lint": "lint eslint ruff flake8 pylint rubocop clippy stylelint golangci-lint biome oxlint prettier"
    " black vet standard",
    "build": "build compile make webpack vite rollup esbuild cargo gradle gradlew mvn mvnw cmake ninja gcc"
    " g++ clang clang++ javac msbuild xcodebuild tsup next swc",
}
"""Names of programs and tasks by category. To add a category, name it here with its words (B28)."""
RUNTIME = "runtime"
_PAIRS = {"cargo check": "typecheck", "deno check": "typecheck", "astro check": "typecheck"}
_TASKS = frozenset(["test", "tests", "unittest", "lint", "build", "compile", "typecheck"])
"""Words that name a task also as part of a name: `test:unit`, `run_tests.sh`."""
_RUNNERS = (
    "npm pnpm yarn bun npx bunx pnpx corepack make gmake just task rake gradle gradlew mvn mvnw cargo go"
    " dotnet deno mix swift composer bundle poetry uv uvx pdm hatch pipenv rye nx turbo lerna rush moon ninja"
    " bazel sbt stack cabal zig meson python python2 python3 node ruby php perl bash sh zsh sudo time timeout"
    " env nice xvfb-run docker podman docker-compose ng expo cmake next vite"
)
"""Programs that run a task or another program, named in the words after them."""
_NO_TASKS = (
    "install i ci add remove rm uninstall update upgrade up init create new publish link get mod tidy fetch"
    " sync lock config cache login logs"
)
"""Other subcommands of runners: the words after them are names of packages."""
_VALUED = "--filter -F -w --workspace --prefix -C --cwd --dir --directory --project -f --file"
"""Options of runners whose value is no task."""
_NAME_PARTS = re.compile(r"[:._-]")
_MAX_WORDS = 40
"""Words of a command that are examined."""

_CATEGORY_OF_LINE = {
    "typecheck": re.compile(r"\bTS\d{3,5}\b"),
    "lint": re.compile(r"\bESLint\b|^\s*\d{1,6}:\d{1,6}\s+(?:error|warning)\s"),
}
_SPACES = re.compile(r"\s+")
_TRACEBACK = "Traceback (most recent call last):"
_LONGEST = 4_000
"""Characters of a line that are searched."""

_ERROR = re.compile(
    r"(?m)\bTS\d{3,5}\b|\bERR!|^npm error\b|^\s*Traceback\b|\bpanic:|\bpanicked at\b"
    r"|^\s*(?:Uncaught |Caused by: |Exception in thread \"[^\"]{0,80}\" )?"
    r"(?:[\w.]{0,80}\.)?(?:\w{0,60}Error|\w{0,60}Exception)\b\s{0,3}(?:\[\w{1,40}\]\s{0,3})?:"
    r"|\berror\s{0,2}(?:\[\w{1,12}\])?\s{0,2}:|\berror TS\d"
)
"""An error, whatever command printed it."""
_HINT = re.compile(
    r"a(?:bort|lready in use|ssert)|b(?:ad (?:gateway|interpreter|request|substitution)|ail out|roken)"
    r"|c(?:an't|annot|aused by|onflict|ore dumped|orrupt|ould not|ouldn't|rash|ritical)"
    r"|d(?:eadlock|enied|id not|oes(?: not|n't) exist)"
    r"|e(?:acces|addrinuse|rr!|rreur|rror|xception|xit code|xit status|xited (?:with|[1-9])|xpected)"
    r"|f(?:ail|atal|ehl(?:er|ge)|orbidden)|http/[\d.]+\"? 5\d\d|i(?:llegal|nsufficient|nvalid)"
    r"|k(?:eyboardinterrupt|illed)|m(?:ismatch|issing)"
    r"|n(?:o space left|o such|on-?zero|ot (?:assignable|found|ok|recogni[sz]ed|used|valid))"
    r"|o(?:om |ut of memory|verflow)|panic|r(?:efused|ejected|eset by peer)"
    r"|s(?:egfault|egmentation|evere|ig(?:abrt|bus|kill|term|segv)|omething went wrong)"
    r"|t(?:erminated|imed? ?out|raceback|s\d{4})"
    r"|u(?:nable to|nauthori[sz]ed|navailable|ndefined|nhandled|nknown|nrecogni[sz]ed|nresolved|nsupported)"
    r"|violat|w(?:arning|ould reformat|rong)|: (?:[a-z]{1,4}\d{3,4}\b|\*\*\* )|\.go:\d+:\d+: "
    r"|[✗✘✖✕×❌●]|[1-9]\d{0,3}\) |错误|失败|錯誤|失敗|异常|異常|エラー|例外|오류|실패|échec|ошибк"
)
"""Signs of an error in a line in small letters. Pruning rather keeps too much.

Each alternative begins with fixed letters and none with a word boundary, so that `re` can search for first
letters alone, which is eight times as fast. One-letter alternatives stand together for the same reason.
"""
_COMPLAINT = re.compile(r"(?i)\b(?:errors?|fail(?:s|ed|ing|ures?)?|not ok)\b")
_NONE = re.compile(
    r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|fail(?:ed|ing|s)?|warnings?)\b"
    r"|\b(?:errors?|fail(?:ed|ing|s|ures?)?):? 0\b"
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
"""Colours and titles that a program sends to a terminal."""


def category_of(programs: Iterable[Sequence[str]]) -> str:
    """The category of the first check or build among programs (A34, A35); "runtime" when there is none.

    A program is its words, the name first. Only its name and the task it runs count: `cat tests/a.py` and
    `git commit -m "fix tests"` are no tests.
    """
    return next((category for words in programs if (category := _category(words))), RUNTIME)


def fingerprint(text: str) -> str:
    """What equal errors are grouped by: twelve hex digits of the summary's hash (docs/seeds.md A36)."""
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def failed(
    errors: tuple[OpenError, ...],
    command: str,
    programs: Programs,
    output: str,
    event: int,
    status: int | None,
) -> tuple[OpenError, ...]:
    """The errors after a command failed; `status` is None when the agent reports none.

    Repeated errors are counted. An error that was perhaps fixed goes when the same command no longer shows
    it. The newest KEPT stay.
    """
    new = {one.fingerprint: one for one in _errors_of(command, programs, output, status)}
    ran = fingerprint(command)
    kept: list[OpenError] = []
    for old in errors:
        if new.pop(old.fingerprint, None):
            kept.append(old._replace(seen=old.seen + 1, maybe_fixed=False, command=ran, event=event))
        elif not (old.maybe_fixed and old.command == ran):
            kept.append(old)
    kept += [one._replace(event=event) for one in new.values()]
    return tuple(sorted(kept, key=lambda one: one.event)[-KEPT:])


def passed(
    errors: tuple[OpenError, ...],
    command: str,
    programs: Callable[[str], Programs],
) -> tuple[OpenError, ...]:
    """The errors after a command ended with 0: its own are cleared, and those of its programs' categories.

    `programs` finds the programs and whether the status vouches for each: that of `npm test | tail` does
    not vouch for the tests. The category "runtime" clears nothing, since the success of one program says
    nothing about another's crash.
    """
    ran = fingerprint(command) if errors else ""
    left = tuple(one for one in errors if one.command != ran)
    if all(one.category == RUNTIME for one in left):
        return left
    clean = {category_of([words]) for words, _, vouched in programs(command) if vouched} - {RUNTIME}
    return tuple(one for one in left if one.category not in clean)


def maybe_fixed(errors: tuple[OpenError, ...], touched: list[Touch], cwd: str) -> tuple[OpenError, ...]:
    """The errors after files were changed: one that names such a file is perhaps fixed."""
    changed = (shown(one.path, cwd).rsplit("/", 1)[-1] for one in touched if one.action in ("edit", "write"))
    names = [re.escape(name) for name in changed if len(name) > 2]
    if not names or not errors:
        return errors
    form = re.compile(rf"(?<![\w/.-])(?:[\w@.+~-]*/)*(?:{'|'.join(names)})(?![\w-])")
    return tuple(one._replace(maybe_fixed=True) if form.search(one.summary) else one for one in errors)


def errors_in(command: str, category: str, output: str) -> list[OpenError]:
    """The errors in the output of a failed command of a category, at most MAX_LINES.

    A line that stands in the command itself was printed on request, and counts as none.
    """
    if len(output) > 2 * _ENDS:
        output = f"{output[:_ENDS]}\n{output[-_ENDS:]}"
    summaries: dict[str, str] = {}
    for line in _error_lines(output, is_error if category == RUNTIME else is_complaint):
        if line not in command and (summary := cleaned(line[:LONGEST]).strip()):
            of_line = (name for name, form in _CATEGORY_OF_LINE.items() if form.search(line))
            summaries.setdefault(summary, next(of_line, category))
        if len(summaries) >= MAX_LINES:
            break
    ran = fingerprint(command)
    return [OpenError(fingerprint(text), kind, text, ran, 1) for text, kind in summaries.items()]


def _errors_of(command: str, programs: Programs, output: str, status: int | None) -> list[OpenError]:
    """The errors of a command that failed.

    The output is not searched when a program of the command prints what somebody else wrote, since nobody can
    tell whose line is whose (invariant 6). A check that fails without an error line is an error by its name,
    or "no open errors" would be untrue. Without a status it is none: a refused call never ran.
    """
    own = [words for words, prints, _ in programs if prints == "observed"]
    category = category_of(own)
    reads = any(prints == "read" for _, prints, _ in programs)
    if own and not reads and (found := errors_in(command, category, output)):
        return found
    check = next((words for words in own if category != RUNTIME and category_of([words]) == category), None)
    if check is None or status is None:
        return []
    ran = cleaned(_SPACES.sub(" ", " ".join(check))[: LONGEST // 2])
    summary = f"{ran or category} failed{', or what ran beside it' if len(programs) > 1 else ''}"
    return [OpenError(fingerprint(summary), category, summary, fingerprint(command), 1)]


def _error_lines(output: str, reports: Callable[[str], bool]) -> Iterator[str]:
    """The lines that report an error; of a traceback the last line, or the first when the rest is cut off."""
    begun, depth = "", 0
    for row in output.splitlines():
        bare = ESCAPES.sub("", row[: 10 * LONGEST])
        line = _SPACES.sub(" ", bare).strip()
        indent = len(bare) - len(bare.lstrip())
        if not line or (begun and indent > depth):
            continue
        if line == _TRACEBACK:
            begun, depth = line, indent
        elif begun or reports(line):
            begun = ""
            yield line
    if begun:
        yield begun


def _category(words: Sequence[str]) -> str:
    """The category of one program; "" for none."""
    name, runners = _program(words[0]), _RUNNERS.split()
    if name in ("test", "["):
        return ""  # the shell's own condition
    if name not in runners:
        return _category_of_name(name)
    if category := _PAIRS.get(" ".join([name, *words[1:2]])):
        return category
    before = ""
    for at, word in enumerate(words[1:_MAX_WORDS], 1):
        if word in _NO_TASKS.split() and not before.startswith("-"):
            return ""
        if word[:1] not in ("-", "+") and before not in _VALUED.split():
            if _program(word) in runners:
                return _category(words[at:])
            if category := _category_of_name(_program(word)):
                return category
        before = word
    return _category_of_name(name)


def _program(word: str) -> str:
    return word.rsplit("/", 1)[-1].lower().removesuffix(".exe").removesuffix(".cmd")


def _category_of_name(name: str) -> str:
    """The category of a program's or task's name; "" for none."""
    tasks = _TASKS.intersection(_NAME_PARTS.split(name))
    for category, known in CATEGORIES.items():
        names = known.split()
        if name in names or name.replace(":", "-") in names or tasks.intersection(names):
            return category
    return ""


def hints_at_error(line: str) -> bool:
    """Whether a line of output may report an error of any kind."""
    return line.startswith("E  ") or _HINT.search(line.lower()) is not None


def is_error(line: str) -> bool:
    """Whether a line is an error in a form that programs print, whatever the command."""
    return _ERROR.search(line[:_LONGEST]) is not None


def is_complaint(line: str) -> bool:
    """Whether a line of a check or build reports an error: "1 failed, 0 errors" does, "0 errors" not."""
    line = line[:_LONGEST]
    return is_error(line) or _COMPLAINT.search(_NONE.sub("", line)) is not None
