"""What the cassette tests share: sessions laid down for them, and what a store says came of those.

The model's words are its own, so memories are looked for by what any honest wording keeps: handles,
names, the words that the user typed.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from siltstone.agents.readers import readers
from siltstone.pipeline.messages import Message
from siltstone.store.entry import Entry, Stored
from siltstone.store.redaction import redact
from siltstone.store.store import Store
from support.bench import DATA, Bench, played, script

OURS = DATA / "cassettes"
USER_ONLY = {"user", "feedback", "decision"}


def demo(home: Path) -> dict[str, Path]:
    """The recorded sessions of the four real agents, as they left them."""
    script(DATA / "demo" / "unpack.py").unpack(home)
    return {agent: home / agent for agent in ("claude", "codex", "gemini", "opencode")}


def ours(home: Path, *names: str) -> dict[str, Path]:
    """Sessions written for these tests, in the agents' forms."""
    return played(home, *(OURS / f"{name}.json" for name in names))


def one_rollout(home: Path, ending: str) -> dict[str, Path]:
    """A Codex home that holds one of the recorded rollouts, long idle."""
    (source,) = (DATA / "codex" / "home").rglob(f"rollout-*{ending}.jsonl")
    place = home / "codex" / source.relative_to(DATA / "codex" / "home")
    place.parent.mkdir(parents=True)
    place.write_bytes(source.read_bytes())
    old = datetime(2026, 11, 21, 1, tzinfo=UTC).timestamp()
    os.utime(place, (old, old))
    return {"codex": home / "codex"}


# What came of it


def current(store: Store) -> list[Stored]:
    """Every memory that stands."""
    return [stored for stored in store.entries() if not stored.archived]


def told(entry: Entry) -> str:
    return f"{entry.name}\n{entry.description}\n{entry.body}"


def saying(stored: list[Stored], *patterns: str) -> list[Stored]:
    """Those that match every pattern, in any case."""
    return [one for one in stored if all(re.search(p, told(one.entry), re.I | re.S) for p in patterns)]


def the(stored: list[Stored], *patterns: str) -> Stored:
    """The one memory that matches."""
    found = saying(stored, *patterns)
    assert len(found) == 1, [told(one.entry) for one in (found or stored)]
    return found[0]


def files(store: Store) -> str:
    """All text of the work tree."""
    places = (place for place in sorted(store.root.rglob("*")) if ".git" not in place.parts)
    return "\n".join(place.read_text(encoding="utf-8") for place in places if place.is_file())


def assert_proven(bench: Bench) -> None:
    """Every memory quotes words that stand in the transcript, and what needs the user's words has them."""
    heard = dict(_heard(bench))
    store = bench.store()
    for stored in [*store.entries(archived=True), *store.inbox()]:
        entry = stored.entry
        assert entry.evidence, stored.path
        for proof in entry.evidence:
            assert _folded(proof.quote) in heard[proof.session, proof.message], (stored.path, proof.quote)
        if entry.type in USER_ONLY and not stored.path.startswith("inbox/"):
            assert entry.origin == "user-said", stored.path


def _heard(bench: Bench) -> Iterator[tuple[tuple[str, str], str]]:
    """By session and message: everything in it that can be quoted, as a prompt would show it."""
    for reader in readers(bench.roots, {}):
        for reading in (reader.read(source, None) for source in reader.discover()):
            items = (step.item for step in reading.steps) if reading else ()
            for said in (item for item in items if isinstance(item, Message)):
                tool = said.tool
                parts = (said.text, *((tool.command or tool.input, tool.output) if tool else ()))
                yield (reading.session.id, said.id), _folded(redact("\n".join(parts)).text)  # type: ignore[union-attr]


def _folded(text: str) -> str:
    plain = text.translate({ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"'})
    return " ".join(plain.casefold().split())


def quotes(stored: Stored) -> str:
    return "\n".join(proof.quote for proof in stored.entry.evidence)


def sessions(stored: Stored) -> set[str]:
    return {proof.session for proof in stored.entry.evidence}
