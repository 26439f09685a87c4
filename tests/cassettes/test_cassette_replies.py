"""Replies that are not what was asked for. The desk was asked to misbehave in exactly these ways."""

from pathlib import Path

import pytest
from support.bench import Bench, planted
from support.recorded import assert_proven, current, saying, the

from siltstone.pipeline.model.litellm_model import LitellmModel

pytestmark = pytest.mark.vcr


def test_a_fenced_reply_in_near_json(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """The desk was asked for a sentence before, a code fence around, trailing commas, a comment and
    Python's None in its JSON. It is read at the first try, and its memories are proven like any other."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "04"))
    report = bench.run(recorded_model)
    assert (report.calls, report.failed, report.refused.total()) == (2, 0, 0)
    assert_proven(bench)
    standing = current(bench.store())
    assert saying(standing, r"unwrap", r"panic|lorr|gate|weighbridge|context")
    assert the(standing, r"hamburg").entry.scope == "global"
    assert saying(standing, r"\b1\.74\b")


def test_garbage_then_repair(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """The desk was asked to answer first in prose without any JSON. The second prompt quotes that back
    and says what is wrong; its reply is used, and every call is counted."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "10"))
    report = bench.run(recorded_model)
    assert (report.calls, report.windows, report.failed) == (3, 1, 0)
    assert_proven(bench)
    standing = current(bench.store())
    assert saying(standing, r"\b1\.82\b")
    assert saying(standing, r"\busb\b")
    assert bench.run(recorded_model).calls == 0


def test_a_text_that_says_more_than_its_quotes(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """The desk was asked to put into one text what nobody said. One call more shows that text with the
    quoted messages alone and names the words that are not said there; the new text is kept."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "01"))
    report = bench.run(recorded_model)
    assert (report.calls, report.windows, report.failed) == (2, 1, 0)
    assert_proven(bench)
    assert the(current(bench.store()), r"Redis Streams")
    assert not saying(current(bench.store()), r"kafka")
