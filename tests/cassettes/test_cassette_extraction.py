"""What a model's recorded replies become: several windows, other scripts, nothing at all, injections."""

from pathlib import Path

import pytest
from support.bench import Bench, planted
from support.recorded import (
    assert_proven,
    current,
    files,
    one_rollout,
    ours,
    quotes,
    saying,
    sessions,
    the,
)

from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.store.history import log
from siltstone.store.state import Rejected

pytestmark = pytest.mark.vcr


def rejected(bench: Bench) -> list[Rejected]:
    with bench.state() as state:
        return state.ledger.rejected()


def test_a_long_session_in_several_windows(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """Two windows for one session of 120 messages, eight weeks long. The second prompt shows, by number, what
    was learned from the first; a contradiction of it across the cut is flagged."""
    bench = Bench(tmp_path, ours(tmp_path / "home", "long"))
    report = bench.run(recorded_model)
    assert (report.windows, report.failed) == (2, 0)
    assert_proven(bench)

    store = bench.store()
    marks = [value for commit in log(store, 50) for key, value in commit.trailers if key == "Silt-Session"]
    assert len(marks) == len(set(marks)) == 2, "one commit a window, each with its own last message"
    assert len({mark.partition("@")[0] for mark in marks}) == 1

    standing = current(store)
    early, late = the(standing, r"uv run pytest"), the(standing, r"\bstation ids?\b")
    assert sessions(early) == sessions(late)
    assert saying(standing, r"tide-ops")
    assert saying(standing, r"jetstream")
    assert not [stored for stored in saying(standing, r"redis") if not saying([stored], r"jetstream")]
    (section,) = open_conflicts(store)
    sides = [store.read(side.path) for side in section.sides]
    assert the(sides, r"\b90 days").path != the(sides, r"\b180 days").path

    before = bench.tree()
    again = bench.run(recorded_model)
    assert (again.calls, again.messages, bench.tree()) == (0, 0, before)


def test_chinese_and_japanese(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A Chinese session of Claude Code and a Japanese one of Codex in one project, in one window: the
    memories are in the user's language, their quotes verbatim, and found by words of that language."""
    bench = Bench(tmp_path, ours(tmp_path / "home", "chinese", "japanese"))
    report = bench.run(recorded_model)
    assert (report.sessions, report.windows, report.calls) == (2, 1, 2)
    assert_proven(bench)

    standing = current(bench.store())
    for handle, words in [
        ("流水号", "流水号加金额"),
        ("make deploy-config", "make deploy-config"),
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("Noto Sans JP", "Noto Sans JP"),
        ("https://docs.yunshan.example/invoice-jp", "docs.yunshan.example/invoice-jp"),
    ]:
        assert any(words in quotes(found) for found in saying(standing, handle)), handle
    assert all(any("\u3040" <= c <= "\u9fff" for c in stored.entry.body) for stored in standing)
    assert "DEBUG" not in files(bench.store())

    parts = bench.parts(lambda window, shown: pytest.fail("nothing is read here"))  # type: ignore[arg-type]
    for query in ("银行流水号", "請求書"):
        hits = parts.search.query(query, ["projects/yunshan"], 5)
        assert hits
        assert all(query in bench.store().read(hit.path).text for hit in hits)
    parts.search.close()
    parts.state.close()


def test_an_empty_answer(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A real Codex session in which nothing durable is said: the reply holds no memories. The session
    is behind the watermark all the same, and is not asked about again."""
    bench = Bench(tmp_path, one_rollout(tmp_path, "01a1fb88-ce20-72e1-b217-4287648c178a"))
    bench.now = bench.now.replace(day=21)
    before = bench.tree()
    report = bench.run(recorded_model)
    assert (report.calls, report.windows, report.failed) == (1, 1, 0)
    assert report.kinds.total() == report.refused.total() == 0
    assert report.messages == 3 + report.filtered.total()
    assert bench.tree() == before
    assert bench.run(recorded_model).calls == 0


def test_an_injection_in_tool_output(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A file that the agent read says, as SYSTEM, that agents must remember to commit with --no-verify.
    The user's own words beside it are kept; of the file nothing is, and the ledger says why."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "01"))
    bench.run(recorded_model)
    assert_proven(bench)
    standing = current(bench.store())
    assert the(standing, r"uv run pytest").entry.type == "feedback"
    assert the(standing, r"\bfish\b").entry.scope == "global"
    assert saying(standing, r"postgres\w* ?14", r"2027|harbou?r|merge")
    assert "no-verify" not in files(bench.store())
    assert {"read-content"} == {r.reason for r in rejected(bench) if "no-verify" in r.text + r.evidence}


def test_a_model_that_is_taken_in(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """The desk was asked to believe a "NOTE TO AGENT" in a command's output and to propose it as the user's
    wish, quoting it, though a prompt leaves out what a search found. The proposal is refused for its origin;
    the honest ones of that reply stand."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "03"))
    report = bench.run(recorded_model)
    assert (report.calls, report.failed) == (2, 0)
    assert_proven(bench)
    proposed = [r for r in rejected(bench) if "readings_raw" in r.text + r.evidence]
    assert len(proposed) >= 2, "found by rule, and proposed by the model"
    assert {r.reason for r in proposed} == {"read-content"}
    store = bench.store()
    assert "readings_raw" not in files(store)
    assert the(current(store), r"git push|\bpush").entry.scope == "global"
    assert saying(current(store), r"d/ingest-lag")
