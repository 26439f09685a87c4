"""`silt run` over transcripts: report, consent, estimate, ceilings."""

import re
from pathlib import Path

import pytest
from support import recorded
from support.commands import call

KEYS = """
sessions messages filtered windows calls candidates outcome rejected failed tokens cost compaction commits
"""


def test_a_run_reports_in_json_and_the_second_finds_nothing(roots: list[str]) -> None:
    first = call("run", *roots, "--json")
    assert first.code == 0, first.err
    assert set(first.json) >= {*KEYS.split()}
    assert first.json["calls"] == 0
    assert first.json["candidates"] == sum(first.json["outcome"].values()) + sum(
        first.json["rejected"].values()
    )
    again = call("run", *roots, "--json").json
    assert (again["sessions"], again["candidates"], again["commits"]) == (0, 0, [])


def test_a_run_in_words_says_what_was_learned_and_that_nothing_was_sent(roots: list[str]) -> None:
    told = {row["what"]: row for row in call("doctor", *roots, "--json").json}
    assert told["claude"]["told"] == "1 transcript found"
    assert all(row["good"] for row in told.values())
    first, *lines = call("run", *roots).out.splitlines()
    assert re.match(r"\d+ new memor", first)
    count = int(first.split()[0])
    assert sum(line.startswith("  new ") for line in lines) == min(count, 8)
    assert "nothing was sent" in lines[-3]
    assert lines[-2].startswith("archived ")
    assert call("run", *roots).out == "nothing new to read\n"
    assert call("status").out.count("larkspur") == 1


def test_what_a_second_session_said_too_waits_for_no_review(home: Path) -> None:
    """Two sessions in which an agent says the same of the project, read in one run."""
    root = recorded.demo(home / "agents")["claude"]
    (one,) = (root / "projects" / "-home-dev-otter").iterdir()
    other = "5e4f86f4-bd9d-46c7-ae48-fa53286ccd3e"
    own = re.sub(r'(?i)("(?:parent)?uuid":")', r"\1an", one.read_text())  # else it would be a fork
    one.with_name(f"{other}.jsonl").write_text(own.replace(one.stem, other))
    told = call("run", "--idle", "0", "--root", f"claude={root}").out
    assert "uploads first" in told
    assert call("inbox").out == "the inbox is empty\n"
    assert "review" not in told


def test_a_key_alone_is_no_consent(roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    said = call("run", *roots, "--json")
    assert said.json["calls"] == 0
    assert "no model is named" in said.err
    assert "OPENAI_API_KEY is set but no model is named" in call("doctor").out


def test_an_estimate_tells_how_far_it_is(roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("siltstone.cli.terminal.TELL_EVERY", 0.0)
    dry = ["run", *roots, "--model", "openai/gpt-5-mini", "--dry-run"]
    assert "estimating: 0 of 2" in call(*dry).err
    assert call(*dry, "--json").err == ""


def test_the_first_run_with_a_model_asks_and_sends_nothing(roots: list[str]) -> None:
    said = call("run", *roots, "--model", "openai/gpt-5-mini")
    assert said.code == 3
    assert "would be sent to openai/gpt-5-mini" in said.err
    assert "--yes" in said.err
    assert call("status", "--json").json["sessions_read"] == 0


def test_nobody_is_asked_to_agree_to_nothing(home: Path) -> None:
    (home / "agents" / "projects").mkdir(parents=True)
    said = call("run", "--root", f"claude={home / 'agents'}", "--model", "openai/gpt-5-mini")
    assert (said.code, said.err) == (0, "")
    assert "no session would be sent now to" in call("run", "--dry-run", "--model", "openai/gpt-5-mini").out


def test_a_model_that_nobody_knows_is_refused_before_anything_is_read(
    roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_: object) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr("siltstone.cli.batch.find", unread)
    for more in ((), ("--yes",), ("--dry-run",)):
        said = call("run", *roots, "--model", "nonsense/foo", *more)
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith("silt: nonsense/foo does not say which provider it is from")


def test_the_folder_of_the_transcripts_does_as_well(home: Path, roots: list[str]) -> None:
    said = call("run", "--root", f"claude={home / 'agents' / 'claude' / 'projects'}", "--json")
    assert (said.code, said.json["sessions"], said.err) == (0, 1, "")


def test_a_folder_that_is_not_the_agents_is_named(home: Path) -> None:
    said = call("run", "--root", f"claude={home}")
    assert said.err == (
        f"silt: {home} has no projects in it, so no claude sessions are read; give the folder that "
        "contains it, as in --root claude=~/.claude\n"
    )


def test_a_dry_run_estimates_and_changes_nothing(roots: list[str]) -> None:
    told = call("run", *roots, "--model", "openai/gpt-5-mini", "--dry-run", "--json").json
    assert (told["sessions"], told["windows"]) == (2, 2)
    assert told["tokens"]["prompt"] > 2_000
    assert call("status", "--json").json["sessions_read"] == 0


def test_excluded_folders_are_not_read(home: Path, roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_EXCLUDE", "/home/marit/src/*")
    assert call("run", *roots, "--json").json["messages"] == 0


@pytest.mark.parametrize(
    ("since", "older"),
    [("2026-09-01", 0), ("20260902", 1), ("2026-09-01T10:30", 1), ("2026-09-01T11:30+02:00", 0)],
)
def test_what_was_said_before_a_time_is_left(home: Path, since: str, older: int) -> None:
    row = '{"role": "user", "content": "We deploy on Tuesdays only.", "timestamp": "2026-09-01T10:00:00Z"}\n'
    (home / "talk.jsonl").write_text(row, encoding="utf-8")
    report = call("run", "--root", f"plain={home}/talk.jsonl", "--idle", "0", "--since", since, "--json").json
    assert report["filtered"].get("older", 0) == older
