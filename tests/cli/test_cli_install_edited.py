"""Files of ours that the user changed: told, used as they are, and never taken for how it was before us."""

import shutil
from pathlib import Path

import pytest
from agents_home import findings
from support.commands import call
from support.folder import everything
from support.git import git

FILES = {
    "claude": ".claude/commands/silt/status.md",
    "codex": ".codex/skills/silt/SKILL.md",
    "opencode": ".config/opencode/plugin/siltstone.js",
}


@pytest.mark.parametrize("agent", FILES)
def test_an_edited_file_stays_and_is_told_of(everyone: Path, agent: str) -> None:
    before = everything(everyone)
    call("install", agent)
    file = everyone / FILES[agent]
    edited = file.read_text(encoding="utf-8") + "// mine\n"
    file.write_text(edited, encoding="utf-8")
    stays = (
        f"{file} has been changed since it was installed and stays as it is; "
        f"to get Siltstone's again, delete it and run `silt install {agent}`"
    )
    assert findings(f"{agent} door") == [(True, "installed for you"), (True, stays)]
    assert [told for _, told in findings(f"{agent} hooks", good=True) if "answer for you" in told]
    said = call("install", agent).out
    assert f"{agent:<9} Siltstone is already installed\n{agent:<9} {stays}\n" in said
    assert file.read_text(encoding="utf-8") == edited
    file.unlink()
    call("install", agent)
    assert file.read_text(encoding="utf-8") + "// mine\n" == edited
    file.write_text(edited, encoding="utf-8")
    said = call("uninstall").out
    assert "as it was before" not in said
    assert (
        f"{file} stays: it has been changed since it was installed; delete it if you do not want it" in said
    )
    assert file.read_text(encoding="utf-8") == edited
    file.unlink()
    left = {name for name in everything(everyone) if name not in before}
    assert not [name for name in left if everything(everyone)[name] is not None]


def test_a_plugin_that_no_record_tells_of_is_seen_and_never_put_back(everyone: Path) -> None:
    call("install", "opencode")
    file = everyone / FILES["opencode"]
    edited = file.read_text(encoding="utf-8") + "// mine\n"
    file.write_text(edited, encoding="utf-8")
    shutil.rmtree(everyone.parent / "state")
    assert "not installed" not in str(findings("opencode door"))
    unknown = f"{file} stays: it is not what this version writes, and there is no record of who changed it"
    assert unknown in call("uninstall").out
    said = call("install", "opencode").out
    assert "-// mine" in said
    assert "is as it was before" in call("uninstall").out
    assert not file.exists()


def test_an_edited_file_of_a_project_stays_out_of_its_git(everyone: Path) -> None:
    git(Path.cwd(), "init", "-q")
    call("install", "claude", "--project")
    file = Path.cwd() / FILES["claude"]
    file.write_text("mine\n", encoding="utf-8")
    assert "run `silt install claude --project`" in call("install", "claude", "--project").out
    assert git(Path.cwd(), "status", "--short") == ""
