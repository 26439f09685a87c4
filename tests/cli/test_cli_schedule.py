"""`silt schedule`: the exact texts; install and remove against programs that stand in for the system's."""

import os
import plistlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commands import call
from support.table import table

from siltstone.cli.schedule import script, usual
from siltstone.cli.schedulers import ALL, Job, Scheduler, line
from siltstone.store.disk import Disk
from siltstone.store.errors import Misuse, ScheduleError

DATA = Path(__file__).resolve().parents[1] / "data" / "schedule"
VARIABLES = {"PATH": "/opt/git/bin:/usr/bin", "SILT_HOME": '/home/marit/50% "mine" & yours'}
OTHERS = b"MAILTO=marit\n# mine\n0 4 * * * /usr/bin/backup --to=\xff\\%d\n"

each = pytest.mark.parametrize("name", ALL)


class Machine:
    """A home with the three programs in front of everything else, and a job."""

    def __init__(self, home: Path, path: str = f"{DATA / 'bin'}:{os.environ['PATH']}") -> None:
        self.home, self.environ = home, {"HOME": str(home), "PATH": path}
        self.job = job_in(home)

    def scheduler(self, name: str) -> Scheduler:
        return ALL[name](self.environ)

    def everything(self) -> dict[str, bytes | None]:
        """What stands in the home; the programs' own notes apart."""
        found: dict[str, bytes | None] = {}
        for path in sorted(self.home.rglob("*")):
            if path.name not in ("calls", "state") and "state" not in path.parts:
                plain = path.is_file() and not path.is_symlink()
                found[str(path.relative_to(self.home))] = path.read_bytes() if plain else None
        return found


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def job_in(home: Path, variables: Mapping[str, str] = VARIABLES) -> Job:
    return Job("/home/marit/.local/bin/silt", variables, home / "state" / "schedule.log")


@each
def test_the_texts_are_these(name: str) -> None:
    machine = Machine(Path("/home/marit"))
    files = machine.scheduler(name).files(machine.job)
    written = "".join(f"# {where}\n{text}" for where, text in files.items())
    assert written == (DATA / f"{name}.txt").read_text(encoding="utf-8")
    if name == "launchd":
        assert plistlib.loads("".join(files.values()).encode())["EnvironmentVariables"] == VARIABLES


@each
def test_installed_twice_is_installed_once_and_removed_without_a_trace(machine: Machine, name: str) -> None:
    home, job, scheduler = machine.home, machine.job, machine.scheduler(name)
    (home / "crontab").write_bytes(OTHERS)
    for folder in (".config", "Library/LaunchAgents"):
        (home / folder).mkdir(parents=True)
    before = machine.everything()

    assert not scheduler.installed()
    assert scheduler.install(job)
    assert scheduler.installed()
    installed = machine.everything()
    assert installed != before
    (home / "calls").unlink()
    assert not scheduler.install(job), "there was nothing to do"
    assert machine.everything() == installed
    called = (home / "calls").read_text(encoding="utf-8")
    assert "enable" not in called
    assert "boot" not in called

    assert scheduler.install(Job("/opt/silt", job.variables, job.log))
    assert machine.everything() != installed
    assert scheduler.install(job)
    assert machine.everything() == installed

    if name != "systemd":
        job.log.write_text("silt: a sentence\n", encoding="utf-8")
    for found in (True, False):
        assert scheduler.remove(job.log) == found
        assert machine.everything() == before
        assert not job.log.exists()


def test_a_crontab_that_was_not_there_is_not_there_again(machine: Machine) -> None:
    cron = machine.scheduler("cron")
    cron.install(machine.job)
    assert (machine.home / "crontab").read_text(encoding="utf-8") == line(machine.job)
    cron.remove(machine.job.log)
    assert machine.everything() == {}


def test_a_timer_is_taken_away_where_no_manager_runs(machine: Machine) -> None:
    systemd = machine.scheduler("systemd")
    systemd.install(machine.job)
    (machine.home / "nobus").touch()
    assert systemd.remove(machine.job.log)
    assert sorted(machine.everything()) == [".config", "nobus"]


@table("schedule", "what_is_refused_leaves_nothing_behind")
def test_what_is_refused_leaves_nothing_behind(machine: Machine, name: str, file: str, sentence: str) -> None:
    (machine.home / file).touch()
    with pytest.raises(ScheduleError, match=sentence):
        machine.scheduler(name).install(machine.job)
    assert not [path for path in machine.everything() if "siltstone" in path]


def test_an_older_entry_stays_when_its_renewal_is_refused(machine: Machine) -> None:
    systemd = machine.scheduler("systemd")
    systemd.install(machine.job)
    (machine.home / "nobus").touch()
    with pytest.raises(ScheduleError):
        systemd.install(job_in(machine.home, {"SILT_HOME": "/srv/memories"}))
    assert systemd.installed()


@pytest.mark.parametrize("name", ["systemd", "launchd"])
def test_a_file_of_somebody_else_is_left_alone(machine: Machine, name: str) -> None:
    scheduler = machine.scheduler(name)
    file = Path(next(iter(scheduler.files(machine.job))))
    file.parent.mkdir(parents=True)
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(ScheduleError, match="was not written by `silt schedule`"):
        scheduler.install(machine.job)
    assert not scheduler.remove(machine.job.log)
    assert file.read_text(encoding="utf-8") == "mine"


@each
def test_without_its_program_a_scheduler_is_refused(tmp_path: Path, name: str) -> None:
    machine = Machine(tmp_path, str(tmp_path))
    with pytest.raises(ScheduleError, match="was not found on PATH: choose another with"):
        machine.scheduler(name).install(machine.job)
    assert machine.everything() == {}


def test_what_cron_cannot_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError, match="cron accepts 990"):
        line(job_in(tmp_path, {"SILT_HOME": "/x" * 500}))


@pytest.mark.parametrize("value", ["/a\nb", "/a\x00b", "/a\udce9"], ids=["line break", "NUL", "no UTF-8"])
def test_a_path_that_breaks_out_of_its_line_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(Misuse, match="choose a plainer name"):
        job_in(tmp_path, {"SILT_HOME": value})


lines = st.lists(
    st.binary(max_size=12).filter(lambda one: b"\n" not in one) | st.sampled_from([b"", b"# mine", b"#"])
)


@given(lines, lines)
@settings(max_examples=15)
def test_other_lines_of_a_crontab_stay_byte_for_byte(above: list[bytes], below: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        machine = Machine(Path(folder))
        cron, crontab = machine.scheduler("cron"), machine.home / "crontab"
        others = b"".join(one + b"\n" for one in [*above, *below])
        older = line(Job("/opt/silt", {}, machine.job.log)).encode()
        first = b"".join(one + b"\n" for one in above)
        crontab.write_bytes(first + older + others.removeprefix(first))
        assert cron.install(machine.job)
        assert crontab.read_bytes() == others + line(machine.job).encode()
        crontab.write_bytes(line(machine.job).encode() + others)
        assert not cron.install(machine.job)
        assert cron.remove(machine.job.log)
        assert (crontab.read_bytes() if crontab.exists() else b"") == others


def test_a_shell_takes_what_cron_is_given_for_what_was_meant(tmp_path: Path) -> None:
    """cron turns `\\%` into `%` and hands the rest to a shell."""
    command = line(job_in(tmp_path)).removeprefix("*/15 * * * * ").replace(r"\%", "%")
    assert "%" in command
    (tmp_path / "state").mkdir()
    shown = command.replace("/home/marit/.local/bin/silt run --pooled >/dev/null", "env")
    told = Disk().run(["sh", "-c", shown], {"HOME": str(tmp_path)}).out.decode()
    assert f"SILT_HOME={VARIABLES['SILT_HOME']}" in told.splitlines()


@pytest.mark.parametrize(("platform", "name"), [("darwin", "launchd"), ("freebsd", "cron")])
def test_each_system_has_its_usual_one(platform: str, name: str) -> None:
    assert usual(platform, {"PATH": "/nowhere"}) == name


def test_the_script_that_was_called_is_the_one_that_is_scheduled(tmp_path: Path) -> None:
    called = tmp_path / "silt"
    called.write_text("#!/bin/sh\n", encoding="utf-8")
    called.chmod(0o755)
    assert script(str(called), {}) == str(called)
    other = tmp_path / "python"
    shutil.copy(called, other)
    assert script(str(other), {"PATH": str(tmp_path)}) in (str(called), script("", {}))


@pytest.fixture
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose PATH has the three programs and an installed `silt`."""
    programs = home / "bin"
    shutil.copytree(DATA / "bin", programs)
    (programs / "silt").write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / "silt").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return home


def test_from_the_command_line(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = call("schedule", "print", "--with", "cron")
    assert (shown.code, shown.err) == (0, "")
    assert f"SILT_STATE={at_home / 'state'}" in shown.out
    assert not (at_home / "person" / "crontab").exists()

    done = call("schedule", "install", "--with", "cron")
    assert done.code == 0
    assert (at_home / "person" / "crontab").read_text(encoding="utf-8") == shown.out.partition("\n")[2]
    assert "as before" in call("schedule", "install", "--with", "cron").out
    assert call("status", "--json").json["schedule"] == ["cron"]
    assert "by itself  cron, every 15 minutes\n" in call("status").out

    assert call("schedule", "remove").out == "cron no longer runs batches\n"
    assert call("schedule", "remove").out == "nothing was scheduled\n"


def test_one_scheduler_that_refuses_keeps_no_other_from_being_removed(at_home: Path) -> None:
    assert call("schedule", "install", "--with", "systemd").code == 0
    (at_home / "person" / "denied").touch()
    said = call("schedule", "remove")
    assert (said.code, said.out) == (1, "systemd no longer runs batches\n")
    assert "not allowed to use this program" in said.err
    assert call("schedule", "remove", "--with", "systemd").out == "nothing was scheduled\n"


def test_a_file_that_cannot_be_read_is_named(at_home: Path) -> None:
    timer = at_home / "person" / ".config" / "systemd" / "user" / "siltstone.timer"
    timer.mkdir(parents=True)
    refused = call("schedule", "install", "--with", "systemd")
    assert (refused.code, refused.err) == (
        1,
        f"silt: {timer} cannot be used (not a plain file); fix that and run this again\n",
    )
    assert call("status", "--json").json["schedule"] == []


def test_what_only_this_shell_knows_is_said_and_no_key_is_written(
    at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "not-a-" + "real-one"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    said = call("schedule", "install", "--with", "cron")
    assert "SILT_MODEL is set only in this shell" in said.err
    assert "cron does not know OPENAI_API_KEY" in said.err
    assert "run `silt run --yes` once" in said.err
    assert key not in (at_home / "person" / "crontab").read_text(encoding="utf-8")
