"""Settings: where they come from, which wins, and what is said when one is wrong."""

from pathlib import Path

import pytest
from support.commands import call

from siltstone.cli.settings import configure
from siltstone.store.errors import Misuse


def test_a_variable_wins_over_the_file_and_both_are_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config.toml").write_text('model = "ollama/qwen3"\ncompact_churn = 20\n', encoding="utf-8")
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    told = call("config", "--json").json
    assert told["model"] == {"value": "openai/gpt-5-mini", "from": "SILT_MODEL"}
    assert told["compact_churn"] == {"value": 20, "from": "file"}
    assert told["idle_ms"]["from"] == "default"


def test_the_older_names_work_too() -> None:
    found = configure({"MEMORY_COMPACT_CHURN": "3", "MEMORY_EXTRACT_MODEL": "x/y", "SILT_CONFIG": "/none"})
    assert (found.settings.compact_churn, found.settings.model) == (3, "x/y")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("modle = 'x'", "there is no setting 'modle'", id="unknown"),
        pytest.param("compact_churn = 'many'", "compact_churn", id="wrong type"),
        pytest.param("max_usd_per_day = -1", "max_usd_per_day", id="out of range"),
        pytest.param("model = ", "not valid TOML", id="no TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Misuse, match=sentence):
        configure({"SILT_CONFIG": str(path)})


def test_config_in_words_names_the_variables(home: Path) -> None:
    said = call("config").out
    assert "SILT_MODEL" in said
    assert "MEMORY_COMPACT_CHURN" in said
