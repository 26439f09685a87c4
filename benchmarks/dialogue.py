"""A long dialogue: what it costs to learn from it, and what it costs to look again."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
from support.bench import Bench, memory
from support.fake_model import Asked

from benchmarks.counting import CountingModel
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose
from siltstone.agents.readers import readers
from siltstone.pipeline.archiving import Archiving, fill
from siltstone.pipeline.compaction.compact import compact_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.compaction.with_model import Looking
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.progress import tell_nobody
from siltstone.pipeline.reading.backlog import Wanted
from siltstone.pipeline.report import Report
from siltstone.store.session_archive import FILE, SessionArchive

SESSIONS, TURNS, TOKENS = 19, 419, 13_800
"""The shape of LoCoMo's conversation 26."""
START = datetime(2026, 5, 8, 13, 56, tzinfo=UTC)
WHEN = When(rest=timedelta(hours=12))
"""As the settings have it."""
WHY = "every call carries the protocol and the memories that may be related"
Session = list[dict[str, str]]
"""The turns of one."""
_FACT = re.compile(r"the limit for \w+ is \d+ euros")


def measure(folder: Path, scale: float) -> list[Figure]:
    sessions = _sessions(scaled(SESSIONS, scale, 2), scaled(TURNS, scale, 8))
    talk = folder / "at once" / "talk" / "dialogue.jsonl"
    bench, model = Bench(folder / "at once", {"plain": talk.parent}), _model()
    for session in sessions:
        _append(talk, session)
    first = _run(bench, model)
    second = _run(bench, model)
    said = model.tokens("\n".join(turn["content"] for session in sessions for turn in session))
    turns = sum(map(len, sessions))
    prompt = first.usage.prompt
    shape = f"{len(sessions)} sessions, {turns} turns, {said:,} tokens"
    learnt = first.kinds["promoted"]
    return [
        Figure(
            what="model calls",
            value=first.calls,
            unit="",
            budget=at_most(4),
            detail=f"{shape}; {learnt} facts learnt",
            why="a window holds 200 messages and 24,000 characters, and what is found in it is looked at "
            "once more; then the run looks back at the sessions, and compacts",
        ),
        Figure(
            what="prompt tokens",
            value=prompt,
            unit="",
            budget=at_most(28_000),
            detail=f"{prompt / said:.1f} times the dialogue; LoCoMo's conversation 26 takes 12.5 times "
            "with mem0 2.2.1, 3.8 with langmem 0.0.30, 63 with graphiti",
            why=WHY,
        ),
        Figure("completion tokens", first.usage.completion, "", at_most(8_000)),
        Figure("calls of a second run", second.calls, "", at_most(0), f"{second.messages} messages read"),
        *_one_by_one(folder / "one by one", sessions),
    ]


def _one_by_one(folder: Path, sessions: Sequence[Session]) -> list[Figure]:
    """A run after every session, as hooks have it, and one by hand at last."""
    talk = folder / "talk" / "dialogue.jsonl"
    bench, model = Bench(folder, {"plain": talk.parent}), _model()
    reports = []
    for session in sessions:
        _append(talk, session)
        bench.now = datetime.fromisoformat(session[-1]["timestamp"]) + timedelta(minutes=2)
        reports.append(_run(bench, model, timedelta(days=1)))
    reports.append(_run(bench, model))
    shape = f"{len(reports)} runs, nine days between two sessions"
    return [
        Figure(
            "model calls, a run a session",
            sum(report.calls for report in reports),
            "",
            at_most(10),
            shape,
            "a session waits for the next one, or for a day",
        ),
        Figure(
            "prompt tokens, a run a session",
            sum(report.usage.prompt for report in reports),
            "",
            at_most(60_000),
            shape,
            WHY,
        ),
    ]


def _run(bench: Bench, model: CountingModel, pool: timedelta | None = None) -> Report:
    """A run as shipped: reading, then looking back and compaction where they are due."""
    after = Report()

    def keep_up(parts: Parts) -> None:
        with SessionArchive(bench.folder / FILE, 5) as archive:
            to = Archiving(archive, bench.project_of, timedelta(days=365), 10**9, ())
            fill(readers(bench.roots, {}), Wanted(bench.now, bench.idle), to, tell_nobody)
            for scope, why, done in compact_due(parts, model, WHEN, Looking(model, archive)):
                after.compacted(scope, why, done)

    report = bench.run(model, pool=pool, then=keep_up)
    report.calls += after.calls
    report.usage += after.usage
    return report


def _model() -> CountingModel:
    return CountingModel(otherwise=_learn)


def _sessions(count: int, turns: int) -> list[Session]:
    """Two people's talk, in every session one fact."""
    prose = Prose(26)
    sessions: list[Session] = [[] for _ in range(count)]
    told: set[int] = set()
    for turn in range(turns):
        role, session = ("user", "assistant")[turn % 2], turn * count // turns
        at = START + timedelta(days=9 * session, minutes=turn)
        words = prose.talk(TOKENS // TURNS)
        if role == "user" and session not in told:
            told.add(session)
            words += f" And the limit for {prose.made_up()} is {20 + turn} euros."
        record = {"role": role, "content": words, "session": f"talk-{session}", "timestamp": at.isoformat()}
        sessions[session].append(record | {"cwd": "/home/dev/app"})
    return sessions


def _append(path: Path, session: Session) -> None:
    """Write a session behind those before it, as plain JSONL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.writelines(orjson.dumps(turn) + b"\n" for turn in session)
    at = datetime.fromisoformat(session[-1]["timestamp"]).timestamp()
    os.utime(path, (at, at))  # the run has a clock of its own


def _learn(asked: Asked) -> dict[str, object]:
    """What a model would find: each stated limit, once; nothing is over, and nothing to compact."""
    if "<transcript" not in asked.text:
        return {"over": [], "ops": []}
    shown = asked.text[asked.text.rindex("<transcript") :]
    facts = dict.fromkeys(_FACT.findall(shown))
    return {"memories": [memory(asked, fact, name=fact.split()[3] + "-limit") for fact in facts]}


BENCHMARK = Benchmark(
    "dialogue",
    "Learning from a dialogue",
    "A generated dialogue, shaped like LoCoMo's conversation 26, through a whole run: readers, windows, "
    "prompts as they are sent (tokens by litellm's own encoding), a model that finds every stated "
    "fact, merge, commits, looking back, compaction; then another run over the same sessions. And the same "
    "sessions in their own store, with a run after each.",
    measure,
)
