"""Memories bound to code, over the history of any repository: `python -m benchmarks anchors REPO [BRANCH]`.

Anchors are taken at old commits of the branch's first-parent line, and each later commit of it is replayed.
What really changed is asked of git in ways that share nothing with the product: `git log -L` for functions of
Go, `git grep` for words, `git diff` for files.
"""

import os
import random
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from support.snapshots import snapshot_of

from siltstone.pipeline.binding import bound
from siltstone.store.code.project_git import ProjectGit
from siltstone.store.code.status import CodeStatus, Row
from siltstone.store.entry import Anchor, Entry, Evidence, Stored, Write
from siltstone.store.frontmatter import parse, render
from siltstone.store.repository import Checkout

ANCHORS = 200
TAKEN_AT = 20
"""Commits at which they are taken, spread over the first half of the history."""
KINDS = {"symbol": 0.6, "words": 0.25, "file": 0.15}
FUNCTION = r"^func \(([^)]*) \)\{{0,1\}}{0}[[(]"
"""Its first line, as a basic regular expression."""
MANY = 1_000
TRIES = 7
"""Of which the fastest counts: others use the machine too."""
TOUCHED = 10
SECONDS = 600.0


@dataclass(slots=True)
class Watched:
    """One anchor, and what was seen of it."""

    row: Row
    truth: str
    """Where its file stands by git's own rename detection; "" when it is gone."""
    changed: bool = False
    flagged_late: int = 0
    """Commits at which it had changed and was not flagged."""
    flagged_early: int = 0
    """Commits at which it was flagged and had not changed."""
    compared: int = 0


class Repository:
    """A repository, and git as anybody runs it."""

    def __init__(self, at: Path, branch: str) -> None:
        self.at = str(at)
        self.common = self.git("rev-parse", "--absolute-git-dir").strip()
        self.line = self.git("rev-list", "--first-parent", "--reverse", branch).split()

    def git(self, *words: str, ok: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(["git", "-C", self.at, *words], capture_output=True, check=False)
        if done.returncode not in ok:
            raise RuntimeError(f"git {' '.join(words)}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout.decode("utf-8", "replace")

    def opened(self, commit: str, folder: Path) -> ProjectGit:
        """What the product reads where this commit is checked out; no file of a work tree."""
        checkout = Checkout("/nowhere", self.common, self.common, commit, "main")
        return ProjectGit(checkout, folder, dict(os.environ), SECONDS)


def memory(text: str, at: datetime, n: int) -> tuple[str, Entry]:
    """A memory that says a text, and its path."""
    evidence = (Evidence(at, "claude", "s1", f"m{n}", text),)
    entry = Entry("projects/p", f"m{n}", "project", text, text, "explicit", "user-said", at, at, evidence)
    return f"projects/p/project-m{n}.md", entry


def candidates(repository: Repository, commit: str, kind: str, chance: random.Random) -> Iterator[str]:
    """Sentences that name something of a commit, in any order."""
    paths = [one for one in repository.git("ls-tree", "-r", "--name-only", commit).split("\n") if one]
    chance.shuffle(paths)
    for path in paths:
        if kind == "file":
            yield f"All of it is in {path} by now"
            continue
        text = repository.git("show", f"{commit}:{path}")
        if kind == "symbol" and path.endswith(".go") and not path.endswith("_test.go"):
            names = re.findall(r"(?m)^func (?:\([^)]*\) )?(\w{4,})[\[(]", text)
            yield from (f"`{name}` in {path} decides it" for name in chance.sample(names, min(len(names), 3)))
        elif kind == "words" and re.search(r"\.(md|ya?ml|json|toml|sh)$|Makefile$", path):
            words = sorted(set(re.findall(r"\b[A-Za-z_]{7,}\b", text)))
            yield from (f"`{word}` in {path} is meant" for word in chance.sample(words, min(len(words), 2)))


def take(repository: Repository, count: int, folder: Path) -> dict[int, list[Anchor]]:
    """Anchors by the place in the line at which they are taken."""
    chance = random.Random(1)  # noqa: S311
    places = [len(repository.line) * (n + 1) // (2 * TAKEN_AT) for n in range(TAKEN_AT)]
    taken: dict[int, list[Anchor]] = {}
    for place in places:
        commit = repository.line[place]
        git = repository.opened(commit, folder)
        at = datetime.now(UTC).replace(microsecond=0)
        for kind, share in KINDS.items():
            wanted = round(count * share / TAKEN_AT)
            for text in candidates(repository, commit, kind, chance):
                path, entry = memory(text, at, 1)
                (write,) = bound([Write(path, render(entry), None)], partial(opened, git))
                found = parse(path, write.text).anchors if isinstance(write, Write) else ()
                if len(found) == 1 and kind_of(found[0]) == kind:
                    taken.setdefault(place, []).append(found[0])
                    wanted -= 1
                if not wanted:
                    break
    return taken


def opened(git: ProjectGit, scope: str) -> ProjectGit:
    return git


def kind_of(anchor: Anchor) -> str:
    return "symbol" if anchor.symbol else "words" if anchor.words else "file"


def has_changed(repository: Repository, one: Watched, since: str, now: str) -> bool:
    """Whether an anchor's code differs between two commits, by git alone."""
    anchor = one.row.anchor
    if not one.truth:
        return True
    if anchor.symbol:
        lines = f"/{FUNCTION.format(anchor.symbol)}/,/^}}/:{one.truth}"
        how = ("log", "-1", "-w", "--format=%H", "-L", lines)
        try:
            return bool(repository.git(*how, f"{since}..{now}").strip())
        except RuntimeError as error:
            if "no match" not in str(error).lower():
                raise
            return True  # there is no such function any more
    if anchor.words:
        grep = ("grep", "-h", "-i", "-w", "-F", "-e", anchor.words)
        before, after = (
            re.sub(r"[ \t]+", " ", repository.git(*grep, commit, "--", path, ok=(0, 1)))
            for commit, path in ((since, anchor.path), (now, one.truth))
        )
        return [line.strip() for line in before.split("\n")] != [line.strip() for line in after.split("\n")]
    return bool(repository.git("diff", "--raw", f"{since}:{anchor.path}", f"{now}:{one.truth}").strip())


def replay(
    repository: Repository, taken: dict[int, list[Anchor]], folder: Path, status: CodeStatus
) -> list[Watched]:
    """Every later commit, compared by the product and by git."""
    watched: list[Watched] = []
    born: dict[str, str] = {}
    kept: dict[str, Stored] = {}
    for place in range(min(taken), len(repository.line)):
        commit = repository.line[place]
        if watched:
            before = repository.line[place - 1]
            said = repository.git("diff", "--name-status", "-M", "-z", before, commit).split("\0")
            renamed, touched, words = {}, set(), iter(said)
            for how in words:
                if how.startswith(("R", "C")):
                    old, new = next(words), next(words)
                    touched |= {old, new}
                    if how.startswith("R"):
                        renamed[old] = new
                elif how:
                    path = next(words)
                    touched.add(path)
                    if how == "D":
                        renamed[path] = ""
            now = repository.opened(commit, folder)
            rows = status.of(list(kept), partial(opened, now))
            for one in watched:
                (one.row,) = rows[one.row.memory]
                if one.truth in touched:
                    one.truth = renamed.get(one.truth, one.truth)
                    one.changed = has_changed(repository, one, born[one.row.memory], commit)
                flagged = one.row.status != "fresh"
                one.compared += 1
                one.flagged_late += one.changed and not flagged
                one.flagged_early += flagged and not one.changed
                if os.environ.get("SHOW") and flagged != one.changed:
                    print(commit[:8], one.row.status, one.changed, one.row.anchor, one.truth)
        for anchor in taken.get(place, ()):
            path, entry = memory("x", datetime.now(UTC), len(watched))
            kept[path] = Stored(path, "", f"{len(watched):064}", entry._replace(anchors=(anchor,)))
            born[path] = commit
            watched.append(Watched(Row(path, 0, anchor), anchor.path))
        status.sync(snapshot_of(kept.values()))
    return watched


def after_ten_files(repository: Repository, anchors: list[Anchor], folder: Path) -> tuple[int, float]:
    """Files of a commit that touches some ten, and the seconds to bring 1,000 anchors up to it."""

    def size(place: int) -> int:
        return repository.git(
            "diff", "--name-only", f"{repository.line[place - 1]}", repository.line[place]
        ).count("\n")

    sizes = {place: size(place) for place in range(len(repository.line) // 2, len(repository.line))}
    place = min(sizes, key=lambda place: (abs(sizes[place] - TOUCHED), place))
    before, after = (repository.opened(repository.line[at], folder) for at in (place - 1, place))
    every = [
        Stored(path, "", f"{n:064}", entry._replace(anchors=(anchors[n % len(anchors)],)))
        for n in range(MANY)
        for path, entry in [memory("x", datetime.now(UTC), n)]
    ]
    times = []
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory(dir=folder) as state, CodeStatus(Path(state)) as status:
            status.sync(snapshot_of(every))
            status.not_fresh("projects/p", before)
            started = time.perf_counter()
            status.not_fresh("projects/p", after)
            times.append(time.perf_counter() - started)
    return sizes[place], min(times)


def main(repo: Path, branch: str = "HEAD") -> None:
    """Measure, and print what came of it."""
    repository = Repository(repo, branch)
    with tempfile.TemporaryDirectory(prefix="silt-bench-") as name:
        taken = take(repository, ANCHORS, Path(name))
        anchors = [anchor for some in taken.values() for anchor in some]
        with CodeStatus(Path(name)) as status:
            watched = replay(repository, taken, Path(name), status)
        files, seconds = after_ten_files(repository, anchors, Path(name))
    print(f"{len(repository.line)} commits of {branch}, {len(anchors)} anchors at {len(taken)} of them")
    for kind in (*KINDS, ""):
        some = [one for one in watched if kind in ("", kind_of(one.row.anchor))]
        moved = [one for one in some if one.changed or one.flagged_late]
        missed = sum(bool(one.flagged_late) for one in some)
        false = sum(bool(one.flagged_early) for one in some)
        compared = sum(one.compared for one in some)
        wrong = sum(one.flagged_early + one.flagged_late for one in some)
        print(
            f"{kind or 'all':7} {len(some):4} anchors, {len(moved):4} changed: {missed} ever missed, "
            f"{false} ever flagged without a change; {wrong} of {compared:,} comparisons wrong"
        )
    print(f"{MANY:,} anchors after a commit of {files} files: {1000 * seconds:.0f} ms")
