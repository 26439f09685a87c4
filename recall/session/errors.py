"""Open errors of a session: a failing command opens one, a succeeding one clears it (docs/seeds.md A33–A36).

Only an exit status, or the tool's own report that it failed, opens an error, and only a status clears one.
Text in the output never counts as a status.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

from siltstone.recall.session.event import ESCAPES
from siltstone.recall.session.files import Touch, shown
from siltstone.recall.session.state import OpenError
from siltstone.store.data import data
from siltstone.store.redaction import cleaned

_NAMES = data(__file__, "programs.toml")
_WORDS = data(__file__, "words.toml")

Programs = Sequence[tuple[Sequence[str], str, bool]]
"""Each program of a command line: its words; what it prints ("observed" facts, what the agent "said", or
"read" text of others, which reports no error); whether the line's status of 0 vouches for it."""

KEPT = 5
MAX_LINES = 5
"""Most errors taken from one output."""
LONGEST = 280
_ENDS = 100_000
"""Characters searched at either end of an output: errors stand in its first lines or its last."""

CATEGORIES: dict[str, frozenset[str]] = {
    name: frozenset(words.split()) for name, words in _NAMES["categories"].items()
}
_PAIRS: dict[str, str] = _NAMES["pairs"]
_TASKS, _RUNNERS, _NO_TASKS, _VALUED = (
    frozenset(_NAMES[name].split()) for name in ("tasks", "runners", "no_tasks", "valued")
)
RUNTIME = "runtime"
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

_ERROR, _COMPLAINT, _NONE = (
    re.compile("|".join(_WORDS[name]), flags)
    for name, flags in (("error_lines", re.M), ("complaints", re.I), ("no_errors", re.I))
)


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
    errors: tuple[OpenError, ...], command: str, programs: Callable[[str], Programs]
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
    for line in _error_lines(output, category):
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
    summary = f"{ran or category} failed{', or what ran with it' if len(programs) > 1 else ''}"
    return [OpenError(fingerprint(summary), category, summary, fingerprint(command), 1)]


def _error_lines(output: str, category: str) -> Iterator[str]:
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
            continue
        start = line[:_LONGEST]
        # Of a check or build "1 failed, 0 errors" reports an error, "0 errors" does not.
        complains = category != RUNTIME and _COMPLAINT.search(_NONE.sub("", start))
        if begun or _ERROR.search(start) or complains:
            begun = ""
            yield line
    if begun:
        yield begun


def _category(words: Sequence[str]) -> str:
    name = _program(words[0])
    if name in ("test", "["):
        return ""  # the shell's own condition
    if name not in _RUNNERS:
        return _category_of_name(name)
    if category := _PAIRS.get(" ".join([name, *words[1:2]])):
        return category
    before = ""
    for at, word in enumerate(words[1:_MAX_WORDS], 1):
        if word in _NO_TASKS and not before.startswith("-"):
            return ""
        if word[:1] not in ("-", "+") and before not in _VALUED:
            if _program(word) in _RUNNERS:
                return _category(words[at:])
            if category := _category_of_name(_program(word)):
                return category
        before = word
    return _category_of_name(name)


def _program(word: str) -> str:
    return word.rsplit("/", 1)[-1].lower().removesuffix(".exe").removesuffix(".cmd")


def _category_of_name(name: str) -> str:
    tasks = _TASKS.intersection(_NAME_PARTS.split(name))
    for category, names in CATEGORIES.items():
        if name in names or name.replace(":", "-") in names or tasks.intersection(names):
            return category
    return ""
