"""Memory as tools in the real agents, registered by `silt install`: what the model is told, what is kept."""

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from real_homes import VERSIONS, Home, furnished
from real_model import ScriptedModel, Step
from real_npm import program
from real_silt import installed_silt
from real_wait import LONGEST

CLAIM = "The shop deploys from the release branch because main is unstable"
NOTED = "inbox/feedback-the-shop-deploys-from-the-release.md"
GOAL = "Let the importer skip unnamed rows"
SESSION = "11111111-1111-4111-8111-111111111111"
CALLED = {
    "claude": ["-p", "--session-id", SESSION, "--allowedTools", "mcp__siltstone"],
    "codex": ["exec", "--dangerously-bypass-hook-trust", "--json", "-"],
    "gemini": ["--skip-trust", "--approval-mode", "yolo"],
    "opencode": ["run", "--format", "json"],
}
"""Headlessly, with the prompt on standard input, and such that it may use the tools."""
NAMES = {
    "claude": ("mcp__siltstone__", ""),
    "codex": ("", "mcp__siltstone"),
    "gemini": ("mcp_siltstone_", ""),
    "opencode": ("siltstone_", ""),
}
"""What stands before a tool of ours as a model calls it in each agent, and its namespace."""
READY = Step(tool="read_mcp_resource", args={"server": "siltstone", "uri": "siltstone://index"})
"""Codex asks its model before a server is ready, and waits for it when a resource of it is read."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has Siltstone and one agent, and a project that is a git repository."""

    home: Home
    silt: Path
    project: Path
    env: dict[str, str]

    def runs(self, *words: str) -> str:
        """What `silt` says."""
        done = self._run([str(self.silt), *words])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def asks(self, prompt: str, words: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """The agent's answer; `words` in place of those with which it may use the tools."""
        return self._run([str(self.home.program), *(words or CALLED[self.home.agent])], prompt)

    def _run(self, words: list[str], told: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.project,
            env=self.env,
            input=told,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )


def person(agent: str, folder: Path, model: ScriptedModel) -> Person:
    home = furnished(agent, folder / "home", program(*VERSIONS[agent], agent), model.url)
    places = {f"SILT_{name}": str(folder / name.lower() / "silt") for name in ("HOME", "STATE", "CONFIG")}
    project = home.root / "larkspur"
    subprocess.run(["git", "init", "-q", str(project)], env=home.env, check=True)
    return Person(home, installed_silt(folder / "bin"), project, home.env | places)


@pytest.fixture(params=VERSIONS)
def anyone(request: pytest.FixtureRequest, tmp_path: Path, model: ScriptedModel) -> Person:
    return person(request.param, tmp_path, model)


def calls(agent: str, *tools: tuple[str, dict[str, Any]]) -> list[Step]:
    """The model's steps: it calls these, and is done."""
    before, namespace = NAMES[agent]
    steps = [Step(tool=f"{before}{name}", args=args, namespace=namespace) for name, args in tools]
    return [*([READY] if agent == "codex" else []), *steps, Step("Done.")]


def results(model: ScriptedModel) -> list[str]:
    """What our tools returned to the model, as far as the last request tells it."""
    found = max((one.results for one in model.turns), key=len, default=[])
    return [one for one in found if "siltstone://" not in one]


def test_what_its_model_remembers_is_kept_with_its_session(anyone: Person, model: ScriptedModel) -> None:
    agent = anyone.home.agent
    anyone.runs("install", agent)
    remember = ("memory_remember", {"text": CLAIM})
    model.on("Keep it", *calls(agent, remember, ("memory_read", {"name": NOTED})))
    done = anyone.asks("Keep it")
    assert done.returncode == 0, done.stderr
    noted, read = results(model)
    assert f"noted: {NOTED}, waiting until the user accepts it" in noted
    assert CLAIM in read
    (item,) = json.loads(anyone.runs("inbox", "--json"))
    assert (item["path"], item["scope"]) == (NOTED, "projects/larkspur")
    ((by, session),) = {(one["agent"], one["session"]) for one in item["evidence"]}
    assert by == agent
    thread = re.search(r'"thread_id":"([^"]+)"', done.stdout)
    known = {"claude": SESSION, "codex": thread and thread[1]}.get(agent)
    assert session == known if known else session.startswith("mcp-"), "others do not tell theirs"


def test_its_model_writes_into_the_memory_of_the_running_session(
    anyone: Person, model: ScriptedModel
) -> None:
    agent = anyone.home.agent
    anyone.runs("install", agent)
    offer_both_sets(anyone)
    update = ("core_memory_update", {"block": "goal", "content": GOAL})
    model.on("Set a goal", *calls(agent, update, ("core_memory_read", {})))
    done = anyone.asks("Set a goal")
    assert done.returncode == 0, done.stderr
    (session,) = json.loads(anyone.runs("session", "--json"))
    assert session["goal"] == GOAL
    updated, read = results(model)
    assert f"(session {session['session']})" in updated
    assert GOAL in read


def offer_both_sets(anyone: Person) -> None:
    """As a person does by hand: the session's tools beside the store's."""
    root, words = anyone.home.root, ["mcp", "--tools", "all"]
    if anyone.home.agent == "opencode":  # whose plugin leaves alone what stands under our name
        settings = root / ".config" / "opencode" / "opencode.json"
        told = json.loads(settings.read_text())
        told["mcp"]["siltstone"] = {"type": "local", "command": [str(anyone.silt), *words]}
        settings.write_text(json.dumps(told))
        return
    places = {"claude": ".claude.json", "codex": ".codex/config.toml", "gemini": ".gemini/settings.json"}
    settings = root / places[anyone.home.agent]
    text, changed = re.subn(r'\[\s*"mcp"\s*\]', json.dumps(words), settings.read_text())
    assert changed == 1
    settings.write_text(text)


@pytest.mark.parametrize("allowed", [False, True], ids=["as it comes", "allowed in its settings"])
def test_claude_code_lets_its_model_use_the_tools_when_the_user_allowed_them(
    allowed: bool, tmp_path: Path, model: ScriptedModel
) -> None:
    somebody = person("claude", tmp_path, model)
    somebody.runs("init")
    somebody.runs("install", "claude")
    if allowed:
        settings = somebody.home.root / ".claude" / "settings.json"
        told = json.loads(settings.read_text())
        told.setdefault("permissions", {}).setdefault("allow", []).append("mcp__siltstone")
        settings.write_text(json.dumps(told))
    model.on("Keep it", *calls("claude", ("memory_remember", {"text": CLAIM})))
    done = somebody.asks("Keep it", ["-p"])
    assert done.returncode == 0, done.stderr
    (said,) = results(model)
    assert ("noted: " in said, "permission" in said) == (allowed, not allowed)
    assert len(json.loads(somebody.runs("inbox", "--json"))) == allowed


BROKEN = {
    "gone": ["/gone/silt"],
    "ends at once": ["/bin/false"],
    "never answers": ["/bin/sh", "-c", "exec sleep 600"],
}


@pytest.mark.parametrize("words", BROKEN.values(), ids=BROKEN.keys())
def test_codex_starts_without_a_server_that_fails(
    words: list[str], tmp_path: Path, model: ScriptedModel
) -> None:
    somebody = person("codex", tmp_path, model)
    somebody.runs("install", "codex")
    settings = somebody.home.root / ".codex" / "config.toml"
    command, *args = words
    told = f"command = {json.dumps(command)}\nargs = {json.dumps(args)}"
    was = f'command = {json.dumps(str(somebody.silt))}\nargs = ["mcp"]'
    assert was in settings.read_text()
    settings.write_text(settings.read_text().replace(was, told))
    model.on("Hello", Step("Hello."))
    done = somebody.asks("Hello")
    assert done.returncode == 0, done.stderr
    assert '"text":"Hello."' in done.stdout
