"""`silt doctor` on hooks that stand and answer, but that the agent itself does not run."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from agents_home import findings, program
from support.commands import call
from support.table import table

NAMES = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreToolUse": "pre_tool_use",
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


ALL = ", ".join(NAMES)


def test_hooks_that_codex_was_not_told_to_trust_are_told(
    everyone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad() -> list[str]:
        return [told for _, told in findings("codex hooks", good=False)]

    def asks() -> bool:
        return "by hand: Codex needs you to approve the hooks" in call("install", "codex").out

    assert asks()
    hooks = everyone / ".codex" / "hooks.json"
    trust = 'start codex and choose "Trust all and continue"'
    assert bad() == [f"Codex does not run {ALL} yet: {trust}"]
    approve(everyone, hooks, str(hooks), "enabled = false\n")
    assert bad() == [f"Codex does not run {ALL}: switched off; switch them on in its /hooks"]
    approve(everyone, hooks, str(hooks))
    found = findings("codex hooks")
    assert ([good for good, _ in found], found[-1]) == ([True] * len(found), (True, "approved for you"))
    assert not asks()
    monkeypatch.setattr("sys.argv", [str(program(everyone / "silt"))])
    assert asks()
    assert bad() == [f"Codex does not run {ALL}: changed since they were approved; {trust}"]


@table("doctor_kept_off", "hooks_that_are_switched_off_are_told")
@pytest.mark.parametrize("where", ["person", "project"])
def test_hooks_that_are_switched_off_are_told(
    everyone: Path, agent: str, name: str, text: str, told: str, where: str
) -> None:
    file = (everyone if where == "person" else Path.cwd()) / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    call("install", agent)
    bad = [said for _, said in findings(f"{agent} hooks", good=False)]
    assert [one for one in bad if "does not run hooks here: " in one and told in one and str(file) in one]
    file.unlink() if where == "project" else call("uninstall")
    assert not [said for _, said in findings(f"{agent} hooks", good=False) if "does not run hooks" in said]
