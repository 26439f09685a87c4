"""What a run reads: changed, quiet, wanted sessions, and of those what is new."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from siltstone.pipeline.messages import Filtered, Message, Reading, Session, Source, Step
from siltstone.pipeline.reading.backlog import Backlog, Found, Wanted
from siltstone.store.errors import SourceError, StateError
from siltstone.store.state import State, Watermark

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def typed(name: str, at: datetime = NOW - timedelta(hours=1)) -> Message:
    return Message(name, name, "user", f"text of {name}", at)


@dataclass
class Shelf:
    """A reader over transcripts that stand in memory."""

    agent: str = "claude"
    transcripts: dict[str, list[Message | Filtered]] = field(default_factory=dict)
    changed: dict[str, datetime] = field(default_factory=dict)
    cwd: dict[str, str] = field(default_factory=dict)
    machine: dict[str, str] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    breaks_after: dict[str, int] = field(default_factory=dict)
    """Steps of a transcript after which reading fails."""
    error: Exception | None = None
    """What a failure raises in place of SourceError."""
    opened: list[str] = field(default_factory=list)

    def discover(self) -> Iterator[Source]:
        for key, items in self.transcripts.items():
            changed = self.changed.get(key, NOW - timedelta(hours=1))
            yield Source(self.agent, key, f"/t/{key}.jsonl", f"stamp{len(items)}", changed.timestamp())

    def read(self, source: Source, resume: str | None) -> Reading | None:
        self.opened.append(source.key)
        if source.key in self.broken:
            raise self.error or SourceError(f"{source.path} cannot be read; check its permissions.")
        cwd, machine = self.cwd.get(source.key, "/src/larkspur"), self.machine.get(source.key)
        session = Session(self.agent, source.key, cwd, machine=machine)
        return Reading(session, self._steps(source, self.transcripts[source.key], int(resume or 0)))

    def _steps(self, source: Source, items: list[Message | Filtered], start: int) -> Iterator[Step]:
        for i, item in enumerate(items[start:], start):
            if self.breaks_after.get(source.key) == i:
                raise self.error or SourceError(f"{source.path} broke off; run again.")
            yield Step(item, str(i + 1))

    def idle(self, source: Source, reading: Reading) -> bool | None:
        return False if source.key in self.running else None


def look(
    shelf: Shelf,
    state: State | None = None,
    skip: dict[tuple[str, str], str] | None = None,
    exclude: tuple[str, ...] = (),
    since: datetime | None = None,
) -> tuple[Found, list[str], Counter[str]]:
    wanted = Wanted(NOW, MINUTE, exclude, since)
    backlog = Backlog([shelf], state, wanted, skip)
    found = backlog.find()
    names: list[str] = []
    filtered: Counter[str] = Counter()
    for turn in backlog.turns(found.unread):
        names += [m.id for m in turn.messages]
        filtered += turn.filtered
    return found, names, filtered


def test_the_session_with_the_oldest_unread_message_comes_first() -> None:
    shelf = Shelf(transcripts={"late": [typed("b")], "early": [typed("a", NOW - timedelta(days=9))]})
    found, names, _ = look(shelf)
    assert [u.source.key for u in found.unread] == ["early", "late"]
    assert names == ["a", "b"]


def test_a_transcript_that_did_not_change_is_not_opened(tmp_path: Path) -> None:
    shelf, state = Shelf(transcripts={"s": [typed("a")]}), State.open(tmp_path)
    state.sources.put(Watermark("claude", "s", "s", "1", "stamp1", "a", NOW))
    found, _, _ = look(shelf, state)
    assert (list(found.unread), shelf.opened) == ([], [])


def test_what_was_dealt_with_is_dropped_even_when_a_rewritten_file_repeats_it(tmp_path: Path) -> None:
    shelf, state = Shelf(transcripts={"s": [typed("a"), typed("b"), typed("c")]}), State.open(tmp_path)
    state.sources.see("claude", "s", ["a", "b"])
    _, names, filtered = look(shelf, state)
    assert names == ["c"]
    assert filtered == Counter(seen=2)


def test_what_a_fork_repeats_comes_once() -> None:
    """Also before anything is dealt with: an estimate would count it twice, and a window hold it twice."""
    later = NOW - timedelta(minutes=30)
    shelf = Shelf(transcripts={"fork": [typed("a"), typed("b", later)], "first": [typed("a"), typed("c")]})
    _, names, filtered = look(shelf)
    assert (sorted(names), filtered) == (["a", "b", "c"], {"seen": 1})


def test_what_a_broken_transcript_did_not_give_comes_with_its_fork() -> None:
    told = [typed("a"), *(Message(f"t{n}", f"t{n}", "assistant", "x", NOW) for n in range(9))]
    shelf = Shelf(transcripts={"a-first": list(told), "fork": list(told)}, breaks_after={"a-first": 7})
    _, names, _ = look(shelf)
    assert sorted(names) == sorted(one.id for one in told)


def test_a_session_in_use_waits_and_a_stuck_one_is_taken_after_a_while() -> None:
    shelf = Shelf(
        transcripts={"busy": [typed("a")], "running": [typed("b")], "killed": [typed("c")]},
        changed={"busy": NOW - timedelta(seconds=20), "running": NOW - 5 * MINUTE},
        running={"running", "killed"},
    )
    found, names, _ = look(shelf)
    assert names == ["c"]
    assert found.waiting == 2


@pytest.mark.parametrize("pattern", ["/src/secret", "/src/sec*", "/src/*"])
def test_an_excluded_folder_is_never_read(pattern: str) -> None:
    shelf = Shelf(transcripts={"s": [typed("a")]}, cwd={"s": "/src/secret/inner"})
    found, names, _ = look(shelf, exclude=(pattern,))
    assert (names, found.excluded) == ([], 1)


def test_a_session_nobody_typed_is_counted_and_not_mined() -> None:
    shelf = Shelf(transcripts={"s": [typed("a"), typed("b")]}, machine={"s": "subagent"})
    found, names, _ = look(shelf)
    assert names == []
    (done,) = found.finished
    assert (done.filtered, done.mark.keys, done.mark.resume) == (Counter(subagent=2), ("a", "b"), "2")


def test_messages_before_since_are_counted_as_older() -> None:
    shelf = Shelf(transcripts={"s": [typed("old", NOW - timedelta(days=90)), typed("new")]})
    _, names, filtered = look(shelf, since=NOW - timedelta(days=1))
    assert names == ["new"]
    assert filtered == Counter(older=1)


def test_a_lost_state_is_made_good_by_the_trailers() -> None:
    shelf = Shelf(transcripts={"s": [typed("a"), typed("b"), typed("c")], "t": [typed("d")]})
    _, names, _ = look(shelf, skip={("claude", "s"): "b", ("claude", "t"): "gone"})
    assert sorted(names) == ["c", "d"]


def test_a_failed_window_waits_for_its_next_try(tmp_path: Path) -> None:
    shelf, state = Shelf(transcripts={"s": [typed("a")], "t": [typed("b")]}), State.open(tmp_path)
    for key, at in (("s", NOW), ("t", NOW - timedelta(days=1))):
        state.failures.record(f"claude/{key}", "the model was away", at)
    found, names, _ = look(shelf, state)
    assert (names, found.backing_off) == (["b"], 1)


def test_a_changed_transcript_with_nothing_for_us_is_finished() -> None:
    shelf = Shelf(transcripts={"s": [Filtered("hook"), Filtered("hook"), Filtered("instructions")]})
    found, _, _ = look(shelf)
    assert found.finished[0].filtered == Counter(hook=2, instructions=1)


ODD = TypeError("unhashable type: 'dict' in what was typed")
odd = pytest.mark.parametrize("error", [None, ODD], ids=["known", "unexpected"])


@odd
def test_an_unreadable_transcript_is_said_and_stops_nobody_else(error: Exception | None) -> None:
    shelf = Shelf(transcripts={"s": [typed("a")], "t": [typed("b")]}, broken={"s"}, error=error)
    found, names, _ = look(shelf)
    assert names == ["b"]
    (complaint,) = found.complaints
    assert complaint.startswith(
        "/t/s.jsonl was not read: TypeError in test_backlog.py:"
        if error
        else "/t/s.jsonl cannot be read; check its permissions."
    )
    assert "typed" not in complaint, "an error's own words may quote the transcript"


@odd
def test_a_transcript_that_breaks_off_is_said_and_used_as_far_as_it_was_read(error: Exception | None) -> None:
    long = [typed(f"m{i}") for i in range(300)]
    shelf = Shelf(transcripts={"s": [*long], "t": [typed("c")]}, breaks_after={"s": 250}, error=error)
    backlog = Backlog([shelf], None, Wanted(NOW, MINUTE))
    names = [m.id for turn in backlog.turns(backlog.find().unread) for m in turn.messages]
    assert (names[0], names[-1]) == ("m0", "c")
    assert len(names) > 100
    says = "was not read" if error else "broke off; run again."
    assert backlog.broken["claude", "s"].startswith(f"/t/s.jsonl {says}")


def test_an_error_of_our_own_state_still_ends_the_run() -> None:
    shelf = Shelf(transcripts={"s": [typed("a")]}, broken={"s"}, error=StateError("the state is damaged"))
    with pytest.raises(StateError):
        look(shelf)
