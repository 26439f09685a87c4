"""The inbox: an agent's own claims wait here until the user or a second session confirms them (invariant 6).

`merging/outcomes.py` puts candidates in and lifts them. Here are the user's `silt inbox accept`, the release
of items that waited for an unreadable file, and the end of items that nobody repeated.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import NamedTuple

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.merging.contradictions import contradict
from siltstone.pipeline.merging.lookup import find_same, find_unreadable
from siltstone.pipeline.merging.outcomes import ask, ask_about, with_evidence
from siltstone.pipeline.merging.survivor import better
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.entry import GLOBAL, Change, Delete, Entry, Stored, body_mark
from siltstone.store.entry_form import one_line
from siltstone.store.errors import Misuse
from siltstone.store.state import Rejected

UNSEEN = timedelta(days=60)
"""An item that nobody repeated for so long is rejected as "expired"."""
_OF_OTHERS = "read-content", "prompt_injection"
"""Reasons against what somebody else wrote."""
MAX_PROPOSED, MAX_LINE = 12, 160
"""Lines about what was proposed before, and characters of each: they are sent with every window."""


class Accepted(NamedTuple):
    """An inbox item that became a memory, or evidence of one."""

    changes: tuple[Change, ...]
    path: str
    replaced: str | None = None
    """The memory whose text it replaced; its path in the archive when the two contradict each other."""
    beside: str | None = None
    """The memory that it was a new text for, if that stays as well."""
    why: str = ""
    """Why `beside` stays."""
    forgot: bool = False
    """The item asked to forget the memory at `path`, and now it is gone."""


def accept(path: str, view: View) -> Accepted:
    """Make an item a memory of source "manual", with its evidence and origin, because the user says so.

    `view.current` must hold the item's scope. A memory that says the same gains the item's evidence,
    unless it is readonly. A new text for a memory replaces it, or supersedes it when the two contradict
    each other. It stays beside a text that the user wrote by hand or somebody changed meanwhile; if it
    contradicts that, it is a conflict (invariants 9, 11). Raises Misuse when there is no such item, when
    the memory is readonly, or when an unreadable file may say the same.
    """
    copy = WorkingCopy(view)
    if path not in copy.inbox:
        raise Misuse(f"{path} is not in the inbox; `silt inbox` lists its items.")
    unreadable = find_unreadable(copy, copy.inbox[path])
    if unreadable is not None:
        raise Misuse(
            f"{unreadable} cannot be read and may say the same; repair or delete that file, then accept."
        )
    replaces = copy.inbox[path].replaces
    item = copy.inbox[path]._replace(source="manual", replaces=None)
    # The memory that it is a new text for, or asks to forget.
    named = (item.scope, item.type, item.name) if replaces is not None else None
    same = (p for p, other in copy.live.items() if (other.scope, other.type, other.name) == named)
    target = min(same, default=None)
    changed = target is None or replaces != body_mark(copy.live[target].body)
    if not item.body and (target is None or changed):
        raise Misuse(f"what {path} asks to forget no longer exists or has changed: reject it.")
    if target is None or (item.body and canonical(copy.live[target].body) == canonical(item.body)):
        kept = _let_go(copy, path, item)
        return Accepted(tuple(copy.changes()), kept)
    if copy.live[target].readonly:
        raise Misuse(
            f"{target} is readonly, and {path} would change it: remove `readonly: true` from that file by "
            f"hand first, or reject the item."
        )
    del copy.inbox[path]
    if not item.body:
        del copy.live[target]
        return Accepted(tuple(copy.changes()), target, forgot=True)
    return _instead(copy, item, target, changed)


def _instead(copy: WorkingCopy, item: Entry, target: str, changed: bool) -> Accepted:
    """Replace a memory's text by a new one, unless the user wrote it or it has `changed`."""
    old, stored = copy.live[target], copy.stored[target]
    against = contradict(old, item)
    if stored.user_written or changed:
        kept = copy.add(item.scope, item)
        if against:
            ask(copy, kept, target)
        why = "you wrote that one by hand" if stored.user_written else "that one has changed since"
        return Accepted(tuple(copy.changes()), kept, beside=target, why=why)
    if against and not stored.pinned:
        kept = copy.add(item.scope, item)
        archived = copy.retire(target, kept, item.updated)
        return Accepted(tuple(copy.changes()), kept, replaced=archived)
    new = old._replace(description=item.description, body=item.body, source="manual", origin=item.origin)
    updated = max(old.updated, item.updated)
    copy.live[target] = with_evidence(new, item)._replace(updated=updated, anchors=())
    return Accepted(tuple(copy.changes()), target, replaced=target)


def release(copy: WorkingCopy) -> int:
    """Release the items that waited for a file which is readable again, or gone; how many.

    Only such items are in the inbox with a better origin than the agent's own words (invariant 6).
    """
    free = [
        path
        for path, item in sorted(copy.inbox.items())
        if _waits_for_a_file(copy.stored[path])
        and item.scope in (copy.view.scope, GLOBAL)
        and find_unreadable(copy, item) is None
    ]
    for path in free:
        copy.went[path] = _let_go(copy, path, copy.inbox[path])
    return len(free)


def _let_go(copy: WorkingCopy, path: str, item: Entry) -> str:
    """Make an item a memory, or evidence of the one that says the same; the memory's path."""
    del copy.inbox[path]
    same = find_same(copy, item)
    if same is None:
        kept = copy.add(item.scope, item)
        ask_about(copy, kept)
        return kept
    if not copy.live[same].readonly:
        old = copy.live[same]
        copy.live[same] = with_evidence(old, item)._replace(origin=better(old.origin, item.origin))
    return same


def _waits_for_a_file(item: Stored) -> bool:
    return item.entry.origin != "assistant-inferred" and not item.user_written


def proposed_before(parts: Parts, scope: str) -> list[str]:
    """What earlier windows of a scope proposed and what is no memory: one line each, the newest first.

    "waits for the user: …" stands in the inbox, "refused (temporary_status): …" in the ledger. What somebody
    else wrote is left out, so that no prompt repeats an injected order.
    """
    waiting = [stored.entry for stored in parts.store.inbox() if stored.entry.scope in (scope, GLOBAL)]
    told = [(one.updated, "waits for the user", one.body) for one in waiting]
    refused = parts.state.ledger.rejected(scope=scope)
    own = (one for one in refused if one.type and one.text and one.reason not in _OF_OTHERS)
    told += [(one.at, f"refused ({one.reason})", one.text) for one in own]
    lines: dict[str, str] = {}
    for _, what, text in sorted(told, key=itemgetter(0), reverse=True):
        lines.setdefault(canonical(text), one_line(f"{what}: {text}", MAX_LINE))
    return list(lines.values())[:MAX_PROPOSED]


def expired(inbox: Sequence[Stored], seen: Mapping[str, datetime], now: datetime) -> list[Stored]:
    """The items that nobody repeated for 60 days.

    `seen`: the time of each file's last commit, by path. An old transcript that is read for the first
    time today counts as today. An item that was never committed stays, and so does one that waits for a
    file to be repaired, because it is proven.
    """
    unproven = [stored for stored in inbox if not _waits_for_a_file(stored)]
    return [stored for stored in unproven if now - seen.get(stored.path, now) >= UNSEEN]


def expire(parts: Parts) -> int:
    """Delete in one commit what nobody repeated for 60 days, with a ledger row each; how many."""
    if not parts.store.inbox():
        return 0
    with parts.store.locked():
        parts.store.settle()
        waiting = parts.store.inbox()
        seen: dict[str, datetime] = {}
        for commit in commits.read(parts.store.git, "HEAD", paths=["inbox"]):
            for touched in commit.touched:
                seen.setdefault(touched.path, commit.at)
        gone = expired(waiting, seen, parts.clock())
        if gone:
            subject = f"memory: let {counted(len(gone), 'inbox item')} expire"
            trailers = [(commits.RUN, parts.run), (commits.OP, "expire")]
            parts.store.apply([Delete(s.path, s.hash) for s in gone], subject, trailers)
    parts.state.ledger.reject(
        Rejected(parts.run, s.path, parts.clock(), "expired", s.entry.type, s.entry.body, "") for s in gone
    )
    return len(gone)
