"""What `silt run` keeps of each project's last session, by rule or by a model that is named (E16, E22)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import Said, call
from support.endpoint import LOOPBACK, Endpoint, endpoint, fails, says

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)
MODEL = "openai/gpt-5-mini"


def run(home: Path, *words: str, requests: int = 1, session: str = "s1") -> Said:
    """A batch over one session in the project's folder, in which nothing is said that lasts."""
    cwd = str(home / "person" / "src" / "larkspur")
    lines = [
        {"role": "user", "content": f"Request number {n}", "session": session, "cwd": cwd}
        for n in range(1, requests + 1)
    ]
    file = home / f"{session}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return call("run", "--idle", "0", "--root", f"plain={file}", *words)


@pytest.fixture
def service(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with endpoint(otherwise=lambda asked: says('{"summary": ["Goal: numbers", "Next: another"]}')) as told:
        (home / "config.toml").write_text(f'summary_model = "{MODEL}"\napi_base = "{told.url}"\n')
        yield told


def test_a_run_sums_up_the_last_session_of_a_project(home: Path, kept: Said) -> None:
    said = run(home, "--json", requests=2)
    assert said.json["summaries"] == ["larkspur: last session plain/s1 summarized by rules"]
    shown = call("inject", "--layout", "sections").out
    assert "## Last Session\nMachine-made by rules of a session with plain on " in shown
    assert "\n  Goal: Request number 1\n  Last asked: Request number 2\n" in shown
    assert run(home, "--json", requests=2).json["summaries"] == []
    assert "summarized" not in run(home, requests=3).out


def test_a_model_that_is_named_sums_up(home: Path, kept: Said, service: Endpoint) -> None:
    said = run(home, requests=5)
    assert (said.code, len(service.requests)) == (3, 0)
    assert f"would be sent to {MODEL} for a summary; agree with --yes" in said.err
    said = run(home, "--yes", requests=5)
    assert (said.code, len(service.requests)) == (0, 1)
    assert f"larkspur: last session plain/s1 summarized by {MODEL}" in said.out
    shown = call("inject").out
    assert f"last session:\nMachine-made by {MODEL} of a session with plain on " in shown
    assert "  Goal: numbers\n  Next: another\n" in shown
    assert call("list", "--json").json[0]["description"] == "Deploys go out on Tuesdays only"
    assert run(home, requests=5).code == 0
    assert len(service.requests) == 1


def test_an_estimate_counts_what_would_be_summed_up(home: Path, kept: Said, service: Endpoint) -> None:
    told = run(home, "--dry-run", "--json", requests=5).json["summaries"]
    assert (told["model"], told["sessions"], told["tokens"]["completion"]) == (MODEL, 1, 360)
    asked = run(home, "--dry-run", requests=5)
    tokens = sum(told["tokens"].values())
    assert (
        f"the end of 1 session, about {tokens:,} tokens (under 0.01 USD), would be sent to {MODEL}"
        in asked.out
    )
    assert service.requests == []
    run(home, "--yes", requests=5)
    (sent,) = service.requests
    words = sum(len(message["content"].split()) for message in sent["messages"])
    assert told["tokens"]["prompt"] >= words
    short = run(home, "--dry-run", requests=4, session="s2")
    assert "no session needs a summary now" in short.out


def test_a_short_session_is_not_worth_a_call(home: Path, kept: Said, service: Endpoint) -> None:
    said = run(home, "--yes", "--json", requests=4)
    assert said.json["summaries"][0].endswith("summarized by rules: it has fewer than 5 turns")
    assert service.requests == []


def test_a_model_that_does_not_answer_leaves_it_to_the_rules(
    home: Path, kept: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with endpoint(otherwise=lambda asked: fails(401)) as told:
        (home / "config.toml").write_text(f'summary_model = "{MODEL}"\napi_base = "{told.url}"\n')
        said = run(home, "--yes", "--json", requests=5)
    assert said.code == 0
    assert "summarized by rules: " in said.json["summaries"][0]
    assert "Goal: Request number 1" in call("inject").out
