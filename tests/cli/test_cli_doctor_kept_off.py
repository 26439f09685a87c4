"""`silt doctor` on hooks that stand and answer, but that the agent itself does not run."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from doctor_said import findings
from support.commands import call

NAMES = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PostToolUse": "post_tool_use",
    "PostCompact": "post_compact",
    "Stop": "stop",
    "SessionEnd": "session_end",
}


def approve(person: Path, hooks: Path, source: str, more: str = "") -> None:
    """What Codex notes of hooks when the user trusts them all."""
    noted = []
    for event, groups in json.loads(hooks.read_text(encoding="utf-8"))["hooks"].items():
        told = {"event_name": NAMES[event], "hooks": [{"async": False, **groups[0]["hooks"][0]}]}
        text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        hashed = f"sha256:{sha256(text.encode()).hexdigest()}"
        noted.append(f'[hooks.state."{source}:{NAMES[event]}:0:0"]\ntrusted_hash = "{hashed}"\n{more}')
    config = person / ".codex" / "config.toml"
    before = config.read_text(encoding="utf-8").partition("\n[hooks.state")[0]
    config.write_text("\n".join([before, *noted]), encoding="utf-8")


def bad() -> list[str]:
    return [told for good, told in findings("codex hooks") if not good]


ALL = ", ".join(NAMES)


def test_hooks_that_codex_was_not_told_to_trust_are_told(
    everyone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("install", "codex")
    hooks = everyone / ".codex" / "hooks.json"
    assert bad() == [
        f'Codex does not run {ALL} yet: start codex and choose "Trust all"',
    ]
    assert call("doctor").code == 1
    approve(everyone, hooks, str(hooks))
    assert (bad(), findings("codex hooks")[-1]) == ([], (True, "approved for you"))
    approve(everyone, hooks, str(hooks), "enabled = false\n")
    assert bad() == [f"Codex does not run {ALL}: switched off; switch them on in its /hooks"]
    approve(everyone, hooks, str(hooks))
    moved = everyone / "silt"
    moved.write_text("#!/bin/sh\n", encoding="utf-8")
    moved.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(moved)])
    call("install", "codex")
    assert bad() == [
        f'Codex does not run {ALL}: changed since they were approved; start codex and choose "Trust all"'
    ]


@pytest.mark.parametrize(
    ("agent", "name", "text", "told"),
    [
        ("claude", ".claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks is true"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks is false"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"disabled": ["siltstone"]}}', "disabled names"),
    ],
)
@pytest.mark.parametrize("where", ["person", "project"])
def test_hooks_that_are_switched_off_are_told(
    everyone: Path, agent: str, name: str, text: str, told: str, where: str
) -> None:
    file = (everyone if where == "person" else Path.cwd()) / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    call("install", agent)
    said = [said for good, said in findings(f"{agent} hooks") if not good]
    assert [
        one for one in said if "runs none of them here: " in one and f"{told}" in one and str(file) in one
    ]
    assert call("doctor").code == 1
    file.unlink() if where == "project" else call("uninstall")
    assert not [said for good, said in findings(f"{agent} hooks") if "runs none" in said]
