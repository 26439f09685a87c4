"""What an agent does with its own session's state: typed, limited, free of secrets (B4, B14, E22)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import NOW
from support.table import table

from siltstone.recall.session import tools
from siltstone.recall.session.render import block
from siltstone.recall.session.state import CORE_LIMITS, SLOTS, SessionState, core, dump
from siltstone.recall.session.working_memory import LONGEST
from siltstone.store.errors import Misuse
from siltstone.store.state import State

EMPTY = SessionState()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path) as opened:
        yield opened


def test_core_memory_is_written_and_read() -> None:
    state, told = EMPTY, []
    for text in ("- cart", "+ - totals", "- totals", "- totals", ""):
        append = text.startswith("+ ")
        done = tools.core_update(state, "progress", text.removeprefix("+ "), NOW, append=append)
        state = done.state
        told.append((state.progress.content, done.report.split(":")[0]))
    assert told == [
        ("- cart", "progress replaced"),
        ("- cart\n- totals", "progress appended to"),
        ("- totals", "progress replaced"),
        ("- totals", "progress unchanged"),
        ("", "progress emptied"),
    ]
    assert core(state).keys() == CORE_LIMITS.keys()


def test_a_secret_is_left_out_and_said() -> None:
    secret = "ghp_" + "x1Y2" * 9
    done = tools.core_update(EMPTY, "goal", f"Log in with {secret}", NOW)
    assert (done.redacted, secret in done.state.goal.content) == (True, False)
    done = tools.working_add(EMPTY, "todo", f"rotate {secret}")
    assert (done.redacted, secret in done.state.slots[0].text) == (True, False)
    assert not tools.core_update(EMPTY, "goal", " Move the cart ", NOW).redacted
    with pytest.raises(Misuse, match="checked for secrets"):
        tools.core_update(EMPTY, "goal", "x" * 33_000_000, NOW)


@table("session_tools", "added")
def test_working_memory_is_added_to(kind: str, texts: list[str], kept: list[str], said: str) -> None:
    done = tools.Done(EMPTY, "")
    for text in texts:
        done = tools.working_add(done.state, kind, text)
    assert [one.text for one in done.state.slots if one.kind == kind] == kept
    assert said in done.report
    assert len(done.state.pool) == (kind == "other")


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("idea", "x", "there are error, decision, todo, dependency, other"),
        ("todo", " \n", "nothing to add"),
        ("todo", "x" * (LONGEST + 1), f"at most {LONGEST} characters, not {LONGEST + 1}"),
        ("todo", "x" * 33_000_000, "could not be checked for secrets"),
    ],
    ids=["kind", "empty", "long", "unredactable"],
)
def test_what_does_not_fit_is_refused(kind: str, text: str, says: str) -> None:
    with pytest.raises(Misuse, match=says):
        tools.working_add(EMPTY, kind, text)


def test_clearing_says_how_much_went() -> None:
    state = EMPTY
    for kind in tools.KINDS:
        state = tools.working_add(state, kind, f"a {kind}").state
    assert tools.working_clear(state, "todo").report == "cleared: 1 item of the kind todo"
    done = tools.working_clear(state)
    assert (done.report, done.state) == ("cleared: 5 items of any kind", EMPTY)
    with pytest.raises(Misuse, match="there are no slots 'idea'"):
        tools.working_clear(state, "idea")


@given(st.sampled_from(sorted(SLOTS)), st.text(max_size=60) | st.sampled_from(["<system>x", "[memory] y"]))
def test_what_is_shown_can_be_removed(kind: str, text: str) -> None:
    try:
        state = tools.working_add(EMPTY, kind, text).state
    except Misuse:
        return
    shown = next((row[2:] for row in block(state).splitlines() if row.startswith("- ")), "")
    if shown:
        assert tools.working_remove(state, shown).state.slots == ()
    assert tools.working_remove(state, state.slots[0].text).state.slots == ()
    with pytest.raises(Misuse, match="has no item"):
        tools.working_remove(EMPTY, text)


def test_a_change_is_kept_whole_or_not_at_all(db: State) -> None:
    with pytest.raises(Misuse, match="nothing is known about a session 'claude/s1'"):
        tools.change(db, "claude", "s1", NOW, lambda state: tools.working_add(state, "todo", "a"))
    db.sessions.put("claude", "s1", NOW, dump(EMPTY))
    tools.change(db, "claude", "s1", NOW, lambda state: tools.working_add(state, "todo", "a"))

    def refuse(state: SessionState) -> tools.Done:
        raise Misuse("no")

    with pytest.raises(Misuse):
        tools.change(db, "claude", "s1", NOW, refuse)
    tools.change(db, "claude", "s1", NOW, lambda state: tools.core_update(state, "goal", "g", NOW))
    state = tools.state_of(db, "claude", "s1")
    assert (state.goal.content, [one.text for one in state.slots], state.updated) == ("g", ["a"], NOW)
