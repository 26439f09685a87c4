"""The embedded rules: messages a second from the reader to the verdict."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_least, scaled
from benchmarks.prose import Prose
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.messages import Message, Role, Session, Step, ToolCall
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.clean import cleaned
from siltstone.pipeline.reading.window import Window, turns, windows
from siltstone.store.redaction import redact

TURNS, ROUNDS = 500, 5
START = datetime(2026, 5, 8, 13, 56, tzinfo=UTC)
SESSION = Session("claude", "s1", "/home/dev/app")
TYPED = Path(__file__).resolve().parent.parent / "tests" / "data" / "rules"
"""What people type, in seven languages, with and without a request in it."""


def measure(folder: Path, scale: float) -> list[Figure]:
    steps = _steps(scaled(TURNS, scale, 2))
    read = _windows(steps)
    rules = Rules()
    rounds = interleaved(
        scaled(ROUNDS, scale),
        {"all": lambda: _learned(steps), "rules": lambda: [rules(window, ()) for window in read]},
    )
    size = sum(len(step.item.text) + _printed(step.item) for step in steps if isinstance(step.item, Message))
    seconds = rounds.seconds("all")
    return [
        Figure(
            what="redaction, rules and gate",
            value=len(steps) / seconds,
            unit=" messages/s",
            budget=at_least(1_000),
            detail=f"{len(steps):,} messages, {size / seconds / 1e6:.1f} million characters a second; "
            f"{_learned(steps)} candidates accepted",
            why="every text is searched for secrets of some hundred shapes",
        ),
        Figure(
            what="rules alone",
            value=sum(window.messages for window in read) / rounds.seconds("rules"),
            unit=" messages/s",
            budget=at_least(3_000),
            detail="the same messages, redacted; one in four was typed",
        ),
    ]


def _learned(steps: list[Step]) -> int:
    """How many candidates are accepted out of these steps."""
    rules = Rules()
    return sum(
        judge(candidate, window, redact).verdict.outcome == "accept"
        for window in _windows(steps)
        for candidate in rules(window, ()).candidates
    )


def _windows(steps: list[Step]) -> list[Window]:
    return list(windows("projects/app", turns("s1", SESSION, cleaned(steps))))


def _printed(message: Message) -> int:
    return len(message.tool.input) + len(message.tool.output) if message.tool else 0


def _steps(count: int) -> list[Step]:
    """Turns of a typed text, two calls of tools and an answer. One typed text of four is from the rules'
    own tests, one of ten carries a paste; no text occurs twice."""
    prose = Prose(17)
    typed = [
        str(json.loads(line)["text"])
        for file in sorted(TYPED.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    steps: list[Step] = []
    for turn in range(count):
        text = typed[turn // 4 % len(typed)] if turn % 4 == 0 else prose.talk(8 + prose.number(40))
        pasted = f"\n\n```\n{prose.output()}\n```" if turn % 10 == 5 else ""
        steps.append(_step(len(steps), "user", f"{text}{pasted}\n\nThat is for ticket {turn}."))
        for _ in range(2):
            command = f"grep -rn {prose.made_up()} src/{turn}"
            tool = ToolCall("Bash", json.dumps({"command": command}), prose.output(), command, 0)
            steps.append(_step(len(steps), "tool", "", tool))
        steps.append(_step(len(steps), "assistant", prose.sentences(1 + prose.number(8))))
    return steps


def _step(n: int, role: Role, text: str, tool: ToolCall | None = None) -> Step:
    at = START + timedelta(seconds=20 * n)
    return Step(Message(f"m{n}", f"m{n}", role, text, at, tool, final=role == "assistant"), str(n))


BENCHMARK = Benchmark(
    "learning",
    "Learning by the embedded rules",
    "Generated sessions with typed texts, answers and tool output, in memory: redaction, windows, rules "
    "and the verdict on every candidate; processor time on one core.",
    measure,
)
