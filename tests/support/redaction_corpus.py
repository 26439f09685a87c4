"""The redaction corpus: secrets in their surroundings, and text that must survive unchanged.

Its author had not read the rules, and the author of the rules had not seen it (issue: "How good is
it"). tests/data/redaction/README.md tells the form of the files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

from support.redaction_slots import Filler, words

FOLDER = Path(__file__).parent.parent / "data" / "redaction"
_SECRET = re.compile("⟦([^⟦⟧]*)⟧")
_LINE_BREAK = re.compile(r"(?:\n|\\n)[ +]*")
_TIMES = re.compile(r"×(\d+) ")


@dataclass(frozen=True, slots=True)
class Case:
    """One text and the strings in it that must not survive; `held` cases are the held-back third."""

    kind: str
    shape: str
    text: str
    secrets: tuple[str, ...]
    held: bool


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one place that belong together, none of them a secret."""

    kind: str
    lines: tuple[str, ...]


def cases(draws: int = 1) -> list[Case]:
    """Every case of the corpus, each drawn `draws` times with other random material."""
    lists = words(FOLDER / "words.txt")
    made = []
    for kind, shape in _shapes():
        held = _is_held(kind, shape)
        for draw in range(draws):
            random = Random(f"{'held' if held else 'open'} {kind} {shape} {draw}")  # noqa: S311 - repeatable
            made.append(_case(kind, shape, Filler(random, lists).fill(shape), held))
    return made


def blocks() -> list[Block]:
    """The benign text, in blocks as a reader of transcripts would meet it."""
    lists = words(FOLDER / "words.txt")
    made = []
    for file in sorted((FOLDER / "benign").glob("*.txt")):
        kind, times = "", 1
        for chunk in file.read_text("utf-8").rstrip("\n").split("\n\n"):
            lines = chunk.split("\n")
            if lines[0].startswith("§ "):
                kind, _, count = lines.pop(0)[2:].partition(" ×")
                times = int(count or 1)
            for turn in range(times):
                filler = Filler(Random(f"{kind} {lines[0]} {turn}"), lists)  # noqa: S311 - repeatable
                made.append(Block(kind, tuple(_filled(lines, filler))))
    return made


def _shapes() -> Iterator[tuple[str, str]]:
    for file in sorted((FOLDER / "secrets").glob("*.txt")):
        kind = secret = ""
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("## "):
                kind, _, secret = line[3:].partition(" = ")
            elif kind:
                yield kind, line.replace("⟦⟧", f"⟦{secret}⟧")


def _is_held(kind: str, shape: str) -> bool:
    """A tenth of the kinds wholly, and a quarter of the other cases: together a third."""
    return crc32(kind.encode()) % 10 == 0 or crc32(shape.encode()) % 4 == 0


def _case(kind: str, shape: str, filled: str, held: bool) -> Case:
    marked = filled.replace("↵", "\n")
    secrets = [line for found in _SECRET.findall(marked) for line in _LINE_BREAK.split(found) if line]
    return Case(kind, shape, _SECRET.sub(r"\1", marked), tuple(secrets), held)


def _filled(lines: list[str], filler: Filler) -> Iterator[str]:
    for line in lines:
        times = _TIMES.match(line)
        template = line[times.end() :] if times else line
        for _ in range(int(times[1]) if times else 1):
            yield filler.fill(template)
