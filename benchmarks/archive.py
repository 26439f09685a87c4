"""The session archive: how fast transcripts become searchable, and how fast a large one is searched."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.clock import answering, peak, timed
from benchmarks.figure import Benchmark, Figure, at_least, at_most, scaled
from benchmarks.prose import Prose
from benchmarks.transcripts import FORMS, Form
from siltstone.pipeline.archiving import Archiving, fill
from siltstone.pipeline.progress import tell_nobody
from siltstone.pipeline.reading.backlog import Wanted
from siltstone.store.entry import GLOBAL
from siltstone.store.projects import Project
from siltstone.store.session_archive import FILE, Filter, Said, SessionArchive, search
from siltstone.store.session_archive.archive import ANY

BYTES = 50_000_000
"""Of one agent's transcript: 200 MB for the four agents."""
SMALL, LARGE = 30_000_000, 150_000_000
"""Bytes of two transcripts that should take the same memory."""
MESSAGES = 1_000_000
PROJECTS = 50
BATCH = 5_000
QUERIES = 200
YEAR = 31_536_000


def measure(folder: Path, scale: float) -> list[Figure]:
    forms = [form for form in FORMS if form.agent != "plain"]
    filling = [_filling(form, folder / form.agent, scaled(BYTES, scale)) for form in forms]
    return [*filling, _memory(forms[0], folder / "memory", scale), *_searching(folder / "large", scale)]


def _filling(form: Form, folder: Path, size: int) -> Figure:
    written = form.write(folder / "home", size)
    took = timed(lambda: _filled(form, folder))
    with SessionArchive(folder / FILE, 0) as archive:
        ((messages,),) = archive.rows("SELECT count(*) FROM message")
        kept = archive.size()
    return Figure(
        what=f"filling from {form.title}",
        value=written / took.cpu / 1e6,
        unit=" MB/s",
        budget=at_least(20),
        detail=f"{written / 1e6:,.0f} MB with {messages:,} messages in {took.cpu:.1f} s of processor time; "
        f"the archive takes {kept / 1e6:,.1f} MB",
        why="a third goes to reading, a half to redaction, the rest to the index",
    )


def _filled(form: Form, folder: Path) -> None:
    wanted = Wanted(datetime.now(UTC) + timedelta(days=1), timedelta(0))
    with SessionArchive(folder / FILE, 0) as archive:
        to = Archiving(archive, lambda cwd, remotes: Project(GLOBAL), timedelta(days=3650), 10**12, ())
        fill([form.reader(folder / "home")], wanted, to, tell_nobody)


def _memory(form: Form, folder: Path, scale: float) -> Figure:
    peaks = []
    for name, size in (("small", SMALL), ("large", LARGE)):
        form.write(folder / name / "home", scaled(size, scale))
        peaks.append(peak(partial(_filled, form, folder / name)))
    return Figure(
        what="memory for 150 MB beside 30 MB",
        value=peaks[1] / peaks[0],
        unit="×",
        budget=at_most(1.2),
        detail=f"at most {peaks[0] / 1e6:.1f} MB and {peaks[1] / 1e6:.1f} MB held",
        why="something is kept for every message",
    )


def _searching(folder: Path, scale: float) -> list[Figure]:
    count, asked, prose = scaled(MESSAGES, scale, 200), scaled(QUERIES, scale, 5), Prose(5)
    with SessionArchive(folder / FILE, 0) as archive:
        filled = timed(lambda: _put(archive, count)).cpu
        detail = f"{count:,} messages, {archive.size() / 1e6:,.0f} MB on disk"
        mine = Filter(["projects/p7"], since=YEAR // 2)
        figures = [
            answering(
                f"{words} words{' in a project' if wanted is mine else ''}",
                partial(search, archive, wanted=wanted, limit=10),
                [prose.sentence(words) for _ in range(asked)],
                at_most(20),
                "messages",
            )
            for words, wanted in ((2, ANY), (5, ANY), (12, ANY), (5, mine))
        ]
    return [*figures, Figure("putting in", filled, " s", None, detail)]


def _put(archive: SessionArchive, count: int) -> None:
    said = _said(archive, count)
    while batch := list(islice(said, BATCH)):
        archive.keep(batch, ())


def _said(archive: SessionArchive, count: int) -> Iterator[Said]:
    """Messages of a year, twenty in a session, the newest sessions first."""
    prose = Prose(3)
    scopes = [archive.scope(f"projects/p{n}", ()) for n in range(PROJECTS)]
    for number in range(count):
        session, place = divmod(number, 20)
        at = int(YEAR - session * YEAR / count * 20 + place)
        text = prose.sentence(10 + 60 * (number % 3))
        scope = scopes[session % PROJECTS]
        yield Said(
            "claude", f"s{session}", "/work", scope, str(number), str(number), "user", max(at, 1), text
        )


BENCHMARK = Benchmark(
    "archive",
    "The session archive",
    "Bytes of transcript that become searchable per second of processor time; Python's peak memory "
    "meanwhile; and the time within which half of all queries over a million messages finish, in wall "
    "time, best of three tries of each.",
    measure,
)
