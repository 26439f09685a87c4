"""What the hook commands share: streams, the state database, settings and `hooks.log`."""

import os
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, get_args

from siltstone.agents.hooks import HookCall
from siltstone.cli.note import let_go, note, printable
from siltstone.pipeline.words import counted
from siltstone.recall.settings import LIMITS, LayoutName, RecallSettings, keyword_trouble, milliseconds
from siltstone.store.errors import SiltError, why
from siltstone.store.places import config_file
from siltstone.store.plain_file import content
from siltstone.store.state import HOOK_WAIT, Last, State

LOG = "hooks.log"
"""In the state folder: one line for each thing that a hook could not do."""
LOG_BYTES = 256 * 1024
"""A longer log becomes `hooks.log.1`, replacing the one before."""
LOG_LINE = 500
OFF = ("false", "0", "off", "no", "n", "f")
"""What switches a setting off, as pydantic reads it for commands."""
GIVEN, HELD = "hook action", "hook held"
"""Kept beside what a session was shown (`Shown`): the memories that it was given before its calls; those for
which a call was refused. As text those of them on which the user has typed something since."""


class NotWritten(SiltError):
    """Standard output cannot be written."""


class LazyState(AbstractContextManager["LazyState"]):
    """The state database, opened when it is first needed and closed at the end of the block.

    After a failure it is not tried again, because each try may wait for another process.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._db: State | SiltError | None = None

    def open(self) -> State:
        """The open database. Repairs are reported once. Raises StateError and Locked."""
        if self._db is None:
            try:
                self._db = State.open(self.folder, HOOK_WAIT)
                note(*self._db.complaints)
            except SiltError as error:
                self._db = error
        if isinstance(self._db, SiltError):
            raise self._db
        return self._db

    def __exit__(self, *_: object) -> None:
        if isinstance(self._db, State):
            self._db.close()


class Work(NamedTuple):
    """One call of a hook: what it means, and what it works with."""

    call: HookCall
    state: LazyState
    rules: RecallSettings
    environ: Mapping[str, str]
    now: float
    until: float
    """The monotonic time at which the hook must be over."""

    def last(self, variant: str) -> Last | None:
        """What is kept under this name beside what the call's session was shown (`Shown`). Raises StateError,
        Locked, as the next two do."""
        return self.state.open().shown.get(self.call.agent, self.call.session, variant)

    def keep(self, variant: str, text: str = "", paths: Sequence[str] = ()) -> None:
        """Keep it there, as of now."""
        made = Last(text, self.now, self.now, 0, 0, tuple(paths))
        self.state.open().shown.put(self.call.agent, self.call.session, variant, made)

    def drop(self, variant: str | None = None) -> None:
        """Drop it, or all that is kept of the session."""
        self.state.open().shown.drop(self.call.agent, self.call.session, variant)


class Answer:
    """What the agent will be given, as far as it is known: the time may be over at any moment."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.meanwhile = ""
        """Given in place of the part that is not done yet."""
        self.output: str | None = None
        """Replaces a tool's output; None leaves it as it is."""
        self.held = ""
        """Why the agent's call is not to be made as it is."""
        self.told = ""
        """A line for the person, where the agent can show one."""
        self.form: Callable[[str, str | None, str, str], str] | None = None
        """Makes what is printed of text and output; None before the payload was understood and after
        printing."""

    def add(self, part: str) -> None:
        self.parts.append(part)
        self.meanwhile = ""

    @property
    def context(self) -> str:
        """All parts, for the model to read."""
        return "\n".join(filter(None, (*self.parts, self.meanwhile)))

    def give(self) -> None:
        """Print it, once."""
        form, self.form = self.form, None
        try:
            if form:
                write_output(form(self.context, self.output, self.held, self.told))
        except OSError as error:
            note(f"could not write the answer ({error.strerror}): the agent has exited, or the disk is full")


def headline(memories: int, conflicts: int, inbox: int = 0) -> str:
    """How things stand, in a line for a person."""
    said = [counted(memories, "memory")]
    said += [f"{counted(conflicts, 'contradiction')} to settle"] if conflicts else []
    said += [f"{counted(inbox, 'claim')} of agents to review"] if inbox else []
    return f"Siltstone: {', '.join(said)}"


def read_input(most: int = -1) -> bytes:
    """Standard input, or its first `most` bytes. If it is closed: nothing, with a note."""
    if sys.stdin is None:
        note("standard input is closed, so there is nothing to do")
        return b""
    return sys.stdin.buffer.read(most)


def write_output(text: str) -> None:
    """Write to standard output as UTF-8, whatever the locale. Raises OSError."""
    data = text.encode("utf-8", "replace")
    stream = sys.stdout
    if stream is None:
        return
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError:
        let_go()
        raise


def say(text: str) -> None:
    """As `write_output`, but a reader that went away is no error. Raises NotWritten."""
    try:
        write_output(text)
    except BrokenPipeError:
        return
    except OSError as error:
        raise NotWritten(
            f"standard output cannot be written ({error.strerror}); fix that and run this again"
        ) from error


def log(folder: str, who: str, sentence: str, now: float) -> None:
    """Add a line to `hooks.log`. Failures are ignored: there is nobody to report them to."""
    line = printable(sentence.replace("\n", " "))[:LOG_LINE]
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    path = os.path.join(folder, LOG)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            # One write, so that lines of two hooks do not mix.
            os.write(file, f"{at} {who}: {line}\n".encode("utf-8", "replace"))
            full = os.fstat(file).st_size > LOG_BYTES
        finally:
            os.close(file)
        if full:
            os.replace(path, f"{path}.1")
    except (OSError, ValueError):
        return


def hook_settings(environ: Mapping[str, str]) -> RecallSettings:
    """The few settings that hooks need, from the environment and the settings file.

    `cli/settings.py` reads all settings, but pydantic takes longer to load than a hook may take. A value out
    of range is left out with a note; the default holds.
    """
    path = config_file(environ)
    given: dict[str, object] = {}
    try:
        if path != os.devnull:
            given = tomllib.loads(content(path).decode("utf-8-sig"))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        note(f"the settings are ignored: {path}: {why(error)}")
    values: dict[str, Any] = {}
    for name, (least, most) in LIMITS.items():
        value = environ.get(f"SILT_{name.upper()}") or given.get(name)
        if value is None:
            continue
        try:
            number = _number(name, value)
            if not least <= number <= most:
                raise ValueError(f"must be from {least:g} to {most:g}")
            values[name] = number
        except (ValueError, OverflowError) as error:
            note(f"the setting {name} = {value!r:.80} is ignored: {error}")
    variable, listed = environ.get("SILT_KEYWORD_PATTERNS"), given.get("keyword_patterns", [])
    patterns: list[str] = []
    for one in variable.split("\n") if variable else listed if isinstance(listed, list) else [listed]:
        if reason := keyword_trouble(one):
            note(f"one of the setting keyword_patterns is ignored: {reason}")
        else:
            patterns.append(str(one))
    layout = environ.get("SILT_LAYOUT") or given.get("layout", "default")
    if layout in get_args(LayoutName):
        values["layout"] = layout
    else:
        known = ", ".join(get_args(LayoutName))
        note(f"the setting layout = {layout!r:.80} is ignored: must be one of {known}")
    archive = environ.get("SILT_ARCHIVE_ENABLED") or given.get("archive_enabled", True)
    enabled = str(archive).lower() not in OFF
    return RecallSettings()._replace(**values, keyword_patterns=tuple(patterns), archive_enabled=enabled)


def _number(name: str, value: object) -> float:
    if name == "cache_ttl":
        return milliseconds(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError("must be a number")
    number = float(value)
    if isinstance(getattr(RecallSettings(), name), float):
        return number
    if number != int(number):
        raise ValueError("must be a whole number")
    return int(number)
