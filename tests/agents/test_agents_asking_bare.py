"""What is switched off in an agent that is asked as a model, and that nothing of the call is left."""

import json
from pathlib import Path
from typing import Any

import pytest
from asked_agents import GARBAGE, SPOKEN, TURNS, ask, codex, gemini, model, said
from support.fake_agent import FakeAgents
from support.table import table

from siltstone.store.errors import Unavailable


@table("asking", "switched_off")
def test_what_is_switched_off(
    agents: FakeAgents, name: str, options: list[str], variables: dict[str, str]
) -> None:
    agents.says(name, SPOKEN[name])
    ask(model(agents, name))
    (call,) = agents.calls
    assert set(options) <= set(call["argv"])
    assert variables.items() <= call["env"].items()


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


@table("asking", "opencode_servers")
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
        pytest.param(GARBAGE, 0, id="not readable"),
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


@pytest.mark.parametrize("where", ["home", "named"])
def test_gemini_finds_its_settings_and_its_session_is_taken_away(
    agents: FakeAgents, tmp_path: Path, where: str
) -> None:
    chats = tmp_path / where / ".gemini" / "tmp" / "asking" / "chats"
    environ = {"GEMINI_CLI_HOME": str(tmp_path / "named")} if where == "named" else {}
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
            ask(model(agents, "gemini", **environ))
    assert [path.name[-14:] for path in chats.iterdir()] == ["aaaaaaaa.jsonl"]
