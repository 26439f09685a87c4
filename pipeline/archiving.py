"""Filling the session archive with what was said: readers and cleaning are those of extraction, no model.

The newest transcripts come first. The archive keeps watermarks of its own, so that what extraction reads is
not touched by it; each batch is one transaction with them, and a killed run goes on from there.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import NamedTuple

from siltstone.pipeline.messages import Filtered, Message, Reader, Session, Source
from siltstone.pipeline.progress import Tell
from siltstone.pipeline.reading.backlog import Wanted, complaint_about, excluded, in_use
from siltstone.pipeline.reading.clean import LOOKED_AT, clean, without_told_passwords
from siltstone.pipeline.reading.window import FINAL_CHARS, OUTPUT_CHARS, brief, only_looked, trim
from siltstone.pipeline.words import counted
from siltstone.store.entry import message_hash
from siltstone.store.projects import Project
from siltstone.store.session_archive import Mark, Said, SessionArchive
from siltstone.store.state import clean as as_stored

LATEST = 253_402_214_400
"""The last day that a calendar has, in seconds since 1970: transcripts may hold anything."""
BATCH_CHARS = 1_000_000
BATCH_MESSAGES = 2_000
"""A transaction holds about so much: memory does not grow with what is read."""
BESIDE_CUT = 2_000
"""Characters of a long answer or output that are cleaned and not kept, so that no halved secret stands at
the cut."""


class Archiving(NamedTuple):
    """What a batch fills."""

    archive: SessionArchive
    place: Callable[[str, Sequence[str]], Project]
    """The project of a session's folder and remotes; nothing is registered by asking."""
    longest: timedelta
    """Sessions go when their latest message is older."""
    most: int
    """Bytes of the archive; the oldest sessions go."""
    purged: Collection[str]
    """`message_hash` of messages that are not kept."""


@dataclass(slots=True)
class Archived:
    """What was put into the archive."""

    sessions: int = 0
    messages: int = 0
    complaints: list[str] = field(default_factory=list)

    def in_words(self) -> str:
        """What a run says of it; "" for nothing new."""
        new = f"{counted(self.messages, 'message')} in {counted(self.sessions, 'session')}"
        return f"archived {new}: silt sessions" if self.messages else ""


def fill(readers: Sequence[Reader], wanted: Wanted, archiving: Archiving, tell: Tell) -> Archived:
    """Bring the archive up to date with the transcripts there are, and drop what it may not keep."""
    done = Archived()
    archive, oldest = archiving.archive, (wanted.now - archiving.longest).timestamp()
    gone = [one.id for one in archive.sessions() if excluded(one.cwd, wanted.exclude)]
    archive.forget(gone, read_again=True)
    batch = _Batch(archiving, wanted, done)
    found = _changed(readers, archive, wanted, oldest, done)
    for number, (reader, source) in enumerate(found, start=1):
        if source.seconds < batch.full_since:
            break
        with complaint_about(str(source.path), done.complaints.append):
            batch.read(reader, source)
        tell("archiving sessions", number, len(found), source.agent)
    batch.write()
    archive.forget([one.id for one in archive.sessions() if one.last < oldest])
    return done


def _changed(
    readers: Sequence[Reader], archive: SessionArchive, wanted: Wanted, oldest: float, done: Archived
) -> list[tuple[Reader, Source]]:
    """Transcripts that changed since they were archived, the latest first."""
    found: list[tuple[Reader, Source]] = []
    for reader in readers:
        with complaint_about(f"Every transcript of {reader.agent}", done.complaints.append):
            stamps = archive.stamps(reader.agent)
            for source in reader.discover():
                if excluded(source.file, wanted.exclude):
                    archive.forget(archive.in_transcript(source.agent, source.key), read_again=True)
                elif (
                    source.seconds >= oldest
                    and stamps.get(as_stored(source.key)) != source.stamp
                    and not in_use(reader, source, None, wanted)
                ):
                    found.append((reader, source))
    return sorted(found, key=lambda pair: -pair[1].seconds)


class _Batch:
    """Messages on their way into the archive: of many short sessions, or of a part of a long one."""

    def __init__(self, archiving: Archiving, wanted: Wanted, done: Archived) -> None:
        self._to, self._wanted, self._done = archiving, wanted, done
        self._scopes: dict[tuple[str, tuple[str, ...]], int] = {}
        self._said: list[Said] = []
        self._marks: dict[tuple[str, str], Mark] = {}
        self._chars = 0
        self.full_since = archiving.archive.full_since(archiving.most)

    def read(self, reader: Reader, source: Source) -> None:
        """Take over what is new in a transcript, unless it is being written or nobody typed it."""
        resume = self._to.archive.resume(source.agent, source.key)
        reading = reader.read(source, resume)
        if (
            reading is None
            or excluded(reading.session.cwd, self._wanted.exclude)
            or in_use(reader, source, reading, self._wanted)
        ):
            return
        session, place = reading.session, (source.agent, source.key)
        before = self._done.messages + len(self._said)
        steps = reading.steps if session.machine is None else ()
        asked = self._to.archive.last_answer(session.agent, session.id) if resume else ""
        for step in without_told_passwords(steps, asked):
            resume = step.resume
            if isinstance(step.item, Message) and (text := text_of(step.item)):
                self._add(session, step.item, text)
            if self._chars >= BATCH_CHARS or len(self._said) >= BATCH_MESSAGES:
                self._marks[place] = Mark(*place, session.id, "", resume)
                self.write()
        self._marks[place] = Mark(*place, session.id, source.stamp, resume)
        self._done.sessions += self._done.messages + len(self._said) > before

    def _add(self, session: Session, message: Message, text: str) -> None:
        agent, id = session.agent, session.id
        if self._to.purged and message_hash(agent, id, message.id) in self._to.purged:
            return
        scope = self._scope(session)
        at = int(min(message.at.timestamp(), LATEST))
        self._said.append(
            Said(agent, id, session.cwd, scope, message.key, message.id, message.role, at, text)
        )
        self._chars += len(text)

    def _scope(self, session: Session) -> int:
        place = (session.cwd, session.remotes)
        if place not in self._scopes:
            project = self._to.place(*place)
            self._scopes[place] = self._to.archive.scope(project.scope, project.identities)
        return self._scopes[place]

    def write(self) -> None:
        """Put what was gathered into the archive, with its watermarks."""
        self._done.messages += self._to.archive.keep(self._said, self._marks.values())
        self._said, self._marks, self._chars = [], {}, 0
        if self._to.archive.size() > self._to.most:
            self._to.archive.shrink(self._to.most * 9 // 10)
            self.full_since = self._to.archive.full_since(self._to.most)


def text_of(message: Message) -> str:
    """A message as the archive keeps it; "" for nothing."""
    tool = message.tool
    looked_at = FINAL_CHARS if tool is None else OUTPUT_CHARS
    if tool is not None:  # what is not kept need not be cleaned
        output = "" if only_looked(tool) and not tool.went_wrong else tool.output
        input_ = tool.input if tool.command is None else ""
        message = replace(message, tool=replace(tool, input=input_, output=output))
    safe = clean(message, LOOKED_AT if message.role == "user" else looked_at + BESIDE_CUT)
    if isinstance(safe, Filtered):
        return ""
    kept = trim(safe)
    if kept.tool is None:
        return kept.text.strip()
    call = brief(kept).tool or kept.tool
    failed = " (failed)" if call.went_wrong else ""
    return f"{call.name}{failed}: {call.command or call.input}\n{call.output}".strip()
