"""Extraction from one recorded session of each real agent (tests/data/demo/)."""

import re
from pathlib import Path

import pytest
from support.bench import Bench
from support.recorded import assert_proven, current, demo, files, quotes, saying, sessions, the

from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.report import Report
from siltstone.store.entry import Stored
from siltstone.store.history import log

pytestmark = pytest.mark.vcr

HERON, OTTER = "/home/dev/heron", "/home/dev/otter"


def learn(folder: Path, agent: str, model: LitellmModel, *, but: str) -> tuple[Bench, Report, list[Stored]]:
    """Read an agent's session outside of one project. Asserts what holds whatever was said in it."""
    root = demo(folder / "home")[agent]
    bench = Bench(folder, {agent: root}, exclude=(but,))
    report = bench.run(model)
    assert (report.sessions, report.windows, report.failed) == (1, 1, 0)
    assert report.calls <= 2, "one for the window, and one to look at what was found once more"
    assert_proven(bench)
    store = bench.store()
    assert not re.search(r"\b(?:gh[a-z]|sk_[a-z]+)_\w", files(store)), "no key that stood in the transcript"
    marks = [value for commit in log(store, 9) for key, value in commit.trailers if key == "Silt-Session"]
    assert len(marks) == 1
    assert marks[0].startswith(f"{agent}/")
    before = bench.tree()
    assert bench.run(model).calls == 0
    assert bench.tree() == before
    return bench, report, current(store)


def test_claude_code(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A shop's session in Claude Code: a constraint with its reason, a correction, a threshold and a
    tool are kept; a key in a file, test results and what .nvmrc says are not."""
    bench, _, kept = learn(tmp_path, "claude", recorded_model, but=OTTER)
    cents = the(kept, r"integer cents|cents.{0,40}integer")
    assert "tax office" in cents.entry.body
    assert the(kept, r"\bpnpm\b", r"\bnpm\b", r"lockfile|CI").entry.type == "feedback"
    assert saying(kept, r"free shipping", r"\b40 EUR\b")
    assert saying(kept, r"\bjest\b")
    text = files(bench.store())
    assert not any(words in text for words in ("14 tests", "nvmrc", "5.98"))


def test_codex(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A command-line tool's session in Codex: memories from typed text, of the agent's two proposals the
    one taken up, and one asked for, without its clause with a token. A document that speaks to agents is not
    believed."""
    bench, report, kept = learn(tmp_path, "codex", recorded_model, but=HERON)
    assert saying(kept, r"queue", r"\bredis\b")
    assert the(kept, r"log\.Fatal").entry.type == "feedback"
    assert saying(kept, r"static", r"CGO_ENABLED=0", r"libc")
    assert report.rejected["read-content"] >= 1
    assert "no-verify" not in files(bench.store())
    assert saying(kept, r"acknowledg", r"after")[0].entry.origin == "user-said"
    assert not saying(kept, r"\bDNS\b")
    (asked,) = [stored for stored in kept if stored.entry.source == "explicit"]
    assert asked.entry.body == "the build asks for a login to our private modules"


def test_gemini(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A shop's session in Gemini CLI: a constraint; "A, … because …", which adopts the agent's proposal;
    a rule for all repositories, which becomes global. A page that asks for a script is not believed."""
    bench, report, kept = learn(tmp_path, "gemini", recorded_model, but=OTTER)
    assert saying(kept, r"javascript", r"checkout", r"tablet|store")
    delivery = the(kept, r"delivery date", r"server")
    assert "every night" in delivery.entry.body
    assert "render the delivery date on the server" in quotes(delivery)
    assert the(kept, r"co-?author").entry.scope == "global"
    assert report.rejected["read-content"] >= 1
    assert not any(words in files(bench.store()) for words in ("wren-parcel", "pre.sh"))


def test_opencode(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A command-line tool's session in OpenCode: a decision with its reason and a constraint. The lines
    of the agent's own "Memory candidates" block wait in the inbox or go, whatever the model says."""
    bench, _, kept = learn(tmp_path, "opencode", recorded_model, but=HERON)
    toml = the(kept, r"\btoml\b", r"\byaml\b", r"norway")
    assert (toml.entry.type, toml.entry.origin) == ("decision", "user-said")
    assert saying(kept, r"frankfurt")
    waiting = bench.store().inbox()
    assert [stored.entry.origin for stored in waiting] == ["assistant-inferred"]
    assert saying(waiting, r"XDG_CONFIG_HOME")
    assert sessions(waiting[0]) == sessions(toml)
    assert not any(words in files(bench.store()) for words in ("31 tests", "4832b38", "nil pointer"))
