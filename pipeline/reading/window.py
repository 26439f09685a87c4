"""Windows: the messages that one model call sees (docs/architecture.md).

A window holds at most 200 messages and 24,000 characters, as they are shown, and is cut at turns. A turn is a
typed text and what follows it. Short sessions of one scope share a window, so that the prompt's fixed part is
paid once. A turn that is too large for a window is split, with its typed text repeated as context.

What can prove nothing is shown in brief (`brief`): most of a transcript is files that the agent read or
wrote, and passing checks.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.messages import Filtered, Message, Session, Step, ToolCall
from siltstone.pipeline.proof.commands import reads
from siltstone.pipeline.rules.pasted import open_fence, pieces_of

MAX_MESSAGES = 200
MAX_CHARS = 24_000
OVERHEAD = 16
"""Characters of a message's number and role in the prompt."""
TOOL_OVERHEAD = 40
"""The same for a tool call, with its exit status and the line above its output."""

USER_CHARS = 18_000
PASTED_CHARS, MIN_PASTED = 6_000, 300
"""At most and at least of each piece of a typed text that others wrote."""
FINAL_CHARS = 3_000
ANSWER_CHARS = 1_500
OUTPUT_CHARS = 1_000
INPUT_CHARS = 600
CONTEXT_CHARS = 800
"""Of a message that is repeated from an earlier window."""
REPEATED = CONTEXT_CHARS + 100
"""What such a message takes at most, with its overhead and the mark that says how much was cut."""
ANSWER_SAYS = 60
"""Characters of an answer that a reply may refer to; a shorter one ("Done.") only where there is no other."""
BRIEF_ANSWER_CHARS = 400
BRIEF_CALL_CHARS = 120
"""Of a call that ran no command, and of what a failed one says."""
BRIEF_LINE_CHARS = 160
"""Of the last line that a passing check prints."""
_FIRST_VALUE = re.compile(r'\{"[^"\\]*":"((?:[^"\\]|\\.)*+)"?')
"""The first argument of a call: nearly always the path, the address or what is looked for."""
_CHECK = re.compile(r"(?<![^\W_])(?:\w*(?:tests?|lint|check|fmt|format)|vet|tsc|mypy|ruff)\b")
"""A program or task whose success is told by its last line."""


Place = tuple[str, str]
"""(agent, `Source.key`): a transcript. Two agents may use the same key."""


class Shown(NamedTuple):
    """A numbered message, trimmed and redacted.

    Evidence is checked against `message`, never against the file. The prompt shows no more than that.
    """

    n: int
    session: Session
    message: Message
    context: bool = False
    """Repeated from an earlier window, where it was counted."""

    @property
    def told(self) -> Message:
        """The message as the prompt shows it."""
        return brief(self.message)


class Mark(NamedTuple):
    """How far the watermark of a session moves when the window's outcome is committed."""

    source: str
    """`Source.key` of the transcript."""
    session: Session
    message: str
    """Id of the last message dealt with; goes into the `Silt-Session` trailer."""
    resume: str | None
    """Where to continue reading; None (half a window) leaves that as it was, and the keys decide."""
    keys: tuple[str, ...]
    """`Message.key` of every message dealt with in this window."""

    @property
    def place(self) -> Place:
        return self.session.agent, self.source


@dataclass(frozen=True, slots=True)
class Window:
    """Messages of one scope in reading order, from one session or several short ones."""

    scope: str
    """"global" or "projects/<slug>"."""
    shown: tuple[Shown, ...]
    marks: tuple[Mark, ...] = ()
    filtered: Counter[str] = field(default_factory=Counter)
    """What was read beside them, by reason."""
    last: bool = False
    """Nothing more of the scope was there to fill it with."""

    @property
    def messages(self) -> int:
        """Number of messages, without those repeated as context."""
        return sum(not shown.context for shown in self.shown)

    @property
    def typed(self) -> bool:
        """Whether it holds typed text. A window without any is not worth a call."""
        return any(shown.message.role == "user" for shown in self.shown)


@dataclass(frozen=True, slots=True)
class Turn:
    """A typed text and the answers and tool calls up to the next one."""

    source: str
    session: Session
    messages: tuple[Message, ...]
    """Trimmed, as the window shows them."""
    resume: str
    filtered: Counter[str] = field(default_factory=Counter)
    context: Message | None = None
    """What it refers to, unless the window holds more of the session before it: for a later part of a split
    turn the typed text that the turn began with, for a reply the answer that an earlier run read."""

    @property
    def place(self) -> Place:
        return self.session.agent, self.source


def weight(message: Message) -> int:
    """Characters a message takes in the prompt."""
    message = brief(message)
    tool = message.tool
    if tool is None:
        return len(message.text) + OVERHEAD
    return len(tool.command or tool.input) + len(tool.output) + TOOL_OVERHEAD


def clip(text: str, limit: int) -> str:
    """Head and tail of a text, about `limit` characters, with a mark that says how much was cut. A fence that
    is cut is closed before it and opened behind it: else code and prose would change places."""
    if len(text) <= limit:
        return text
    head = max(limit * 3 // 5, 1)
    kept, rest = text[:head], text[len(text) - (limit - head) :]
    closing, opening = open_fence(kept), open_fence(text[: len(text) - len(rest)])
    note = f"\n[… {len(text) - limit:,} characters cut …]\n"  # echo.py finds it
    return "".join((kept, closing and f"\n{closing}", note, opening and f"{opening}\n", rest))


def trim(message: Message) -> Message:
    """The message within its tier's allowance."""
    if (tool := message.tool) is not None:
        command = None if tool.command is None else clip(tool.command, INPUT_CHARS)
        input_, output = clip(tool.input, INPUT_CHARS), clip(tool.output, OUTPUT_CHARS)
        return replace(message, tool=replace(tool, input=input_, command=command, output=output))
    if message.role == "user":
        return replace(message, text=clip(_without_long_pastes(message.text), USER_CHARS))
    return replace(message, text=clip(message.text, FINAL_CHARS if message.final else ANSWER_CHARS))


def _without_long_pastes(text: str) -> str:
    """A typed text in which what others wrote is cut, piece by piece, so that the user's words have room."""
    if len(text) <= PASTED_CHARS:
        return text
    pieces = pieces_of(text)
    own = sum(len(piece) for is_own, piece in pieces if is_own)
    pasted = sum(not is_own for is_own, _ in pieces)
    most = min(PASTED_CHARS, max((USER_CHARS - own) // max(pasted, 1), MIN_PASTED))
    return "".join(piece if is_own else clip(piece, most) for is_own, piece in pieces)


def only_looked(tool: ToolCall) -> bool:
    """Whether a call read or wrote files alone, so that what it printed proves nothing."""
    return tool.command is None or reads(tool.command)


@lru_cache(maxsize=1_000)
def brief(message: Message) -> Message:
    """A trimmed message with what can prove nothing cut: files read or written, interim answers, what a
    passing check prints but for its last line."""
    tool = message.tool
    if tool is None:
        interim = message.role == "assistant" and not message.final
        return replace(message, text=clip(message.text, BRIEF_ANSWER_CHARS)) if interim else message
    failed = tool.went_wrong
    if only_looked(tool):
        output = clip(tool.output, BRIEF_CALL_CHARS) if failed else ""
    elif not failed and _CHECK.search((tool.command or "")[:BRIEF_CALL_CHARS]):
        output = tool.output.rstrip().rpartition("\n")[2][-BRIEF_LINE_CHARS:]
    else:
        output = tool.output
    value = _FIRST_VALUE.match(tool.input)
    input_ = (value[1] if value else tool.input)[:BRIEF_CALL_CHARS]
    return replace(message, tool=replace(tool, input=input_, output=output))


def turns(source: str, session: Session, steps: Iterable[Step]) -> Iterator[Turn]:
    """Group a reader's steps into turns, lazily; messages are trimmed, and each turn fits a window."""
    open_: list[tuple[Message, str]] = []
    filtered: Counter[str] = Counter()
    resume = ""
    for step in steps:
        if isinstance(step.item, Filtered):
            filtered[step.item.reason] += 1
        else:
            if step.item.role == "user" and open_:
                yield from _fit(source, session, open_, filtered, resume)
                open_, filtered = [], Counter()
            open_.append((trim(step.item), step.resume))
        resume = step.resume
    if open_ or filtered:
        yield from _fit(source, session, open_, filtered, resume)


def _fit(
    source: str, session: Session, read: list[tuple[Message, str]], filtered: Counter[str], resume: str
) -> Iterator[Turn]:
    """One turn as one Turn where it fits a window, else split."""
    typed = next((message for message, _ in read[:1] if message.role == "user"), None)
    repeated = min(weight(typed), REPEATED) if typed else 0
    parts: list[list[tuple[Message, str]]] = [[]]
    size = 0
    for message, at in read:
        room = MAX_CHARS - (repeated if len(parts) > 1 else REPEATED)
        if parts[-1] and (size + weight(message) > room or len(parts[-1]) >= MAX_MESSAGES - 2):
            parts.append([])
            size = 0
        parts[-1].append((message, at))
        size += weight(message)
    for number, part in enumerate(parts):
        messages, begun_with = tuple(message for message, _ in part), typed if number else None
        if part is parts[-1]:
            yield Turn(source, session, messages, resume, filtered, begun_with)
        else:
            yield Turn(source, session, messages, part[-1][1], context=begun_with)


def windows(scope: str, read: Iterable[Turn]) -> Iterator[Window]:
    """Fill windows with turns in the order given, none left out, none twice."""
    held: list[Turn] = []
    before: list[Turn] = []
    for turn in read:
        both = [message for one in (*held, turn) for message in one.messages]
        # Two places are kept for context, and one for each further turn that has some.
        more = sum(one.context is not None for one in (*held, turn)[1:])
        count, chars = len(both) + more, sum(map(weight, both)) + more * CONTEXT_CHARS
        if held and (count > MAX_MESSAGES - 2 or chars > MAX_CHARS - 2 * CONTEXT_CHARS):
            yield _window(scope, held, before)
            before, held = held, []
        held.append(turn)
    if held:
        yield replace(_window(scope, held, before), last=True)


def _window(scope: str, held: list[Turn], before: list[Turn]) -> Window:
    shown: list[Shown] = []
    filtered: Counter[str] = Counter()
    marks: dict[Place, Mark] = {}
    for turn in held:
        filtered += turn.filtered
        earlier = marks.get(turn.place)
        said = turn.context or last_answer(m for t in before if t.place == turn.place for m in t.messages)
        if said is not None and earlier is None:
            said = replace(said, text=clip(said.text, CONTEXT_CHARS))
            shown.append(Shown(len(shown) + 1, turn.session, said, context=True))
        for message in turn.messages:
            shown.append(Shown(len(shown) + 1, turn.session, message))
        keys = (earlier.keys if earlier else ()) + tuple(message.key for message in turn.messages)
        last = turn.messages[-1].id if turn.messages else earlier.message if earlier else ""
        marks[turn.place] = Mark(turn.source, turn.session, last, turn.resume, keys)
    return Window(scope, tuple(shown), tuple(marks.values()), filtered)


def last_answer(before: Iterable[Message]) -> Message | None:
    """The answer that a typed text behind these messages refers to. One that the user replied to is none."""
    answers: list[Message] = []
    for one in before:
        if one.role == "user":
            answers = []
        elif one.role == "assistant":
            answers.append(one)
    long = (one for one in reversed(answers) if len(one.text) >= ANSWER_SAYS)
    return next(long, answers[-1] if answers else None)


def is_worth_a_call(window: Window, now: datetime, longest: timedelta) -> bool:
    """Whether a scope's last window is half full, or holds something that waited for so long: a call for
    each short session pays for the fixed part of the prompt each time."""
    return is_half_full(window) or any(
        now - one.message.at >= longest for one in window.shown if not one.context
    )


def is_half_full(window: Window) -> bool:
    fresh = [one.message for one in window.shown if not one.context]
    return sum(map(weight, fresh)) >= MAX_CHARS // 2 or len(fresh) >= MAX_MESSAGES // 2


def halve(window: Window) -> tuple[Window, Window] | None:
    """The two halves of a window that is too large for the model; None when it holds one message.

    Cut at a turn if possible, else between messages.
    """
    own = [shown for shown in window.shown if not shown.context]
    if len(own) < 2:
        return None
    middle = len(own) // 2
    starts = [i for i in range(1, len(own)) if own[i].message.role == "user"]
    cut = min(starts, key=lambda i: abs(i - middle)) if starts else middle
    at = window.shown.index(own[cut])
    at -= window.shown[at - 1].context  # what the second half begins with may answer it
    first, second = window.shown[:at], window.shown[at:]
    answers = [one for one in first if one.message.role == "assistant" and one.session == second[0].session]
    seen = tuple(one._replace(context=True) for one in answers[-1:] if second[0].message.role == "user")
    marks: list[Mark] = []
    left: list[Mark] = []
    for mark in window.marks:
        read, unread = _of(first, mark), _of(second, mark)
        if read and unread:  # a session that goes on in the second half is marked by keys alone
            keys = tuple(message.key for message in read)
            marks.append(mark._replace(message=read[-1].id, resume=None, keys=keys))
        elif read:
            marks.append(mark)
        if unread or not read:  # one of which everything was filtered is read with the second half
            left.append(mark)
    return (
        Window(window.scope, first, tuple(marks), Counter()),
        Window(window.scope, seen + second, tuple(left), window.filtered),
    )


def _of(part: tuple[Shown, ...], mark: Mark) -> list[Message]:
    """The messages of a part that belong to a mark."""
    keys = set(mark.keys)
    agent = mark.session.agent
    return [s.message for s in part if s.session.agent == agent and s.message.key in keys]
