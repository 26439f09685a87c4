"""Which records of a Claude Code transcript the user went back from (rewind).

A transcript is a tree of records: after a rewind the next prompt hangs from an earlier record, and
the abandoned branch stays in the file (docs/transcripts.md, "Life"). Two processes that append to
one session branch too, but there both branches go on. So: a branch is abandoned when a later prompt
grows beside it from the same record and the branch itself never grows again.
"""

import re
from dataclasses import dataclass, field

from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.values import Record, integer, obj, string

_CHAINED = b'"parentUuid"'
_RESULT = b'"tool_use_id"'
_USER = re.compile(rb'"type"\s*:\s*"user"')


def abandoned(lines: Lines) -> frozenset[str]:
    """Ids of the abandoned records, of the whole file.

    Hardly any transcript has a fork: seeing that there is none takes a look at the prompts alone,
    from `lines.offset` on. Only where one is found every record's id and parent are held in memory.
    """
    return _tree(Lines(lines.path)).abandoned() if _forks(lines) else frozenset()


def _forks(lines: Lines) -> bool:
    """Whether some prompt does not hang from the record before it."""
    behind = [raw for raw in lines.before() if _CHAINED in raw]
    previous = behind[-1] if behind else b""
    for raw in (line.raw for line in lines):
        if _CHAINED not in raw:
            continue
        if _RESULT not in raw and _USER.search(raw):
            record = loads(raw) or {}
            parent = string((loads(previous) or {}).get("uuid"))
            if record.get("type") == "user" and _parent(record) != parent:
                return True
        previous = raw
    return False


@dataclass(slots=True)
class _Tree:
    """Records by number, in file order."""

    ids: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    prompts: dict[int, int | None] = field(default_factory=dict)
    """Each prompt, and the turn it says it is."""
    talk: set[int] = field(default_factory=set)
    """Records of user and agent; attachments and notes of the system may trail behind."""

    def abandoned(self) -> frozenset[str]:
        """In time that grows with the number of records alone."""
        children: dict[str, list[int]] = {}
        for number, parent in enumerate(self.parents):
            children.setdefault(parent, []).append(number)
        grown = self._grown(children)
        gone: list[int] = []
        for parent, siblings in children.items():
            newest = self._newest(siblings, parent)
            # A branch without a prompt of its own counts too: its prompt may hang from an attachment.
            gone += [
                one for one in siblings if newest.get(self._turn(one, parent), -1) > max(one, grown[one])
            ]
        return frozenset(self.ids[number] for number in self._below(gone, children))

    def _newest(self, siblings: list[int], parent: str) -> dict[int | None, int]:
        """The last prompt among records of one parent; without a parent, the last of each turn."""
        return {self._turn(one, parent): one for one in siblings if one in self.prompts}

    def _turn(self, number: int, parent: str) -> int | None:
        """A prompt without a parent may come from a process that lost the thread: it takes the place
        of an earlier one only if it says that it is the same turn."""
        if parent:
            return None
        turn = self.prompts.get(number)
        return -1 - number if turn is None else turn

    def _grown(self, children: dict[str, list[int]]) -> dict[int, int]:
        """For each record the last word of user or agent in its branch; -1 for none."""
        grown: dict[int, int] = {}
        known = set(self.ids)
        roots = [number for number, parent in enumerate(self.parents) if parent not in known]
        # Records that hang from each other in a circle hang from no root: they come last, in any order.
        order = self._below(roots, children) | dict.fromkeys(range(len(self.ids)))
        for number in reversed(order):
            below = children.get(self.ids[number], ())
            own = number if number in self.talk else -1
            grown[number] = max([own, *(grown.get(child, -1) for child in below)])
        return grown

    def _below(self, tops: list[int], children: dict[str, list[int]]) -> dict[int, None]:
        """The records of whole branches, each after the one it hangs from."""
        found: dict[int, None] = {}
        todo = list(tops)
        while todo:
            number = todo.pop()
            if number not in found:
                found[number] = None
                todo += children.get(self.ids[number], ())
        return found


def _tree(lines: Lines) -> _Tree:
    tree = _Tree()
    known: set[str] = set()
    for line in lines:
        record = loads(line.raw) if _CHAINED in line.raw else None
        uuid = string(record.get("uuid")) if record else ""
        if not record or not uuid or uuid in known:
            continue
        known.add(uuid)
        number = len(tree.ids)
        tree.ids.append(uuid)
        tree.parents.append(_parent(record))
        if record.get("type") in ("user", "assistant"):
            tree.talk.add(number)
        if record.get("type") == "user" and _RESULT not in line.raw:
            tree.prompts[number] = integer(obj(record.get("turnPosition")).get("turnIndex"))
    return tree


def _parent(record: Record) -> str:
    """The record it hangs from; across a compaction, the last one before it."""
    return string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
