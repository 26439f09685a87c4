"""An agent asked as a model: what it is called with, what its report comes to, and every way it goes wrong.

The programs are scripts that answer as the real agents were seen to; tests/real/ asks those.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fake_agent import FakeAgents

from siltstone.agents.asking import ASKED, EXTRA, AgentModel, agent_model, last_record
from siltstone.agents.child import Ended
from siltstone.pipeline.model import Reply, Turn, Usage
from siltstone.pipeline.retry import Policy
from siltstone.pipeline.wire import WireReply
from siltstone.prompts import INTERNAL
from siltstone.store.errors import Misuse, ModelError, Overflow, StoreError, Unavailable

TEXT = '{"memories": []}'
TURNS = (Turn("system", "Note {env:HOME} what lasts."), Turn("user", f"{INTERNAL}: extraction\nWe use pnpm."))
NOTHING = b"\x00\xff{[,"


def jsonl(*events: object) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def claude(**fields: Any) -> str:
    usage = {"input_tokens": 900, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 0}
    report = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": TEXT,
        "total_cost_usd": 0.02,
        "usage": usage | {"output_tokens": 60},
        "api_error_status": None,
    }
    return json.dumps(report | fields) + "\n"


def failed(words: str, status: int | None = None, **fields: Any) -> str:
    return claude(is_error=True, result=words, api_error_status=status, total_cost_usd=0, usage={}, **fields)


def codex(*items: dict[str, Any], last: dict[str, Any] | None = None) -> str:
    usage = {"input_tokens": 1000, "cached_input_tokens": 100, "output_tokens": 60}
    end = last or {"type": "turn.completed", "usage": usage}
    events = [{"type": "item.completed", "item": item} for item in items]
    return jsonl({"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}, *events, end)


def codex_failed(words: str) -> str:
    tried = {"type": "error", "message": f"Reconnecting... 1/5 ({words})"}
    return jsonl({"type": "turn.started"}, tried, {"type": "turn.failed", "error": {"message": words}})


def said(text: str) -> dict[str, Any]:
    return {"type": "agent_message", "text": text}


def gemini(**fields: Any) -> str:
    models = {
        "router": {"tokens": {"prompt": 400, "candidates": 10, "thoughts": 0, "cached": 0}},
        "main": {"tokens": {"prompt": 600, "candidates": 43, "thoughts": 7, "cached": 100}},
    }
    return json.dumps({"session_id": "s", "response": TEXT, "stats": {"models": models}} | fields, indent=2)


def gemini_failed(words: str, code: int) -> str:
    noise = "Ripgrep is not available. Falling back to GrepTool.\nError when talking {\n  status: 1\n}\n"
    error = {"type": "Error", "message": words, "code": code}
    return noise + json.dumps({"session_id": "s", "error": error}, indent=2) + "\n"


def opencode(*texts: str, reason: str = "stop") -> str:
    tokens = {"input": 900, "output": 50, "reasoning": 10, "cache": {"read": 100, "write": 0}}
    parts = [{"type": "text", "part": {"messageID": "m", "text": text}} for text in texts]
    end = {"type": "step_finish", "part": {"reason": reason, "tokens": tokens, "cost": 0.02}}
    return jsonl({"type": "step_start", "part": {}}, *parts, end)


def opencode_failed(name: str, words: str, status: int | None = None) -> str:
    return jsonl({"type": "error", "error": {"name": name, "data": {"message": words, "statusCode": status}}})


SPOKEN = {
    "claude": claude(),
    "codex": codex(said("Let me see."), said(TEXT)),
    "gemini": gemini(),
    "opencode": opencode(TEXT[:5], TEXT[5:]),
}
COSTS = {"claude": 0.02, "codex": None, "gemini": None, "opencode": 0.02}


@pytest.fixture
def agents(tmp_path: Path) -> FakeAgents:
    return FakeAgents(tmp_path / "bin")


def model(agents: FakeAgents, name: str, **environ: str) -> AgentModel:
    """The agent as a model, asked once, in a folder of the test's own."""
    folder = agents.folder.parent
    known = {"PATH": str(agents.folder), "HOME": str(folder / "home"), **environ}
    made = agent_model(f"agent:{name}", folder / "asking", known)
    made.seconds = 20.0
    made.policy = Policy(attempts=1)
    return made


def ask(asked: AgentModel) -> Reply:
    return asked.ask(TURNS, WireReply, 8_000)


@pytest.mark.parametrize("name", ASKED)
def test_the_reply_and_what_it_took(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    assert ask(model(agents, name)) == Reply(TEXT, Usage(1000, 60, 100, COSTS[name]))


@pytest.mark.parametrize("name", ASKED)
def test_how_it_is_called(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    ask(model(agents, name, CLAUDECODE="1", OPENCODE="1", GEMINI_CLI="1", CODEX_THREAD_ID="t", MINE="kept"))
    (call,) = agents.calls
    assert call["text"] == TURNS[1].content
    assert call["text"].startswith(INTERNAL), "the readers know it by this"
    assert call["env"]["SILT_OWN"] == "1", "our own hooks keep still"
    assert call["env"]["MINE"] == "kept"
    assert len({"CLAUDECODE", "OPENCODE", "GEMINI_CLI", "CODEX_THREAD_ID"} & set(call["env"])) == 3
    assert call["cwd"] == str(agents.folder.parent / "asking" / name)
    assert "pnpm" not in " ".join(call["argv"]), "everybody on the machine sees arguments"
    left = [path.name for path in (agents.folder.parent / "asking").iterdir()]
    assert left == [name], "a call's own folder goes with it"


@pytest.mark.parametrize(
    ("name", "options", "variables"),
    [
        (
            "claude",
            ["--tools=", "--strict-mcp-config", "--no-session-persistence"],
            {"CLAUDE_CODE_SAFE_MODE": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"},
        ),
        ("codex", ["--ephemeral", "--sandbox=read-only", "--config=features.hooks=false"], {}),
        ("gemini", ["--extensions=none", "--allowed-mcp-server-names=none"], {}),
        (
            "opencode",
            ["--agent=siltstone"],
            {"OPENCODE_DB": ":memory:", "OPENCODE_PURE": "1", "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT": "1"},
        ),
    ],
    ids=ASKED,
)
def test_what_is_switched_off(
    agents: FakeAgents, name: str, options: list[str], variables: dict[str, str]
) -> None:
    agents.says(name, SPOKEN[name])
    ask(model(agents, name))
    (call,) = agents.calls
    assert set(options) <= set(call["argv"])
    assert variables.items() <= call["env"].items()


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("agent:claude/haiku", "--model=haiku"),
        ("agent:claude/claude-opus-4-5[1m]", "--model=claude-opus-4-5[1m]"),
        ("agent:codex/gpt-5-mini", "--model=gpt-5-mini"),
        ("agent:gemini/gemini-2.5-flash", "--model=gemini-2.5-flash"),
        ("agent:opencode/openrouter/x-ai/grok:free", "--model=openrouter/x-ai/grok:free"),
    ],
)
def test_a_model_is_named_behind_the_agent(agents: FakeAgents, name: str, option: str) -> None:
    agent = name.split("/")[0].removeprefix("agent:")
    agents.says(agent, SPOKEN[agent])
    ask(model(agents, name.removeprefix("agent:")))
    ask(model(agents, agent))
    named, unnamed = agents.calls
    assert [word for word in named["argv"] if word.startswith("--model")] == [option]
    assert not [word for word in unnamed["argv"] if word.startswith("--model")]


@pytest.mark.parametrize(
    "name",
    ["claude/", "claude/ ", "codex/-x", "gemini/a b", "opencode/scripted", "opencode//x", "claude/a\0b"],
)
def test_what_cannot_be_the_name_of_a_model_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Misuse, match="names no model of"):
        agent_model(f"agent:{name}", tmp_path, {})


KNOWN = {"slug": "a", "apply_patch_tool_type": "freeform", "tool_mode": "code_mode_only", "priority": 2}


@pytest.mark.parametrize(
    ("told", "given"),
    [
        pytest.param(
            json.dumps({"models": [KNOWN | {"experimental_supported_tools": ["clock"]}]}),
            {"models": [{"slug": "a", "priority": 2, "experimental_supported_tools": []}]},
            id="tools are taken out",
        ),
        pytest.param('{"models": []}', None, id="none"),
        pytest.param('{"models": "x"}', None, id="another type"),
        pytest.param("[1]", None, id="another shape"),
        pytest.param("nonsense", None, id="not readable"),
    ],
)
def test_codex_is_given_its_own_list_of_models_without_tools(
    agents: FakeAgents, told: str, given: dict[str, Any] | None
) -> None:
    agents.knows(told)
    find = "[a for a in sys.argv if 'model_catalog_json' in a]"
    read = f"open({find}[0].split('\"')[1]).read() if {find} else 'null'"
    agents.does("codex", f"print({codex(said('@'))!r}.replace('\"@\"', json.dumps({read})))")
    assert json.loads(ask(model(agents, "codex")).text) == given


def test_a_folder_of_settings_that_the_user_named_stays(agents: FakeAgents, tmp_path: Path) -> None:
    agents.says("opencode", SPOKEN["opencode"])
    ask(model(agents, "opencode"))
    ask(model(agents, "opencode", OPENCODE_CONFIG_DIR=str(tmp_path)))
    folders = [call["env"]["OPENCODE_CONFIG_DIR"] for call in agents.calls]
    assert folders == [str(tmp_path / "asking" / "opencode" / "settings"), str(tmp_path)]
    assert list(Path(folders[0]).iterdir()) == []


@pytest.mark.parametrize("name", ["codex", "gemini"])
def test_our_words_for_the_system_come_from_a_file_that_is_there_during_the_call(
    agents: FakeAgents, name: str
) -> None:
    find = {
        "codex": "[a for a in sys.argv if 'model_instructions_file' in a][0].split('\"')[1]",
        "gemini": "os.environ['GEMINI_SYSTEM_MD']",
    }
    spoken = {"codex": codex(said("@")), "gemini": gemini(response="@")}[name]
    agents.does(name, f"print({spoken!r}.replace('@', open({find[name]}).read()))")
    assert ask(model(agents, name)).text == TURNS[0].content


def test_opencode_is_given_an_agent_and_fills_nothing_in(agents: FakeAgents) -> None:
    agents.says("opencode", SPOKEN["opencode"])
    ask(model(agents, "opencode", OPENCODE_CONFIG_CONTENT='{"model": "a/b", "mcp": {"own": {"type": "x"}}}'))
    content = agents.calls[0]["env"]["OPENCODE_CONFIG_CONTENT"]
    assert "{env:" not in content
    told = json.loads(content)
    assert told["agent"]["siltstone"]["prompt"] == TURNS[0].content
    assert told["agent"]["siltstone"]["tools"] == {"*": False}
    assert told["model"] == "a/b", "what the user gave this way stays"
    assert told["mcp"] == {"own": {"type": "x", "enabled": False}}


@pytest.mark.parametrize(
    ("file", "written", "variable"),
    [
        pytest.param("home/.config/opencode/opencode.jsonc", '{"mcp": {"a": {},}, // so\n}', "", id="home"),
        pytest.param("x/opencode/opencode.json", '{"mcp": {"a": {}}}', "XDG_CONFIG_HOME=x", id="xdg"),
        pytest.param("dir/opencode.json", '{"mcp": {"a": {}}}', "OPENCODE_CONFIG_DIR=dir", id="folder"),
        pytest.param("one.json", '{"mcp": {"a": {}}}', "OPENCODE_CONFIG=one.json", id="file"),
    ],
)
def test_servers_of_opencode_are_off_wherever_they_are_named(
    agents: FakeAgents, tmp_path: Path, file: str, written: str, variable: str
) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(written)
    name, _, place = variable.partition("=")
    agents.says("opencode", SPOKEN["opencode"])
    ask(model(agents, "opencode", **({name: str(tmp_path / place)} if name else {})))
    assert json.loads(agents.calls[0]["env"]["OPENCODE_CONFIG_CONTENT"])["mcp"] == {"a": {"enabled": False}}


@pytest.mark.parametrize(
    ("written", "off"),
    [
        pytest.param(b"[mcp_servers.mem]\ncommand = 'x'\n[mcp_servers.b-2]\ncommand = 'y'\n", 2, id="two"),
        pytest.param(b"[mcp_servers.'a b']\ncommand = 'x'\n", 0, id="a name that no option can say"),
        pytest.param(b"mcp_servers = 7", 0, id="another type"),
        pytest.param(NOTHING, 0, id="not readable"),
    ],
)
def test_servers_of_codex_are_off_by_name(
    agents: FakeAgents, tmp_path: Path, written: bytes, off: int
) -> None:
    (tmp_path / "cx").mkdir()
    (tmp_path / "cx" / "config.toml").write_bytes(written)
    agents.says("codex", SPOKEN["codex"])
    ask(model(agents, "codex", CODEX_HOME=str(tmp_path / "cx")))
    found = [word for word in agents.calls[0]["argv"] if word.startswith("--config=mcp_servers.")]
    assert len(found) == off
    assert all(word.endswith(".enabled=false") for word in found)


def test_gemini_finds_its_settings_and_its_session_is_taken_away(agents: FakeAgents, tmp_path: Path) -> None:
    chats = tmp_path / "home" / ".gemini" / "tmp" / "asking" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-2026-11-21T08-52-aaaaaaaa.jsonl").write_text('{"sessionId": "another"}')
    agents.does(
        "gemini",
        "session = [a for a in sys.argv if a.startswith('--session-id=')][0][13:]\n"
        f"path = os.path.join({str(chats)!r}, 'session-2026-11-21T08-52-' + session[:8] + '.jsonl')\n"
        "open(path, 'w').write(json.dumps({'sessionId': session}))\n"
        "assert not json.load(open('.gemini/settings.json'))['hooksConfig']['enabled']\n"
        f"print({gemini()!r}); os.kill(os.getpid(), 9)",
    )
    for _ in range(2):
        with pytest.raises(Unavailable, match="signal 9"):
            ask(model(agents, "gemini"))
    assert [path.name[-14:] for path in chats.iterdir()] == ["aaaaaaaa.jsonl"]


LOGGED_OUT = [
    ("claude", failed("Not logged in · Please run /login"), "", 1, "run `claude` and log in"),
    ("claude", failed("Invalid API key · Fix external API key", 401), "", 1, "log in"),
    ("codex", codex_failed("unexpected status 401 Unauthorized: Missing bearer"), "", 1, "`codex login`"),
    (
        "gemini",
        "",
        gemini_failed("Please set an Auth method in your settings.json", 41),
        41,
        "`gemini` and log in",
    ),
    ("gemini", "", gemini_failed('{"error":{"code":403,"message":"denied"}}', 403), 147, "log in"),
    ("opencode", opencode_failed("APIError", "invalid x-api-key", 401), "", 1, "`opencode auth login`"),
    ("opencode", opencode_failed("ProviderAuthError", "Missing API key"), "", 1, "auth login"),
]
TOO_OLD = [
    ("claude", "", "error: unknown option '--tools='", 1, "update claude"),
    ("codex", "", "error: unexpected argument '--ephemeral' found\n\n  tip: to pass", 2, "update codex"),
    ("gemini", "", "Usage: gemini [options]\n\nUnknown argument: session-id", 1, "update gemini"),
    ("opencode", "", "opencode run [message..]\n\nrun opencode with a message\n", 1, "update opencode"),
]
FOR_GOOD = [
    ("codex", "", "Error: Not inside a trusted directory", 1, r"status 1 \(Error: Not inside a trusted"),
    ("gemini", "", "Gemini CLI is not running in a trusted directory.", 55, "not running in a trusted"),
    ("claude", failed("Credit balance is too low", 400), "", 1, "Credit balance is too low"),
    ("claude", "", "", 1, "failed with status 1; run claude yourself"),
    ("claude", '{"type": "result", "is_er', "", 0, "without a reply that can be read"),
    ("codex", codex(), "", 0, "without a reply that can be read"),
    ("gemini", "[]", "", 0, "without a reply that can be read"),
    ("opencode", opencode("x", reason="tool-calls"), "", 0, "without a reply that can be read"),
    ("claude", claude(subtype="error_max_turns", result=None), "", 1, "error_max_turns"),
]


@pytest.mark.parametrize(("name", "out", "err", "code", "words"), LOGGED_OUT + TOO_OLD + FOR_GOOD)
def test_what_no_second_try_mends(
    agents: FakeAgents, name: str, out: str, err: str, code: int, words: str
) -> None:
    agents.says(name, out, err, code)
    with pytest.raises(ModelError, match=words) as raised:
        ask(model(agents, name))
    assert str(raised.value).startswith(f"agent:{name} ")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "out", "err", "code"),
    [
        ("claude", failed("API Error: Request rejected (429) · rate limit", 429), "", 1),
        ("claude", failed("API Error: 529 Overloaded. This is a server-side issue", 529), "", 1),
        ("claude", failed("API Error: Connection refused (ECONNREFUSED)"), "", 1),
        ("codex", codex_failed("exceeded retry limit, last status: 429 Too Many Requests"), "", 1),
        ("codex", codex_failed("We’re currently experiencing high demand, which may cause"), "", 1),
        ("codex", codex_failed("stream disconnected before completion"), "", 1),
        ("gemini", "", gemini_failed("Resource has been exhausted (e.g. check quota).", 429), 173),
        ("opencode", opencode_failed("APIError", "boom", 500), "", 1),
    ],
)
def test_what_may_pass_is_asked_again(agents: FakeAgents, name: str, out: str, err: str, code: int) -> None:
    pauses: list[float] = []
    agents.says(name, out, err, code)
    asked = model(agents, name)
    asked.policy = Policy(attempts=2, sleep=pauses.append)
    with pytest.raises(Unavailable, match="try again later"):
        ask(asked)
    assert len(agents.calls) == 2
    assert len(pauses) == 1


@pytest.mark.parametrize(
    ("name", "out"),
    [
        ("claude", failed("Claude AI usage limit reached|1795250825", 429)),
        ("claude", failed("5-hour limit reached ∙ resets 3pm", 429)),
        ("codex", codex_failed("You've hit your usage limit. Upgrade or try again in 3 days.")),
    ],
)
def test_an_allowance_that_is_used_up_waits_for_a_later_run(agents: FakeAgents, name: str, out: str) -> None:
    agents.says(name, out, code=1)
    asked = model(agents, name)
    asked.policy = Policy(sleep=lambda _: pytest.fail("asked again at once"))
    with pytest.raises(Unavailable, match="used up what its account allows"):
        ask(asked)


@pytest.mark.parametrize(
    ("name", "out", "err"),
    [
        ("claude", failed("Prompt is too long · the request is ~300000 tokens", 400), ""),
        ("codex", codex_failed("Codex ran out of room in the model's context window. Start a new"), ""),
        ("gemini", "", gemini_failed("The input token count (2000000) exceeds the maximum", 400)),
        ("opencode", opencode_failed("ContextOverflowError", "Your input exceeds the context window"), ""),
    ],
    ids=ASKED,
)
def test_a_window_too_large_is_an_overflow(agents: FakeAgents, name: str, out: str, err: str) -> None:
    agents.says(name, out, err, 1)
    with pytest.raises(Overflow):
        ask(model(agents, name))


@pytest.mark.parametrize(
    ("name", "out"),
    [
        ("claude", failed("API Error: Claude's response exceeded the 8000 output token maximum.")),
        ("opencode", opencode(TEXT[:5], reason="length")),
    ],
)
def test_a_reply_cut_at_the_limit_says_so(agents: FakeAgents, name: str, out: str) -> None:
    agents.says(name, out)
    assert ask(model(agents, name)).cut


@pytest.mark.parametrize("name", ASKED)
def test_one_that_hangs_is_ended(agents: FakeAgents, name: str) -> None:
    agents.does(name, "print('Error: waiting for network', file=sys.stderr, flush=True)\ntime.sleep(600)")
    asked = model(agents, name)
    asked.seconds = 1.0
    with pytest.raises(Unavailable, match=r"not answer in time and was ended \(Error: waiting"):
        ask(asked)


@pytest.mark.parametrize("name", ASKED)
def test_one_that_has_answered_and_goes_on_has_answered(agents: FakeAgents, name: str) -> None:
    agents.does(name, f"print({SPOKEN[name]!r}, flush=True)\ntime.sleep(600)")
    asked = model(agents, name)
    asked.seconds = 1.0
    assert ask(asked).text == TEXT


def test_one_that_floods_is_ended(agents: FakeAgents) -> None:
    agents.does("codex", "while True: os.write(1, b'x' * 100_000)")
    with pytest.raises(Unavailable, match="wrote over 8 MB"):
        ask(model(agents, "codex"))


@pytest.mark.parametrize("name", ASKED)
def test_one_that_dies_is_asked_again_later(agents: FakeAgents, name: str) -> None:
    agents.does(name, f"os.write(1, {SPOKEN[name][:40].encode()!r}); os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(Unavailable, match="ended by signal 11"):
        ask(model(agents, name))


def test_one_that_is_not_there(agents: FakeAgents) -> None:
    with pytest.raises(ModelError, match="no program 'claude' on the PATH; install it"):
        ask(model(agents, "claude"))


def test_one_that_cannot_be_started(agents: FakeAgents, tmp_path: Path) -> None:
    agents.says("claude")
    (agents.folder / "claude").write_bytes(NOTHING)
    with pytest.raises(StoreError, match="could not be started"):
        ask(model(agents, "claude"))


def test_a_folder_that_cannot_be_made(agents: FakeAgents, tmp_path: Path) -> None:
    agents.says("claude", SPOKEN["claude"])
    (tmp_path / "asking").write_text("a file")
    with pytest.raises(StoreError, match="can be written to"):
        ask(model(agents, "claude"))


@pytest.mark.parametrize("name", ["agent:", "agent:plain", "agent:../x", "agent:Claude"])
def test_an_agent_there_is_none_of(tmp_path: Path, name: str) -> None:
    with pytest.raises(Misuse, match="agent:claude, agent:codex, agent:gemini, agent:opencode"):
        agent_model(name, tmp_path, {})


def test_a_secret_in_its_complaint_is_hidden(agents: FakeAgents) -> None:
    key = "sk-ant-" + "api03-" + "Zk3" * 31 + "AA"
    agents.says("claude", failed(f"Error: key {key} is refused", 400), code=1)
    with pytest.raises(ModelError, match="refused") as raised:
        ask(model(agents, "claude"))
    assert key not in str(raised.value)


def test_the_cost_reported_is_the_price_expected(agents: FakeAgents) -> None:
    agents.says("claude", SPOKEN["claude"])
    asked = model(agents, "claude")
    assert asked.price(1_000, 60) is None
    ask(asked)
    assert asked.price(2_000, 120) == pytest.approx(0.04)


def test_what_is_not_reported_is_counted(agents: FakeAgents) -> None:
    agents.says("claude", claude(usage={}, total_cost_usd=None))
    asked = model(agents, "claude")
    usage = ask(asked).usage
    assert usage.prompt == asked.count(TURNS) > EXTRA
    assert 0 < usage.completion < 20
    assert usage.cost is None


@pytest.mark.parametrize("name", ASKED)
def test_a_conversation_is_one_message(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    turns = (*TURNS, Turn("assistant", "nonsense"), Turn("user", "Reply again."))
    model(agents, name).ask(turns, WireReply, 8_000)
    text = agents.calls[0]["text"]
    assert text.startswith(TURNS[1].content)
    assert "nonsense" in text
    assert text.endswith("Reply again.\n")


def documents() -> st.SearchStrategy[Any]:
    keys = st.sampled_from(["type", "item", "part", "usage", "result", "error", "response", "stats", "x"])
    values = ["result", "text", "step_finish", "turn.completed", "item.completed", "error", "agent_message"]
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(values) | st.text()
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=9)


@given(name=st.sampled_from(ASKED), told=st.lists(documents() | st.text()), code=st.integers(-9, 255))
def test_no_report_makes_it_crash(name: str, told: list[Any], code: int) -> None:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in told)
    asker = agent_model(f"agent:{name}", Path("/none"), {}).asker
    report = asker.told(Ended(text, text, code))
    assert report is None or isinstance(report.text, (str, type(None)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('noise\n{\n "a": {\n  "b": 1\n }\n}\n', {"a": {"b": 1}}),
        ('{broken\n{"a": 1}', {"a": 1}),
        ('{"a": 1} and more', {}),
        ("", {}),
    ],
)
def test_the_object_a_text_ends_with(text: str, found: dict[str, Any]) -> None:
    assert last_record(text) == found
