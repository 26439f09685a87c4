"""Sessions and messages: what every reader in `agents/` hands over, whatever its agent's format.

A reader is a plain object with `discover` and `read` (protocol `Reader`). Reading is streaming: one
message at a time, with a place to go on from, so that memory does not grow with the transcript.
Which messages are new is decided by `Message.key` against what the state database has seen, so a
reader may repeat records after a rewrite (docs/transcripts.md) but may never drop one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeVar, dataclass_transform

Role = Literal["user", "assistant", "tool"]
_LAST = datetime.max.replace(tzinfo=UTC, microsecond=0).timestamp()
_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True)
def frozen(made: type[_Class]) -> type[_Class]:
    """A frozen dataclass to the type checker, a plain one at run time.

    One that is frozen at run time takes five times as long to make, and a transcript makes three of
    them for every few kilobytes: that alone would break the budget for reading.
    """
    return dataclass(slots=True, unsafe_hash=True)(made)


@frozen
class ToolCall:
    """One call of a tool by the agent, with its result."""

    name: str
    """The agent's own name for the tool: "Bash", "exec_command", "run_shell_command", "read" …"""
    input: str
    """Compact JSON of the arguments, or the raw text where they are no JSON."""
    output: str
    command: str | None = None
    """The shell command, when the tool ran one."""
    exit: int | None = None
    """Exit status of the command; None when the transcript does not say."""
    failed: bool = False
    """The tool itself reported an error (apart from a command's exit status)."""
    refused: bool = False
    """The user refused it, so it did not run. What they typed with the refusal is the next message."""

    @property
    def went_wrong(self) -> bool:
        """By the tool's own report, or by the command's exit status."""
        return self.failed or bool(self.exit)


@frozen
class Message:
    """One user text, one answer, or one tool call with its result."""

    id: str
    """The record's own id within (agent, session); goes into evidence and trailers."""
    key: str
    """Unique per agent across files and forks: what "already read" is decided by. Usually the id;
    where forks mint new ids (OpenCode) a hash of what stays the same; with a content hash where
    records change in place."""
    role: Role
    text: str
    """What was typed or answered. Empty for a tool call."""
    at: datetime
    """Aware, UTC."""
    tool: ToolCall | None = None
    final: bool = False
    """An answer that ended its turn, or a question with which the agent waited for the user's."""


@frozen
class Filtered:
    """Records that are no message for us, and why: "instructions", "system-reminder", "compaction",
    "hook", "command", "sidechain", "interrupt", "api-error", "reverted", "torn-line", …"""

    reason: str


@frozen
class Step:
    """What reading yields: something read, and where to go on when it is dealt with."""

    item: Message | Filtered
    resume: str
    """Opaque to everyone but the reader: hand it back to `read` to go on after this item."""


class Session(NamedTuple):
    """What a transcript says about itself, known before its first message."""

    agent: str
    id: str
    cwd: str
    """The folder the agent worked in; "" when the transcript does not say."""
    remotes: tuple[str, ...] = ()
    """Git remote URLs the transcript itself recorded (Codex), userinfo still in."""
    machine: str | None = None
    """Why nobody typed this session ("subagent", "exec-by-siltstone", …); None for a person's."""


@frozen
class Source:
    """A transcript on disk, found by stat alone. Every run makes one for each transcript there is, and
    looks at hardly any."""

    agent: str
    key: str
    """Logical name, the same after archive, compress or migrate: what state is kept under."""
    file: str
    """Its path, as text."""
    stamp: str
    """Changes whenever the transcript may have changed (inode, size, mtime; or an event number)."""
    seconds: float
    """Since 1970: its last change."""
    detail: str = ""
    """Whatever else the reader needs to find it again (a session id in a database)."""

    @property
    def path(self) -> Path:
        return Path(self.file)

    @property
    def changed(self) -> datetime:
        """Its last change, for idleness; aware, UTC. A clock that was never set, or by far, is cut."""
        return datetime.fromtimestamp(min(max(self.seconds, 0), _LAST), UTC)


@dataclass(slots=True)
class Reading:
    """An open transcript: `session` at once, then `steps` as they are asked for."""

    session: Session
    steps: Iterator[Step]
    complaints: list[str] = field(default_factory=list)
    """Filled while reading: one sentence for each thing that could not be read."""


class Reader(Protocol):
    """What an agent's folder provides (`agents/<name>/`)."""

    agent: str

    def discover(self) -> Iterator[Source]:
        """Every transcript there is, by stat only, in any order. A missing root yields nothing."""

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """Open a transcript at `resume` (None: from its start). None when it holds no session (yet).

        A `resume` that no longer fits the file (rewritten, truncated, replaced) is ignored and the
        file read from its start: the caller drops what it has seen. Raises SourceError when the
        transcript cannot be read at all.
        """

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """Whether the transcript itself shows that the agent is done (an end record, a dead process);
        False when it shows that a turn is running; None when only the clock can tell."""
        return None
