"""What the agents left → the folders that the repository ships.

Ids, order, records and texts stay. Changed are the times (the recording takes minutes: each session is
moved to its day in scenario.toml, a second becoming a minute), the vendors' long texts (clipped), and the
secrets (broken by MARK). The OpenCode database is written as SQL.
"""

import json
import platform
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scenario import HERE, broken, sessions

STRETCH = 60
SLACK = 120
"""Seconds around the recording in which a number counts as a time of it."""
MAX_TEXT = 160
MAX_DEVELOPER_TEXT = 600
FAT = ("prompt_snapshot", "skill_listing", "agent_listing_delta", "deferred_tools_delta")
KERNEL = "6.12.0"
DATABASE = "home/.local/share/opencode/opencode.db"
LEFT_OUT = ('INSERT INTO "event" ', 'INSERT INTO "migration" ')
"""Rows that say a second time what the messages say, or nothing about them."""

_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?(\d{0,3})(Z|\+00:00)")
_EPOCH = re.compile(r"(?<![\w.-])(\d{10})(\d{3})?(?![\w-])")


@dataclass(frozen=True, slots=True)
class Span:
    """When a session was recorded, and when it is said to have been."""

    begin: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """Moves the times of a recording to the days of the scenario; other times stay."""

    spans: tuple[Span, ...]
    end: float

    def moved(self, moment: float) -> datetime | None:
        """The told time of a recorded one, in seconds; None when it is no time of the recording."""
        if not self.spans[0].begin - SLACK <= moment <= self.end + SLACK:
            return None
        span = max((s for s in self.spans if s.begin <= moment), key=lambda s: s.begin, default=self.spans[0])
        return span.at + timedelta(seconds=(moment - span.begin) * STRETCH)

    def of(self, moment: float) -> "Clock":
        """The clock of the one session that was recorded then."""
        span = max((s for s in self.spans if s.begin <= moment), key=lambda s: s.begin, default=self.spans[0])
        return Clock((span,), self.end)

    def tell(self, text: str) -> str:
        """The text with every time of the recording moved."""
        return _EPOCH.sub(self._epoch, _ISO.sub(self._iso, text))

    def _iso(self, match: re.Match[str]) -> str:
        fraction = match[2] or ""
        moved = self.moved(datetime.fromisoformat(match[1] + fraction + "+00:00").timestamp())
        if moved is None:
            return match[0]
        told = moved.strftime("%Y-%m-%dT%H:%M:%S.%f")[: 19 + len(fraction)]
        return told + match[3] + match[4]

    def _epoch(self, match: re.Match[str]) -> str:
        milli = match[2] is not None
        moved = self.moved(int(match[0]) / (1000 if milli else 1))
        if moved is None:
            return match[0]
        return f"{moved.timestamp():.3f}".replace(".", "") if milli else str(int(moved.timestamp()))


def ship(raw: Path) -> None:
    """Write the four agents' folders beside `record/` from the home in `raw`."""
    clock, home, to = _clock(raw), raw / "home", HERE.parent
    for agent in ("claude", "codex", "gemini", "opencode"):
        shutil.rmtree(to / agent, ignore_errors=True)
    for file in sorted((home / ".claude/projects").rglob("*.jsonl")):
        _transcript(file, to / "claude/projects" / file.parent.name, clock, _claude, lambda name, _: name)
    for file in sorted((home / ".codex/sessions").rglob("*.jsonl")):
        _transcript(file, to / "codex/sessions", clock, _codex, _rollout)
    for file in sorted((home / ".gemini/tmp").glob("*/chats/*.jsonl")):
        place = to / "gemini/tmp" / file.parent.parent.name
        _transcript(file, place / "chats", clock, lambda record: record, _chat)
        shutil.copy(file.parent.parent / ".project_root", place)
    shutil.copy(home / ".gemini/projects.json", to / "gemini")
    (to / "opencode").mkdir()
    (to / "opencode/opencode.sql").write_text(broken(clock.tell(_sql(raw / DATABASE))), encoding="utf-8")


def _clock(raw: Path) -> Clock:
    days = {session.id: session.at for session in sessions()}
    spans = json.loads((raw / "spans.json").read_text())
    return Clock(tuple(Span(begin, days[name]) for name, begin, _ in spans), spans[-1][2])


def _transcript(
    file: Path,
    folder: Path,
    clock: Clock,
    slim: Callable[[Any], Any],
    name: Callable[[str, datetime], str],
) -> None:
    """One file of one session: times moved, long texts clipped, secrets broken."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps(slim(line), ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    first = min(map(_seconds, _ISO.finditer(text)))
    own = clock.of(first)
    begin, recorded = own.moved(first), datetime.fromtimestamp(first, UTC)
    assert begin is not None
    text = own.tell(text).replace(platform.release(), KERNEL)
    for form in ("%Y-%m-%d", "%A, %B %d, %Y", "%B %d, %Y"):
        text = text.replace(recorded.strftime(form), begin.strftime(form))
    place = folder / name(file.name, begin)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(broken(text), encoding="utf-8")


def _seconds(match: re.Match[str]) -> float:
    return datetime.fromisoformat(match[1] + (match[2] or "") + "+00:00").timestamp()


def _rollout(name: str, begin: datetime) -> str:
    return f"{begin:%Y/%m/%d}/rollout-{begin:%Y-%m-%dT%H-%M-%S}{name[len('rollout-YYYY-MM-DDTHH-MM-SS') :]}"


def _chat(name: str, begin: datetime) -> str:
    return f"session-{begin:%Y-%m-%dT%H-%M}{name[len('session-YYYY-MM-DDTHH-MM') :]}"


def _claude(record: Any) -> Any:
    if str(record.get("type")).startswith("api-request"):
        return _clipped(record)
    if record.get("type") == "attachment" and record["attachment"].get("type") in FAT:
        return record | {
            "attachment": _clipped(record["attachment"]),
            "rendered": _clipped(record.get("rendered")),
        }
    return record


def _codex(record: Any) -> Any:
    payload = record.get("payload", {})
    if "base_instructions" in payload:
        payload["base_instructions"] = _clipped(payload["base_instructions"])
    if record.get("type") == "world_state":
        record["payload"] = _clipped(payload)
    if payload.get("role") == "developer":
        for piece in payload.get("content", []):
            if len(piece.get("text", "")) > MAX_DEVELOPER_TEXT:
                piece["text"] = _clipped(piece["text"])
    return record


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}…[clipped {len(value)}]"
    if isinstance(value, list):
        return [_clipped(one) for one in value[:8]]
    return {k: _clipped(v) for k, v in list(value.items())[:30]} if isinstance(value, dict) else value


def _sql(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        return "\n".join(_statements(database)) + "\n"


def _statements(database: sqlite3.Connection) -> Iterator[str]:
    for statement in database.iterdump():
        if not statement.startswith(LEFT_OUT):
            yield statement
