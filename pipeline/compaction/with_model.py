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
from siltstone.pipeline.compaction.plan import Op, Refused, WirePlan, read_plan, targets
from siltstone.pipeline.model.asking import MAX_REPLY_TOKENS, ask
from siltstone.pipeline.model.port import Model, Usage
from siltstone.pipeline.parts import Parts, lease
from siltstone.prompts import Prompt, prompt
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored
from siltstone.store.errors import ModelError, Overflow, ReplyError, Transient
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
    """Marks of what was asked about."""
    failed: list[str] = field(default_factory=list)
    """One sentence for each prompt without a plan; it is asked again next time."""


class _Request(NamedTuple):
    prompt: Prompt
    schema: type[BaseModel]
    read: Callable[[str], tuple[list[Op], list[Refused]]]
    judged: Sequence[str]
    """Marks of what it asks about."""


def propose(
    parts: Parts,
    model: Model,
    live: Sequence[Stored],
    sections: Sequence[Section],
    judged: frozenset[str],
    archive: SessionArchive | None,
) -> Proposed:
    """Ask about these memories, but for what was `judged` and has not changed. Sessions are looked back at
    where there is an `archive` of them. `sections` are the open conflicts."""
    done = Proposed()
    back = [] if archive is None else list(pages(live, archive, judged))
    over = [
        _Request(
            look_back_prompt(page),
            WireOvers,
            partial(read_over, page=page),
            [one.key for part in page for one in part.items],
        )
        for page in back
    ]
    if _put(parts, model, "looking back at sessions", over, done, live):
        leaving = {stored.path for op in done.ops for stored in targets(op)}
        groups = plan_groups([stored for stored in live if stored.path not in leaving], judged)
        done.groups = len(groups)
        today = parts.clock().date()
        plans = [
            _Request(
                prompt_of(one, sections, today),
                WirePlan,
                partial(read_plan, numbered=one.numbered),
                one.hashes,
            )
            for one in groups
        ]
        _put(parts, model, "finding what to compact", plans, done, live)
    return done


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
    live: Sequence[Stored],
) -> bool:
    """Put one request after another; False where the model cannot be asked now."""
    room = MAX_REPLY_TOKENS
    for asked, request in enumerate(requests):
        parts.tell(what, asked, len(requests), "")
        for scope in {stored.entry.scope for stored in live}:
            lease(parts, scope)  # a long compaction renews its leases
        try:
            answer = ask(model, request.prompt, request.schema, request.read, room)
        except (Overflow, ReplyError) as error:  # of this request alone
            done.usage += getattr(error, "usage", Usage())
            done.calls += getattr(error, "calls", 0)
            done.failed.append(str(error))
            continue
        except (Transient, ModelError) as error:
            done.failed.append(str(error))
            return False  # apply what was proposed so far; ask about the rest next time
        room = answer.room
        done.usage += answer.usage
        done.calls += answer.calls
        ops, refused = answer.value
        done.ops += ops
        done.refused += refused
        done.judged += request.judged
    return True
