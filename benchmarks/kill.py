"""Commands killed at every step that changes the disk or starts a program (`kill.c`), then made good.

After each kill the next command must work and leave what an uninterrupted command leaves, or what stood
before: nothing lost, nothing doubled, nothing stuck.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.bench import planted

from benchmarks.figure import Benchmark, Figure, at_least, at_most, scaled
from benchmarks.installed import silt
from benchmarks.stores import START, entries, written
from siltstone.store.store import Store

POINTS = 1_050
PURGED = "kestrel-quokka"
"""Stands in the memory that is purged, and nowhere else."""

Words = tuple[str, ...]
Content = Mapping[str, bytes]
"""Bytes by path."""


@dataclass(frozen=True)
class Home:
    """A person's home with agents' transcripts, a store, its state and its settings."""

    folder: Path

    def run(self, words: Words, **more: str) -> subprocess.CompletedProcess[bytes]:
        """One command to its end, in a process group of its own."""
        own = {"HOME": "person", "SILT_HOME": "store", "SILT_STATE": "state", "SILT_CONFIG": "config.toml"}
        foreign = ("SILT_", "GIT_", "OPENAI_", "PYTHONDONTWRITEBYTECODE")
        env = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        env |= {name: str(self.folder / place) for name, place in own.items()} | more
        person = self.folder / "person"
        return subprocess.run(
            silt(*words), env=env, cwd=person, capture_output=True, process_group=0, check=False
        )

    def must(self, words: Words) -> None:
        """One command that has to work. Raises Stuck when it does not."""
        done = self.run(words)
        if done.returncode:
            raise Stuck(f"silt {' '.join(words)}: {done.stderr.decode(errors='replace').strip()}")

    def git(self, *words: str) -> str:
        """What git says of the store; its complaints too."""
        done = subprocess.run(
            ["git", "-C", str(self.folder / "store"), *words], capture_output=True, check=False
        )
        return (done.stdout + done.stderr).decode(errors="replace")

    def files(self, place: str) -> dict[str, bytes]:
        """Every file below `place` but git's own; the home itself, where a file names it, has one name."""
        root = self.folder / place
        found = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
        name = bytes(self.folder)
        return {str(path.relative_to(root)): path.read_bytes().replace(name, b"HOME") for path in found}


class Stuck(Exception):
    """A command that failed after a kill; the message says what it said."""


@dataclass(frozen=True)
class Scene:
    """A command to be killed, and what is to be there afterwards."""

    name: str
    prepare: Callable[[Home], None]
    words: Words
    place: str = "store"
    """The folder of the home whose files are compared."""
    next: Words = ()
    """The command that the person happens to call afterwards; the killed one when there is none. Behind
    another one, what stood before is as good as what comes of an uninterrupted command; the killed command
    is called again then."""


def _learned(home: Home) -> None:
    home.must(_run(home))
    home.must(("remember", f"The wiki is at {PURGED}.example"))


def _twins(home: Home) -> None:
    store = Store.open(home.folder / "store", clock=lambda: START)
    twins = [one._replace(name=f"{one.name}-{n}") for one in entries(12) for n in ("one", "two")]
    with store.locked():
        store.apply(list(map(written, twins)), "memory: learn", [("Silt-Op", "extract")])
    home.must(("status",))


def _run(home: Home) -> Words:
    roots = (f"{agent}={home.folder.parents[1] / 'agents' / agent}" for agent in ("claude", "codex"))
    return ("run", "--idle", "0", *(word for root in roots for word in ("--root", root)))


SCENES = (
    Scene("run", lambda home: None, ("run",)),
    Scene("compact", _twins, ("compact",)),
    Scene("undo", _learned, ("undo",), next=("run",)),
    Scene("purge", _learned, ("purge", "--yes", f"feedback-the-wiki-is-at-{PURGED}-example"), next=("run",)),
    Scene("install", lambda home: None, ("install", "claude", "codex", "gemini", "opencode"), place="person"),
)


def measure(folder: Path, scale: float) -> list[Figure]:
    """Kill at evenly spread steps of all commands, two at a time."""
    planted(folder / "agents", "01", "02", "04", "05", "08")
    library = _built(folder)
    clean = [_Clean(scene, folder, library) for scene in SCENES]
    steps = sum(one.steps for one in clean)
    every = max(1, steps // scaled(POINTS, scale, len(SCENES)))
    points = [(one, step) for one in clean for step in range(1, one.steps + 1)][::every]
    with ThreadPoolExecutor(2) as pool:
        faults = [fault for fault in pool.map(lambda point: point[0].fault(point[1]), points) if fault]
    for fault in faults:
        print(fault)
    kinds = Counter(fault.partition(":")[0] for fault in faults)
    detail = ", ".join(f"{one.scene.name} {one.steps}" for one in clean)
    counted = Figure("kills", len(points), "", at_least(1000), f"of {steps:,} steps: {detail}")
    return [
        counted,
        *(Figure(kind, kinds[kind], " kills", at_most(0)) for kind in ("lost", "doubled", "stuck", "left")),
    ]


def _built(folder: Path) -> Path:
    """The library, compiled. Raises SystemExit where there is no C compiler."""
    library = folder / "kill.so"
    source = Path(__file__).with_suffix(".c")
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    except FileNotFoundError:
        raise SystemExit("killing commands needs a C compiler, `cc`, on the PATH, and Linux") from None
    return library


class _Clean:
    """A scene that ran to its end once, without a kill."""

    def __init__(self, scene: Scene, folder: Path, library: Path) -> None:
        self.scene, self.folder, self.library = scene, folder, library
        self.start = Home(folder / scene.name / "start")
        (self.start.folder / "person").mkdir(parents=True)
        scene.prepare(self.start)
        self.words = _run(self.start) if scene.words == ("run",) else scene.words
        self.next = _run(self.start) if scene.next == ("run",) else scene.next or self.words
        self.before = self._content(self.start)
        with self._copy("clean") as home:
            self.steps = self._called(home, 0)
            home.must(self.next)
            self.after = self._content(home)

    def fault(self, step: int) -> str:
        """What is wrong after a kill at this step and the next command; "" when nothing is."""
        with self._copy(str(step)) as home:
            self._called(home, step)
            where = f"{self.scene.name}, step {step}"
            try:
                home.must(self.next)
                if self.scene.next and self._content(home) == self.before:
                    home.must(self.words)
            except Stuck as stuck:
                return f"stuck: {where}: {stuck}"
            return self._differs(home, where) or self._left(home, where)

    def _differs(self, home: Home, where: str) -> str:
        found = self._content(home)
        if missing := sorted(self.after.keys() - found.keys()):
            return f"lost: {where}: {', '.join(missing)}"
        if more := sorted(found.keys() - self.after.keys()):
            return f"doubled: {where}: {', '.join(more)}"
        changed = [path for path in sorted(found) if found[path] != self.after[path]]
        return f"lost: {where}: other text in {', '.join(changed)}" if changed else ""

    def _left(self, home: Home, where: str) -> str:
        """What a kill left behind: a store that git finds fault with, uncommitted files, purged words."""
        if not (home.folder / "store").exists():
            return ""
        said = home.git("fsck", "--full", "--strict", "--no-dangling") + home.git(
            "status", "--porcelain", "-uall"
        )
        if self.scene.name == "purge":
            said += home.git("log", "--all", "--format=%h", f"-S{PURGED}")
            files = home.files("store") | home.files("state")
            said += " ".join(path for path, data in files.items() if PURGED.encode() in data)
        return f"left: {where}: {said}" if said.strip() else ""

    def _content(self, home: Home) -> Content:
        return home.files(self.scene.place)

    def _called(self, home: Home, step: int) -> int:
        """Call the command and kill it at this step, 0 for never; how many steps it took."""
        counter = home.folder / "steps"
        counter.write_bytes(bytes(8))
        kill = {"LD_PRELOAD": str(self.library), "SILT_KILL_COUNTER": str(counter), "SILT_KILL_AT": str(step)}
        done = home.run(self.words, **kill)
        if step == 0 and done.returncode:
            raise Stuck(done.stderr.decode(errors="replace"))
        return int.from_bytes(counter.read_bytes(), sys.byteorder)

    @contextmanager
    def _copy(self, name: str) -> Iterator[Home]:
        home = Home(self.start.folder.with_name(name))
        shutil.copytree(self.start.folder, home.folder, symlinks=True)
        try:
            yield home
        finally:
            shutil.rmtree(home.folder)


BENCHMARK = Benchmark(
    "kill",
    "Killed commands",
    "`run`, `compact`, `undo`, `purge` and `install`, killed with all they started, at steps spread evenly "
    "over every write, rename, deletion, fsync and exec. Half of a write is done. Then the next command "
    "runs, and what is there is compared with what an uninterrupted command leaves.",
    measure,
)
