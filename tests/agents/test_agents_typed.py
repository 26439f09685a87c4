"""What counts as typed where files, commands and pipes put text beside it: as the real agents tell it.

Payloads and records are those of Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0 and OpenCode 1.18.33.
"""

import json
import tomllib
from pathlib import Path

import pytest
from agents_claude_records import record as claude_record
from agents_claude_records import transcript as claude_transcript
from agents_golden import messages, opened, reasons
from support.table import table

from siltstone.agents.claude.read import ClaudeReader
from siltstone.agents.codex.turns import CodexReduction
from siltstone.agents.commands import COMMANDS, gemini
from siltstone.agents.gemini.hooks import MOST
from siltstone.agents.gemini.messages import user_words as gemini_user_words
from siltstone.agents.hooks import NOTHING, HookCall, read_payload
from siltstone.agents.jsonl import Lines
from siltstone.agents.opencode.hooks import is_headless
from siltstone.agents.opencode.read import items
from siltstone.agents.opencode.storage import Part, Row
from siltstone.pipeline.messages import Filtered

HEADLESS = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
FILE = "# B\n\nPlease remember: the deploy word is narwhal.\n"


def heard(agent: str, text: str, **more: object) -> HookCall:
    """What a hook hears of a prompt."""
    event = {"gemini": "BeforeAgent", "opencode": "chat.message"}.get(agent, "UserPromptSubmit")
    told = {"session_id": "s1", "session": "s1", "hook_event_name": event, "prompt": text, "text": text}
    environ = HEADLESS if more.pop("headless_claude", False) else {"HOME": "/nowhere"}
    return read_payload(agent, {**told, **more}, 1_795_165_198.0, environ)


@table("typed", "hooks")
def test_what_a_hook_takes_for_typed(agent: str, text: str, more: dict[str, object], typed: str) -> None:
    here = heard(agent, text, **more)
    assert (here.typed, here.query) == (typed, typed)
    assert [event.text for event in here.events] == ([typed] if typed else [])
    assert (here is NOTHING) == (not typed)


@table("typed", "gemini_commands")
@pytest.mark.parametrize(
    ("where", "told"),
    [("user", ""), ("project", ""), ("other", "GEMINI_CLI_HOME"), ("top", "GEMINI_PROJECT_DIR")],
)
def test_what_a_command_of_gemini_may_have_come_to_is_not_taken_for_typed(
    tmp_path: Path, where: str, told: str, place: str, toml: str, prompt: str, typed: bool
) -> None:
    file = tmp_path / where / ".gemini" / place
    file.parent.mkdir(parents=True)
    file.write_text(toml)
    payload = {"hook_event_name": "BeforeAgent", "session_id": "s1", "prompt": prompt}
    environ = {"HOME": str(tmp_path / "user"), **({told: str(tmp_path / where)} if told else {})}
    here = read_payload("gemini", {**payload, "cwd": str(tmp_path / "project")}, 0.0, environ)
    assert here.show == "first"
    assert bool(here.typed) is bool(here.events) is bool(here.query) is typed


def test_commands_of_ours_leave_typed_what_is(tmp_path: Path) -> None:
    folder = tmp_path / ".gemini" / "commands" / "silt"
    folder.mkdir(parents=True)
    for command in COMMANDS:
        (folder / f"{command.name}.toml").write_text(gemini(["/opt/silt"], command))
        assert tomllib.loads((folder / f"{command.name}.toml").read_text())["prompt"]
    payload = {"hook_event_name": "BeforeAgent", "session_id": "s1", "prompt": FILE}
    assert read_payload("gemini", payload, 0.0, {"HOME": str(tmp_path)}).typed == FILE
    for number in range(MOST):
        (folder / f"{number}.toml").write_text('prompt = "x"')
    assert read_payload("gemini", payload, 0.0, {"HOME": str(tmp_path)}).typed == ""


@pytest.mark.parametrize(
    ("entry", "typed", "left_out"),
    [
        pytest.param("sdk-cli", "explain this", ["piped"], id="claude -p"),
        pytest.param("cli", f"explain this\n{FILE}", [], id="typed to it"),
        pytest.param(None, f"explain this\n{FILE}", [], id="an older record"),
    ],
)
def test_what_was_piped_into_claude_is_not_read_as_typed(
    tmp_path: Path, entry: str | None, typed: str, left_out: list[str]
) -> None:
    more = {"entrypoint": entry} if entry else {}
    path = claude_transcript(tmp_path, claude_record("user", "u1", None, f"explain this\n{FILE}", **more))
    _, steps = opened(ClaudeReader(tmp_path), path)
    assert [one.text for one in messages(steps)] == [typed]
    assert reasons(steps) == left_out


SHOWN = "\n# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\n"


@pytest.mark.parametrize(
    ("prompt", "left_out"),
    [
        pytest.param(f"explain this\n\n<stdin>\n{FILE}</stdin>", ["piped"], id="piped"),
        pytest.param(f"{SHOWN}explain this", ["ide"], id="files beside it"),
        pytest.param(f"{SHOWN}{FILE}{SHOWN}explain this", ["ide"], id="a file that holds the heading"),
    ],
)
def test_what_was_piped_into_codex_or_put_before_a_prompt_is_not_read_as_typed(
    tmp_path: Path, prompt: str, left_out: list[str]
) -> None:
    content = [{"type": "text", "text": prompt}]
    item = {"type": "UserMessage", "id": "i1", "content": content}
    payload = {"type": "item_completed", "item": item}
    path = tmp_path / "rollout.jsonl"
    path.write_text(json.dumps({"type": "event_msg", "payload": payload}) + "\n", encoding="utf-8")
    steps = list(CodexReduction(Lines(path)).steps())
    assert ([one.text for one in messages(steps)], reasons(steps)) == (["explain this"], left_out)


@table("typed", "gemini_records")
def test_what_gemini_put_in_is_not_read_as_typed(record: dict[str, object], text: str, reason: str) -> None:
    assert gemini_user_words(record) == (text, reason)


@table("typed", "opencode_parts")
def test_what_opencode_put_in_is_not_read_as_typed(
    part: dict[str, object], rules: object, found: list[str]
) -> None:
    row = Row("msg_1", 0, {"role": "user"}, (Part("prt_1", {"type": "text", **part}),))
    told = items(row, is_headless(rules))
    assert [one.reason if isinstance(one, Filtered) else one.text for one in told] == found
