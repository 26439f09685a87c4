"""What a model proposes: which memories were over when their session ended, then ops for the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import NamedTuple

from pydantic import BaseModel

from siltstone.pipeline.compaction.groups import Group, plan_groups
from siltstone.pipeline.compaction.look_back import WireOvers, pages, read_over
from siltstone.pipeline.compaction.look_back import prompt_of as look_back_prompt
from siltstone.pipeline.compaction.plan import Drop, Op, Refused, WirePlan, read_plan
from siltstone.pipeline.model.asking import MAX_REPLY_TOKENS, ask
from siltstone.pipeline.model.port import Model, Usage
from siltstone.pipeline.parts import Parts, lease
from siltstone.prompts import Prompt, prompt
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored
from siltstone.store.errors import Locked, ModelError, Overflow, ReplyError, StateError, Transient
from siltstone.store.session_archive import SessionArchive


@dataclass(slots=True)
class Proposed:
    """The ops, not yet checked, and what asking took."""

    ops: list[Op] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    groups: int = 0
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    judged: list[str] = field(default_factory=list)
    """Marks of what was asked about: of a memory, or with "@" of a memory at a place of its session."""
    failed: list[str] = field(default_factory=list)
    """One sentence for each prompt without a plan; it is asked again next time."""
    missed: list[str] = field(default_factory=list)
    """The same of a look back; it is asked again only if the session goes on."""


class Looking(NamedTuple):
    """Who looks back, and at what: the model that reads the transcripts, for it alone may be sent them."""

    model: Model
    archive: SessionArchive


class _Request(NamedTuple):
    prompt: Prompt
    schema: type[BaseModel]
    read: Callable[[str], tuple[list[Op], list[Refused]]]
    judged: Sequence[str]
    """Marks of what it asks about."""
    scopes: Sequence[str]
    """Those that are worked on meanwhile."""


def propose(
    parts: Parts,
    model: Model,
    live: Sequence[Stored],
    sections: Sequence[Section],
    judged: frozenset[str],
    looking: Looking | None,
) -> Proposed:
    """Ask about these memories, but for what was `judged` and has not changed. `sections` are the open
    conflicts."""
    done = Proposed()
    scopes = sorted({stored.entry.scope for stored in live})
    if looking is not None:
        _look_back(parts, live, scopes, judged, looking, done)
    leaving = {op.target.path for op in done.ops if isinstance(op, Drop) and op.ended is not None}
    groups = plan_groups([stored for stored in live if stored.path not in leaving], judged)
    done.groups = len(groups)
    today = parts.clock().date()
    plans = [
        _Request(
            prompt_of(one, sections, today),
            WirePlan,
            partial(read_plan, numbered=one.numbered),
            one.hashes,
            scopes,
        )
        for one in groups
    ]
    _put(parts, model, "finding what to compact", plans, done)
    return done


def _look_back(
    parts: Parts,
    live: Sequence[Stored],
    scopes: Sequence[str],
    judged: frozenset[str],
    looking: Looking,
    done: Proposed,
) -> None:
    try:
        back = list(pages(live, looking.archive, judged))
    except (StateError, Locked) as error:
        done.missed.append(f"sessions were not looked back at: {error}")
        return
    looks = [
        _Request(
            look_back_prompt(page),
            WireOvers,
            partial(read_over, page=page),
            [item.key for part in page for item in part.items],
            scopes,
        )
        for page in back
    ]
    _put(parts, looking.model, "looking back at sessions", looks, done, once=True)


def prompt_of(group: Group, sections: Sequence[Section], today: date) -> Prompt:
    """The prompt of a group, as it is sent. `sections` are the open conflicts."""
    disputed = group.disputed(sections)
    return prompt("compact", today=today, scope=group.scope, entries=group.entries, disputed=disputed)


def _put(
    parts: Parts,
    model: Model,
    what: str,
    requests: Sequence[_Request],
    done: Proposed,
    once: bool = False,
) -> None:
    """Put one request after another, as long as the model can be asked. `once`: one without an answer is not
    asked again."""
    room = MAX_REPLY_TOKENS
    for asked, request in enumerate(requests):
        parts.tell(what, asked, len(requests), request.scopes[0].removeprefix("projects/"))
        for scope in request.scopes:
            lease(parts, scope)  # a long compaction renews its leases
        try:
            answer = ask(model, request.prompt, request.schema, request.read, room)
        except (Overflow, ReplyError) as error:  # of this request alone
            done.usage += getattr(error, "usage", Usage())
            done.calls += getattr(error, "calls", 0)
            (done.missed if once else done.failed).append(str(error))
            done.judged += request.judged if once else ()
            continue
        except (Transient, ModelError) as error:
            done.failed.append(str(error))
            return  # apply what was proposed so far; ask about the rest next time
        room = answer.room
        done.usage += answer.usage
        done.calls += answer.calls
        ops, refused = answer.value
        done.ops += ops
        done.refused += refused
        done.judged += request.judged
