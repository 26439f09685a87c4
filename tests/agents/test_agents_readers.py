"""What every reader keeps to, whatever its agent's format (`pipeline/messages.py`, `Reader`)."""

from pathlib import Path

import pytest
from agents_golden import messages, reasons
from typed_sessions import lay

from siltstone.agents import AGENTS, readers
from siltstone.pipeline.messages import Reader, Source, Step
from siltstone.store.errors import Misuse

each_agent = pytest.mark.parametrize("agent", AGENTS)


def steps(reader: Reader, source: Source, resume: str | None = None) -> list[Step]:
    reading = reader.read(source, resume)
    return list(reading.steps) if reading else []


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_going_on_after_any_step_loses_and_counts_nothing_twice(agent: str, roots: dict[str, Path]) -> None:
    (reader,) = readers({agent: roots[agent]}, {})
    for source in list(reader.discover()):
        whole = steps(reader, source)
        for number, step in enumerate(whole, 1):
            before, rest = whole[:number], steps(reader, source, step.resume)
            seen = {message.key for message in messages(before)}
            fresh = [message.key for message in messages(rest) if message.key not in seen]
            assert fresh == [message.key for message in messages(whole[number:])], source.key
            if agent in ("claude", "gemini"):
                assert sorted(reasons(before) + reasons(rest)) == sorted(reasons(whole)), source.key


@each_agent
def test_our_own_calls_are_recognised(agent: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for root, first in ((ours, "<!-- siltstone-internal --> Extract."), (theirs, "what is it?")):
        root.mkdir()
        lay(agent, root, first, "what does siltstone-internal mean?")
    machines = []
    for root in (ours, theirs):
        (reader,) = readers({agent: root}, {})
        (source,) = reader.discover()
        reading = reader.read(source, None)
        assert reading is not None
        machines.append(reading.session.machine)
    assert machines[0] in ("siltstone", "exec-by-siltstone")
    assert machines[1] is None


@each_agent
def test_a_missing_folder_holds_nothing(agent: str, tmp_path: Path) -> None:
    (reader,) = readers({agent: tmp_path / "none"}, {})
    assert list(reader.discover()) == []


def test_an_agent_there_is_no_folder_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="there is no agent 'emacs'"):
        readers({"emacs": tmp_path}, {})


@pytest.mark.parametrize(
    ("agent", "variables", "root"),
    [
        ("claude", {}, "/home/dev/.claude"),
        ("claude", {"CLAUDE_CONFIG_DIR": "/etc/claude"}, "/etc/claude"),
        ("codex", {}, "/home/dev/.codex"),
        ("codex", {"CODEX_HOME": "/data/codex"}, "/data/codex"),
        ("gemini", {}, "/home/dev/.gemini"),
        ("gemini", {"GEMINI_CLI_HOME": "/data"}, "/data/.gemini"),
        ("opencode", {}, "/home/dev/.local/share/opencode"),
        ("opencode", {"XDG_DATA_HOME": "/data"}, "/data/opencode"),
    ],
)
def test_where_an_agent_keeps_its_files(agent: str, variables: dict[str, str], root: str) -> None:
    found = {one.agent: one for one in readers({}, {"HOME": "/home/dev", **variables})}
    assert getattr(found[agent], "root", None) == Path(root)
