"""The hooks of the agents, every one, with payloads that real agents handed over."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.injecting import JUDGED, over_bare, prepare, work_tree
from siltstone.agents.hooks import AGENTS, Payload, hooks_of
from siltstone.cli.hook_behind import held

DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "hooks"
ROUNDS = 15
NO_OP = (sys.executable, "-c", "import sys; sys.stdin.buffer.read()")


def measure(folder: Path, scale: float) -> list[Figure]:
    project, state = work_tree(folder / "app"), folder / "state"
    prepare(state, project, scaled(JUDGED, scale, 5))
    env = environment(folder, state)
    some = json.dumps(payloads("claude")["Stop"])
    tasks: dict[str, Callable[[], None]] = {
        "true": partial(run, ("true",), env, some),
        "python": partial(run, NO_OP, env, some),
    }
    for agent in AGENTS:
        for event, payload in payloads(agent).items():
            tasks[f"{agent}: {event}"] = hooked(agent, {**payload, "cwd": str(project)}, env)
    lock = held(str(state))  # so that no hook begins a process that would read this machine's sessions
    assert lock is not None
    try:
        rounds = interleaved(scaled(ROUNDS, scale), tasks)
    finally:
        os.close(lock)
    return [
        over_bare(
            rounds,
            name,
            "a no-op hook",
            at_most(30),
            f"; {rounds.ratio(name, 'true', 'wall'):.0f}× `true`",
            "the interpreter imports the standard library's SQLite, JSON and regular expressions",
        )
        for name in list(tasks)[2:]
    ]


def environment(folder: Path, state: Path) -> dict[str, str]:
    """In which hooks find nothing of whoever measures. Bytecode is kept, as it is for what is installed."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG")}
    places = {"HOME": folder, "SILT_HOME": folder / "store", "SILT_CONFIG": folder / "silt.toml"}
    return kept | {name: str(place) for name, place in places.items()} | {"SILT_STATE": str(state)}


def payloads(agent: str) -> dict[str, Payload]:
    """By the name of the hook one payload, in the order in which an agent is told of its hooks."""
    if agent == "opencode":
        found = ours()
    else:
        lines = (DATA / f"{agent}.jsonl").read_text(encoding="utf-8").splitlines()
        found = {told["hook_event_name"]: told for told in map(json.loads, reversed(lines))}
    return {hook.name: found[hook.name] for hook in hooks_of(agent).EVENTS if hook.name in found}


def ours() -> dict[str, Payload]:
    """What OpenCode's plugin tells: our own words (`agents/opencode/hooks.py`)."""
    more: dict[str, dict[str, object]] = {
        "chat.message": {"text": "Let it skip unnamed rows.", "message": "msg_1", "model": "p/m"},
        "system": {"text": "Let it skip unnamed rows."},
        "tool.after": {"tool": "bash", "input": {"command": "make"}, "output": "ok\n" * 200, "exit": 0},
        "session.compacting": {},
        "session.compacted": {"text": "## Goal\n- Skip unnamed rows."},
        "session.idle": {"text": "It skips them.", "tokens": 9_000, "limit": 128_000},
        "session.deleted": {},
        "dispose": {},
    }
    return {name: {"hook_event_name": name, "session": "s1", **told} for name, told in more.items()}


def hooked(agent: str, payload: Payload, env: dict[str, str]) -> Callable[[], None]:
    """A call of a hook: of a new session each time, for what is shown is shown a session once."""
    told = count()
    key = "session" if agent == "opencode" else "session_id"

    def call() -> None:
        given = json.dumps({**payload, key: f"s{next(told)}"})
        run((sys.executable, "-m", "siltstone", "hook", agent), env, given)

    return call


def run(words: tuple[str, ...], env: dict[str, str], given: str) -> None:
    subprocess.run(words, env=env, input=given.encode(), check=True, stdout=subprocess.DEVNULL)


BENCHMARK = Benchmark(
    "doors",
    "Every hook of every agent",
    "`silt hook AGENT` as the agents call it, with payloads that real agents handed over, in a process of "
    "its own, beside a hook in Python that does nothing and beside `true`; wall time; 10,000 memories.",
    measure,
)
"""Budget: 30 ms over bare python on a store of 10,000 memories."""
