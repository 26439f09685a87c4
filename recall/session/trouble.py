"""Open errors of a session: a failing command opens one, a succeeding one clears it (docs/seeds.md A33–A36).

Only a status the agent told, or its word that the tool failed, opens anything, and only a status clears.
A text in the output never stands in for one.
"""

from siltstone.recall.session.checks import RUNTIME, category_of
from siltstone.recall.session.files import Touch, shown
from siltstone.recall.session.state import Trouble
from siltstone.recall.telling import ESCAPES, complains, tells_raw
from siltstone.store.late import LatePattern
from siltstone.store.plain import cleaned

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Parts = Sequence[tuple[Sequence[str], str]]
    """Programs as their words, and what each prints (`Hearing.parts`)."""

KEPT = 5
MOST_LINES = 5
LONGEST = 280
_LOOKED_AT = 100_000
"""Characters at either end of an output: errors stand in the first lines or in the last."""

_LINES = {
    "typecheck": LatePattern(r"\bTS\d{3,5}\b"),
    "lint": LatePattern(r"\bESLint\b|^\s*\d{1,6}:\d{1,6}\s+(?:error|warning)\s"),
}
_SPACES = LatePattern(r"\s+")
_TRACEBACK = "Traceback (most recent call last):"
_INLINE = ("-c", "-e", "--eval")
_OF_INLINE = LatePattern(r'(?m)^\s*(?:File "<string>", line \d|\[eval\]:\d)')
"""How the interpreters of Python and Node name a program that stood on the command line, where it broke."""


def fingerprint(text: str) -> str:
    """What equal errors are grouped by: twelve hex digits of the summary's hash (docs/seeds.md A36)."""
    from hashlib import sha256  # 3 ms, which only a failing command pays

    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def told(command: str, parts: "Parts", output: str, status: int | None) -> list[Trouble]:
    """The errors that a command tells by having failed with a status; None where the agent tells none.

    Its output is looked through unless a part of it reads what somebody else wrote: which line is whose
    nobody can tell (invariant 6), but of the end of a program that stood on the command line. Where no
    line tells an error, a check is one by its name, for "no open errors" would be untrue; but not without
    a status: a call that was refused never ran.
    """
    own = [words for words, prints in parts if prints == "observed"]
    kind = category_of(own)
    if own and not any(prints == "read" for _, prints in parts) and (seen := found(command, kind, output)):
        return seen
    if crashed := _crashed(command, parts, output):
        return crashed
    check = next((words for words in own if kind != RUNTIME and category_of([words]) == kind), None)
    if check is None or status is None:
        return []
    ran = cleaned(_SPACES.sub(" ", " ".join(check))[: LONGEST // 2])
    summary = f"{ran or kind} failed{', or what ran beside it' if len(parts) > 1 else ''}"
    return [Trouble(fingerprint(summary), kind, summary, fingerprint(command), 1)]


def found(command: str, category: str, output: str) -> list[Trouble]:
    """The errors in the output of a command of a category that failed, at most MOST_LINES of them.

    A line that stands in the command itself is one that it was told to print.
    """
    told = _complaints(_ends(output), tells_raw if category == RUNTIME else complains)
    return _troubles(command, category, told)


def _troubles(command: str, category: str, lines: "Iterable[str]") -> list[Trouble]:
    summaries: dict[str, str] = {}
    for said in lines:
        if len(summaries) >= MOST_LINES:
            break
        if said not in command and (summary := cleaned(said[:LONGEST]).strip()):
            summaries.setdefault(summary, _category(said, category))
    ran = fingerprint(command)
    return [Trouble(fingerprint(text), kind, text, ran, 1) for text, kind in summaries.items()]


def _complaints(output: str, tells: "Callable[[str], bool]") -> "Iterator[str]":
    """The lines that tell an error; of a traceback that with which it ends, and its first where that is
    cut off."""
    begun, depth = "", 0
    for line in output.splitlines():
        bare = ESCAPES.sub("", line[: 10 * LONGEST])
        said = _SPACES.sub(" ", bare).strip()
        inset = len(bare) - len(bare.lstrip())
        if not said or (begun and inset > depth):
            continue
        if said == _TRACEBACK:
            begun, depth = said, inset
        elif begun or tells(said):
            begun = ""
            yield said
    if begun:
        yield begun


def _crashed(command: str, parts: "Parts", output: str) -> list[Trouble]:
    """With what a program broke that stood on the command line (`python -c`, `node -e`): what it prints may
    be somebody else's words, but its end is its interpreter's."""
    tail = _ends(output)
    broke = _OF_INLINE.search(tail) if parts and set(_INLINE) & set(parts[-1][0][1:]) else None
    if broke is None:
        return []
    since = tail.rfind(_TRACEBACK, 0, broke.start())
    ends = list(_complaints(tail[since if since >= 0 else broke.start() :], tells_raw))
    return _troubles(command, RUNTIME, ends[-1:])


def failed(
    errors: tuple[Trouble, ...], command: str, parts: "Parts", output: str, event: int, status: int | None
) -> tuple[Trouble, ...]:
    """The errors after a command failed: repeats are counted, what a repeat of it no longer shows and was
    perhaps mended goes; the newest KEPT stay."""
    new, ran = {one.fingerprint: one for one in told(command, parts, output, status)}, fingerprint(command)
    kept: list[Trouble] = []
    for old in errors:
        again = new.pop(old.fingerprint, None)
        if again:
            kept.append(old._replace(seen=old.seen + 1, maybe_fixed=False, command=ran, event=event))
        elif not (old.maybe_fixed and old.command == ran):
            kept.append(old)
    kept += [one._replace(event=event) for one in new.values()]
    return tuple(sorted(kept, key=lambda one: one.event)[-KEPT:])


def passed(
    errors: tuple[Trouble, ...],
    command: str,
    programs: "Callable[[str], Iterable[tuple[Sequence[str], bool]]]",
) -> tuple[Trouble, ...]:
    """The errors after a command ended with 0: those of the categories of its programs go, and those it had
    opened itself.

    `programs` finds its programs, each with whether the status vouches for it: that of `npm test | tail`
    does not for the tests. Any program's success says nothing of another's crash: of the category
    "runtime" only those go that the same command opened.
    """
    ran = fingerprint(command) if errors else ""
    left = tuple(one for one in errors if one.command != ran)
    if all(one.category == RUNTIME for one in left):
        return left
    clean = {category_of([words]) for words, sure in programs(command) if sure} - {RUNTIME}
    return tuple(one for one in left if one.category not in clean)


def mended(errors: tuple[Trouble, ...], touched: list[Touch], cwd: str) -> tuple[Trouble, ...]:
    """The errors after files were changed: one that names such a file is perhaps fixed."""
    names = [
        name for touch in touched if touch.action in ("edit", "write") for name in _names(touch.path, cwd)
    ]
    if not names or not errors:
        return errors
    import re  # few errors are open

    form = re.compile(rf"(?<![\w/.-])(?:[\w@.+~-]*/)*(?:{'|'.join(map(re.escape, names))})(?![\w-])")
    return tuple(one._replace(maybe_fixed=True) if form.search(one.summary) else one for one in errors)


def _names(path: str, cwd: str) -> list[str]:
    relative = shown(path, cwd)
    name = relative.rsplit("/", 1)[-1]
    return [name] if len(name) > 2 else []


def _category(line: str, command: str) -> str:
    return next((name for name, form in _LINES.items() if form.search(line)), command)


def _ends(output: str) -> str:
    if len(output) <= 2 * _LOOKED_AT:
        return output
    return f"{output[:_LOOKED_AT]}\n{output[-_LOOKED_AT:]}"
