"""Listening and pruning: the other commands that an agent's hook waits for."""

import json
from functools import partial
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.injecting import JUDGED, SIZES, happened, over_bare, prepare, run, work_tree
from benchmarks.installed import bare, silt

ROUNDS = 15
LINES = 2_000
"""Of the output that is pruned."""
ASKS = "a message that asks to keep something"


def measure(folder: Path, scale: float) -> list[Figure]:
    project = work_tree(folder / "app")
    tasks = {"python": partial(run, bare(), folder)}
    judged: set[str] = set()
    for size in SIZES:
        state = folder / f"state-{size}"
        prepare(state, project, scaled(size, scale, 5))
        for told in happened(project):
            run(silt("event"), state, json.dumps(told))
        run(silt("inject", f"--cwd={project}", "--agent=claude", "--session=s1"), state)
        for what, told in events(project).items():
            # Only an answer is compared with memories, those that its session was shown.
            if size == JUDGED or what == "an answer":
                name = f"event, {what}, {size:,} memories"
                tasks[name] = partial(run, silt("event"), state, json.dumps(told))
                judged |= {name} if size == JUDGED else set()
    for kind, output in outputs(scaled(LINES, scale, 20)).items():
        words = silt("prune", "--tool=Bash", "--level=critical")
        name = f"prune, {LINES:,} lines of {kind}"
        tasks[name] = partial(run, words, folder, output)
        judged.add(name)
    rounds = interleaved(scaled(ROUNDS, scale), tasks)
    return [
        over_bare(rounds, name, "bare python", at_most(30) if name in judged else None, "", why(name))
        for name in list(tasks)[1:]
    ]


def why(name: str) -> str:
    """What takes most of the time of a command."""
    if ASKS in name:
        return "what is asked for is found by rules, and the patterns of those that may fit are compiled"
    if name.startswith("prune"):
        return "each line is looked at for what tells an error, sums up, or repeats the one before"
    return "the interpreter imports the standard library's SQLite, JSON and regular expressions"


def events(project: Path) -> dict[str, dict[str, object]]:
    """One event of each kind that is told apart by what it costs."""
    common: dict[str, object] = {"agent": "claude", "session": "s1", "cwd": str(project)}
    tool = common | {"event": "tool"}
    read = {"file_path": str(project / "rows.py")}
    failing = "E   AssertionError: 3 rows, not 2\n1 failed, 11 passed"
    return {
        "a message": common | {"event": "message", "role": "user", "text": "Let it skip unnamed rows."},
        ASKS: common
        | {"event": "message", "role": "user", "text": "Remember: the importer listens on port 8042."},
        f"{ASKS}, in German": common
        | {"event": "message", "role": "user", "text": "Merk dir: wir nehmen überall pnpm statt npm."},
        f"{ASKS}, in Chinese": common
        | {"event": "message", "role": "user", "text": "请记住：所有的提交信息都用英文写，不要用中文。"},
        "a message in Japanese": common
        | {"event": "message", "role": "user", "text": "名前のない行を飛ばすようにしてください。"},
        "an answer": common
        | {"event": "message", "role": "assistant", "text": "It skips them, and listens on port 8042."},
        "a file that is read": tool | {"name": "Read", "input": read, "output": "rows = []\n" * 200},
        "a failing command": tool
        | {"name": "Bash", "command": "pytest -q tests", "output": failing, "exit": 1},
    }


def outputs(lines: int) -> dict[str, str]:
    """What tools print, by kind."""
    return {
        "a log": "".join(f"2026-03-01 09:00:{n % 60:02d} INFO row {n} in {n % 7} ms\n" for n in range(lines)),
        "a listing": "".join(f"src/part{n % 40}/module_{n}.py\n" for n in range(lines)),
    }


BENCHMARK = Benchmark(
    "hooks",
    "Listening to a session, and pruning",
    "`silt event` and `silt prune` as hooks call them, in a process of their own, against `python -c pass`; "
    "wall time.",
    measure,
)
"""Budget: 30 ms over bare python on a store of 10,000 memories."""
