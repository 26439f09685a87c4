"""The hooks of the agents, every one, with payloads that real agents handed over."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from zlib import crc32

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.injecting import JUDGED, over_bare, prepare, work_tree
from benchmarks.installed import bare, silt
from benchmarks.prose import Prose
from siltstone.agents.hooks import AGENTS, Payload, hooks_of
from siltstone.cli.hooks.background import held

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "hooks"
ROUNDS = 15
PROMPTED = {"claude": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
"""The hook of a prompt, and for OpenCode `chat.message`."""
TYPED = {
    "German": "Der Import überspringt Zeilen ohne Namen, läuft aber noch zu langsam.",
    "Chinese": "让导入器跳过没有名字的行，然后运行测试。",
}
"""Prompts outside ASCII that ask to keep nothing."""
FITTING = f"Why does {Prose(3).sentence(6)} not listen on port 8042?"
"""A prompt that memories fit."""
LONGEST = 19_500
"""Characters that are pasted: more than 20,000 are not listened to."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = "\n".join(
    (ROOT / "store" / name).read_text(encoding="utf-8") for name in ("search.py", "seek.py", "store.py")
)
LOG = "\n".join(
    f"2026-09-01T10:{n % 60:02}:07 ERROR rows.py:{n} cannot read row {n} of user_{n}, not once; see notes"
    for n in range(400)
)
LONGER = {
    "of a paragraph that names tokens": f"Why do its cookie tokens end so soon? {Prose(5).sentences(5)}",
    "of 20 KB": Prose(4).sentences(250),
    **{
        f"above {what}": f"Why does this fail?\n\n{text[:LONGEST]}"
        for what, text in (("documentation", README), ("code", CODE), ("a log", LOG))
    },
}
"""Such as a person writes or pastes. In the first of a session what may be a secret is looked for, and in all
of it what asks to keep something, or not to."""
ASKED = {
    "English": "Please remember: the importer listens on port 8042. It is the only one.",
    "German": "Bitte merk dir: wir verwenden überall pnpm statt npm. So will es die CI.",
    "Japanese": "覚えておいてください：コミットメッセージは必ず英語で書くこと。例外はありません。",
    "Chinese": "请记住：所有的提交信息都用英文写，不要用中文。",
    "English, behind a paragraph": "Mend the importer's test.\n\nAnd remember: we use pnpm, never npm.\n",
    "English, above 20 KB of code": f"Remember: the seeker never writes.\n\n```\n{CODE[:19_400]}\n```\n",
    "English, below 6 KB of code": f"{CODE[:6_000]}\n\nRemember: the seeker never writes.\n",
}
"""Within a second of the first hook there is, where nobody ran `silt install`: told, and not judged."""
OWN = """\
import atexit, sys, time
atexit.register(lambda: sys.stderr.write(str(time.process_time())))
sys.argv.pop(0)
if sys.argv:
    exec(open(sys.argv[0]).read(), {"__name__": "__main__"})
sys.stdin.buffer.read()
"""
"""Runs the script of a command, and tells the processor time of its process without those it waits for."""
OVER = " ms of its own processor time over a no-op hook"
NO_OP = "import sys; sys.stdin.buffer.read()"


def measure(folder: Path, scale: float) -> list[Figure]:
    project, state = work_tree(folder / "app"), folder / "state"
    prepare(state, project, scaled(JUDGED, scale, 5))
    env = environment(folder, state)
    some = json.dumps(payloads("claude")["Stop"])
    tasks: dict[str, Callable[[], None]] = {
        "true": partial(run, ("true",), env, some),
        "python": partial(run, bare(NO_OP), env, some),
    }
    for agent in AGENTS:
        for event, payload in payloads(agent).items():
            tasks[f"{agent}: {event}"] = hooked(agent, {**payload, "cwd": str(project)}, env)
        kinds = {"that memories fit": FITTING, **LONGER}
        kinds |= {f"in {name}": prompt for name, prompt in TYPED.items()}
        for kind, prompt in kinds.items():
            name = f"{agent}: {prompted(agent)} {kind}"
            tasks[name] = hooked(agent, typed(agent, prompt, project), env)
    with alone(state):
        rounds = interleaved(scaled(ROUNDS, scale), tasks)
        asked = asking(scaled(ROUNDS, scale), project, env)
    return [*asked, first_of_all(scaled(ROUNDS, scale), project, env)] + [
        over_bare(
            rounds,
            name,
            "a no-op hook",
            at_most(30),
            f"; {rounds.ratio(name, 'true', 'wall'):.0f}× `true`",
            "half of a hook's time is loading modules, and a pasted text is gone through by more of them",
        )
        for name in list(tasks)[2:]
    ]


@contextmanager
def alone(state: Path) -> Iterator[None]:
    """Within it no hook begins a process that would read this machine's sessions, or make anything ready."""
    lock = held(str(state))
    assert lock is not None
    try:
        yield
    finally:
        os.close(lock)


def asking(rounds: int, project: Path, env: dict[str, str]) -> list[Figure]:
    """Prompts that ask to keep something: in English to each agent, in other languages to one.

    What keeps it is another process, for which the hook waits as long as it may: its own time is measured.
    """
    tasks: dict[str, Callable[[], str]] = {"python": lambda: json.dumps(payloads("claude")["Stop"])}
    words: dict[str, tuple[str, ...]] = {"python": ()}
    _, script = silt()
    for agent in AGENTS:
        for language, prompt in ASKED.items():
            if language == "English" or agent == AGENTS[0]:
                name = f"{agent}: {prompted(agent)} that asks to keep something, in {language}"
                tasks[name] = anew(agent, typed(agent, prompt, project))
                words[name] = (script, "hook", agent)
    nothing = {**env, "SILT_EXTRACT_ENABLED": "0"}  # the process begins, and keeps nothing
    own: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, given in tasks.items():
            own[name].append(own_time(words[name], nothing, given()))
    took = {name: median(seconds) * 1e3 for name, seconds in own.items()}
    return [
        Figure(
            name,
            max(took[name] - took["python"], 0.0),
            OVER,
            at_most(60),
            f"{took[name]:.0f} ms against {took['python']:.0f} ms",
            "what is asked for is found by rules, and so is what else in the text somebody else said",
        )
        for name in list(own)[1:]
    ]


def first_of_all(rounds: int, project: Path, env: dict[str, str]) -> Figure:
    """A hook that finds an empty state folder: it makes the state database. Without the process that it would
    begin."""
    given, (_, script) = anew(AGENTS[0], {**payloads(AGENTS[0])["SessionStart"], "cwd": str(project)}), silt()
    took: list[float] = []
    for number in range(rounds):
        state = project.parent / f"first-{number}"
        state.mkdir(mode=0o700)
        with alone(state):
            one = own_time((script, "hook", AGENTS[0]), env | {"SILT_STATE": str(state)}, given())
        took.append(one - own_time((), env, given()))
    name = f"{AGENTS[0]}: SessionStart as the first hook of all"
    return Figure(name, median(took) * 1e3, OVER, None, "the state database is made")


def own_time(words: tuple[str, ...], env: dict[str, str], given: str) -> float:
    """Seconds of processor time that a command takes in its own process."""
    done = subprocess.run(
        (*bare(OWN), *words), env=env, input=given.encode(), check=True, capture_output=True
    )
    return float(done.stderr.splitlines()[-1])


def prompted(agent: str) -> str:
    return PROMPTED.get(agent, "chat.message")


def typed(agent: str, prompt: str, project: Path) -> Payload:
    """The payload of a prompt with other words in it."""
    key = "prompt" if agent in PROMPTED else "text"
    return {**payloads(agent)[prompted(agent)], key: prompt, "cwd": str(project)}


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
    return {hook.name: found[hook.name] for hook in hooks_of(agent).HOOKS if hook.name in found}


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
    """A call of a hook."""
    given = anew(agent, payload)
    return lambda: run(silt("hook", agent), env, given())


def anew(agent: str, payload: Payload) -> Callable[[], str]:
    """The payload, of a new session each time: what is shown is shown a session once."""
    told, which = count(), crc32(json.dumps(payload).encode())
    key = "session" if agent == "opencode" else "session_id"
    return lambda: json.dumps({**payload, key: f"s{which}-{next(told)}"})


def run(words: tuple[str, ...], env: dict[str, str], given: str) -> None:
    subprocess.run(words, env=env, input=given.encode(), check=True, stdout=subprocess.DEVNULL)


BENCHMARK = Benchmark(
    "doors",
    "Every hook of every agent",
    "`silt hook AGENT` as the agents call it, with payloads that real agents handed over, in a process of "
    "its own, beside a hook in Python that does nothing and beside `true`; wall time; 10,000 memories. Where "
    "a prompt asks to keep something, the hook waits for the process that keeps it: there its own processor "
    "time is told, without that process.",
    measure,
)
"""Guide: 60 ms over bare python on a store of 10,000 memories."""
