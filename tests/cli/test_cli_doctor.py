"""`silt doctor` on the agents' doors: hooks that stand in settings are called, and what is wrong is told."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from doctor_said import findings
from support.commands import call
from support.faulty_disk import FaultyDisk

from siltstone.cli.doctor import unwritable
from siltstone.store.disk import Disk


class RefusingDisk(Disk):
    """Takes no file, for one reason."""

    def __init__(self, number: int) -> None:
        self._number = number

    def _create(self, path: Path, data: bytes) -> None:
        raise OSError(self._number, os.strerror(self._number), str(path))


def test_before_installing_it_says_how(everyone: Path) -> None:
    assert findings("claude door") == [(True, "not installed; `silt install claude` does it")]
    (everyone / ".gemini").rmdir()
    assert findings("gemini door") == [(True, "Gemini CLI is not here")]
    assert findings("mcp") == []


def test_every_hook_is_called_and_nothing_is_kept_of_it(everyone: Path, kept: object) -> None:
    call("install")
    state = everyone.parent / "state"
    derived = "search.sqlite3"  # whoever reads the store fills it
    before = {path.name: path.read_bytes() for path in state.iterdir() if path.is_file()}
    rows = {row["what"]: (row["good"], row["told"]) for row in call("doctor", "--json").json}
    for agent in ("claude", "gemini", "opencode"):
        good, told = rows[f"{agent} hooks"]
        assert good, told
        assert "hooks answer for you; at most" in told
    after = {path.name: path.read_bytes() for path in state.iterdir() if path.is_file()}
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name] and name != derived] == []


@pytest.mark.parametrize("installed", [False, True], ids=["alone", "beside ours"])
def test_a_hook_written_by_hand_is_named_and_called(
    everyone: Path, kept: object, installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = everyone / "bin" / "silt"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m siltstone "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")
    own = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "silt hook claude"}]}]}}'
    (everyone / ".claude" / "settings.json").write_text(own)
    if installed:
        monkeypatch.setenv("PATH", "/usr/bin:/bin")  # what is installed here is this Python's module
        call("install", "claude")
        monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")
    stays = (
        "1 hook for you written by hand (Stop): `silt install` and `silt uninstall` leave them as they are"
    )
    told = findings("claude hooks")
    assert (True, stays) in told
    answered = [line for good, line in told if good and "answer" in line]
    if not installed:
        assert findings("claude door") == [(True, "not installed; `silt install claude` does it")]
        assert answered == ["1 hook answer for you; nothing is shown here"]
    call("uninstall", "claude")
    assert (everyone / ".claude" / "settings.json").read_text() == own


def test_at_home_what_is_installed_for_the_user_is_no_projects(
    everyone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(everyone)
    assert call("install", "--project").code == 2
    call("install")
    for agent in ("claude", "codex", "gemini", "opencode"):
        assert [good for good, _ in findings(f"{agent} door")] == [True]
    before = sorted(everyone.rglob("*"))
    assert call("uninstall", "--project").out == "nothing was installed\n"
    assert sorted(everyone.rglob("*")) == before


def test_status_names_the_agents_whose_hooks_have_batches_run(everyone: Path) -> None:
    assert "by itself  nothing: `silt install`" in call("status").out
    call("install", "claude", "opencode")
    assert "by itself  the hooks of claude, opencode\n" in call("status").out
    assert call("status", "--json").json["hooks"] == ["claude", "opencode"]


def test_a_model_that_waits_for_its_agreement_is_told(
    everyone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    (good, told), *_ = findings("model")
    assert not good
    assert told.startswith("openai/gpt-5-mini: not agreed to yet")
    call("run", "--yes")
    assert findings("model") == [(True, "openai/gpt-5-mini")]


def test_a_model_whose_program_is_not_there_is_told(everyone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_MODEL", "agent:claude")
    told = "agent:claude: there is no program 'claude' on the PATH; install it, or name another model."
    assert findings("model") == [(False, told)]
    program = everyone / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert findings("model")[0][1].startswith("agent:claude: not agreed to yet")


@pytest.mark.parametrize("agent", ["claude", "gemini", "opencode"])
@pytest.mark.parametrize(
    ("program", "told"),
    [
        (None, "{silt} is not there, so hooks for you do not start"),
        ("#!{home}/gone/bin/python3 -P\n", "{silt} needs {home}/gone/bin/python3, which is not there"),
        ("#!/bin/sh\necho broken >&2\nexit 3\n", "it ends with 3: broken; run"),
    ],
    ids=["no script", "its python is gone", "it fails"],
)
def test_a_command_that_does_not_start_is_told_once(
    everyone: Path, monkeypatch: pytest.MonkeyPatch, agent: str, program: str | None, told: str
) -> None:
    silt = everyone / "bin" / "silt"
    silt.parent.mkdir()
    silt.write_text("#!/bin/sh\n", encoding="utf-8")
    silt.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(silt)])
    call("install", agent)
    if program is None:
        silt.unlink()
    else:
        silt.write_text(program.format(home=everyone), encoding="utf-8")
    (found,) = findings(f"{agent} hooks")
    assert not found[0]
    assert told.format(silt=silt, home=everyone) in found[1]
    assert f"run `silt install {agent}` again" in found[1]
    assert call("doctor").code == 1


def test_hooks_of_an_older_silt_are_told(everyone: Path) -> None:
    call("install", "claude")
    settings = everyone / ".claude" / "settings.json"
    text = settings.read_text(encoding="utf-8")
    line = json.loads(text)["hooks"]["Stop"][0]["hooks"][0]["command"]
    settings.write_text(text.replace(line, "/gone/silt hook claude"), encoding="utf-8")
    assert [good for good, _ in findings("claude door")] == [False]


def test_the_mcp_servers_that_stand_in_settings_are_called(
    everyone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("install", "claude", "opencode")
    assert findings("mcp") == [(True, "`silt mcp` answers (claude, opencode)")]
    monkeypatch.delenv("SILT_CONFIG")
    ((good, told), _) = findings("mcp")
    assert (good, "SILT_CONFIG=" in told and "is not set here" in told) == (True, True)
    silent = everyone / "silt"
    silent.write_text("#!/bin/sh\necho nonsense\n", encoding="utf-8")
    silent.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(silent)])
    call("install", "opencode")
    bad = [told for good, told in findings("mcp") if not good]
    assert bad == [
        f"`{silent} mcp` does not answer; run `silt install opencode` again; call it by hand to see why"
    ]
    silent.unlink()
    bad = [told for good, told in findings("mcp") if not good]
    assert bad == [
        f"`{silent} mcp` does not answer: {silent} is not there; run `silt install opencode` again"
    ]


def test_a_server_of_the_users_own_is_told_and_left(everyone: Path) -> None:
    (everyone / ".codex" / "config.toml").write_text("[mcp_servers.siltstone]\nurl = 'http://x'\n", "utf-8")
    call("install", "codex")
    assert [good for good, _ in findings("codex door")] == [True, True]
    assert "line 1: an MCP server siltstone that is not ours" in findings("codex door")[1][1]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EDQUOT, "the disk is full; free some space"),
        (errno.EACCES, "you have no right to; give yourself that right"),
        (errno.EROFS, "it is on a disk that can only be read"),
        (errno.EIO, "Input/output error; put that right"),
    ],
)
def test_a_folder_in_which_nothing_can_be_written_is_told(tmp_path: Path, number: int, told: str) -> None:
    assert told in unwritable(tmp_path, RefusingDisk(number))
    assert str(tmp_path) in unwritable(tmp_path, RefusingDisk(number))
    assert unwritable(tmp_path, Disk()) == ""
    assert list(tmp_path.iterdir()) == []


UNREADABLE = {
    "claude": ".claude/projects",
    "codex": ".codex/sessions",
    "gemini": ".gemini/tmp",
    "opencode": ".local/share/opencode/storage/session",
}


@pytest.mark.parametrize("agent", UNREADABLE)
def test_transcripts_that_cannot_be_read_are_told_and_the_others_looked_at(
    everyone: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    folder = everyone / UNREADABLE[agent]
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.symlink_to(folder.name)  # even root cannot read that
    rows = {row["what"]: (row["good"], row["told"]) for row in call("doctor", "--json").json}
    assert rows[agent][0] is False
    assert f"{folder} cannot be read" in rows[agent][1]
    assert [rows[other][0] for other in UNREADABLE if other != agent] == [True] * 3
    said = call("run")
    assert (said.code, f"{folder} cannot be read" in said.err) == (0, True)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_settings_in_a_folder_that_cannot_be_read_are_told_and_the_others_looked_at(
    everyone: Path, agent: str
) -> None:
    folder = everyone / f".{agent}"
    folder.rmdir()
    folder.symlink_to(folder.name)
    rows = [(row["what"], row["good"]) for row in call("doctor", "--json").json]
    assert (f"{agent} door", False) in rows
    assert f"{agent} hooks" not in [what for what, _ in rows]
    assert [good for what, good in rows if what.endswith(" door")].count(True) == 3


def test_a_check_makes_no_store_and_no_state(everyone: Path) -> None:
    home = everyone.parent
    before = sorted(home.rglob("*"))
    assert not (home / "state").exists()
    assert findings("store") == [(True, f"no store yet: it is made by the first run, in {home / 'store'}")]
    assert findings("state") == [(True, f"no state yet: it is made by the first run, in {home / 'state'}")]
    assert sorted(home.rglob("*")) == before
    call("run")
    assert findings("store")[0][1].startswith("0 memories in ")


def test_a_disk_that_fills_up_while_doctor_writes_keeps_nothing(tmp_path: Path) -> None:
    broke = [unwritable(tmp_path, FaultyDisk(k, "full")) for k in range(1, 5)]
    assert broke == [f"nothing can be written in {tmp_path}: the disk is full; free some space"] * 4


def test_settings_that_cannot_be_read_are_told_with_their_line(everyone: Path) -> None:
    (everyone / ".claude" / "settings.json").write_text("{\n,", encoding="utf-8")
    ((good, told),) = findings("claude door")
    assert not good
    assert "settings.json, line 2" in told
