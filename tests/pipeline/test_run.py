"""A whole run over real transcripts: what is learned, never twice, never lost, and counts that add up."""

import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import SIGINT, pthread_kill
from textwrap import indent
from threading import Event, main_thread

import pytest
from support.bench import DATA, NOON, Bench, answers, memory, number, planted
from support.fake_model import Asked, FakeModel, Queued

from siltstone.agents.readers import readers
from siltstone.pipeline.conflicts import apply_ticks, open_conflicts
from siltstone.pipeline.extraction.extract import ModelExtractor, Rules
from siltstone.pipeline.messages import Message, Reading, Session, Source, Step
from siltstone.pipeline.model.port import Reply, Usage
from siltstone.pipeline.reading.backlog import Wanted
from siltstone.pipeline.report import Report
from siltstone.pipeline.run import Batch, read
from siltstone.store.entry import message_hash
from siltstone.store.errors import LimitReached, ModelError, Overflow, Unavailable
from siltstone.store.history import log
from siltstone.store.undo import undo


@dataclass
class Told:
    """A reader of one transcript, whose key every agent calls the same."""

    agent: str

    def discover(self) -> Iterator[Source]:
        yield Source(
            self.agent, "history", "/t/history.jsonl", "stamp", (NOON - timedelta(hours=1)).timestamp()
        )

    def read(self, source: Source, resume: str | None) -> Reading:
        said = Message(f"{self.agent}-1", f"{self.agent}-1", "user", "Use pnpm here, never npm.", NOON)
        return Reading(
            Session(self.agent, f"{self.agent}-s", "/src/x"), iter([Step(said, "1")][bool(resume) :])
        )

    def idle(self, source: Source, reading: Reading) -> bool | None:
        return None


STORE_FORMAT = Path(__file__).resolve().parents[2] / "docs" / "store-format.md"
NOTHING: dict[str, object] = {"memories": []}


def six_candidates(asked: Asked) -> dict[str, object]:
    """The worked example's reply to session 02 (docs/architecture.md)."""
    facts = tomllib.loads((DATA / "planted" / "worked-example.toml").read_text("utf-8"))["fact"]
    return {"memories": [memory(asked, **fact) for fact in facts]}


def test_one_message_all_the_way(bench: Bench) -> None:
    model = FakeModel([six_candidates])
    report = bench.run(model)

    (asked,) = model.asked
    assert "saved from" in asked.text
    assert "sk_l" + "ive_" not in asked.text
    assert report.calls == 2, "one to find memories, one to look at them again"
    # Six of the model's; found by rule: the save, and a page that asks to be remembered.
    assert report.kinds.total() == 8
    assert report.kinds["promoted"] == 5
    assert report.kinds["absorbed"] == 1
    assert report.rejected == {"read-content": 2}

    store = bench.store()
    stored = store.read("projects/larkspur/project-free-shipping-threshold.md")
    assert stored.entry.origin == "user-said"
    assert [proof.quote for proof in stored.entry.evidence] == ["free shipping starts at £40"]
    assert indent(stored.text, "    ") in STORE_FORMAT.read_text("utf-8"), "the docs show this very file"
    learnt = log(store, 1)[0]
    assert learnt.subject == "memory: learn 4 facts about larkspur"
    sessions = [value for key, value in learnt.trailers if key == "Silt-Session"]
    assert len(sessions) == 1
    assert sessions[0].startswith("claude/")


def test_a_contradiction_without_a_word_of_change_is_flagged_and_settled_by_a_tick(bench: Bench) -> None:
    bench.run(FakeModel([six_candidates]))
    planted(bench.folder / "home", "08")
    missed = {"name": "free-shipping-threshold", "body": "Free shipping is from £50."}
    bench.run(FakeModel([answers(lambda asked: memory(asked, "free shipping is from £50", **missed))]))
    first = "projects/larkspur/project-free-shipping-threshold.md"
    second = "projects/larkspur/project-free-shipping-threshold-2.md"

    (section,) = open_conflicts(bench.store())
    assert {side.path for side in section.sides} == {first, second}
    assert bench.store().read(first).entry.body.startswith("Free shipping starts at £40")

    path = bench.folder / "store" / "_CONFLICTS.md"
    path.write_text(path.read_text(encoding="utf-8").replace("- [ ] 2 ", "- [x] 2 "), encoding="utf-8")
    settled = apply_ticks(bench.parts(lambda window, shown: pytest.fail("nothing is read here")))  # type: ignore[arg-type]
    assert settled.settled
    assert not path.exists()
    (old,) = [s for s in bench.store().entries(archived=True) if s.archived]
    assert old.entry.superseded_by == second


def test_a_short_session_waits_for_more_and_what_was_asked_for_does_not(bench: Bench) -> None:
    year = timedelta(days=365)
    waits = bench.run(FakeModel(), year)
    assert (waits.calls, waits.pooled, waits.kinds["promoted"]) == (0, 1, 1)
    left = bench.state().hooks.pooled()
    assert datetime.fromtimestamp(left.until, UTC) - year == datetime(2026, 9, 3, 12, 33, 38, 93_000, UTC)
    assert len(left.sessions) == 1
    assert bench.run(FakeModel(), year).commits == [], "saved once"
    undo(bench.store(), None, bench.store().clock)
    assert bench.run(FakeModel(), year).commits == [], "an undone save stays undone"
    planted(bench.folder / "home", "08")
    both = bench.run(FakeModel(otherwise=NOTHING), timedelta(days=1))
    assert (both.calls, both.pooled, both.sessions) == (1, 0, 2), "one call for both"
    assert bench.state().hooks.pooled().sessions == ()


def test_the_sessions_of_a_project_that_was_left_wait_no_longer(bench: Bench) -> None:
    planted(bench.folder / "home", "07")
    model = FakeModel(otherwise=NOTHING)
    report = bench.run(model, timedelta(days=365))
    assert (report.calls, report.pooled) == (1, 1)
    assert "Scope: projects/larkspur" in model.asked[0].text


def test_the_lock_is_free_while_a_model_is_asked(bench: Bench) -> None:
    reply = answers(lambda asked: memory(asked, "free shipping starts at £40"))
    wrote: list[str] = []

    def while_asked(asked: Asked) -> dict[str, object]:
        with bench.store().locked(wait=0):
            wrote.append("another writer")
        return reply(asked)

    report = bench.run(FakeModel([while_asked]))
    assert wrote == ["another writer"]
    assert report.failed == 0


def test_readers_do_not_wait_for_the_writer(bench: Bench) -> None:
    bench.run()
    with bench.store().locked():
        read = bench.store().entries()
    assert [stored.path for stored in read] == [stored.path for stored in bench.store().entries()] != []


def test_a_second_run_asks_nothing_and_changes_nothing(bench: Bench) -> None:
    bench.run(FakeModel([six_candidates]))
    before = bench.tree()
    again = bench.run(FakeModel())
    assert (again.calls, again.messages, bench.tree()) == (0, 0, before)


def test_a_lost_state_costs_nothing_where_the_trailers_tell(bench: Bench) -> None:
    bench.run(FakeModel([six_candidates]))
    before = bench.tree()
    shutil.rmtree(bench.folder / "state")
    again = bench.run(FakeModel())
    assert (again.calls, bench.tree()) == (0, before)


def test_messages_read_are_in_windows_or_filtered(bench: Bench) -> None:
    report = bench.run(FakeModel(otherwise=NOTHING))
    assert report.messages == 20 + report.filtered.total()
    assert report.filtered["instructions"] >= 1
    assert report.filtered["system-reminder"] >= 1


def test_a_reply_that_cannot_be_read_leaves_the_window_unread_and_waits(bench: Bench) -> None:
    failed = bench.run(FakeModel(["I could not find anything.", "Sorry, nothing."]))
    assert (failed.failed, failed.calls, failed.stopped) == (1, 2, None)
    saved = [s.path for s in bench.store().entries()]
    assert len(saved) == 1, "what the user asked to remember is kept without the model"
    assert bench.run(FakeModel()).backing_off == 1
    bench.now += timedelta(hours=1)
    done = bench.run(FakeModel([six_candidates]))
    assert (done.failed, done.calls) == (0, 2)


def test_a_window_too_large_for_the_model_is_halved(bench: Bench) -> None:
    model = FakeModel([Overflow("too long"), NOTHING, NOTHING])
    report = bench.run(model)
    assert (report.calls, report.windows, report.failed) == (2, 2, 0)
    assert len(model.asked[1].text) < len(model.asked[0].text)
    assert bench.run(FakeModel()).calls == 0


@pytest.mark.parametrize(
    ("messages", "rooms"), [(3, [8_000, 24_000]), (40, [8_000, 24_000, 24_000])], ids=["short", "long"]
)
def test_a_model_that_thinks_too_long_is_asked_about_one_shorter_window_at_most(
    tmp_path: Path, messages: int, rooms: list[int]
) -> None:
    class Talk(Told):
        def read(self, source: Source, resume: str | None) -> Reading:
            texts = [f"Shelf {n} holds the spare parts of pump {n}, as " * 10 for n in range(messages)]
            said = [Message(f"m{n}", f"m{n}", "user", text, NOON) for n, text in enumerate(texts)]
            return Reading(
                Session(self.agent, "s", "/src/x"),
                iter([] if resume else [Step(one, one.id) for one in said]),
            )

    bench = Bench(tmp_path, {})
    model = FakeModel(otherwise=lambda asked: Reply("", Usage(900, asked.max_tokens), cut=True))
    parts, report = bench.parts(ModelExtractor(model, bench.clock)), Report()
    read(Batch([Talk("claude")], Wanted(bench.now, bench.idle), bench.scope_of), parts, report)
    assert [asked.max_tokens for asked in model.asked] == rooms
    assert report.why_failed == [
        "fake/one: it thought for 24,000 tokens and gave no answer; choose a model that thinks less (`silt "
        "config set model NAME`)."
    ]
    assert (report.messages, report.failed) == (0, 1), "nothing is behind the watermark"


@pytest.mark.parametrize(
    ("error", "failed"),
    [
        pytest.param(LimitReached("the ceiling of 1.00 USD a day would be passed"), 0, id="ceiling"),
        pytest.param(ModelError("the key was refused"), 0, id="refused"),
        pytest.param(Unavailable("the service does not answer"), 1, id="unavailable"),
    ],
)
def test_what_holds_for_every_window_stops_the_run(
    bench: Bench, error: LimitReached | ModelError | Unavailable, failed: int
) -> None:
    report = bench.run(FakeModel([error]))
    assert (report.stopped, report.failed) == (str(error), failed)
    assert (report.sessions, report.left) == (0, 1)
    bench.now += timedelta(hours=1)
    assert bench.run(FakeModel([six_candidates])).kinds["promoted"] == 4


def test_who_interrupts_a_run_is_told_what_it_waits_for(bench: Bench) -> None:
    told, is_stopping = list[str](), Event()

    def tell(what: str, done: int, of: int, last: str) -> None:
        told.append(what)
        if what.startswith("stopping"):
            is_stopping.set()

    def interrupted(asked: Asked) -> dict[str, object]:
        pthread_kill(main_thread().ident or 0, SIGINT)
        assert is_stopping.wait(30)
        return six_candidates(asked)

    extractor = ModelExtractor(FakeModel([interrupted]), bench.clock)
    parts = bench.parts(extractor)._replace(tell=tell)
    batch = Batch(readers(bench.roots, {}), Wanted(bench.now, bench.idle), bench.scope_of)
    report = Report()
    with pytest.raises(KeyboardInterrupt):
        read(batch, parts, report)
    assert told[-1] == "stopping when the answers under way are in"
    assert (report.stopped, report.sessions, report.left) == ("interrupted", 1, 0)


def test_transcripts_of_two_agents_may_have_one_key(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {})
    parts, report = bench.parts(Rules()), Report()
    told = [Told("claude"), Told("codex")]
    read(Batch(told, Wanted(bench.now, bench.idle), bench.scope_of), parts, report)
    assert (report.messages, report.sessions) == (2, 2)
    assert [parts.state.sources.stamps(one.agent) for one in told] == [{"history": "stamp"}] * 2


def test_a_filtered_session_in_a_halved_window_is_behind_the_watermark(bench: Bench) -> None:
    class Silent(Told):
        def read(self, source: Source, resume: str | None) -> Reading:
            session = Session(self.agent, "silent", "/home/marit/src/larkspur")
            said = Message("m", "m", "user", "<private>nobody reads this</private>", NOON)
            return Reading(session, iter([Step(said, "1")][bool(resume) :]))

    model = FakeModel([Overflow("too long"), NOTHING, NOTHING])
    parts, report = bench.parts(ModelExtractor(model, bench.clock)), Report()
    found = [*readers(bench.roots, {}), Silent("plain")]
    read(Batch(found, Wanted(bench.now, bench.idle), bench.scope_of), parts, report)
    assert report.filtered["private"] == 1
    assert parts.state.sources.stamps("plain") == {"history": "stamp"}

    again = Report()
    read(Batch(found, Wanted(bench.now, bench.idle), bench.scope_of), parts, again)
    assert again.messages == 0


@dataclass
class Talk(Told):
    """A reader of one transcript that grows."""

    said: list[Message]

    def discover(self) -> Iterator[Source]:
        for source in super().discover():
            yield replace(source, stamp=str(len(self.said)))

    def read(self, source: Source, resume: str | None) -> Reading:
        steps = [Step(one, str(i)) for i, one in enumerate(self.said, 1)]
        session = Session(self.agent, f"{self.agent}-s", "/src/x")
        return Reading(session, iter(steps[int(resume or 0) :]))

    def say(self, *texts: str) -> None:
        """Typed texts and answers, by turns, behind what was said."""
        for n, text in enumerate(texts, len(self.said)):
            self.said.append(
                Message(f"m{n}", f"m{n}", "assistant" if n % 2 else "user", text, NOON, final=True)
            )


@pytest.mark.parametrize("others", [0, 1], ids=["alone", "behind another session"])
def test_a_yes_in_a_later_run_adopts_what_was_proposed_in_an_earlier_one(tmp_path: Path, others: int) -> None:
    proposal = "I would keep sessions for thirty days, since support asks for them."
    bench, talk = Bench(tmp_path, {}), Talk("codex", [])

    def run(model: FakeModel, *told: Told) -> Report:
        parts, report = bench.parts(ModelExtractor(model, bench.clock)), Report()
        read(Batch(told, Wanted(bench.now, bench.idle), bench.scope_of), parts, report)
        return report

    def agreed(asked: Asked) -> dict[str, object]:
        item = memory(asked, proposal, type="decision", description="Sessions are kept for thirty days")
        yes = {"n": number(asked, "Yes, do that"), "quote": "Yes, do that"}
        return {"memories": [item | {"evidence": [item["evidence"][0], yes]}]}  # type: ignore[index]

    talk.say("How long should a session live on the phones?", proposal)
    run(FakeModel(otherwise=NOTHING), talk)
    talk.say("Yes, do that")
    said = run(FakeModel([agreed]), *[Told("claude")] * others, talk)
    assert (said.calls, said.messages) == (2, 1 + others), "the answer was counted when it was read"
    assert [(one.entry.type, one.entry.origin) for one in bench.store().entries()] == [
        ("decision", "user-said")
    ]


def test_a_password_that_answers_what_an_earlier_run_read_reaches_no_model(tmp_path: Path) -> None:
    bench, talk, model = Bench(tmp_path, {}), Talk("codex", []), FakeModel(otherwise=NOTHING)
    for said in (["The ledger stays shut.", "What is the password of the ledger?"], ["otter7boat, try it"]):
        talk.say(*said)
        parts = bench.parts(ModelExtractor(model, bench.clock))
        read(Batch([talk], Wanted(bench.now, bench.idle), bench.scope_of), parts, Report())
    first, second = model.asked
    assert "password of the ledger" in first.text
    assert "user: [REDACTED], try it" in second.text


def test_what_rules_rejected_beside_a_model_stands_in_the_ledger_once(bench: Bench) -> None:
    bench.run(FakeModel([Overflow("too long"), NOTHING, NOTHING]))
    with bench.parts(Rules()).state as state:
        rejected = state.ledger.rejected()
    assert [row.reason for row in rejected] == ["read-content"]


def test_in_a_halved_window_too_the_ledger_keeps_nothing_of_a_purged_message(bench: Bench) -> None:
    overflowing: list[Queued] = [Overflow("too long"), NOTHING, NOTHING]
    bench.run(FakeModel(overflowing))
    (row,) = bench.state().ledger.rejected()
    agent, _, place = row.said.partition("/")
    session, _, message = place.partition("@")
    other = Bench(bench.folder / "other", bench.roots)
    other.state().purged.add([message_hash(agent, session, message)], NOON)
    other.run(FakeModel(overflowing))
    (purged,) = other.state().ledger.rejected()
    assert (row.text != "", purged.text, purged.evidence) == (True, "", "")


SECRET = "sk_l" + "ive_" + "51H8vQ2KdXyZpL0aWmN3rTbC"


def test_a_secret_a_model_made_up_stands_nowhere(bench: Bench) -> None:
    """Neither as a candidate, proven or not, nor as an item that is none."""

    def leak(asked: Asked, **fields: object) -> dict[str, object]:
        return memory(asked, "hosting is Vercel") | {"body": f"Key is {SECRET}"} | fields

    def leaks(asked: Asked) -> dict[str, object]:
        return {
            "memories": [
                leak(asked),
                leak(asked, evidence=[{"n": 1, "quote": f"made up {SECRET}"}]),
                leak(asked, type="poem", body=f"{'word ' * 57}{SECRET}"),
            ]
        }

    bench.run(FakeModel([leaks], otherwise=NOTHING))
    with bench.state() as state:
        rows = state.ledger.rejected()
    assert {"secret", "no-evidence", "unknown-type"} <= {row.reason for row in rows}
    assert {"Key is [REDACTED]"} < {row.text for row in rows}
    kept = b"".join(file.read_bytes() for file in bench.folder.rglob("*") if file.is_file())
    assert SECRET[:16].encode() not in kept
