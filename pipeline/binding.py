"""Anchors: what a project's memory names is bound to the project's code, at each write of the memory.

Nobody proposes an anchor, neither a user nor a model: names in the text are looked up in the files that
were checked out when the fact was said. A name that stands in two places, or in none, is not bound.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from posixpath import basename

from siltstone.pipeline.identifiers import CodeNames, code_names
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.words import counted, word_lists
from siltstone.store import commits
from siltstone.store.code.lines import definitions, looks_defining, sketch, with_words
from siltstone.store.code.project_git import ProjectGit, text_of
from siltstone.store.entry import Anchor, Change, Entry, Stored, Write
from siltstone.store.errors import EntryError, GitError, Stale
from siltstone.store.frontmatter import edit, parse
from siltstone.store.history_index import blob_id
from siltstone.store.names import in_force
from siltstone.store.store import Store

MAX_ANCHORS = 8
"""Of one memory."""
MAX_DEFINING = 12
"""Files with a line that looks like the definition of a symbol: of more nobody knows which is meant."""
LOOKED_AT = "anchors-looked-for"
"""Name of the state value that says when memories without anchors were looked at last."""
AT_ONCE = 20
"""Memories for which git has the time of one command."""
REST_SECONDS = 30.0
"""For all that a run binds of older memories, the newest first."""
DIGITS = 12
"""Of an object id that is kept."""
_MANIFESTS = word_lists(__file__, "manifests")
_VERSIONS = _MANIFESTS["versions"]


def bound(changes: Sequence[Change], opened: Callable[[str], ProjectGit | None]) -> list[Change]:
    """The changes, with the anchors of each memory of a project that they write.

    An anchor stays while the text names it; what the text names beside it is bound now. `opened`: scope → the
    git of its project, None where that is not on this machine.
    """
    opened = cache(opened)
    return [_bound(one, opened) if isinstance(one, Write) else one for one in changes]


def bind_rest(parts: Parts) -> None:
    """Bind memories without an anchor: written by hand, by an older Siltstone, or when there was no time.

    In one commit with `Silt-Op: bind`. All are looked at once a day, and else those that changed since.
    """
    store, today = parts.store, f"{parts.clock():%Y-%m-%d}"
    head = store.git.head() or ""
    looked, _, day = (parts.state.value(LOOKED_AT) or "").partition(" ")
    if (looked, day) == (head, today):
        return
    since = _changed(store, looked, head) if day == today else store.entries()
    loose = [one for one in since if not (one.entry.anchors or one.entry.readonly)]
    loose.sort(key=lambda one: one.entry.updated, reverse=True)
    asked = [Write(one.path, one.text, one.hash) for one in loose]
    until, changes = time.monotonic() + REST_SECONDS, list[Change]()
    while asked and time.monotonic() < until:
        some, asked = asked[:AT_ONCE], asked[AT_ONCE:]
        changes += [new for old, new in zip(some, store.bind(some), strict=True) if new != old]
    if changes:
        with store.locked(), suppress(Stale):
            store.settle()
            subject = f"memory: bind {counted(len(changes), 'memory')} to code"
            store.apply(changes, subject, [(commits.RUN, parts.run), (commits.OP, "bind")])
    # What there was no time for is looked at by the next run.
    parts.state.set_value(LOOKED_AT, f"{store.git.head()} {'' if asked else today}")


def _changed(store: Store, old: str, new: str) -> list[Stored]:
    """The entries in files that differ between two commits; all where the older is not there any more."""
    try:
        paths = store.git.changed(old, new)
    except GitError:
        return store.entries()
    return store.read_all(sorted(filter(in_force, paths)))


def _bound(change: Write, opened: Callable[[str], ProjectGit | None]) -> Write:
    if not (in_force(change.path) and change.path.startswith("projects/")):
        return change
    try:
        entry = parse(change.path, change.text)
        names = code_names(entry.claim)
        kept = [anchor for anchor in entry.anchors if any(_names(anchor, one) for one in _flat(names))]
        anchors = _anchors(entry, names, kept, opened) if any(names) else []
        if tuple(anchors) == entry.anchors:
            return change
        return change._replace(text=edit(change.text, entry._replace(anchors=tuple(anchors))))
    except EntryError:  # of a file that cannot be read, or changed by code
        return change


def _flat(names: CodeNames) -> list[str]:
    return [*names.paths, *names.symbols, *(" ".join(one) for one in (*names.commands, *names.versions))]


def _names(anchor: Anchor, name: str) -> bool:
    """Whether an anchor is what a name in the text was bound to."""
    if anchor.symbol:
        return name == anchor.symbol
    if anchor.words:
        return anchor.words in (name, name.partition(" ")[2])
    return f"/{anchor.path}".endswith(f"/{name.rstrip('/*')}") or name.endswith(f"/{anchor.path}")


def _anchors(
    entry: Entry, names: CodeNames, kept: list[Anchor], opened: Callable[[str], ProjectGit | None]
) -> list[Anchor]:
    missing = [one for one in _flat(names) if not any(_names(anchor, one) for anchor in kept)]
    named = {anchor.path for anchor in kept}
    # A file needs no anchor beside that of a symbol in it.
    missing = [one for one in missing if not any(f"/{path}".endswith(f"/{one}") for path in named)]
    if not missing or len(kept) >= MAX_ANCHORS:
        return kept
    git = opened(entry.scope)
    found = dict.fromkeys(kept)
    if git is not None:
        quotes = " ".join(one.quote for one in entry.evidence).lower()
        # What no quote names, the user wrote into the file by hand, nobody knows when.
        said = any(name.lower() in quotes for name in missing)
        with suppress(GitError):  # no time, or what git cannot read: the next write tries again
            for anchor in _Code(git, entry.updated if said else None).anchors(names, missing):
                found[anchor] = None
    return list(found)[:MAX_ANCHORS]


class _Code:
    """The files of a project as they were checked out when a fact was said; None: as they are now."""

    def __init__(self, git: ProjectGit, said: datetime | None) -> None:
        then = None if said is None else git.checked_out_at(said)
        self._git = git
        self._commit, branch = then or (git.tip, git.checkout.branch)
        self._mark = Anchor(
            "", commit=self._commit[:DIGITS], branch=branch, since="said" if then else "bound"
        )
        self._files = git.tree(self._commit)

    def anchors(self, names: CodeNames, missing: Collection[str]) -> Iterator[Anchor]:
        """Those of the missing names that stand for one thing."""
        files = {name: file for name in names.paths if (file := self._path(name))}
        unknown, covered = [], set()
        for symbol in names.symbols:
            if symbol in missing:
                found = self._in_files(symbol, files.values())
                covered |= {anchor.path for anchor in found}
                unknown += [] if found else [symbol]
                yield from found
        yield from (
            self._mark._replace(path=file, blob=self._blob(file))
            for name, file in files.items()
            if name in missing and file not in covered
        )
        for tool, word in names.commands:
            if f"{tool} {word}" in missing:
                yield from self._in_manifests(word, _MANIFESTS.get(tool, ()))
        for what, number in names.versions:
            if f"{what} {number}" in missing and ("." in number or what.lower() in _MANIFESTS["whole"]):
                yield from self._in_manifests(f"{what} {number}", _VERSIONS)
        for symbol in unknown:  # last, for it takes the longest
            yield from self._in_project(symbol)

    def _path(self, name: str) -> str:
        """The one file or folder of the project that a path in a text means; "" for none, or several."""
        top = f"{self._git.checkout.top}/"
        name = name.removeprefix(top).rstrip("/*").removesuffix("/")
        if not name or name.startswith(("/", "~", "../")) or not name.isprintable():
            return ""
        if name in self._files or any(path.startswith(f"{name}/") for path in self._files):
            return name
        if self._is_now and self._git.at_hand(name) is not None:
            return name
        alike = [path for path in self._files if path.endswith(f"/{name}")]
        return alike[0] if len(alike) == 1 and alike[0].isprintable() else ""

    @property
    def _is_now(self) -> bool:
        return self._commit == self._git.tip

    def _data(self, path: str) -> str | None:
        """What a file held; what was not committed yet counts where HEAD is still what it was then."""
        if self._is_now and (data := self._git.at_hand(path)) is not None:
            return text_of(data)
        return self._git.texts([self._files[path]]).get(self._files[path]) if path in self._files else None

    def _blob(self, path: str) -> str:
        if self._is_now and (data := self._git.at_hand(path)) is not None:
            return blob_id(data, self._git.tip)[:DIGITS]
        return self._files.get(path, "")[:DIGITS]

    def _in_files(self, symbol: str, files: Collection[str]) -> list[Anchor]:
        """The definition of a symbol in the files that the text names, or else the lines that hold it."""
        found = []
        for path in files:
            text = self._data(path) or ""
            defined = definitions(text, path, symbol) or []
            if len(defined) == 1:
                found.append(self._at(path, defined[0], symbol=symbol))
            elif lines := with_words(text, symbol):
                found.append(self._at(path, lines, words=symbol))
        return found

    def _in_project(self, symbol: str) -> list[Anchor]:
        """A file of this name, or the one definition of a symbol in the whole project."""
        name = symbol.rpartition(".")[2]
        if symbol in {basename(path) for path in self._files} and (file := self._path(symbol)):
            return [self._mark._replace(path=file, blob=self._blob(file))]
        owner = symbol.split(".")[-2] if "." in symbol else name  # many have a method of one name
        lines = self._git.lines_with(owner, self._commit)
        code = ((path, line) for path, line in lines if path.rpartition(".")[2] in _MANIFESTS["code"])
        places = dict.fromkeys(path for path, line in code if looks_defining(line, owner))
        found = []
        for path in places if len(places) <= MAX_DEFINING else ():
            text = self._data(path) or ""
            defined = definitions(text, path, symbol)
            if defined is None and owner == name:
                found.append(self._at(path, with_words(text, name), words=name))
            found += [self._at(path, one, symbol=symbol) for one in defined or ()]
        return found if len(found) == 1 else []

    def _in_manifests(self, words: str, files: Collection[str]) -> Iterator[Anchor]:
        """The lines of the first of these files that hold the words."""
        for path in sorted(files):
            lines = with_words(self._data(path) or "", words) if path in self._files else ()
            if lines:
                yield self._at(path, lines, words=words)
                return

    def _at(self, path: str, lines: Sequence[str], symbol: str = "", words: str = "") -> Anchor:
        blob = self._blob(path)
        return self._mark._replace(path=path, symbol=symbol, words=words, blob=blob, lines=sketch(lines))
