"""A hand to work on a real store with: real file format, real redaction, a clock that stands or is moved."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from store_support import NOON, put, save
from support.faulty_disk import QuietDisk

from siltstone.store.disk import Disk
from siltstone.store.entry import Entry, Evidence, Origin
from siltstone.store.files import Actor, Note, Session, Written, write
from siltstone.store.frontmatter import render
from siltstone.store.names import place
from siltstone.store.state import State
from siltstone.store.store import Store

SHOP = "projects/larkspur"
CLAUDE = Session("claude", "5bcef82b")
SECRET = "ghp_" + "a8Kd92LmQzX0vB7nT4yR6sWcE1hJ3uFg5pIo"


@dataclass
class Clock:
    """Noon, and a minute later at each look."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@dataclass
class Desk:
    """A store, its state, and what followed each commit."""

    store: Store
    state: State
    clock: Clock
    followed: int = 0
    runs: Iterator[int] = field(default_factory=lambda: count(100))

    @property
    def hand(self) -> Actor:
        """The user's, at a terminal."""
        return Actor(
            self.store,
            lambda: self.state.usage,
            self.clock,
            Session.of(None),
            lambda: f"{next(self.runs):04d}",
            lambda scope: (),
            self.follow,
        )

    def follow(self) -> None:
        """Notes that indexes were to be made anew."""
        self.followed += 1

    @property
    def agent(self) -> Actor:
        return replace(self.hand, session=CLAUDE, by="agent")

    def put(self, name: str, body: str, scope: str = SHOP, hot: bool = False) -> Written:
        """A memory of type project, written by the user."""
        return write(self.hand, Note(scope, name, body, "project", hot=hot))

    def learn(self, path: str, body: str, readonly: bool = False, origin: Origin = "user-said") -> str:
        """A memory as extraction writes it; its text."""
        where = place(path)
        assert where is not None
        said = Evidence(NOON, "claude", "s1", "m1", body[:60])
        text = render(
            Entry(
                where.scope or SHOP,
                where.name,
                "project",
                f"About {where.name}",
                body,
                "extraction",
                origin,
                NOON,
                NOON,
                (said,),
                readonly=readonly,
            ),
            inbox=where.scope is None,
        )
        save(self.store, put(self.store, path, text))
        return text


def open_desk(home: Path, disk: Disk | None = None) -> Desk:
    clock = Clock()
    store = Store.open(home / "store", disk or QuietDisk(), clock)
    return Desk(store, State.open(home / "state"), clock)
