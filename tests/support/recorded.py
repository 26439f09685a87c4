"""What the cassette tests share: sessions laid down for them, and what a store says came of those.

The model's words are its own, so memories are looked for by what any honest wording keeps: handles,
names, the words that the user typed.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siltstone.agents import readers
from siltstone.pipeline.messages import Message
from siltstone.store.entry import Entry, Stored
from siltstone.store.redaction import redact
from siltstone.store.store import Store
from support.bench import DATA, Bench, played

PLANTED = DATA / "planted" / "sessions"
OURS = DATA / "cassettes"
USER_ONLY = {"user", "feedback", "decision"}


def demo(home: Path) -> dict[str, Path]:
    """The recorded sessions of the four real agents, as they left them."""
    script = DATA / "demo" / "unpack.py"
    subprocess.run([sys.executable, str(script), str(home)], check=True, capture_output=True)
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


def long_session(home: Path) -> dict[str, Path]:
    """Four planted sessions of one project as one that was left open, a noisy soak test before the last.

    The last one moves on by five weeks, so that its changes come after everything else.
    """
    parts = [
        json.loads((PLANTED / f"{name}.json").read_text(encoding="utf-8")) for name in ("01", "03", "09")
    ]
    last = (PLANTED / "06.json").read_text(encoding="utf-8").replace("2026-09-22", "2026-10-27")
    messages = [message for part in parts for message in part["messages"]]
    messages += [*_soak(datetime(2026, 10, 20, 8, tzinfo=UTC)), *json.loads(last)["messages"]]
    whole = parts[0] | {"id": "long", "agent": "claude", "messages": messages}
    home.mkdir(parents=True)
    source = home / "long.json"
    source.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
    return played(home, source)


def _soak(start: datetime) -> Iterator[dict[str, object]]:
    """One typed text and a dozen commands with long output, which say nothing worth keeping."""
    yield _message("user", "run the soak test for every station, one after the other", start)
    for station in range(12):
        at = start + timedelta(minutes=5 * (station + 1))
        lines = [
            f"{at + timedelta(seconds=n):%H:%M:%S} buoy-{station:04d} read={40 + n} late=0 dropped=0"
            for n in range(18)
        ]
        command = {"command": f"uv run python tools/soak.py --station buoy-{station:04d} --minutes 5"}
        yield _message("tool", "\n".join(lines), at) | {"tool": {"name": "Bash", "input": command}, "exit": 0}
    yield _message("assistant", "All twelve soaks ran through.", start + timedelta(minutes=65))


def _message(role: str, text: str, at: datetime) -> dict[str, object]:
    return {"role": role, "text": text, "at": f"{at:%Y-%m-%dT%H:%M:%S}.000Z"}


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
    heard = {(m.session, m.message): m.text for m in _heard(bench)}
    store = bench.store()
    for stored in [*store.entries(archived=True), *store.inbox()]:
        entry = stored.entry
        assert entry.evidence, stored.path
        for proof in entry.evidence:
            assert _folded(proof.quote) in heard[proof.session, proof.message], (stored.path, proof.quote)
        if entry.type in USER_ONLY and not stored.path.startswith("inbox/"):
            assert entry.origin == "user-said", stored.path


def _heard(bench: Bench) -> Iterator["_Heard"]:
    for reader in readers(bench.roots, {}):
        for source in reader.discover():
            reading = reader.read(source, None)
            for step in reading.steps if reading else ():
                if isinstance(step.item, Message):
                    yield _Heard(reading.session.id, step.item)  # type: ignore[union-attr]


class _Heard:
    """A message of a transcript with everything in it that can be quoted, as a prompt would show it."""

    def __init__(self, session: str, message: Message) -> None:
        tool = message.tool
        parts = (message.text, *((tool.command or tool.input, tool.output) if tool else ()))
        self.session, self.message = session, message.id
        self.text = _folded(redact("\n".join(parts)).text)


def _folded(text: str) -> str:
    plain = text.translate({ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"'})
    return " ".join(plain.casefold().split())


def quotes(stored: Stored) -> str:
    return "\n".join(proof.quote for proof in stored.entry.evidence)


def sessions(stored: Stored) -> set[str]:
    return {proof.session for proof in stored.entry.evidence}
