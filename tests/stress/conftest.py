"""A home of its own for every test that calls the command line in this process."""

import os
from pathlib import Path

import pytest
from person import Person


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody with an empty home and a folder of plain transcripts."""
    for name in [name for name in os.environ if name.startswith(("SILT_", "GIT_"))]:
        monkeypatch.delenv(name)
    for name, place in (("SILT_HOME", "store"), ("SILT_STATE", "state"), ("SILT_CONFIG", "config.toml")):
        monkeypatch.setenv(name, str(tmp_path / place))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    project = tmp_path / "person" / "src" / "larkspur"
    project.mkdir(parents=True)
    (tmp_path / "said").mkdir()
    monkeypatch.chdir(project)
    return Person(tmp_path)
