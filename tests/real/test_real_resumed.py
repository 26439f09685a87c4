"""Claude Code, Codex and OpenCode, resumed and compacted headlessly (Gemini CLI: test_real_gemini.py)."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import pytest
from real_desk import HEADLESSLY, Desk, at_once
from real_model import Asked, Step

OLD, NEW = "Nothing goes out on Fridays", "Prices are kept in pence"
SETS = ("--config=model_auto_compact_token_limit=2000",)
"""Codex compacts by itself, before a turn that begins with more tokens."""
RESUMED = {
    "claude": ("--continue", *HEADLESSLY["claude"]),
    "codex": (*HEADLESSLY["codex"], "resume", "--last"),
    "opencode": ("run", "--format", "json", "--continue", "--"),
}
COMPACTED: dict[str, tuple[Sequence[str], str]] = {
    "claude": (RESUMED["claude"], "/compact"),
    "codex": ((*HEADLESSLY["codex"], *SETS, "resume", "--last"), "Go on"),
}
"""How an agent is brought to compact; OpenCode: test_real_opencode_memory.py."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What the model saw of one session, which was resumed again and again."""

    agent: str
    changed: Asked
    """Resumed when something had been added since."""
    same: Asked
    """Resumed when nothing had."""
    emptied: Asked | None
    """Resumed after its compaction."""
    later: Asked | None
    failures: list[str]


def resume(agent: str, here: Desk) -> Resumed:
    def last(prompt: str, words: Sequence[str] = RESUMED[agent]) -> Asked:
        ran = here.ask(agent, prompt, words)
        assert ran.code == 0, ran
        return here.model.turns[-1]

    here.silt("remember", OLD, "--type", "project")
    here.silt("install", agent)
    last("Hello there", HEADLESSLY[agent])
    here.silt("remember", NEW, "--type", "project")
    changed, same = last("What else?"), last("And then?")
    emptied = later = None
    if agent in COMPACTED:
        words, prompt = COMPACTED[agent]
        here.model.on("Fill it", Step("Full.", tokens=20_000))
        last("Fill it")
        last(prompt, words)
        emptied, later = last("What now?"), last("At last?")
    return Resumed(agent, changed, same, emptied, later, here.failures)


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, "Future[Resumed]"]]:
    with at_once(tuple(RESUMED), tmp_path_factory.mktemp, resume) as going:
        yield going


@pytest.mark.parametrize("agent", RESUMED)
def test_resumed_it_is_shown_what_changed_and_once(
    agent: str, sessions: dict[str, "Future[Resumed]"]
) -> None:
    seen = sessions[agent].result()
    # OpenCode's system prompt keeps its bytes; the others are shown the block anew, behind the one before.
    shown = (1, 0) if agent == "opencode" else (2, 1)
    for one in (seen.changed, seen.same):
        assert (one.everything.count(OLD), one.everything.count(NEW)) == shown
    assert seen.failures == []


@pytest.mark.parametrize("agent", COMPACTED)
def test_compacted_it_is_shown_it_again_and_once(agent: str, sessions: dict[str, "Future[Resumed]"]) -> None:
    seen = sessions[agent].result()
    for one in (seen.emptied, seen.later):
        assert one is not None
        assert (one.everything.count(OLD), one.everything.count(NEW)) == (1, 1)
