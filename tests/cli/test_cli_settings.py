"""Settings: where they come from, which wins, and what is said when one is wrong."""

import os
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest
from support import settings as manual
from support.commands import call
from support.table import table

from siltstone.cli.settings import configure
from siltstone.store.errors import Misuse


def test_a_variable_wins_over_the_file_and_both_are_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config.toml").write_text('model = "ollama/qwen3"\ncompact_churn = 20\n', encoding="utf-8")
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    told = call("config", "--json").json
    assert all(name in call("config").out for name in ("SILT_MODEL", "MEMORY_COMPACT_CHURN"))
    assert told["model"] == {"value": "openai/gpt-5-mini", "from": "SILT_MODEL"}
    assert told["compact_churn"] == {"value": 20, "from": "file"}
    assert told["idle_ms"]["from"] == "default"


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")],
    ids=["pipe", "folder", "device"],
)
def test_a_config_that_is_no_plain_file_is_told_at_once(home: Path, make: Callable[[Path], None]) -> None:
    path = home / "config.toml"
    make(path)
    told = f"silt: {path} cannot be read (not a plain file); make it a file that you can read.\n"
    for words in (["list"], ["config", "set", "idle", "90s"]):
        said = call(*words)
        assert (said.code, said.out, said.err) == (2, "", told)
    assert f"silt: the settings are ignored: {path}: not a plain file\n" in call("inject").err
    assert not path.is_file()


def test_the_config_may_be_no_file_at_all_and_may_begin_with_a_byte_order_mark(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / "config.toml"
    path.write_bytes(BOM_UTF8 + b'idle_ms = "90s"\r\nlayout = "memfs"\r\n')
    assert call("config", "--json").json["idle_ms"] == {"value": 90_000, "from": "file"}
    assert "settings" not in call("inject").err
    monkeypatch.setenv("SILT_CONFIG", os.devnull)
    assert call("config", "--json").json["idle_ms"]["from"] == "default"
    assert "settings" not in call("inject").err
    assert call("config", "set", "idle", "90s").code == 1, "a device is not replaced by a file"


def test_the_older_names_work_too() -> None:
    older = {"MEMORY_COMPACT_CHURN": "3", "MEMORY_EXTRACT_MODEL": "x/y", "MEMORY_COMPACT_POLL_MS": "90000"}
    found = configure({**older, "SILT_CONFIG": "/none"}).settings
    assert (found.compact_churn, found.model, found.compact_poll_ms) == (3, "x/y", 90_000)


@table("config", "wrong")
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Misuse, match=sentence):
        configure({"SILT_CONFIG": str(path)})


@table("settings", "a_variable_that_makes_no_sense_is_named")
def test_a_variable_that_makes_no_sense_is_named(name: str, value: str) -> None:
    with pytest.raises(Misuse, match=name):
        configure({name: value, "SILT_CONFIG": "/none"})


def test_a_poll_or_a_store_too_small_is_the_least_that_works() -> None:
    found = configure(
        {"MEMORY_COMPACT_POLL_MS": "30000", "MEMORY_COMPACT_MIN_ENTRIES": "1", "SILT_CONFIG": "/none"}
    )
    assert (found.settings.compact_poll_ms, found.settings.compact_min_entries) == (60_000, 2)


@pytest.mark.parametrize(
    ("pattern", "compared"),
    [("~/x", "{home}/x"), ("~", "{home}"), ("/src/x/", "/src/x"), ("*/clients/*", "*/clients/*")],
)
def test_excluded_folders_are_written_out(home: Path, pattern: str, compared: str) -> None:
    (home / "config.toml").write_text(f'exclude = ["{pattern}"]', encoding="utf-8")
    assert configure().settings.exclude == (compared.format(home=home / "person"),)


@pytest.mark.parametrize("name", ["SILT_HOME", "SILT_STATE", "SILT_CONFIG"])
def test_a_place_in_the_home_of_nobody_is_misuse(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "~nobody-of-that-name/x")
    with pytest.raises(Misuse, match=rf"^{name}: there is no home folder for '~nobody-of-that-name/x'"):
        configure()


BROKEN = 'model = "x/y"\n\ncompact_churn = "many"\nmodle = 1\n'


@pytest.mark.parametrize(
    ("text", "lines", "model"),
    [
        pytest.param(BROKEN, ["line 3: compact_churn", "line 4: there is no setting"], "x/y", id="settings"),
        pytest.param("model = \n", ["line 1, is not valid TOML"], "none", id="no TOML"),
        pytest.param("m\udcff", ["line 1, is not UTF-8"], "none", id="no text"),
    ],
)
def test_what_is_wrong_is_told_beside_what_can_be_read(
    home: Path, text: str, lines: list[str], model: str
) -> None:
    (home / "config.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    said = call("config")
    assert said.code == 2
    assert f"model                        = {model} " in said.out
    assert all(line in said.err for line in lines), said.err
    assert len(said.err.splitlines()) == len(lines)

    found = [row for row in call("doctor", "--json").json if not row["good"]]
    unagreed = ["model"] if model != "none" else []
    assert [row["what"] for row in found] == ["config"] * len(lines) + unagreed
    assert call("doctor").code == 1
    assert (call("list").code, lines[0] in call("list").err) == (2, True)


@table("config", "one_setting_is_set_and_the_rest_of_the_file_stays")
def test_one_setting_is_set_and_the_rest_of_the_file_stays(
    home: Path, before: str, key: str, value: str, after: str
) -> None:
    (home / "config.toml").write_text(before)
    assert call("config", "set", key, value).code == 0
    assert (home / "config.toml").read_text() == after
    assert call("config").code == 0


@table("config", "a_setting_that_cannot_be_is_not_written")
def test_a_setting_that_cannot_be_is_not_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str, told: str
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    said = call("config", "set", key, value)
    assert said.code in (1, 2)
    assert told in said.err
    assert not (home / "config.toml").exists()


def test_none_takes_a_value_out_of_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = home / "config.toml"
    config.write_text('# mine\nsummary_model = "x/y"\nexclude = [\n  "/srv",\n]\nidle = "2m"\n')
    for key in ("summary_model", "exclude", "api_base"):
        assert call("config", "set", key, "none").code == 0
    assert config.read_text() == '# mine\nidle = "2m"\n'
    config.write_text('api_base = "http://localhost:2"\n')
    monkeypatch.setenv("SILT_API_BASE", "http://localhost:1")
    assert "SILT_API_BASE is set and wins" in call("config", "set", "api_base", "none").out
    assert "api_base" not in config.read_text()
    assert call("config", "set", "default_limit", "none").code == 2


def test_a_time_may_be_written_without_its_unit_in_the_name(home: Path) -> None:
    (home / "config.toml").write_text('idle = "2m"\n')
    assert "idle_ms                      = 2m  (file; SILT_IDLE_MS" in call("config").out
    (home / "config.toml").write_text('\nidle = "never"\n')
    assert "line 2: idle_ms = 'never' cannot be used" in call("config").err


def test_the_manual_has_each_setting_with_its_default_of_today() -> None:
    assert manual.DOCUMENT.read_text(encoding="utf-8") == manual.document(), "run `make docs`"
