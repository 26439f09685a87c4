"""Every hook of every agent, with payloads that real agents handed over, and the commands a hook may call."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from zlib import crc32

from benchmarks.clock import Rounds, interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.installed import bare, silt
from benchmarks.prose import Prose
from benchmarks.stores import prepare, work_tree
from siltstone.agents.hooks import AGENTS, Payload, hooks_of
from siltstone.cli.hooks.background import held

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "hooks"
MEMORIES = 10_000
ROUNDS = 15
BUDGET = at_most(60)
FITTING = f"Why does {Prose(3).sentence(6)} not listen on port 8042?"
"""A prompt that memories fit."""
PASTED = 19_500
"""Characters that are pasted: more than 20,000 are not listened to."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "store").glob("*.py")))
LOG = "\n".join(
    f"2026-09-01T10:{n % 60:02}:07 ERROR rows.py:{n} cannot read row {n} of user_{n}, not once; see notes"
    for n in range(400)
)
PROMPTS = {
    "that memories fit": FITTING,
    "in German": "Der Import überspringt Zeilen ohne Namen, läuft aber noch zu langsam.",
    "in Chinese": "让导入器跳过没有名字的行，然后运行测试。",
    "of a paragraph that names tokens": f"Why do its cookie tokens end so soon? {Prose(5).sentences(5)}",
    "of 20 KB": Prose(4).sentences(250),
    **{
        f"above {what}": f"Why does this fail?\n\n{text[:PASTED]}"
        for what, text in (("documentation", README), ("code", CODE), ("a log", LOG))
    },
}
"""Such as a person writes or pastes: of one agent, for all agents' prompts are handled alike."""
ASKING = {
    "that asks to keep something": "Please remember: the importer listens on port 8042. It is the only one.",
    "that asks it in Japanese": "覚えておいてください：コミットメッセージは必ず英語で書くこと。",
    "that asks it above 20 KB of code": f"Remember: the search never writes.\n\n```\n{CODE[:19_400]}\n```\n",
}
LINES = 2_000
"""Of the output that is pruned."""
OWN = """\
import atexit, sys, time
atexit.register(lambda: sys.stderr.write(str(time.process_time())))
sys.argv.pop(0)
exec(open(sys.argv[0]).read(), {"__name__": "__main__"}) if sys.argv else sys.stdin.buffer.read()
"""
"""Runs the script of a command, and says the processor time of its process without those it waits for."""
NO_OP = "import sys; sys.stdin.buffer.read()"


def measure(folder: Path, scale: float) -> list[Figure]:
    project, state = work_tree(folder / "app"), folder / "state"
    prepare(state, project, scaled(MEMORIES, scale, 5))
    env = environment(folder, state)
    stop = json.dumps(payloads(AGENTS[0])["Stop"])
    tasks: dict[str, Callable[[], None]] = {"python": partial(run, bare(NO_OP), env, stop)}
    for agent in some(dict.fromkeys(AGENTS, ""), scale):
        for event, payload in payloads(agent).items():
            tasks[f"{agent}: {event}"] = hooked(agent, {**payload, "cwd": str(project)}, env)
    for kind, prompt in some(PROMPTS, scale).items():
        tasks[f"a prompt {kind}"] = hooked(AGENTS[0], typed(prompt, project), env)
    tasks |= commands(project, env, scaled(LINES, scale, 20))
    with alone(state):
        rounds = interleaved(scaled(ROUNDS, scale), tasks)
        asked = asking(some(ASKING, scale), scaled(ROUNDS, scale), project, env)
    return [over_no_op(rounds, name) for name in list(tasks)[1:]] + asked


def some(of: Mapping[str, str], scale: float) -> dict[str, str]:
    """As many of them as the scale says."""
    return dict(list(of.items())[: scaled(len(of), scale)])


def over_no_op(rounds: Rounds, name: str) -> Figure:
    wall, nothing = rounds.seconds(name, "wall"), rounds.seconds("python", "wall")
    cpu = rounds.seconds(name) - rounds.seconds("python")
    return Figure(
        what=name,
        value=max(wall - nothing, 0.0) * 1e3,
        unit=" ms over a no-op hook",
        budget=BUDGET,
        detail=f"{wall * 1e3:.0f} ms against {nothing * 1e3:.0f} ms; {cpu * 1e3:.1f} ms more processor time",
        why="half of a hook's time goes into loading modules, and more of them go through a pasted text",
    )


def commands(project: Path, env: Mapping[str, str], lines: int) -> dict[str, Callable[[], None]]:
    """The other commands that an agent's hook may call."""
    session = {"agent": "claude", "session": "s1", "cwd": str(project)}
    message = {**session, "event": "message", "role": "user", "text": "Let it skip unnamed rows."}
    answer = {**message, "role": "assistant", "text": "It skips them, and listens on port 8042."}
    log = "".join(f"2026-03-01 09:00:{n % 60:02d} INFO row {n} in {n % 7} ms\n" for n in range(lines))
    inject = silt("inject", f"--cwd={project}")
    return {
        "silt inject": partial(run, inject, env),
        "silt inject --query": partial(run, (*inject, "--query", FITTING), env),
        "silt inject --session": partial(run, (*inject, "--agent=claude", "--session=s1"), env),
        "silt event, a message": partial(run, silt("event"), env, json.dumps(message)),
        "silt event, an answer": partial(run, silt("event"), env, json.dumps(answer)),
        f"silt prune, {LINES:,} lines of a log": partial(
            run, silt("prune", "--tool=Bash", "--level=critical"), env, log
        ),
    }


@contextmanager
def alone(state: Path) -> Iterator[None]:
    """Within it no hook begins a process that would read this machine's sessions, or make anything ready."""
    lock = held(str(state))
    assert lock is not None
    try:
        yield
    finally:
        os.close(lock)


def asking(prompts: Mapping[str, str], rounds: int, project: Path, env: Mapping[str, str]) -> list[Figure]:
    """Prompts that ask to keep something. What keeps it is another process, for which the hook waits as long
    as it may: its own time is measured."""
    _, script = silt()
    words = (script, "hook", AGENTS[0])
    nothing = {**env, "SILT_EXTRACT_ENABLED": "0"}  # the process begins, and keeps nothing
    given = {name: anew(AGENTS[0], typed(prompt, project)) for name, prompt in prompts.items()}
    own: dict[str, list[float]] = {name: [] for name in given}
    for _ in range(rounds):
        floor = own_time((), nothing, "")
        for name, payload in given.items():
            own[name].append(own_time(words, nothing, payload()) - floor)
    return [
        Figure(
            f"a prompt {name}",
            max(median(own[name]), 0.0) * 1e3,
            " ms of its own processor time over a no-op hook",
            BUDGET,
            "without the process that keeps it",
            "rules look for the request, and for what somebody else said in the text",
        )
        for name in own
    ]


def own_time(words: tuple[str, ...], env: Mapping[str, str], given: str) -> float:
    """Seconds of processor time that a command takes in its own process."""
    done = subprocess.run(
        (*bare(OWN), *words), env=env, input=given.encode(), check=True, capture_output=True
    )
    return float(done.stderr.splitlines()[-1])


def typed(prompt: str, project: Path) -> Payload:
    """The payload of a prompt with other words in it."""
    return {**payloads(AGENTS[0])["UserPromptSubmit"], "prompt": prompt, "cwd": str(project)}


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
    return {hook.name: found[hook.name] for hook in hooks_of(agent).hooks if hook.name in found}


def ours() -> dict[str, Payload]:
    """What OpenCode's plugin sends: our own words (`agents/opencode/hooks.py`)."""
    more: dict[str, dict[str, object]] = {
        "chat.message": {"text": "Let it skip unnamed rows.", "message": "msg_1", "model": "p/m"},
        "system": {"text": "Let it skip unnamed rows."},
        "tool.before": {"tool": "bash", "input": {"command": "make"}},
        "tool.after": {"tool": "bash", "input": {"command": "make"}, "output": "ok\n" * 200, "exit": 0},
        "session.compacting": {},
        "session.compacted": {"text": "## Goal\n- Skip unnamed rows."},
        "session.idle": {"text": "It skips them.", "tokens": 9_000, "limit": 128_000},
        "session.deleted": {},
        "dispose": {},
    }
    return {name: {"hook_event_name": name, "session": "s1", **told} for name, told in more.items()}


def hooked(agent: str, payload: Payload, env: Mapping[str, str]) -> Callable[[], None]:
    """A call of a hook."""
    given = anew(agent, payload)
    return lambda: run(silt("hook", agent), env, given())


def anew(agent: str, payload: Payload) -> Callable[[], str]:
    """The payload, of a new session each time: what is shown is shown a session once."""
    told, which = count(), crc32(json.dumps(payload).encode())
    key = "session" if agent == "opencode" else "session_id"
    return lambda: json.dumps({**payload, key: f"s{which}-{next(told)}"})


def run(words: tuple[str, ...], env: Mapping[str, str], given: str = "") -> None:
    subprocess.run(words, env=env, input=given.encode(), check=True, stdout=subprocess.DEVNULL)


BENCHMARK = Benchmark(
    "hooks",
    "Hooks",
    "`silt hook AGENT` as the agents call it, with payloads from real agents, and the commands that a "
    "user's own hook may call, each in its own process, compared with a Python hook that does "
    "nothing; wall time; 10,000 memories. If a prompt asks to keep something, the hook waits for "
    "the process that saves it; there its own processor time is measured, without that process.",
    measure,
)
