"""scenario.toml, and how each agent's scripted model is told to act it out."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HOME = Path("/home/dev")
MARK = "¦¦"
"""Breaks a secret where it stands in a file of the repository; unpack.py takes it out again."""

Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """What is typed, and what the model does about it: one list of blocks a reply."""

    say: str
    steps: tuple[Block, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Session:
    """A session of one agent in one project."""

    id: str
    agent: str
    project: str
    at: datetime
    turns: tuple[Turn, ...]

    @property
    def folder(self) -> Path:
        return HOME / self.project


def secrets() -> dict[str, str]:
    """The two secrets by name, put together here so that no file holds one. They open nothing."""
    return {
        "stripe": "_".join(("sk", "live", "51NqT8yKx2Vw" + "L7mZc4RbJ9sDfG0hPaEu")),
        "github": "_".join(("ghp", "x7Qp2LmV9sTz4KcR8" + "wYd1NfB6hJg3AeUiOo0")),
    }


def filled(text: str) -> str:
    """The text with its {{names}} replaced by the secrets."""
    for name, value in secrets().items():
        text = text.replace("{{" + name + "}}", value)
    return text


def broken(text: str) -> str:
    """The text with every secret broken into pieces that look like nothing."""
    for value in secrets().values():
        text = text.replace(value, MARK.join(value[i : i + 5] for i in range(0, len(value), 5)))
    return text


def sessions() -> list[Session]:
    """All sessions of the scenario, in order of time."""
    told = tomllib.loads((HERE / "scenario.toml").read_text(encoding="utf-8"))["session"]
    return [
        Session(one["id"], one["agent"], one["project"], one["at"], tuple(map(_turn, one["turn"])))
        for one in told
    ]


def _turn(told: Block) -> Turn:
    return Turn(filled(told["say"]), tuple(told.get("do", ())), told["answer"].strip())


def lay(project: str) -> None:
    """Copy a toy project into the home; `dot-x` becomes `.x`."""
    source = HERE / "projects" / project
    for file in sorted(source.rglob("*")):
        if file.is_file():
            place = HOME / project / file.relative_to(source)
            place = place.with_name(re.sub(r"^dot-", ".", place.name))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(filled(file.read_text(encoding="utf-8")), encoding="utf-8")
            place.chmod(file.stat().st_mode & 0o777)


def for_anthropic_and_gemini(told: list[Session]) -> list[Block]:
    """Scenarios of the kit's claude-gemini/fake_llm.py."""
    made = []
    for session in told:
        if session.agent in ("claude", "gemini"):
            for turn in session.turns:
                steps = [
                    [*said, {"tool": name, "input": given}] for said, name, given in _calls(session, turn)
                ]
                made.append({"when": turn.say, "steps": [*steps, [{"text": turn.answer}]]})
    return made


def for_openai(told: list[Session]) -> list[Block]:
    """Scenarios of the kit's opencode-codex/fakellm.py."""
    made = []
    for session in told:
        kind = {"codex": "responses", "opencode": "chat"}.get(session.agent)
        for turn in session.turns if kind else ():
            steps: list[Block] = []
            for said, name, given in _calls(session, turn):
                text = "\n".join(block["text"] for block in said)
                steps.append({"tool": name, "args": given, **({"text": text} if text else {})})
            final = {"phase": "final_answer"} if session.agent == "codex" else {}
            steps.append({"text": turn.answer, **final})
            made.append({"agent": kind, "match": re.escape(turn.say), "steps": steps})
    return made


def _calls(session: Session, turn: Turn) -> Iterator[tuple[list[Block], str, Block]]:
    """What is said before each tool call, the agent's name for the tool, and its arguments."""
    said: list[Block] = []
    for step in turn.steps:
        if "text" in step:
            said.append(step)
            continue
        for name, given in _tools(session, step):
            yield said, name, given
            said = []


def _tools(session: Session, step: Block) -> Iterator[tuple[str, Block]]:
    names = TOOLS[session.agent]
    if "run" in step:
        given = {names.command: step["run"]}
        yield names.run, given if session.agent == "codex" else given | {"description": "Run a command"}
        return
    file = str(session.folder / (step.get("read") or step["edit"]))
    yield names.read, {names.file: file}
    if "edit" in step:
        given = {names.file: file, names.old: step["old"], names.new: step["new"]}
        yield names.edit, given | ({"instruction": "as asked"} if session.agent == "gemini" else {})


@dataclass(frozen=True, slots=True)
class Names:
    """What an agent calls its tools and their arguments."""

    run: str
    command: str
    read: str = ""
    edit: str = ""
    file: str = "file_path"
    old: str = "old_string"
    new: str = "new_string"


TOOLS = {
    "claude": Names("Bash", "command", "Read", "Edit"),
    "codex": Names("exec_command", "cmd"),
    "gemini": Names("run_shell_command", "command", "read_file", "replace"),
    "opencode": Names("bash", "command", "read", "edit", "filePath", "oldString", "newString"),
}
