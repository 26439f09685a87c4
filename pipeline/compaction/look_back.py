"""Looking back: which memories were over by the end of the session that brought them.

A window is read without what comes after it. So once a session has gone on, a model is asked about its
memories with what was typed since, out of the session archive, and with nothing else to do. It names the
message that ended a memory. Code looks whether it can have: typed, and later than what the memory quotes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeGuard

from pydantic import BaseModel, ConfigDict

from siltstone.pipeline.compaction.groups import mark
from siltstone.pipeline.compaction.plan import Drop, Op, Refused, protected
from siltstone.pipeline.model.json_reply import items
from siltstone.pipeline.reading.window import clip
from siltstone.pipeline.rules.pasted import own_words
from siltstone.prompts import Prompt, prompt
from siltstone.store.entry import Stored
from siltstone.store.session_archive import Line, SessionArchive

PAGE_CHARS = 24_000
"""Of the messages in a prompt. A longer session takes several."""
PAGE_ITEMS = 40
TYPED_CHARS = 900
ANSWER_CHARS = 400
"""Of the end of an answer to which a typed message replies."""


class Message(NamedTuple):
    n: int
    """Counted from 1 within the prompt."""
    role: str
    text: str
    id: int
    """Its number in the archive, by which a session is in order."""


class Item(NamedTuple):
    n: int
    """Counted from 1 within the prompt."""
    stored: Stored
    since: int
    """The first message behind which it may have ended; 0: all of them are."""
    key: str
    """Of the memory as it stands and the session as far as it is shown: what has been asked."""


class Part(NamedTuple):
    """A session, or a piece of a long one, and memories that it had brought by then."""

    messages: tuple[Message, ...]
    items: tuple[Item, ...]


Page = Sequence[Part]
"""What one prompt shows."""


class WireOver(BaseModel):
    """A memory that is over, and the messages that ended it."""

    model_config = ConfigDict(extra="forbid")

    item: int
    by: list[int]


class WireOvers(BaseModel):
    """The reply that prompts/look_back.j2 asks for."""

    model_config = ConfigDict(extra="forbid")

    over: list[WireOver]


def pages(live: Iterable[Stored], archive: SessionArchive, asked: Collection[str]) -> Iterator[Page]:
    """What to ask a model about, a prompt at a time; nothing that is among `asked`.

    It is about what a model proposed in one session: what was asked to be kept, said in two sessions or
    written by the user is never over by a model's word.
    """
    page: list[Part] = []
    chars = 0
    for messages, entries in _pieces(live, archive, asked):
        more = sum(len(one.text) for one in messages) + sum(len(one.stored.entry.claim) for one in entries)
        items = sum(len(part.items) for part in page)
        if page and (chars + more > PAGE_CHARS or items + len(entries) > PAGE_ITEMS):
            yield page
            page, chars, items = [], 0, 0
        begun = sum(len(part.messages) for part in page)
        shown = tuple(one._replace(n=n) for n, one in enumerate(messages, begun + 1))
        page.append(Part(shown, tuple(_item(n, one, shown) for n, one in enumerate(entries, items + 1))))
        chars += more
    if page:
        yield page


def prompt_of(page: Page) -> Prompt:
    """The prompt of a page, as it is sent."""
    return prompt("look_back", parts=page)


def read_over(text: str, page: Page) -> tuple[list[Op], list[Refused]]:
    """What a reply says is over, as ops, without an end where no message was named that can have ended it;
    and the items that name no memory (invariant 5). Raises Unreadable.
    """
    known = {item.n: (item, part) for part in page for item in part.items}
    found: list[Op] = []
    refused: list[Refused] = []
    for one in items(text, "over"):
        number, by = (one.get("item"), one.get("by")) if isinstance(one, dict) else (one, [])
        if type(number) is not int or number not in known:
            refused.append(Refused(None, "unknown-target", f"over: {number!r:.40}"))
            continue
        item, part = known.pop(number)
        named = by if isinstance(by, list) else [by]
        typed = [said for said in part.messages if said.role == "user" and said.n > item.since]
        later = [said for said in typed if said.n in named]
        ended = datetime.fromtimestamp(later[-1].id, UTC) if later else None
        found.append(Drop(item.stored, "over", None, ended))
    return found, refused


def settled(asked: Iterable[str], accepted: Iterable[Op], refused: Iterable[Refused]) -> list[str]:
    """The keys that are not to be asked again: all, but for what is over and has to stay for now because too
    much would leave at once; and one for each memory that left, which stays if the user has it back."""
    stay = {mark(op.target) for op, rule, _ in refused if _is_over(op) and rule == "too-many"}
    gone = [_was_over(op.target) for op in accepted if _is_over(op)]
    return [*(key for key in asked if key.partition("@")[0] not in stay), *gone]


def _is_over(op: Op | None) -> TypeGuard[Drop]:
    return isinstance(op, Drop) and op.because == "over"


def _was_over(stored: Stored) -> str:
    return f"{mark(stored)}@over"


class _Told(NamedTuple):
    """A memory, and the number in the archive of the last message that it quotes."""

    id: int
    path: str
    stored: Stored


def _pieces(
    live: Iterable[Stored], archive: SessionArchive, asked: Collection[str]
) -> Iterator[tuple[list[Message], list[_Told]]]:
    """Sessions in the order of time, long ones in pieces, each with the memories of which its messages may
    say something new."""
    by_session = defaultdict[tuple[str, str], list[Stored]](list)
    for stored in live:
        said = stored.entry.sessions
        mine = stored.entry.source == "extraction" and len(said) == 1 and not protected(stored)
        if mine and _was_over(stored) not in asked:
            by_session[said.pop()].append(stored)
    quoted = {
        place: sorted(_Told(_last_quoted(stored, archive), stored.path, stored) for stored in entries)
        for place, entries in by_session.items()
    }
    for place, told in sorted(quoted.items(), key=lambda one: (one[1][0].id, one[0])):
        for session in archive.named(*place):
            for messages in _cut(_shown(archive.conversation(session))):
                last = messages[-1].id
                ask = [one for one in told if one.id < last and _key(one.stored, last) not in asked]
                for at in range(0, len(ask), PAGE_ITEMS):
                    some = ask[at : at + PAGE_ITEMS]
                    yield [one for one in messages if one.id >= some[0].id], some


def _shown(lines: Iterable[Line]) -> Iterator[Message]:
    """What was typed in the user's own words, each behind the end of the answer before it."""
    answer: Message | None = None
    for line in lines:
        if line.role == "assistant":
            cut = line.text if len(line.text) <= ANSWER_CHARS else f"… {line.text[-ANSWER_CHARS:]}"
            answer = Message(0, line.role, cut, line.id)
        elif line.role == "user" and (own := own_words(line.text).strip()):
            yield from filter(None, [answer])
            yield Message(0, line.role, clip(own, TYPED_CHARS), line.id)
            answer = None


def _cut(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """Pieces of a page each that end with a typed message. The last alone changes as a session goes on."""
    piece: list[Message] = []
    chars = 0
    for one in messages:
        piece.append(one)
        chars += len(one.text)
        if chars >= PAGE_CHARS and one.role == "user":
            yield piece
            piece, chars = [], 0
    if piece:
        yield piece


def _item(n: int, told: _Told, messages: Sequence[Message]) -> Item:
    since = max((one.n for one in messages if one.id <= told.id), default=0)
    return Item(n, told.stored, since, _key(told.stored, messages[-1].id))


def _last_quoted(stored: Stored, archive: SessionArchive) -> int:
    """The number in the archive of the last message that a memory quotes; about it, where it is not there."""
    proofs = stored.entry.evidence
    found = archive.numbers(proofs[0].agent, proofs[0].session, [one.message for one in proofs])
    return max(found, default=max(int(one.at.timestamp()) for one in proofs))


def _key(stored: Stored, last: int) -> str:
    return f"{mark(stored)}@{last}"
