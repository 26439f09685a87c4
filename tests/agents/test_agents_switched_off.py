"""Settings by which an agent runs no hook of ours: the user's and a project's, as the agents take them."""

from pathlib import Path

import pytest

from siltstone.agents.doctor import switched_off

CLAUDE, LOCAL = ".claude/settings.json", ".claude/settings.local.json"
CODEX, GEMINI = ".codex/config.toml", ".gemini/settings.json"
OFF = '{"disableAllHooks": true}'
ON = '{"disableAllHooks": false}'
GEMINI_OFF = '{"hooksConfig": {"enabled": false}}'
GEMINI_NAMED = '{\n// mine\n"hooksConfig": {"disabled": ["other", "siltstone"]}}'

ROWS: dict[str, tuple[str, str, dict[str, str], str]] = {
    # the agent; the user's settings; those of the project; what is told
    "nothing": ("claude", "", {}, ""),
    "claude, user": ("claude", OFF, {}, "disableAllHooks is true in {user}"),
    "claude, project": ("claude", "", {CLAUDE: OFF}, f"disableAllHooks is true in {{project}}/{CLAUDE}"),
    "claude, local": ("claude", ON, {LOCAL: OFF}, f"disableAllHooks is true in {{project}}/{LOCAL}"),
    "claude, on in the project": ("claude", OFF, {CLAUDE: ON}, ""),
    "claude, on locally": ("claude", "", {CLAUDE: OFF, LOCAL: ON}, ""),
    "codex, user": ("codex", "[features]\nhooks = false\n", {}, "features.hooks is false in {user}"),
    "codex, older name": ("codex", "features.codex_hooks = false", {}, "features.codex_hooks is false"),
    "codex, project": ("codex", "", {CODEX: "features = {hooks = false}"}, "features.hooks is false"),
    "codex, on": ("codex", "[features]\nhooks = true\n", {}, ""),
    "gemini, user": ("gemini", GEMINI_OFF, {}, "hooksConfig.enabled is false in {user}"),
    "gemini, project": ("gemini", "{}", {GEMINI: GEMINI_OFF}, "hooksConfig.enabled is false in {project}"),
    "gemini, by name": ("gemini", GEMINI_NAMED, {}, "hooksConfig.disabled names siltstone in {user}"),
    "gemini, names of all count": (
        "gemini",
        GEMINI_NAMED,
        {GEMINI: '{"hooksConfig": {"disabled": []}}'},
        "hooksConfig.disabled names siltstone in {user}",
    ),
    "gemini, another's name": ("gemini", '{"hooksConfig": {"disabled": ["other"]}}', {}, ""),
    "gemini, no list": ("gemini", '{"hooksConfig": {"disabled": "siltstone"}}', {}, ""),
    "gemini, no object": ("gemini", '{"hooksConfig": 3}', {}, ""),
    "no switch": ("claude", '{"disableAllHooks": "true"}', {}, ""),
    "broken": ("claude", "{", {}, ""),
    "broken toml": ("codex", "[features", {}, ""),
    "one without settings": ("opencode", "{}", {}, ""),
}


@pytest.mark.parametrize(("agent", "user", "project", "told"), ROWS.values(), ids=ROWS)
def test_what_is_switched_off_is_told_with_its_file(
    agent: str, user: str, project: dict[str, str], told: str, tmp_path: Path
) -> None:
    here, folder = tmp_path / "project", tmp_path / "user"
    folder.mkdir()
    file = folder / ("config.toml" if agent == "codex" else "settings.json")
    file.write_text(user, encoding="utf-8")
    for name, text in project.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    found = switched_off(agent, folder, here)
    assert told.format(user=file, project=here) in found
    assert bool(found) is bool(told)


def test_without_a_project_its_settings_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / CLAUDE).write_text(OFF, encoding="utf-8")
    assert switched_off("claude", tmp_path / "user", tmp_path)
    assert switched_off("claude", tmp_path / "user", None) == ""
