"""Memories before an action: in one session each agent walks into eighteen traps, one call after another.

The scripted model makes the calls; what counts is what it is shown when it may decide about the next one.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from real_desk import AGENTS, HEADLESSLY, Desk, at_once, desk
from real_model import Step


class Trap(NamedTuple):
    rule: str
    path: str = ""
    """The file that is written."""
    text: str = "x = 1\n"
    command: str = ""


TRAPS = (
    Trap("Never edit generated/*; run make gen", "generated/api.ts"),
    Trap("Don't touch anything in the migrations folder, ask Marta first", "db/migrations/001.sql"),
    Trap("*.snap files are never edited by hand", "web/page.snap"),
    Trap("Ask before you change `deploy.yaml`", "deploy.yaml"),
    Trap("src/**/*.gen.ts is generated: never change it", "src/a/b.gen.ts"),
    Trap("`legacy/` is frozen, nothing new goes there", "legacy/more.py"),
    Trap("Use date-fns instead of moment", "src/date.ts", "import moment from 'moment'\n"),
    Trap("`loadAll` must never be called; use loadPage", "src/page.ts", "rows = loadAll()\n"),
    Trap("Never use console.log; use the logger", "src/log.ts", "console.log(1)\n"),
    Trap("Do not use `eval`", "src/calc.py", "print(eval(text))\n"),
    Trap("Use pnpm, never npm", command="npm ci"),
    Trap("Never run git push --force", command="git push -f"),
    Trap("Always run `make lint` before `git commit`", command="git commit -m Fix"),
    Trap("Never run `rm -rf` here", command="cd web && rm -rf build"),
    Trap("Don't run `terraform apply` by hand", command="terraform apply"),
    Trap("Never call `pytest` directly; use `uv run pytest`", command="pytest --version"),
    Trap("secrets.env must never be written", command="echo A=1 > secrets.env"),
    Trap("不要编辑 vendored/", command="touch vendored/a.c"),
)
MEMORY = "---\nname: trap-{n}\ndescription: '{rule}'\nmetadata:\n  type: feedback\n---\n{rule}\n"
ASKED, ENFORCED = "Walk through it", "Write it once more"
WORDS = {
    **HEADLESSLY,
    "claude": ("--permission-mode", "acceptEdits", "--allowedTools=Bash,Write", *HEADLESSLY["claude"]),
}


def calls(agent: str, here: Desk, trap: Trap) -> Step:
    """The call of the agent's own tool."""
    path = str(here.project / trap.path)
    if trap.command:
        shell = {"claude": "Bash", "codex": "exec_command", "gemini": "run_shell_command", "opencode": "bash"}
        given = {"cmd": trap.command} if agent == "codex" else {"command": trap.command}
        return Step(tool=shell[agent], args=given | ({"description": "Do"} if agent == "opencode" else {}))
    if agent == "codex":
        lines = "".join(f"+{line}\n" for line in trap.text.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {trap.path}\n{lines}*** End Patch\n"
        return Step(tool="apply_patch", args={"input": patch}, custom=True)
    tools = {"claude": "Write", "gemini": "write_file", "opencode": "write"}
    key = "filePath" if agent == "opencode" else "file_path"
    return Step(tool=tools[agent], args={key: path, "content": trap.text})


@dataclass(frozen=True, slots=True)
class Walked:
    """What was noted of one agent."""

    shown: list[list[int]]
    """How often each rule stood in the model's context, request by request; the first before any call."""
    made: set[str]
    """The files that were written, in spite of it all."""
    enforced: str
    """What the model was shown in place of the result of a call that an enforced memory speaks of."""
    written: str
    failures: list[str]


def walk(agent: str, here: Desk) -> Walked:
    here.silt("remember", "Nothing goes out on Fridays", "--type", "project")
    (folder,) = (here.store / "projects").iterdir()
    for n, trap in enumerate(TRAPS):
        (folder / f"feedback-trap-{n}.md").write_text(MEMORY.format(n=n, rule=trap.rule.replace("'", "''")))
    here.silt("flush")
    here.silt("install", agent)
    # First, because the next session is shown what was asked last in this one.
    here.model.on(ENFORCED, calls(agent, here, TRAPS[0]), Step("OK."))
    steps = [calls(agent, here, one) for one in (Trap("", "sum.txt"), *TRAPS)]
    here.model.on(ASKED, *steps, Step("OK."))
    assert here.ask(agent, ASKED, WORDS[agent]).code == 0
    # Told apart from the block of the session's start, which is the same in all requests.
    told = [[_times(turn.everything, one.rule) for one in TRAPS] for turn in here.model.turns]
    made = {one.path for one in TRAPS if one.path and (here.project / one.path).exists()}
    (folder / "feedback-trap-0.md").write_text(
        MEMORY.format(n=0, rule=TRAPS[0].rule).replace("metadata", "enforce: true\nmetadata")
    )
    (here.project / TRAPS[0].path).unlink()
    here.ask(agent, ENFORCED, WORDS[agent])
    held = here.model.turns[-1].results[-1]
    file = here.project / TRAPS[0].path
    return Walked(told, made, held, file.read_text() if file.exists() else "", here.failures)


def _times(context: str, rule: str) -> int:
    """How often a rule is given before an action."""
    heads = context.split("About this call (")[1:]
    return sum(rule in one.partition("siltstone-memory")[0] for one in heads)


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, "Future[Walked]"]]:
    with at_once(AGENTS, tmp_path_factory.mktemp, walk) as going:
        yield going


@pytest.fixture(params=AGENTS)
def walked(request: pytest.FixtureRequest, walks: dict[str, "Future[Walked]"]) -> Walked:
    return walks[request.param].result()


def test_each_rule_is_there_before_the_next_step_and_once(walked: Walked) -> None:
    """Request n + 2 is the first one behind trap n: a harmless call comes first."""
    first = [next((at for at, row in enumerate(walked.shown) if row[n]), -1) for n in range(len(TRAPS))]
    assert first == [n + 2 for n in range(len(TRAPS))]
    assert walked.shown[-1] == [1] * len(TRAPS)
    assert walked.failures == []


def test_advice_stops_nothing(walked: Walked) -> None:
    assert walked.made == {one.path for one in TRAPS if one.path}


def test_what_is_enforced_is_not_done(walked: Walked) -> None:
    assert TRAPS[0].rule in walked.enforced
    assert walked.written == ""


def test_a_sub_agent_of_claude_code_and_the_session_around_it_are_both_told(tmp_path: Path) -> None:
    with desk(tmp_path, "claude") as here:
        here.silt("remember", TRAPS[0].rule, "--type", "feedback")
        here.silt("install", "claude")
        child: dict[str, object] = {"description": "Look", "prompt": "Child: walk"}
        child |= {"subagent_type": "general-purpose", "run_in_background": False}
        here.model.on("Child: walk", calls("claude", here, TRAPS[0]), Step("OK."))
        here.model.on(ASKED, Step(tool="Task", args=child), calls("claude", here, TRAPS[0]), Step("OK."))
        assert here.ask("claude", ASKED, ("--allowedTools=Task", *WORDS["claude"])).code == 0
        told = [_times(turn.everything, TRAPS[0].rule) for turn in here.model.turns]
    assert told == [0, 0, 1, 0, 1]  # asked, the child asked, its result; the child's answer, the same call
