"""Commits of a store, as `git log` lists them: who, when, what for, and which files.

The trailers `Silt-Run`, `Silt-Op` and `Silt-Session` say where a fact came from; a commit without
`Silt-Op` is the user's own.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from siltstone.store.entry_form import one_line, plain_body
from siltstone.store.git import LONG_TIMEOUT, Git

OP = "Silt-Op"
RUN = "Silt-Run"
SESSION = "Silt-Session"
UNDOES = "Silt-Undoes"
FORGETS = "Silt-Forgets"
SAVES = "saves"
"""Value of Silt-Forgets on an undo: what the run saved on request is not saved again from the same words."""
CHECKPOINT = "Silt-Checkpoint"
BY = "Silt-By"
USER = "user"
"""Value of Silt-By on a commit of ours whose text the user wrote by command: an edit by the user."""

MAX_BODY = 60_000
"""Characters of a commit's body: it is handed to git as one argument."""
MAX_SUBJECT = 200

_TRAILER = re.compile(r"(Silt-[A-Za-z][A-Za-z-]*): (.*)")
_LATEST = 253_402_300_799
"""End of the year 9999 in seconds: a commit may claim any date."""
_FORMAT = "%H%x00%P%x00%an%x00%at%x00%B"


class Touched(NamedTuple):
    """One file that a commit changed: object ids of its old and new content, None for no file."""

    path: str
    old: str | None
    new: str | None


class Commit(NamedTuple):
    id: str
    parents: tuple[str, ...]
    author: str
    at: datetime
    """Author date; aware, UTC."""
    subject: str
    trailers: tuple[tuple[str, str], ...]
    touched: tuple[Touched, ...]
    """Against the parent; for a merge only what differs from all parents."""

    def trailer(self, key: str) -> str | None:
        """First value of a trailer."""
        return next((value for name, value in self.trailers if name == key), None)

    @property
    def op(self) -> str | None:
        """What we did ("extract", "compact", "forget", …); None for the user's own commit."""
        return self.trailer(OP)

    @property
    def run(self) -> str:
        """What `silt undo` takes it back by: its Silt-Run, or its own short id where it belongs to none."""
        return self.trailer(RUN) or self.id[:12]


def message(subject: str, body: str, trailers: Sequence[tuple[str, str]]) -> str:
    """Text of a commit: one-line subject, body, and the trailers as the last paragraph."""
    last = "\n".join(f"{key}: {one_line(value, MAX_BODY)}" for key, value in trailers)
    parts = [one_line(subject, MAX_SUBJECT), plain_body(body)[:MAX_BODY], last]
    return "\n\n".join(part for part in parts if part) + "\n"


def trailers_of(text: str) -> tuple[tuple[str, str], ...]:
    """Our trailers in a commit's text: its last paragraph, if every line of that is one.

    A body may quote anything, so nothing above the last paragraph is believed.
    """
    lines = text.rstrip("\n").rpartition("\n\n")[2].splitlines() if "\n\n" in text.rstrip("\n") else []
    found = [match.groups() for line in lines if (match := _TRAILER.fullmatch(line))]
    return tuple((key, value) for key, value in found) if len(found) == len(lines) else ()


def read(git: Git, *span: str, paths: Sequence[str] = ()) -> Iterator[Commit]:
    """Commits of a span of `git log` arguments ("HEAD", "a..b", "-n5"), in git's own order, newest first.

    `span` decides: add "--reverse" for oldest first. The repository must have a commit.
    """
    out = git.run(
        *("log", "-z", "--raw", "--no-abbrev", "--no-renames", "-c", "--root", "--topo-order"),
        *(f"--format={_FORMAT}", *span, "--", *paths),
        timeout=LONG_TIMEOUT,
    )
    tokens = out.decode("utf-8", "surrogateescape").split("\0")
    at = 0
    while at + 4 < len(tokens):
        commit_id, parents, author, seconds, text = (token.lstrip("\n") for token in tokens[at : at + 5])
        at += 5
        touched = []
        # Files come in pairs after the text; git puts an empty token before those of a merge, and last.
        while at < len(tokens) and (not (raw := tokens[at].strip("\n")) or raw.startswith(":")):
            if raw:
                # ":<mode> <mode> <old> <new> M", one more colon, mode and old id per further parent.
                others, words = raw.count(":"), raw.lstrip(":").split(" ")
                ids = words[others + 1], words[others * 2 + 1]
                touched.append(Touched(tokens[at + 1], *(id if set(id) != {"0"} else None for id in ids)))
                at += 1
            at += 1
        when = datetime.fromtimestamp(min(max(int(seconds or "0"), 0), _LATEST), UTC)
        subject = text.partition("\n")[0]
        yield Commit(
            commit_id, tuple(parents.split()), author, when, subject, trailers_of(text), tuple(touched)
        )
