"""A whole run as `silt run` does it, on a store whose disk and state database may fail at any step."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.bench import Bench
from support.fake_model import FakeModel
from support.faulty_disk import FaultyDisk, QuietDisk

from siltstone import prompts
from siltstone.pipeline.compaction.compact import Wish, compact
from siltstone.pipeline.conflicts import apply_ticks, open_conflicts
from siltstone.pipeline.inbox import expire
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.report import Report
from siltstone.recall.index import rebuild
from siltstone.store.disk import Disk
from siltstone.store.errors import StateError
from siltstone.store.state import State
from siltstone.store.state.database import Row
from siltstone.store.store import Store


class FaultyState(State):
    """A state database whose questions, writes and commits are steps of a FaultyDisk."""

    def __init__(self, path: Path, disk: FaultyDisk) -> None:
        self._disk = disk
        super().__init__(path)

    def write(self, sql: str, *values: object) -> int:
        self._step()
        return super().write(sql, *values)

    def rows(self, sql: str, *values: object) -> list[Row]:
        self._step()
        return super().rows(sql, *values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with super().transaction():
            yield
            self._step()

    def _step(self) -> None:
        try:
            self._disk.step("state.sqlite3")
        except OSError as error:
            raise StateError(f"the state database cannot be used: {error.strerror}") from error


def keep_up(parts: Parts) -> None:
    """What a run does after reading."""
    store = parts.store
    apply_ticks(parts)
    expire(parts)
    compact(parts, None, Wish())
    with store.locked():
        store.settle()
        sections = open_conflicts(store)
        rebuild(store.root, store.snapshot(), sections, prompts.protocol(), store.disk)
        store.pack()


@dataclass
class StressBench(Bench):
    """A bench on a disk of one's choice."""

    disk: Disk = field(default_factory=QuietDisk)

    def store(self) -> Store:
        return Store.open(self.folder / "store", self.disk, self.clock)

    def state(self) -> State:
        if isinstance(self.disk, FaultyDisk):
            return FaultyState(self.folder / "state" / "state.sqlite3", self.disk)
        return super().state()

    def whole_run(self, model: FakeModel) -> Report:
        """Read, apply ticks, end the inbox, compact, rebuild the index, pack (cli/batch.py)."""
        return self.run(model, then=keep_up)

    def counted(self) -> Counter[str]:
        """Messages and outcomes of all windows in the ledger. What a run filters depends on where it
        began to read, and is no outcome."""
        total: Counter[str] = Counter()
        with super().state() as state:
            for (counts,) in state.rows("SELECT counts FROM window"):
                total.update({k: n for k, n in json.loads(counts).items() if not k.startswith("filtered:")})
        return total
