"""Which records of a Claude Code transcript the user went back from (rewind).

A transcript is a tree of records: after a rewind the next prompt hangs from an earlier record, and
the abandoned branch stays in the file (FORMATS.md section 3, "Life"). Two processes that append to
one session branch too, but there both branches go on. So: a branch is abandoned when a later prompt
grows beside it from the same record and the branch itself never grows again.
"""

from dataclasses import dataclass, field

from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.records import Record, integer, obj, string

_CHAINED = b'"parentUuid":'
_USER = b'"type":"user"'
_RESULT = b'"tool_use_id"'


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
    for line in lines:
        raw = line.raw
        if _CHAINED not in raw:
            continue
        if _USER in raw and _RESULT not in raw and _grows_elsewhere(raw, previous):
            return True
        previous = raw
    return False


def _grows_elsewhere(raw: bytes, previous: bytes) -> bool:
    record = loads(raw) or {}
    if record.get("type") != "user":
        return False
    before = loads(previous) or {}
    return _parent(record) != string(before.get("uuid"))


@dataclass(slots=True)
class _Tree:
    """Records by number, in file order."""

    ids: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    talk: set[int] = field(default_factory=set)
    """Records of user and agent; attachments and notes of the system may trail behind."""
    turns: dict[int, int] = field(default_factory=dict)
    """The turn a prompt says it is."""

    def abandoned(self) -> frozenset[str]:
        children: dict[str, list[int]] = {}
        for number, parent in enumerate(self.parents):
            children.setdefault(parent, []).append(number)
        gone: set[int] = set()
        for prompt in self.prompts:
            for sibling in children[self.parents[prompt]]:
                if sibling >= prompt:
                    break
                branch = self._branch(sibling, children)
                if self._is_rewind(prompt, branch):
                    gone |= branch
        return frozenset(self.ids[number] for number in gone)

    def _branch(self, top: int, children: dict[str, list[int]]) -> set[int]:
        branch, todo = {top}, [top]
        while todo:
            for child in children.get(self.ids[todo.pop()], ()):
                if child not in branch:
                    branch.add(child)
                    todo.append(child)
        return branch

    def _is_rewind(self, prompt: int, branch: set[int]) -> bool:
        if any(number > prompt for number in branch & self.talk):
            return False
        if self.parents[prompt]:
            return True
        # A prompt without a parent may also come from a process that lost the thread: it takes the
        # place of an earlier one only if it says that it is the same turn.
        turn = self.turns.get(prompt)
        return turn is not None and turn in {self.turns.get(number) for number in branch}


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
            tree.prompts.append(number)
            turn = integer(obj(record.get("turnPosition")).get("turnIndex"))
            if turn is not None:
                tree.turns[number] = turn
    return tree


def _parent(record: Record) -> str:
    """The record it hangs from; across a compaction, the last one before it."""
    return string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
