"""Windows: every message in exactly one, within the limits, cut where the design says."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.messages import Filtered, Message, Role, Session, Step, ToolCall
from siltstone.pipeline.reading.window import (
    CONTEXT_CHARS,
    MAX_CHARS,
    MAX_MESSAGES,
    Window,
    clip,
    halve,
    turns,
    weight,
    windows,
)
from siltstone.pipeline.rules.pasted import own_words

START = datetime(2026, 9, 3, 12, 0, tzinfo=UTC)
SESSION = Session("claude", "s1", "/home/marit/src/larkspur")


def message(i: int, role: Role, text: str = "", output: str = "", command: str | None = None) -> Message:
    tool = ToolCall("Bash" if command else "Read", "{}", output, command, 0)
    at = START + timedelta(seconds=i)
    return Message(f"m{i}", f"m{i}", role, text, at, tool if role == "tool" else None, role == "assistant")


def steps(messages: list[Message]) -> list[Step]:
    return [Step(m, f"after {m.id}") for m in messages]


def cut(messages: list[Message], session: Session = SESSION) -> list[Window]:
    return list(windows("projects/larkspur", turns("source", session, steps(messages))))


def own(window: Window) -> list[str]:
    return [shown.message.id for shown in window.shown if not shown.context]


roles: st.SearchStrategy[Role] = st.sampled_from(["user", "assistant", "tool", "tool"])
specs = st.lists(
    st.tuples(roles, st.sampled_from([3, 80, 900, 5_000, 40_000]), st.booleans()), min_size=1, max_size=260
)


@given(specs)
@settings(max_examples=60, deadline=None)
def test_every_message_is_in_one_window_or_counted_and_no_window_is_too_large(
    spec: list[tuple[Role, int, bool]],
) -> None:
    read = [
        message(i, role, "w" * size, "o" * size, "make" if ran else None)
        for i, (role, size, ran) in enumerate(spec)
    ]
    cutted = cut(read)
    shown = [name for window in cutted for name in own(window)]
    assert len(shown) == len(set(shown))
    assert shown == sorted(shown, key=lambda name: int(name[1:]))
    assert len(shown) == len(read)
    assert {key for w in cutted for mark in w.marks for key in mark.keys} == {m.key for m in read}
    for window in cutted:
        assert len(window.shown) <= MAX_MESSAGES
        assert sum(weight(s.message) for s in window.shown) <= MAX_CHARS
        assert [s.n for s in window.shown] == list(range(1, len(window.shown) + 1))


def test_the_last_mark_says_where_reading_goes_on() -> None:
    read = [message(0, "user", "use pnpm"), message(1, "assistant", "ok")]
    (window,) = windows("global", turns("src", SESSION, [*steps(read), Step(Filtered("hook"), "after hook")]))
    (mark,) = window.marks
    assert (mark.message, mark.resume, mark.keys) == ("m1", "after hook", ("m0", "m1"))
    assert window.filtered == Counter(hook=1)


def test_a_window_is_cut_before_a_typed_text_and_repeats_the_answer_it_answers() -> None:
    read = [
        m
        for i in range(0, 40, 2)
        for m in (message(i, "user", "q" * 900), message(i + 1, "assistant", f"answer {i} " + "a" * 900))
    ]
    first, second, *_ = cut(read)
    assert first.shown[0].message.role == "user"
    assert not first.shown[0].context
    repeated, typed = second.shown[0], second.shown[1]
    assert repeated.context
    halves = halve(first)
    assert halves is not None
    assert [one.message.role for one in halves[1].shown[:2]] == ["assistant", "user"]
    assert halves[1].shown[0].context
    assert repeated.message.id == own(first)[-1]
    assert len(repeated.message.text) <= CONTEXT_CHARS + 60
    assert typed.message.role == "user"


def test_of_the_answers_before_a_window_the_last_that_says_something_is_repeated() -> None:
    proposal = message(1, "assistant", "I would keep sessions for thirty days, since support asks for them.")
    read = [message(0, "user", "q" * 5_900), proposal, message(2, "tool", output="x", command="make")]
    read += [message(i, "tool", output="x" * 900, command="make") for i in range(3, 18)]
    read += [message(18, "assistant", "Done."), message(19, "user", "yes, thirty days. " + "y" * 5_000)]
    assert cut(read)[-1].shown[0].message.id == proposal.id


def test_a_long_turn_is_split_at_tool_calls_with_its_typed_text_as_context() -> None:
    read = [
        message(0, "user", "make the build pass"),
        *(message(i, "tool", output="x" * 900, command=f"make step{i}") for i in range(1, 300)),
    ]
    parts = cut(read)
    assert len(parts) == 12
    for part in parts[1:]:
        assert part.shown[0].context
        assert part.shown[0].message.text == "make the build pass"
        assert part.typed


def test_short_sessions_share_a_window() -> None:
    told = [(Session("claude", f"s{i}", "/p"), steps([message(i, "user", "use pnpm")])) for i in range(5)]
    (window,) = windows("projects/p", (turn for one, said in told for turn in turns(one.id, one, said)))
    assert [mark.session.id for mark in window.marks] == ["s0", "s1", "s2", "s3", "s4"]


@pytest.mark.parametrize("size", [2, 3, 7, 40])
def test_halves_hold_what_the_whole_held(size: int) -> None:
    read = [
        message(i, ("user", "assistant", "tool")[i % 3], "text", "out", "make" if i % 2 else None)
        for i in range(size)
    ]
    (window,) = cut(read)
    halves = halve(window)
    assert halves is not None
    assert own(halves[0]) + own(halves[1]) == own(window)
    assert halves[0].marks[0].resume is None
    assert halves[0].marks[0].message == own(halves[0])[-1]
    assert halves[1].marks == window.marks
    assert halve(cut(read[:1])[0]) is None, "one message"


def test_two_agents_may_use_one_key() -> None:
    told = steps([message(0, "user", "use pnpm"), message(1, "user", "yes")])
    both = (turn for agent in ("claude", "codex") for turn in turns("same", Session(agent, "s1", "/p"), told))
    (window,) = windows("projects/p", both)
    claude, codex = ("claude", "same"), ("codex", "same")
    assert [mark.place for mark in window.marks] == [claude, codex]
    halves = halve(window)
    assert halves is not None
    assert [[mark.place for mark in half.marks] for half in halves] == [[claude], [codex]]


def test_what_was_typed_keeps_more_than_answers_and_those_more_than_output() -> None:
    long = "w" * 23_000
    interim = replace(message(2, "assistant", long), final=False)
    read = [message(0, "user", long), message(1, "assistant", long), interim, message(3, "tool", output=long)]
    shown = [one.message for window in cut(read) for one in window.shown if not one.context]
    lengths = [len(one.tool.output if one.tool else one.text) for one in shown]
    assert lengths == sorted(lengths, reverse=True)
    assert [length // 1_000 for length in lengths] == [18, 3, 1, 1]
    assert len(set(lengths)) == 4


def test_the_users_words_in_a_long_message_stay_whole_and_what_they_pasted_is_cut() -> None:
    before, behind = "The ferry sails at seven. " * 200, "\n\nWe never sail at night. " * 100
    log = "\n".join(f"2026-09-03 12:00:{i % 60:02} ERROR tide table {i} is missing" for i in range(200))
    (window,) = cut([message(0, "user", f"{before}\n\n{log}\n{behind}")])
    text = window.shown[0].message.text
    assert text.startswith(before)
    assert text.endswith(behind)
    assert 6_000 < len(text) - len(before) - len(behind) < 6_100


def test_a_clipped_text_says_how_much_is_missing() -> None:
    assert clip("a" * 100, 100) == "a" * 100
    text = clip("head" + "x" * 10_000 + "tail", 1_000)
    assert text.startswith("head")
    assert text.endswith("tail")
    assert "9,008 characters cut" in text


@pytest.mark.parametrize("behind", [300, 20])
def test_what_is_behind_a_cut_in_code_stays_what_it_was(behind: int) -> None:
    """The code ends in what is cut, or behind it."""
    code = "seeds = 1\n" * 300
    text = f"Sort the seeds by hand.\n\n```\n{code}```\n\n{'and so on ' * behind}\n\nWe never sort at night."
    kept = own_words(clip(text, 1_500))
    assert "never sort at night" in kept
    assert "seeds = 1" not in kept
