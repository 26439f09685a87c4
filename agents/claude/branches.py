"""Which records of a Claude Code transcript the user went back from (rewind).

A transcript is a tree of records: after a rewind the next prompt hangs from an earlier record, and
the abandoned branch stays in the file (docs/transcripts.md, "Life"). Two processes that append to
one session branch too, but there both branches go on. So: a branch is abandoned when a later prompt
grows beside it from the same record and the branch itself never grows again.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

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
    return _Tree(Lines(lines.path)).abandoned() if _forks(lines) else frozenset()


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


def _parent(record: Record) -> str:
    """The record it hangs from; across a compaction, the last one before it."""
    return string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))


class _Tree:
    """The records of a file by id, in its order."""

    def __init__(self, lines: Lines) -> None:
        self.numbers: dict[str, int] = {}
        self.children: dict[str, list[str]] = defaultdict(list)
        """Of each record; of "" and of ids that are not in the file, those that hang from none."""
        self.prompts: dict[str, int | None] = {}
        """Each prompt, and the turn it says it is."""
        self.talk: set[str] = set()
        """Records of user and agent; attachments and notes of the system may trail behind."""
        for line in lines:
            record = (loads(line.raw) if _CHAINED in line.raw else None) or {}
            uuid, kind = string(record.get("uuid")), record.get("type")
            if uuid and uuid not in self.numbers:
                self.numbers[uuid] = len(self.numbers)
                self.children[_parent(record)].append(uuid)
                if kind in ("user", "assistant"):
                    self.talk.add(uuid)
                if kind == "user" and _RESULT not in line.raw:
                    self.prompts[uuid] = integer(obj(record.get("turnPosition")).get("turnIndex"))

    def abandoned(self) -> frozenset[str]:
        """In time that grows with the number of records alone."""
        grown, gone = self._grown(), list[str]()
        for parent, siblings in self.children.items():
            newest = {self._turn(one, parent): self.numbers[one] for one in siblings if one in self.prompts}
            # A branch without a prompt of its own counts too: its prompt may hang from an attachment.
            gone += [
                one
                for one in siblings
                if newest.get(self._turn(one, parent), -1) > max(self.numbers[one], grown[one])
            ]
        return frozenset(self._below(gone))

    def _turn(self, uuid: str, parent: str) -> object:
        """What a prompt may take the place of: any branch of its parent. One without a parent may come from a
        process that lost the thread: it replaces an earlier one only if it says that it is the same turn."""
        if parent:
            return None
        turn = self.prompts.get(uuid)
        return uuid if turn is None else turn

    def _grown(self) -> dict[str, int]:
        """For each record the number of the last word of user or agent in its branch; -1 for none."""
        grown: dict[str, int] = {}
        roots = [
            one for parent, below in self.children.items() if parent not in self.numbers for one in below
        ]
        # Records that hang from each other in a circle hang from no root: they come last, in any order.
        order = self._below(roots) | dict.fromkeys(self.numbers)
        for uuid in reversed(order):
            own = self.numbers[uuid] if uuid in self.talk else -1
            grown[uuid] = max([own, *(grown.get(child, -1) for child in self.children.get(uuid, ()))])
        return grown

    def _below(self, tops: Iterable[str]) -> dict[str, None]:
        """The records of whole branches, each after the one it hangs from."""
        found: dict[str, None] = {}
        todo = list(tops)
        while todo:
            uuid = todo.pop()
            if uuid not in found:
                found[uuid] = None
                todo += self.children.get(uuid, ())
        return found
