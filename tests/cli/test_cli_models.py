"""Models by command: who is asked what, after which agreement; dry runs leave no trace."""

import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from past_talk import talk
from support.commands import call
from support.endpoint import LOOPBACK, Answer, Endpoint, endpoint, fails, says
from support.folder import everything
from support.table import table
from support.terminal import seen

from siltstone.cli.models import Names, names
from siltstone.cli.settings import Settings
from siltstone.pipeline.model.port import Turn, count_tokens
from siltstone.store.state import Holder, State
from siltstone.store.state.windows import started

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)

ONE, OTHER = "openai/gpt-5-mini", "openai/gpt-5"
FACTS = ("Deploys go out on Tuesdays only", "Ines reviews every migration", "The staging box is in Turin")


def nothing(request: dict[str, Any]) -> Answer:
    """An empty list of whatever is asked for."""
    return says('{"ops": []}' if "targets" in json.dumps(request["response_format"]) else '{"memories": []}')


@pytest.fixture
def service(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A service that finds nothing."""
    with endpoint(otherwise=nothing) as told:
        monkeypatch.setenv("SILT_API_BASE", told.url)
        yield told


@pytest.fixture
def facts(home: Path) -> Path:
    """Three memories of the project in whose folder the person stands."""
    for fact in FACTS:
        assert call("remember", fact, "--type", "project").code == 0
    return home


@table("config", "models")
def test_which_models_are_asked(settings: dict[str, Any], option: str | None, wanted: list[str]) -> None:
    assert names(Settings(**settings), option) == Names(*wanted)


def test_the_first_compaction_with_a_model_asks_and_sends_nothing(facts: Path, service: Endpoint) -> None:
    said = call("compact", "--model", ONE)
    assert said.code == 3
    assert "3 memories in 1 group, about " in said.err
    assert f"(under 0.01 USD), would be sent to {ONE}" in said.err
    assert "agree with --yes" in said.err
    assert "session" not in said.err
    assert service.requests == []

    assert call("compact", "--model", ONE, "--yes").code == 0
    assert call("compact", "--model", ONE, "--all").code == 0
    assert len(service.requests) == 2


def test_nobody_agrees_to_a_compaction_of_nothing_or_by_nobody(
    facts: Path, service: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("compact", "--model", "nonsense/foo").err.startswith("silt: nonsense/foo does not say")
    assert call("compact", "--scope", "global", "--model", ONE).out == "nothing to change\n"
    monkeypatch.delenv("SILT_API_BASE")
    said = call("compact", "--model", ONE, "--yes")
    assert said.err == f"silt: {ONE} has no key: set OPENAI_API_KEY, then run this again.\n"
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    assert call("compact", "--model", ONE).code == 3, "nobody agreed"


def test_who_agreed_to_memories_did_not_agree_to_transcripts(
    facts: Path, service: Endpoint, roots: list[str]
) -> None:
    call("compact", "--model", ONE, "--yes")
    service.requests.clear()
    assert call("run", *roots, "--model", ONE).code == 3
    assert service.requests == []
    assert call("run", *roots, "--model", ONE, "--yes").code == 0
    assert call("compact", "--all", "--model", ONE).code == 0


def test_a_dry_compaction_says_what_a_model_would_be_asked_and_asks_nothing(
    facts: Path, service: Endpoint
) -> None:
    said = call("compact", "--dry-run", "--model", ONE)
    assert (said.code, service.requests) == (0, [])
    assert "larkspur: 3 memories, about " in said.out
    assert "projects/larkspur/project-ines-reviews-every-migration.md" in said.out
    assert f"would be sent to {ONE}" in said.out

    call("compact", "--model", ONE, "--yes")
    assert "no memories need compacting now" in call("compact", "--dry-run", "--model", ONE).out


def test_a_dry_compaction_without_a_model_shows_the_rules_plan(facts: Path) -> None:
    for euros in ("40", "50"):
        text = f"---\ndescription: Free shipping starts at {euros} EUR\n---\nIt starts at {euros} EUR.\n"
        path = facts / "store" / "projects" / "larkspur" / f"project-shipping-{euros}.md"
        path.write_text(text, encoding="utf-8")
    said = call("compact", "--dry-run")
    assert (said.code, "flag     projects/larkspur/" in said.out) == (0, True), said.out
    assert "would flag 1" in said.out
    assert call("conflicts", "--json").json == []


def test_a_model_for_compaction_alone_is_asked_by_a_run_too(
    facts: Path, service: Endpoint, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_COMPACT_MODEL", ONE)
    refused = call("run", *roots)
    assert (refused.code, service.requests) == (3, [])
    assert f"would be sent to {ONE} for compaction" in refused.err
    assert call("extract", *roots).code == 0, "reading asks the rules"

    report = call("run", *roots, "--yes", "--json").json
    assert report["calls"] == len(service.requests) > 0
    assert all("targets" in json.dumps(request["response_format"]) for request in service.requests)


def test_two_models_are_agreed_to_together_and_counted_together(
    facts: Path, service: Endpoint, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_MODEL", ONE)
    monkeypatch.setenv("SILT_COMPACT_MODEL", OTHER)
    refused = call("run", *roots)
    assert "2 sessions, about " in refused.err
    assert f"would be sent to {ONE}; 3 memories and what is learned in " in refused.err
    assert f"would be sent to {OTHER} for compaction" in refused.err

    report = call("run", *roots, "--yes", "--json").json
    asked = [request["model"] for request in service.requests]
    assert set(asked) == {"gpt-5-mini", "gpt-5"}
    assert report["calls"] == len(asked)
    assert report["tokens"] == {"prompt": 100 * len(asked), "completion": 10 * len(asked), "cached": 0}
    (day,) = call("cost", "--json").json
    assert day["tokens"] == 110 * len(asked)
    assert day["usd"] == pytest.approx(report["cost"]) != 0


def one_in_three(request: dict[str, Any]) -> Answer:
    """A memory of every third message that the user typed, or a plan that changes nothing."""
    asked = request["messages"][1]["content"]
    typed = re.findall(r"^\[(\d+)\] user: ([^\n]{12,})", asked, re.MULTILINE)[::3]
    facts = [{"quotes": [f"{n}: {text[:99]}"], "type": "project", "body": text[:99]} for n, text in typed]
    return says(json.dumps({"ops" if "compaction" in asked[:40] else "memories": facts}))


SAVES = "please remember: releases are cut by Marit", "please remember: the staging box is in Turin"


@pytest.mark.parametrize("typed", [(), SAVES], ids=["planted", "what was asked to be kept is compacted too"])
def test_a_dry_run_tells_what_is_then_spent(
    home: Path, service: Endpoint, roots: list[str], typed: tuple[str, ...]
) -> None:
    service.otherwise = one_in_three
    if typed:
        talk(home, "t1", [("user", text) for text in typed])
        roots = ["--root", f"plain={home / 'plain'}", "--idle", "0"]
    told = call("run", *roots, "--model", ONE, "--dry-run", "--json").json
    sizes = [told[one]["tokens"] for one in ("compaction", "looking_back")] + [told["tokens"]]
    assert call("run", *roots, "--model", ONE, "--yes").code == 0
    turns = [Turn(one["role"], one["content"]) for request in service.requests for one in request["messages"]]
    spent = count_tokens(turns)
    assert sum(one["prompt"] for one in sizes) == pytest.approx(spent, rel=0.2)
    assert told["sessions"] == (1 if typed else 2)
    assert told["cost"] + told["compaction"]["cost"] > 0


def test_a_model_for_compaction_is_sent_no_transcript(
    home: Path, service: Endpoint, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user agreed to send it memories. Who reads the sessions looks back at them."""
    service.otherwise = one_in_three
    monkeypatch.setenv("SILT_MODEL", ONE)
    monkeypatch.setenv("SILT_COMPACT_MODEL", OTHER)
    assert call("run", *roots, "--yes").code == 0
    asked = [(one["model"], one["messages"][1]["content"].split("\n")[0]) for one in service.requests]
    kinds = {model: {what for by, what in asked if by == model} for model, _ in asked}
    compacting, reading = sorted(kinds.values(), key=len)
    assert compacting == {"siltstone-internal: compaction"}
    assert "siltstone-internal: looking back" in reading


def test_both_models_have_one_ceiling(
    facts: Path, service: Endpoint, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_MODEL", ONE)
    monkeypatch.setenv("SILT_COMPACT_MODEL", OTHER)
    estimate = call("run", *roots, "--dry-run", "--json").json
    service.script = [
        says('{"memories": []}', usage={"prompt_tokens": 90_000, "total_tokens": 90_010})
        for _ in range(estimate["windows"])
    ]
    monkeypatch.setenv("SILT_MAX_TOKENS_PER_RUN", str(90_010 * estimate["windows"] + 100))
    said = call("run", *roots, "--yes", "--json")
    assert {request["model"] for request in service.requests} == {"gpt-5-mini"}
    assert "max_tokens_per_run" in said.err + json.dumps(said.json)


def test_a_repair_that_failed_is_paid_for_and_told(home: Path, service: Endpoint, roots: list[str]) -> None:
    service.script = [says("no list at all"), fails(401)]
    report = call("run", *roots[:2], "--model", ONE, "--yes", "--json").json
    assert (report["calls"], report["tokens"]["prompt"]) == (1, 100)
    assert [day["tokens"] for day in call("cost", "--json").json] == [110]


@pytest.mark.parametrize(
    ("more", "code"),
    [([], 1), (["--pooled"], 1), (["--watched"], 0)],
    ids=["asked for", "by a scheduler", "by a watch"],
)
def test_a_window_that_failed_fails_all_but_a_watch(
    service: Endpoint, roots: list[str], monkeypatch: pytest.MonkeyPatch, more: list[str], code: int
) -> None:
    monkeypatch.setenv("SILT_POOL_TIME", "0")
    service.script = [says("no list at all") for _ in range(4)]
    said = call("run", *roots[:2], "--model", ONE, "--yes", *more)
    assert (said.code, "(silt status)" in said.err) == (code, True), said


def test_what_failed_alike_is_told_once(service: Endpoint, roots: list[str]) -> None:
    service.script = [says("no list at all") for _ in range(4)]
    call("run", *roots, "--model", ONE, "--yes")
    (line,) = [line for line in call("status").out.splitlines() if line.startswith("failed ")]
    assert line.startswith("failed     2 transcripts: openai/gpt-5-mini: the reply could not be read")
    assert "next try: in " in seen("status", columns=200)


@pytest.mark.parametrize(
    "words", ["run", "extract", f"run --model {ONE}", "compact", f"compact --model {ONE}"]
)
def test_a_dry_run_leaves_no_trace(home: Path, service: Endpoint, roots: list[str], words: str) -> None:
    def try_it() -> None:
        assert call(*words.split(), *([] if "compact" in words else roots), "--dry-run").code == 0

    try_it()
    assert [place for place in ("store", "state") if (home / place).exists()] == []
    call("remember", FACTS[0])
    before = everything(home / "store")
    try_it()
    assert everything(home / "store") == before
    call("remember", FACTS[1])
    runs = [dict(commit["trailers"]).get("Silt-Run") for commit in call("log", "--json").json]
    assert runs == ["0002", "0001", None]
    assert service.requests == []


def test_the_rules_tell_what_they_would_read(roots: list[str]) -> None:
    said = call("run", *roots, "--dry-run")
    assert "2 sessions would be read by the embedded rules" in said.out


def test_a_scope_in_work_elsewhere_is_left_and_told(facts: Path) -> None:
    other = Holder(os.getppid(), started(os.getppid()) or "")
    now = datetime.now(UTC)
    with State.open(facts / "state") as state:
        assert state.leases.take("scope/projects/larkspur", other, now, timedelta(minutes=5))
    said = call("compact")
    assert (said.code, "another run is working on larkspur" in said.err) == (3, True)
