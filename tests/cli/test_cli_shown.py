"""The same bytes again for a running session, until there is a reason, and the log of reasons."""

import contextlib
import os
import re
import sqlite3
import time
from pathlib import Path

import pytest
from support.commands import Said, call
from support.events import served

from siltstone.cli.hooks.common import LazyState, hook_settings
from siltstone.cli.hooks.inject import Asked, serve
from siltstone.cli.hooks.surroundings import running
from siltstone.cli.settings import configure, hook_rules
from siltstone.pipeline import detector
from siltstone.recall.block import Block
from siltstone.recall.session.apply import apply
from siltstone.recall.session.event import Event
from siltstone.recall.session.state import SessionState, dump
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import Misuse
from siltstone.store.state import State

NOW = time.time()
"""What commands write in these tests bears the clock's own time."""
OURS = Asked(agent="claude", session="s1")
NAME = "deploys-go-out-on-tuesdays-only"


def text(at: float = NOW, asked: Asked = OURS) -> str:
    return served(asked, at).text


def reasons() -> list[str]:
    lines = [line["text"] for line in call("log", "--shown", "--json").json]
    return [line.partition("reason=")[2].partition(" ")[0] or "cached" for line in reversed(lines)]


def happen(home: Path, *events: Event) -> None:
    state = SessionState()
    for event in events:
        state = apply(state, event, detector, RecallSettings())
    db = State.open(str(home / "state"))
    db.sessions.put("claude", "s1", NOW, dump(state))
    db.close()


def remember(text: str) -> None:
    assert call("remember", text, "--type", "project").code == 0


def test_a_change_waits_until_the_provider_has_forgotten(kept: Said) -> None:
    first = text()
    remember("Releases are cut on Mondays")
    assert text(NOW + 60) == first
    assert text(NOW + 120, OURS._replace(session="s2")) != first
    assert text(NOW + 301) == first, "it was shown again in between"
    later = text(NOW + 301 + 301)
    assert "Mondays" in later
    assert text(NOW + 301 + 302) == later
    assert reasons() == ["first", "cached", "first", "cached", "ttl", "cached"]


def test_a_session_for_which_there_is_nothing_is_shown_nothing_and_that_is_kept(kept: Said) -> None:
    assert call("forget", NAME).code == 0
    words = ("inject", "--agent", "claude", "--session", "s1")
    assert call(*words) == Said(0, "", "")
    told = call(*words, "--json").json
    assert (told["text"], told["receipt"]["total"], told["receipt"]["shown"]) == ("", 0, [])
    assert (told["shown"]["reason"], told["shown"]["hash_match"]) == ("", True)
    asked = call(*words, "--receipt")
    receipt = "silt: 0 of 0 shown, 0 stale, 0 in conflict\nsilt: scopes: global, projects/larkspur\n"
    assert asked == Said(0, "", receipt)
    remember("Releases are cut on Mondays")
    later = time.time()
    assert text(later + 60) == ""
    assert "Mondays" in text(later + 60 + 301)
    assert reasons() == ["first", "cached", "cached", "cached", "ttl"]


@pytest.mark.parametrize("agent", ["claude", ""])
def test_where_nothing_is_prepared_a_session_is_shown_nothing_and_a_person_why(
    home: Path, agent: str
) -> None:
    said = call("inject", "--agent", agent, "--session", "s1")
    assert (said.code, said.out) == (0, "")
    assert said.err == (
        f"silt: nothing is prepared for showing in {home / 'state'}; run `silt run` to read your "
        "agents' sessions, or `silt rebuild` if there is a store\n"
    )


def test_what_is_to_be_remembered_is_pending_in_the_next_block(home: Path, kept: Said) -> None:
    """A38: shown as pending, not as a memory, and not before there is a reason for a new block."""
    asked = Event("message", "claude", "s1", NOW, role="user", text="Remember this: deploys are on Tuesdays")
    first = text()
    happen(home, asked)
    assert text(NOW + 60) == first
    other = text(NOW + 61, OURS._replace(query="deploys"))
    assert "pending_memories:\n- [feedback] deploys are on Tuesdays" in other
    assert "(1 of 1 shown" in other
    call("remember", "Deploys are on Tuesdays", "--type", "project")
    kept_by_now = text(NOW + 62, OURS._replace(query="deploys on Tuesdays"))
    assert "pending_memories" not in kept_by_now
    assert "Deploys are on Tuesdays" in kept_by_now


def test_time_alone_changes_nothing(kept: Said) -> None:
    first = text()
    assert text(NOW + 100 * 86_400) == first
    later = text(NOW + 100 * 86_400, OURS._replace(session="s2"))
    assert re.search(r"\[(?:100|99)d old, verify\]", later)  # 99 where midnight came in between
    remember("Releases are cut on Mondays")
    assert "old, verify]" in text(NOW + 101 * 86_400)


def test_under_pressure_and_after_a_compaction_a_change_is_shown_at_once(home: Path, kept: Said) -> None:
    pressure = Event("idle", "claude", "s1", NOW, tokens=65_000, limit=100_000)
    happen(home, pressure)
    text()
    remember("Releases are cut on Mondays")
    assert "Mondays" in text(NOW + 1)
    remember("Prices are kept in pence")
    happen(home, Event("compaction", "claude", "s1", NOW, text="summary"))
    assert "pence" in text(NOW + 2)
    assert reasons() == ["first", "pressure", "forced:compaction"]


@pytest.mark.parametrize(
    "words",
    [f"promote {NAME}", "flush", f"forget {NAME}", "undo", f"write {NAME} Wednesdays", f"purge {NAME} --yes"],
)
def test_a_persons_own_step_is_shown_at_once(home: Path, kept: Said, words: str) -> None:
    remember("Releases are cut on Mondays")
    text()
    assert call(*words.split()).code == 0
    shown = text(NOW + 1)
    text(NOW + 2)
    assert reasons() == ["first", f"forced:{words.split()[0]}", "cached"]
    if words.startswith("purge"):
        files = [path.read_bytes() for path in (home / "state").glob("state.sqlite3*")]
        assert not any(b"Tuesdays" in data for data in [shown.encode(), *files])


def test_a_hand_edit_is_shown_as_soon_as_it_is_met(home: Path, kept: Said) -> None:
    text()
    (file,) = (home / "store").rglob("project-deploys*.md")
    file.unlink()
    remember("Releases are cut on Mondays")
    assert "Tuesdays" not in text(NOW + 1)
    assert reasons() == ["first", "forced:hand"]


def test_what_an_agent_says_waits_and_what_the_user_accepts_is_shown(home: Path, kept: Said) -> None:
    first = text()
    words = ("linter", "Lint with biome", "--description", "Lint with biome", "--session", "claude/s9")
    assert call("write", *words).code == 0
    assert text(NOW + 1) == first
    assert call("inbox", "accept", "linter").code == 0
    assert "biome" in text(NOW + 2)
    assert call("undo").code == 0
    assert text(NOW + 3) == first
    assert reasons() == ["first", "cached", "forced:accept", "forced:undo"]


def test_a_settled_conflict_is_shown_at_once(home: Path) -> None:
    for amount in ("£40", "£50"):
        remember(f"Free shipping starts at {amount}")
    call("compact")
    (one,) = call("conflicts", "--json").json
    assert "2 in conflict" in text()
    assert call("conflicts", "resolve", one["id"], "--keep", "2").code == 0
    assert "0 in conflict" in text(NOW + 1)
    assert reasons() == ["first", "forced:conflicts"]


def test_promoting_may_be_left_to_the_ladder(kept: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_REFRESH_ON_PROMOTE_DEMOTE", "false")
    first = text()
    assert call("promote", NAME).code == 0
    assert text(NOW + 1) == first


def test_each_question_and_layout_has_a_block_of_its_own(kept: Said) -> None:
    asked = OURS._replace(query="When do we deploy?")
    first = text(NOW, asked)
    assert "%" in first
    assert "%" not in text()
    assert text(NOW + 5, asked) == first
    assert text(NOW + 5, OURS._replace(layout="memfs")) != first
    assert reasons() == ["first", "first", "cached", "first"]


def test_the_same_bytes_come_with_the_receipt_of_their_own(kept: Said) -> None:
    words = ("inject", "--agent", "claude", "--session", "s1", "--receipt", "--json")
    first, again = (call(*words).json for _ in range(2))
    assert [one["shown"]["reason"] for one in (first, again)] == ["first", ""]
    assert again["shown"]["hash_match"] is True
    remember("Releases are cut on Mondays")
    second = call(*words).json
    assert second["shown"]["hash_match"] is False
    assert (second["text"], second["receipt"]) == (first["text"], first["receipt"])
    said = call("inject", "--agent", "claude", "--session", "s1", "--receipt").err
    assert "1 of 1 shown" in said
    assert "mondays" not in said


def test_a_block_without_its_receipt_is_made_anew(home: Path, kept: Said) -> None:
    text()
    with contextlib.closing(sqlite3.connect(home / "state" / "state.sqlite3")) as db, db:
        db.execute("UPDATE shown SET receipt = '[]'")
    remember("Releases are cut on Mondays")
    assert "Mondays" in text(NOW + 1)


def test_what_is_decided_while_a_block_is_made_is_noticed_by_the_next(home: Path, kept: Said) -> None:
    """A purge that ends after the memories were read must not leave a block that passes for a new one."""
    state = LazyState(str(home / "state"))
    db = state.open()
    block = Block("old", served(Asked(), NOW).receipt)
    reasons = []
    for force in (True, False, False):
        _, to = running(state, "claude", "s9")
        assert to is not None
        if force:
            db.shown.withdraw("purge")
        _, decision = serve(db, to, "v", lambda at: block, RecallSettings(), NOW)
        reasons.append(decision and decision.reason)
    db.close()
    assert reasons == ["first", "forced:purge", ""]


def test_a_state_in_use_does_not_hold_the_agent_up(home: Path, kept: Said) -> None:
    text()
    holder = sqlite3.connect(home / "state" / "state.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    said = call("inject", "--agent", "claude", "--session", "s1")
    holder.close()
    assert (said.code, "Tuesdays" in said.out) == (0, True)
    assert "in use by another process" in said.err


def test_the_log_is_told_and_one_log_at_a_time(kept: Said) -> None:
    assert "no session has been shown anything yet" in call("log", "--shown").out
    text()
    assert "claude/s1  refreshed reason=first usage=0.0% chars=" in call("log", "--shown").out
    assert call("log", "--shown", "--rejected").code == 2


def test_hooks_read_the_same_settings_as_all_commands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook_settings(os.environ) == hook_rules(configure().settings) == RecallSettings()
    (home / "config.toml").write_text('cache_ttl = "30s"\nmax_memories = 3\nsimilarity_threshold = 1\n')
    monkeypatch.setenv("SILT_TURN_SUMMARY_INTERVAL", "7")
    monkeypatch.setenv("SILT_MAX_MEMORIES", "4")
    expected = RecallSettings(
        cache_ttl=30_000, max_memories=4, similarity_threshold=1.0, turn_summary_interval=7
    )
    assert hook_settings(os.environ) == hook_rules(configure().settings) == expected


WRONG = """
cache_ttl = "soon"
cache_ttl = -1
max_memories = 101
max_memories = 2.5
max_memories = inf
max_memories = true
max_memories = [1]
similarity_threshold = nan
similarity_threshold = '1.1'
turn_summary_interval = 0
max_memories =
"""


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_a_wrong_setting_is_told_and_leaves_the_default(
    home: Path, kept: Said, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    (home / "config.toml").write_text(f"{line}\n")
    assert hook_settings(os.environ) == RecallSettings()
    assert len(capsys.readouterr().err.splitlines()) == 1
    with pytest.raises(Misuse):
        configure()
    assert call("inject", "--agent", "a", "--session", "s").code == 0


def test_a_threshold_that_is_set_holds(kept: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("inject", "--query", "deploys zebra", "--json")
    monkeypatch.setenv("SILT_SIMILARITY_THRESHOLD", "0.1")
    assert [one["how"] for one in call(*words).json["receipt"]["shown"]] == ["hit"]
    monkeypatch.setenv("SILT_SIMILARITY_THRESHOLD", "0.99")
    assert [one["how"] for one in call(*words).json["receipt"]["shown"]] == ["line"]
