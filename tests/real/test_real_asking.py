"""The user's own agent as the model, with the real agents: what they send, what they start, what is left.

That the user's hooks and servers leave their mark when they are started, test_real_life.py shows.
"""

import json
from pathlib import Path

import pytest
from real_homes import INSTRUCTIONS, VERSIONS, Home, furnished
from real_model import ScriptedModel, Step
from real_npm import program
from real_wait import LONGEST, living
from support.bench import planted
from support.commands import call

from siltstone.agents.ask import AgentModel, agent_model
from siltstone.agents.hooks import AGENTS
from siltstone.agents.readers import readers
from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.port import Reply, Turn
from siltstone.pipeline.model.retry import Policy
from siltstone.prompts import INTERNAL
from siltstone.store.errors import ModelError, Overflow, Unavailable

TEXT = '{"memories": []}'
TURNS = (Turn("system", "Note what lasts."), Turn("user", f"{INTERNAL}: extraction\nWe use pnpm."))
TOO_LONG = {
    "claude": "prompt is too long: 300000 tokens > 200000 maximum",
    "codex": "Your input exceeds the context window of this model.",
    "gemini": "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
    "opencode": "Your input exceeds the context window of this model.",
}
WRITES = {
    "claude": Step(tool="Bash", args={"command": "touch DONE"}),
    "codex": Step(tool="exec_command", args={"cmd": "touch DONE"}),
    "gemini": Step(tool="run_shell_command", args={"command": "touch DONE"}),
    "opencode": Step(tool="bash", args={"command": "touch DONE", "description": "Touch"}),
}
FORBIDDEN = {"gemini": (["list_directory"], "none")}
"""Tools that are offered all the same, and what the service is told of them."""
READ = {"codex", "gemini"}
"""The agents that read the user's instructions for all projects whatever they are called with."""
NAMED = {
    "claude": ("claude-haiku-4-5", "claude-haiku-4-5"),
    "codex": ("gpt-5.6-luna", "gpt-5.6-luna"),
    "gemini": ("gemini-2.5-flash-lite", "gemini-2.5-flash-lite"),
    "opencode": ("scripted/small", "small"),
}
"""A model that is none of the settings', and how the service is asked for it."""


@pytest.fixture(params=AGENTS)
def home(request: pytest.FixtureRequest, tmp_path: Path, model: ScriptedModel) -> Home:
    agent = request.param
    return furnished(agent, tmp_path / "home", program(*VERSIONS[agent], agent), model.url)


@pytest.fixture
def asked(home: Home, tmp_path: Path) -> AgentModel:
    made = agent_model(f"agent:{home.agent}", tmp_path / "asking", home.env)
    made.seconds = LONGEST
    made.policy = Policy(attempts=1)
    return made


def ask(asked: AgentModel) -> Reply:
    return asked.ask(TURNS, WireReply, 8_000)


def _holds(path: Path, text: str) -> bool:
    said = path.read_bytes()
    return text.encode() in said or json.dumps(text).strip('"').encode() in said


def test_it_answers_and_starts_nothing_of_the_users_and_leaves_no_session(
    home: Home, model: ScriptedModel, asked: AgentModel, tmp_path: Path
) -> None:
    model.on(INTERNAL, Step(TEXT, tokens=1200))
    reply = ask(asked)
    assert (reply.text, reply.usage.prompt, reply.usage.completion) == (TEXT, 1200, 10)
    assert home.marks == set()
    (sent,) = model.asked
    assert "Note what lasts." in sent.system
    assert sent.user.endswith(TURNS[1].content)
    assert (sent.tools, sent.body.get("tool_choice")) == FORBIDDEN.get(home.agent, ([], None))
    assert (INSTRUCTIONS in sent.everything) == (home.agent in READ)
    assert len(sent.everything) < 3_000, "the agent's own instructions are left out"
    reader = next(one for one in readers({}, home.env) if one.agent == home.agent)
    assert list(reader.discover()) == []
    left = [path for path in (asked.folder / home.agent).rglob("*") if path.is_file()]
    assert {path.name for path in left} <= {"settings.json", ".gitignore"}
    kept = [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and _holds(path, TURNS[1].content)
    ]
    assert kept == [], "no word of the call stays in the agent's own folders"


def test_the_model_that_is_named_is_asked(home: Home, model: ScriptedModel, tmp_path: Path) -> None:
    model.on(INTERNAL, Step(TEXT))
    named, told = NAMED[home.agent]
    assert ask(agent_model(f"agent:{home.agent}/{named}", tmp_path / "asking", home.env)).text == TEXT
    assert {one.model for one in model.asked} == {told}


@pytest.mark.parametrize("kind", ["gpt-5.5", "gpt-5.6-luna", "gpt-6-astra", "none-that-it-knows"])
def test_codex_offers_no_tools_whichever_model_it_asks(
    kind: str, tmp_path: Path, model: ScriptedModel
) -> None:
    home = furnished("codex", tmp_path / "home", program(*VERSIONS["codex"], "codex"), model.url)
    model.on(INTERNAL, Step(TEXT))
    assert ask(agent_model(f"agent:codex/{kind}", tmp_path / "asking", home.env)).text == TEXT
    (sent,) = model.asked
    assert (sent.model, sent.tools) == (kind, [])
    assert len(sent.everything) < 3_000


def test_a_tool_that_its_model_asks_for_is_not_run(
    home: Home, model: ScriptedModel, asked: AgentModel, tmp_path: Path
) -> None:
    model.on(INTERNAL, WRITES[home.agent], Step(TEXT))
    assert ask(asked).text == TEXT
    assert len(model.asked) == 2
    assert list(tmp_path.rglob("DONE")) == []


def test_a_patch_that_codex_is_asked_for_is_not_applied(tmp_path: Path, model: ScriptedModel) -> None:
    home = furnished("codex", tmp_path / "home", program(*VERSIONS["codex"], "codex"), model.url)
    patch = "*** Begin Patch\n*** Add File: DONE\n+x\n*** End Patch\n"
    model.on(INTERNAL, Step(tool="apply_patch", args={"input": patch}), Step(TEXT))
    asked = agent_model("agent:codex", tmp_path / "asking", home.env)
    assert ask(asked).text == TEXT
    assert list(tmp_path.rglob("DONE")) == []


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        pytest.param(401, ModelError, "denied access", id="no access"),
        pytest.param(400, Overflow, "too large", id="too long"),
        pytest.param(429, Unavailable, "did not answer", id="too many"),
    ],
)
def test_what_its_service_refuses(
    home: Home,
    model: ScriptedModel,
    asked: AgentModel,
    status: int,
    error: type[Exception],
    words: str,
) -> None:
    reason = TOO_LONG[home.agent] if status == 400 else "invalid key" if status == 401 else "rate limit"
    model.on(INTERNAL, Step(reason, status=status))
    goes_on = (home.agent, status) == ("opencode", 429)  # it asks again as long as it is let
    with pytest.raises(error, match=words):
        cut_short(asked, model) if goes_on else ask(asked)


def test_one_that_gets_no_answer_is_ended_with_all_it_started(
    home: Home, model: ScriptedModel, asked: AgentModel
) -> None:
    model.on(INTERNAL, Step(stall=True))
    with pytest.raises(Unavailable, match="in time and was stopped"):
        cut_short(asked, model)
    assert living(home.root) == []


def cut_short(asked: AgentModel, model: ScriptedModel) -> Reply:
    """Asked with as little time as brings it to its model: how much that is depends on the machine."""
    for asked.seconds in (3.0, 6.0, 12.0, 24.0, 48.0, 96.0):
        try:
            return ask(asked)
        except Unavailable:
            if model.asked:
                raise
    raise AssertionError(f"{asked.name} never came to its model")


def test_a_run_learns_through_it(
    home: Home, model: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    for name in ("HOME", "STATE"):
        monkeypatch.setenv(f"SILT_{name}", str(tmp_path / name.lower() / "silt"))
    monkeypatch.setenv("SILT_CONFIG", str(tmp_path / "silt.toml"))
    monkeypatch.setenv("SILT_MODEL", f"agent:{home.agent}")
    roots = ["--root", f"claude={planted(tmp_path / 'sessions', '02')['claude']}"]
    model.on("free shipping starts at £40", Step(_LEARNED))
    said = call("run", *roots, "--yes", "--json")
    assert said.code == 0, said.err
    report = said.json
    assert (report["failed"], report["outcome"]["promoted"]) == (0, 2), report
    assert "Free shipping starts at £40" in [one["description"] for one in call("list", "--json").json]
    asked = len(model.asked)
    assert call("run", *roots, "--json").json["calls"] == 0
    assert call("run", "--json").json["messages"] == 0, "what it was asked is not mined"
    assert len(model.asked) == asked
    assert home.marks == set()


_LEARNED = """{"memories": [{"action": "create", "type": "project", "scope": "project",
 "name": "free-shipping-threshold", "description": "Free shipping starts at £40",
 "body": "Free shipping starts at £40.", "evidence": [{"n": 15, "quote": "free shipping starts at £40"}]}]}"""
