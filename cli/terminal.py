"""What a terminal gets and a pipe does not: tables, a pager, a bar that shows the time left.

Colour carries meaning: yellow waits for the user, red is wrong, green is right, dim is secondary.
rich is loaded here, only when something is drawn.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from shutil import get_terminal_size
from typing import IO, Any, NamedTuple

from siltstone.cli.note import note, printable
from siltstone.pipeline.progress import Tell, tell_nobody
from siltstone.pipeline.words import counted

WIDEST = 150
"""Columns; longer lines are hard to follow."""
COLUMNS_FROM = 120
"""Columns that a table needs; in a narrower terminal the facts about a text are below it."""
LEAST_TEXT = 40
"""Columns for the texts in a table."""
LABEL = 10
"""Columns of a label on a card."""
MOST_ROWS = 1_000
"""Rows of a table: this many take a second to draw."""
TELL_EVERY = 10.0
"""Seconds between two lines about ongoing work, in a pipe."""
_DAY = 86_400
_UNITS = {"year": 365 * _DAY, "month": 30 * _DAY, "week": 7 * _DAY, "day": _DAY, "hour": 3_600, "minute": 60}
"""Seconds of each, the longest first."""


class Row(NamedTuple):
    """One row of a table: what it says, facts about it, and its name."""

    text: str
    about: Sequence[str] = ()
    """A value for each column head but the last; "" for none."""
    name: str = ""
    style: str = ""


def here(stream: IO[str] | None = None) -> bool:
    """Whether this stream (standard output) goes to a terminal that can draw."""
    looked_at = sys.stdout if stream is None else stream
    return looked_at.isatty() and os.environ.get("TERM") != "dumb"


def console(file: IO[str] | None = None) -> Any:
    """rich's console: no markup, no guesses, no colour where the user wants none."""
    from rich.console import Console

    plain = "NO_COLOR" in os.environ
    made = Console(file=file, no_color=plain, highlight=False, markup=False, emoji=False, soft_wrap=True)
    made.width = min(made.width, WIDEST)
    return made


def show_table(heads: Sequence[str], rows: Sequence[Row]) -> None:
    """A table: the texts first, then what `heads` names, the names last; empty columns are left out. A row
    with only a text is a heading. If that leaves the texts too little room, the facts are below them. No word
    is broken or cut, and more than a screen goes to the pager."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    drawn = console()
    filled = [at for at, _ in enumerate(heads[:-1]) if any(row.about and row.about[at] for row in rows)]
    aside = sum(max(cell_len(printable(row.about[at])) for row in rows if row.about) + 2 for at in filled)
    aside += max(cell_len(printable(row.name)) for row in rows)
    if drawn.width < max(COLUMNS_FROM, LEAST_TEXT + aside) or len(rows) > MOST_ROWS:
        page(drawn, *(part for row in rows for part in _stacked(row, drawn)))
        return
    table = Table(box=None, expand=True, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", ratio=1, overflow="fold")
    for at in filled:
        table.add_column(heads[at], no_wrap=True)
    table.add_column(heads[-1], no_wrap=True)
    for row in rows:
        about: list[Any] = [
            Text(printable(row.about[at]), _meaning(row.about[at])) for at in filled if row.about
        ]
        name = printable(row.name)
        table.add_row(Text(printable(row.text), row.style), *(about or [""] * len(filled)), Text(name, "dim"))
    page(drawn, table)


def _stacked(row: Row, drawn: Any) -> Iterator[Any]:
    """A row in a narrow terminal: the text, and the facts about it below."""
    from rich.text import Text

    yield from _behind("", Text(printable(row.text), row.style), drawn)
    told = [Text(printable(word), _meaning(word) or "dim") for word in (*row.about, row.name) if word]
    if told:
        yield from _behind("  ", Text(" · ").join(told), drawn)


def show_card(text: str, facts: Sequence[tuple[str, str]]) -> None:
    """A text, and facts about it behind their labels."""
    from rich.text import Text

    drawn = console()
    first, _, rest = printable(text).partition("\n")
    lines = [*_behind("", Text.assemble((first, "bold"), "\n", rest, "\n" if rest else ""), drawn)]
    for label, told in facts:
        style = "yellow" if label == "conflict" else ""
        lines += _behind(label.ljust(LABEL), Text(printable(told), style), drawn)
    page(drawn, *lines)


def _behind(label: str, told: Any, drawn: Any) -> Iterator[Any]:
    """A text behind a label, in lines that break no name and no path: what is longer than a line is left to
    the terminal, where it can still be copied in one piece."""
    from rich.text import Text

    for line in told.wrap(drawn, drawn.width - len(label), overflow="ignore"):
        line.rstrip()
        yield Text.assemble((label, "dim"), line)
        label = " " * len(label)


def _meaning(word: str) -> str:
    """The style of a word in a table."""
    waits = word.startswith(("conflict", "changed", "gone", "elsewhere", "new text"))
    return "yellow" if waits else "dim" if word.endswith(" ago") or word == "archived" else ""


def page(drawn: Any, *what: Any) -> None:
    """Draw it, through the user's pager if it is more than a screen."""
    with drawn.capture() as captured:
        drawn.print(*what, sep="\n")
    write_paged("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def write_paged(text: str) -> None:
    """Write lines to the terminal, through the user's pager where they are more than a screen."""
    if text.count("\n") >= get_terminal_size().lines:
        pager = shlex.split(os.environ.get("PAGER") or "less")
        try:
            subprocess.run(pager, input=text.encode(), check=False, env={"LESS": "FRX", **os.environ})
            return
        except OSError:
            pass  # there is no such pager
    sys.stdout.write(text)


def ago(at: datetime, now: datetime | None = None) -> str:
    """A time as people say it: "3 weeks ago", "in 5 minutes", "just now". `now`: else the clock's."""
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    if abs(seconds) < 60:
        return "just now"
    told = lasting(abs(seconds))
    return f"{told} ago" if seconds > 0 else f"in {told}"


def lasting(seconds: float) -> str:
    """A span in its largest unit, rounded down: "2 days", "1 minute"."""
    unit = next((one for one, size in _UNITS.items() if seconds >= size), "second")
    return counted(int(seconds // _UNITS.get(unit, 1)), unit)


@contextmanager
def progress(quiet: bool = False) -> Iterator[Tell]:
    """Shows how far long work has got, on standard error: a bar on a terminal, a line now and then in a
    pipe."""
    if quiet:
        yield tell_nobody
    elif here(sys.stderr):
        with _bar() as tell:
            yield tell
    else:
        yield _lines()


class _Course:
    """How long work still takes if it goes on as it went since it began. It comes in large pieces, such as
    the answers of a model: the speed of the last seconds says little."""

    what, _began, _ends = "", 0.0, 0.0

    def told(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if what != self.what or not done:
            self.what, self._began = what, now
        self._ends = now + (now - self._began) / max(done, 1) * (of - done)

    @property
    def left(self) -> str:
        """ "about 2 minutes left"; "" while nobody knows."""
        seconds = self._ends - time.monotonic()
        return f"about {lasting(seconds)} left" if seconds >= 1 else ""


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich import progress as bars

    parts = ("{task.fields[far]}", "{task.fields[course].left}", "{task.fields[last]}")
    columns = [bars.TextColumn("{task.description}"), bars.BarColumn(), *map(bars.TextColumn, parts)]
    both = sys.stdout.isatty()  # what is printed meanwhile stands above the bar
    course = _Course()
    with bars.Progress(*columns, console=console(sys.stderr), transient=True, redirect_stdout=both) as bar:
        task = bar.add_task("", total=None, visible=False, far="", course=course, last="")

        def tell(what: str, done: int, of: int, last: str) -> None:
            course.told(what, done, of)
            far = f"{done:,} of {of:,}" if of else ""
            told: dict[str, Any] = {"far": far, "last": printable(last)}
            bar.update(task, description=what, completed=done, total=of or None, visible=True, **told)

        yield tell


def _lines() -> Tell:
    course, told = _Course(), time.monotonic()

    def tell(what: str, done: int, of: int, last: str) -> None:
        nonlocal told
        course.told(what, done, of)
        if done < of and time.monotonic() - told >= TELL_EVERY:
            told = time.monotonic()
            more = f"{course.left and ', '}{course.left}{f' ({last})' if last else ''}"
            note(f"{what}: {done:,} of {of:,}{more}")

    return tell
