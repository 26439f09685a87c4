"""Looking back: what a session went on to drop leaves, and nothing else does."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from merge_support import SCOPE, entry
from support.bench import Bench
from support.fake_model import Asked, FakeModel

from siltstone.pipeline.compaction.compact import Compacted, Wish, compact, compact_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.compaction.with_model import Looking
from siltstone.pipeline.extraction.extract import Rules
from siltstone.store.entry import Entry, Evidence, Source, Write
from siltstone.store.errors import Overflow
from siltstone.store.frontmatter import parse, render
from siltstone.store.session_archive import FILE, Mark, Said, SessionArchive
from siltstone.store.undo import undo

WHEN = When(churn=1, interval=timedelta(0), min_entries=1)
BEGAN = datetime(2026, 9, 1, 12, tzinfo=UTC)
TALK = (
    ("user", "the ferry page gets the line Cross with us, in green"),
    ("assistant", "Done. The line stands in the header. Shall I make it larger?"),
    ("user", "never deploy it on a Friday, the harbour office is closed then"),
    ("user", "hmm no, take Two shores, one ticket for the line. navy, not green"),
    ("assistant", "It says so now."),
)
LINE, FRIDAY = "The ferry page has the line Cross with us.", "The page is never deployed on a Friday."


@pytest.fixture
def bench(empty_bench: Bench) -> Bench:
    return empty_bench


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[SessionArchive]:
    with SessionArchive(tmp_path / FILE, 0) as opened:
        yield opened


def tell(
    archive: SessionArchive, talk: Sequence[tuple[str, str]], session: str = "s1", after: int = 0
) -> None:
    """Put a conversation into the archive, a message a minute."""
    scope = archive.scope(SCOPE, ())
    archive.keep(
        [
            Said(
                "claude", session, "/ferry", scope, f"{session}{n}", f"{session}-m{n}", role, seconds(n), text
            )
            for n, (role, text) in enumerate(talk, after)
        ],
        [Mark("claude", session, session, "read", None)],
    )


def seconds(n: int) -> int:
    return int((BEGAN + timedelta(minutes=n)).timestamp())


def learnt(body: str, n: int, session: str = "s1", source: Source = "extraction") -> Entry:
    """A memory that quotes message `n` of a session."""
    said = Evidence(BEGAN + timedelta(minutes=n), "claude", session, f"{session}-m{n}", TALK[n][1])
    made = entry(body, name=re.sub(r"\W+", "-", body.lower())[:30].strip("-"))
    return made._replace(evidence=(said,), created=said.at, updated=said.at, source=source)


def keep(bench: Bench, *entries: Entry) -> None:
    store = bench.store()
    with store.locked():
        writes = [Write(f"{one.scope}/project-{one.name}.md", render(one), None) for one in entries]
        store.apply(writes, "memory: learn", [("Silt-Op", "extract")])


def over(memory: str, *words: str) -> FakeModel:
    """A model that calls a memory over by the messages with these words, and plans nothing else."""

    def answer(asked: Asked) -> dict[str, object]:
        if "looking back" not in asked.text:
            return {"ops": []}
        item = re.search(rf"^(\d+)\. .*{re.escape(memory)}", asked.text, re.M)
        by = [
            int(n)
            for n, said in re.findall(r"^\[(\d+)\] (.*)$", asked.text, re.M)
            if any(map(said.count, words))
        ]
        return {"over": [{"item": int(item[1]), "by": by}] if item else []}

    return FakeModel(otherwise=answer)


def look(bench: Bench, archive: SessionArchive, model: FakeModel) -> list[Compacted]:
    return [done for _, _, done in compact_due(bench.parts(Rules()), model, WHEN, Looking(model, archive))]


def live(bench: Bench) -> set[str]:
    return {stored.entry.body for stored in bench.store().entries(archived=False)}


def asked_back(model: FakeModel) -> list[str]:
    return [asked.turns[1].content for asked in model.asked if "looking back" in asked.text]


def test_what_the_session_dropped_later_moves_to_the_archive(bench: Bench, archive: SessionArchive) -> None:
    """The report says where it ended, and no word of it: a purge would not find them there."""
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = over(LINE, "hmm no")
    (done,) = look(bench, archive, model)
    assert live(bench) == {FRIDAY}
    (path,) = (bench.folder / "store" / SCOPE / "archive").glob("*.md")
    kept = parse(f"{SCOPE}/archive/{path.name}", path.read_text())
    assert (kept.body, kept.superseded_by, kept.superseded_at) == (LINE, None, BEGAN + timedelta(minutes=3))
    assert "(over: claude/s1, 2026-09-01 12:03 UTC)" in done.checked.diff
    assert "Two shores" not in done.checked.diff
    (shown,) = asked_back(model)
    assert "[1] user: the ferry page gets" in shown
    assert "[2] assistant: Done. The line stands" in shown, "what a short reply answers"
    assert "1. (from [1]) The ferry page has the line" in shown
    assert "It says so now" not in shown, "nobody replied to it"


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        pytest.param(FRIDAY, ["the ferry page gets"], id="an earlier message"),
        pytest.param(FRIDAY, ["never deploy it"], id="the message it is from"),
        pytest.param(LINE, ["Shall I make it larger"], id="the agent's words"),
        pytest.param(LINE, [], id="none"),
    ],
)
def test_only_a_later_message_of_the_user_ends_a_memory(
    bench: Bench, archive: SessionArchive, memory: str, words: list[str]
) -> None:
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    (done,) = look(bench, archive, over(memory, *words))
    assert live(bench) == {LINE, FRIDAY}
    assert [one.rule for one in done.checked.refused] == ["not-over"]


def test_what_others_said_too_or_was_asked_for_is_not_looked_at(
    bench: Bench, archive: SessionArchive
) -> None:
    """A memory that was asked for, said in two sessions, or whose session is not in the archive."""
    tell(archive, TALK)
    twice = learnt("The harbour office is closed on Fridays.", 0)
    again = twice._replace(evidence=(*twice.evidence, *learnt(FRIDAY, 2, "s2").evidence))
    keep(bench, learnt(LINE, 0, source="explicit"), again, learnt(FRIDAY, 2, "s3"))
    model = over(LINE, "hmm no")
    look(bench, archive, model)
    assert asked_back(model) == []
    assert len(live(bench)) == 3


def test_a_session_is_looked_at_again_only_when_it_goes_on(bench: Bench, archive: SessionArchive) -> None:
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    look(bench, archive, over("nothing", "at all"))
    keep(bench, entry("Tickets are sold at the quay.", name="tickets"))  # the scope is due again
    idle = over(LINE, "hmm no")
    look(bench, archive, idle)
    assert asked_back(idle) == []

    tell(archive, [("user", "the line goes, the header stays empty")], after=len(TALK))
    keep(bench, entry("Dogs travel free.", name="dogs"))
    look(bench, archive, over(LINE, "header stays empty"))
    assert LINE not in live(bench)


def test_what_had_to_stay_is_asked_about_again(bench: Bench, archive: SessionArchive) -> None:
    """At most a quarter of a scope leaves at once."""
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt("The line on the ferry page is green.", 0))
    model = FakeModel(
        otherwise=lambda asked: {
            "over": [{"item": 1, "by": [4]}, {"item": 2, "by": [4]}] if "2. " in asked.text else [],
            "ops": [],
        }
    )
    (done,) = look(bench, archive, model)
    assert [one.rule for one in done.checked.refused] == ["too-many"]
    keep(bench, entry("Dogs travel free.", name="dogs"))
    again = over("nothing", "at all")
    look(bench, archive, again)
    (page,) = asked_back(again)
    assert (page.count("from ["), len(live(bench))) == (1, 2)


def test_what_the_user_has_back_stays(bench: Bench, archive: SessionArchive) -> None:
    """Also when the session goes on, and the model says the same again."""
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    look(bench, archive, over(LINE, "hmm no"))
    undo(bench.store(), None, bench.clock)
    tell(archive, [("user", "thanks, see you on Monday")], after=len(TALK))
    keep(bench, entry("Dogs travel free.", name="dogs"))
    look(bench, archive, over(LINE, "hmm no"))
    assert LINE in live(bench)


def test_many_messages_of_one_second_are_in_their_order(bench: Bench, archive: SessionArchive) -> None:
    """The archive numbers them by later seconds; a memory is not over by the message that it is from."""
    scope = archive.scope(SCOPE, ())
    calls = [
        Said("claude", "s1", "/", scope, f"c{n}", f"c{n}", "tool", seconds(0), f"ls {n}") for n in range(9)
    ]
    archive.keep(calls, [Mark("claude", "s1", "s1", "read", None)])
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = over(LINE, "the ferry page gets")
    (done,) = look(bench, archive, model)
    assert "1. (from [1]) The ferry page" in asked_back(model)[0]
    assert [one.rule for one in done.checked.refused] == ["not-over"]


@pytest.mark.parametrize("answer", [Overflow("too large"), "no list"], ids=["too large", "unreadable"])
def test_a_page_without_an_answer_is_not_asked_again(
    bench: Bench, archive: SessionArchive, answer: Overflow | str
) -> None:
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = FakeModel(otherwise=lambda asked: answer if "looking back" in asked.text else {"ops": []})
    (done,) = look(bench, archive, model)
    assert (len(done.asked.missed), done.asked.failed) == (1, [])
    keep(bench, entry("Dogs travel free.", name="dogs"))
    idle = over(LINE, "hmm no")
    look(bench, archive, idle)
    assert asked_back(idle) == []


def test_a_page_holds_so_many_memories_and_no_more(bench: Bench, archive: SessionArchive) -> None:
    tell(archive, TALK)
    keep(bench, *(learnt(f"Quay {n} has {n} lamps.", 0) for n in range(90)))
    model = over("nothing", "at all")
    look(bench, archive, model)
    assert [piece.count("Quay ") for piece in asked_back(model)] == [40, 40, 10]


def test_a_damaged_archive_keeps_nothing_from_being_compacted(bench: Bench, archive: SessionArchive) -> None:
    tell(archive, TALK)
    archive.write("UPDATE block SET texts = x'00'")
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = FakeModel(otherwise={"ops": []})
    (done,) = look(bench, archive, model)
    assert (done.asked.groups, len(done.asked.missed)) == (1, 1)


def test_a_long_session_is_looked_at_in_pieces(bench: Bench, archive: SessionArchive) -> None:
    """Each piece is shown once, with what was kept up to it."""
    tell(
        archive, [*TALK, *((("user"), f"stop {n}: " + "and so on, quay after quay " * 40) for n in range(90))]
    )
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = over(LINE, "stop 89:")
    look(bench, archive, model)
    pieces = asked_back(model)
    assert len(pieces) > 2
    assert all(len(piece) < 28_000 for piece in pieces)
    assert [sum(f"stop {n}:" in piece for piece in pieces) for n in range(90)] == [1] * 90
    assert "2. The page is never deployed" in pieces[-1]
    assert live(bench) == {FRIDAY}


def test_a_manual_compaction_sends_no_transcript(bench: Bench, archive: SessionArchive) -> None:
    """`silt compact` asks for consent to send memories, not what was said."""
    tell(archive, TALK)
    keep(bench, learnt(LINE, 0), learnt(FRIDAY, 2))
    model = over(LINE, "hmm no")
    compact(bench.parts(Rules()), model, Wish())
    assert asked_back(model) == []
