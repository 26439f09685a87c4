"""The hook before an agent edits, writes or runs something, in a store where every memory is a rule."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from support.snapshots import snapshot_of

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, scaled
from benchmarks.hooks import NO_OP, ROUNDS, alone, environment, hooked, over_no_op, payloads, run
from benchmarks.installed import bare
from benchmarks.stores import entries, work_tree
from siltstone.recall.prepared_writer import Facts, PreparedWriter
from siltstone.store.entry import Stored
from siltstone.store.identity import Identity

RULES = 10_000
CODE = "".join(f"def handler_{n}(request):\n    return table.rows(request.user_{n})\n" for n in range(1_600))
COMMANDS = " && ".join(f"make step-{n} > out/{n}.log" for n in range(500))
CALLS: dict[str, tuple[str, dict[str, str]]] = {
    "a command that no memory speaks of": ("Bash", {"command": "git status --short"}),
    "an edit that a memory speaks of": ("Edit", {"file_path": "part-7/a.ts", "new_string": "x"}),
    "a command that a memory speaks of": ("Bash", {"command": "cd web && tool-9 deploy"}),
    "a file of 100 KB": ("Write", {"file_path": "src/all.py", "content": CODE}),
    "a line of 500 commands": ("Bash", {"command": COMMANDS}),
}


def measure(folder: Path, scale: float) -> list[Figure]:
    project, state = work_tree(folder / "app"), folder / "state"
    facts = Facts(projects={"projects/app": [Identity("path", str(project))]})
    with PreparedWriter(state) as preparation:
        preparation.sync(snapshot_of(rules(scaled(RULES, scale, 20))), facts, lambda changed: ())
    env = environment(folder, state)
    told = {**payloads("claude")["PreToolUse"], "cwd": str(project)}
    tasks: dict[str, Callable[[], None]] = {"python": partial(run, bare(NO_OP), env, "{}")}
    for what, (tool, given) in CALLS.items():
        tasks[what] = hooked("claude", {**told, "tool_name": tool, "tool_input": given}, env)
    with alone(state):
        rounds = interleaved(scaled(ROUNDS, scale), tasks)
    return [over_no_op(rounds, name) for name in CALLS]


def rules(count: int) -> list[Stored]:
    """Rules of one project, each about a folder and a command of its own."""
    made = []
    for number, entry in enumerate(entries(count)):
        text = f"Never edit part-{number}/*, and never run `tool-{number} deploy`"
        rule = entry._replace(scope="projects/app", type="feedback", description=text, body=text)
        made.append(Stored(f"projects/app/feedback-{entry.name}.md", "", f"{number}", rule))
    return made


BENCHMARK = Benchmark(
    "action",
    "Before an action",
    "`silt hook claude` before a tool call, compared with a Python hook that does nothing; wall time; "
    "10,000 memories, each a rule that names a folder and a command.",
    measure,
)
