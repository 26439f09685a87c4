"""Looking back by a model's recorded answer: what a session went on to drop leaves, what it settled stays."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.bench import Bench

from siltstone.pipeline.compaction.compact import compact_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.compaction.with_model import Looking
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.store.entry import Entry, Evidence, Type, Write
from siltstone.store.frontmatter import render
from siltstone.store.session_archive import FILE, Mark, Said, SessionArchive

pytestmark = pytest.mark.vcr

SCOPE = "projects/larkspur"
BEGAN = datetime(2026, 9, 1, 10, tzinfo=UTC)
TALK = (
    ("user", "let's have one page for each ferry, with a map on top"),
    (
        "assistant",
        "A page for each ferry, with a map on top. I would draw the map with Leaflet. Shall I begin?",
    ),
    ("user", "yes. and ferry times always in 24 hours, tourists misread am and pm"),
    ("assistant", "Leaflet draws the map, times are in 24 hours."),
    ("user", "the map jumps when I scroll on my phone"),
    ("assistant", "Fixed: the map no longer takes the scroll. The tests pass."),
    (
        "user",
        "good. hmm, seven pages with nearly the same words. make it one page with all the ferries after all",
    ),
    ("assistant", "All seven are on one page now. The map shows all the quays."),
    ("user", "could we also sell tickets there? or is that too much for us"),
    ("assistant", "It needs a payment service and refunds. I would leave it to the harbour office."),
    (
        "user",
        "agreed, then no tickets. ask the harbour office before you change a price, Mira there has the list",
    ),
)
MEMORIES: tuple[tuple[Type, str, int, int], ...] = (
    ("decision", "There is one page for each ferry, with a map on top.", 0, 0),
    ("decision", "The map is drawn with Leaflet.", 1, 2),
    ("feedback", "Ferry times are always in 24 hours.\nWhy: tourists misread am and pm.", 2, 2),
    ("project", "The map jumps when somebody scrolls on a phone.", 4, 4),
    ("decision", "There is one page with all the ferries.", 6, 6),
    ("feedback", "The harbour office is asked before a price is changed. Mira there has the list.", 10, 10),
)


ELSEWHERE = ("The page is deployed from the branch main.", "Pictures of the quays are at most 200 KB.")
"""Said in another session, of which there is no archive."""


def at(n: int) -> datetime:
    return BEGAN + timedelta(minutes=n)


def learnt(bench: Bench) -> None:
    """The memories, as the windows of the session left them."""
    writes: list[Write] = []
    for number, (type_, body, *quoted) in enumerate(MEMORIES):
        said = tuple(Evidence(at(n), "claude", "s1", f"m{n}", TALK[n][1]) for n in dict.fromkeys(quoted))
        first, times = body.splitlines()[0], (said[0].at, said[-1].at)
        made = Entry(SCOPE, f"note-{number}", type_, first, body, "extraction", "user-said", *times, said)
        writes.append(Write(f"{SCOPE}/{type_}-note-{number}.md", render(made), None))
    for number, body in enumerate(ELSEWHERE, len(MEMORIES)):
        other = (Evidence(BEGAN, "claude", "s0", f"m{number}", body),)
        made = Entry(
            SCOPE, f"note-{number}", "project", body, body, "extraction", "user-said", BEGAN, BEGAN, other
        )
        writes.append(Write(f"{SCOPE}/project-note-{number}.md", render(made), None))
    store = bench.store()
    with store.locked():
        store.apply(writes, "memory: learn", [("Silt-Run", "0000"), ("Silt-Op", "extract")])


def test_what_a_session_drops(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """One page for each ferry became one page for all, and the map was mended. What was agreed on stays."""
    bench = Bench(tmp_path, {})
    learnt(bench)
    with SessionArchive(tmp_path / FILE, 0) as archive:
        scope = archive.scope(SCOPE, ())
        said = [
            Said("claude", "s1", "/larkspur", scope, f"k{n}", f"m{n}", role, int(at(n).timestamp()), text)
            for n, (role, text) in enumerate(TALK)
        ]
        archive.keep(said, [Mark("claude", "s1", "s1", "read", None)])
        when = When(churn=1, interval=timedelta(0), min_entries=1)
        ((_, _, done),) = compact_due(
            bench.parts(Rules()), recorded_model, when, Looking(recorded_model, archive)
        )
    assert done.asked.failed == []
    gone = {stored.entry.description for stored in bench.store().entries(archived=True) if stored.archived}
    assert gone == {MEMORIES[0][1], MEMORIES[3][1]}
