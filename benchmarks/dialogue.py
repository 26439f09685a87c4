"""A long dialogue: what it costs to learn from it, and what it costs to look again."""

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
from support.bench import Bench, memory
from support.fake_model import Asked

from benchmarks.counting import CountingModel
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose

SESSIONS, TURNS, TOKENS = 19, 419, 13_800
"""The shape of LoCoMo's conversation 26."""
START = datetime(2026, 5, 8, 13, 56, tzinfo=UTC)
_FACT = re.compile(r"the limit for \w+ is \d+ euros")


def measure(folder: Path, scale: float) -> list[Figure]:
    model = CountingModel(otherwise=_learn)
    sessions, turns = scaled(SESSIONS, scale, 2), scaled(TURNS, scale, 8)
    said = _write(folder / "talk" / "dialogue.jsonl", sessions, turns)
    bench = Bench(folder / "work", {"plain": folder / "talk"})
    (folder / "work").mkdir()
    first = bench.run(model)
    tokens, calls, prompt = model.tokens(said), first.calls, model.prompt_tokens
    second = bench.run(model)
    learnt = first.tally.outcome()["promoted"]
    shape = f"{sessions} sessions, {turns} turns, {tokens:,} tokens; {learnt} facts learnt"
    return [
        Figure(
            "model calls", calls, "", at_most(4), shape, "a window holds 120 messages and 24,000 characters"
        ),
        Figure(
            what="prompt tokens",
            value=prompt,
            unit="",
            budget=at_most(28_000),
            detail=f"{prompt / tokens:.1f} times the dialogue; LoCoMo's conversation 26 takes 12.5 times "
            "with mem0 2.2.1, 3.8 with langmem 0.0.30, 63 with graphiti",
            why="every call carries the protocol and the memories that may be related",
        ),
        Figure("calls of a second run", second.calls, "", at_most(0), f"{second.messages} messages read"),
    ]


def _write(path: Path, sessions: int, turns: int) -> str:
    """Two people's talk as plain JSONL, in every session one fact; returns all that was said."""
    prose = Prose(26)
    lines: list[bytes] = []
    said: list[str] = []
    told: set[int] = set()
    at = START
    for turn in range(turns):
        role, session = ("user", "assistant")[turn % 2], turn * sessions // turns
        at = START + timedelta(days=9 * session, minutes=turn)
        words = prose.talk(TOKENS // TURNS)
        if role == "user" and session not in told:
            told.add(session)
            words += f" And the limit for {prose.made_up()} is {20 + turn} euros."
        said.append(words)
        record = {"role": role, "content": words, "session": f"talk-{session}", "timestamp": at.isoformat()}
        lines.append(orjson.dumps(record | {"cwd": "/home/dev/app"}))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\n".join(lines) + b"\n")
    os.utime(path, (at.timestamp(), at.timestamp()))  # the run has a clock of its own
    return "\n".join(said)


def _learn(asked: Asked) -> dict[str, object]:
    """What a model would find: each stated limit, once."""
    shown = asked.text[asked.text.rindex("<transcript") :]
    facts = dict.fromkeys(_FACT.findall(shown))
    return {"memories": [memory(asked, fact, name=fact.split()[3] + "-limit") for fact in facts]}


BENCHMARK = Benchmark(
    "dialogue",
    "Learning from a dialogue",
    "A made-up dialogue of the shape of LoCoMo's conversation 26 through a whole run: readers, windows, "
    "prompts as they are sent (tokens by litellm's own encoding), a model that finds every stated fact, "
    "merge, commits; then a run over the same sessions again.",
    measure,
)
