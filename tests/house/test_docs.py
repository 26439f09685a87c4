"""What README and docs/ say can be followed: tests, files, links, commands and headings they name exist."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.commands import commands, help_of

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SHELL = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
DOCS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (README, *(ROOT / name for name in SHELL), *sorted((ROOT / "docs").glob("*.md")))
}
ROOMS = (
    "agents",
    "benchmarks",
    "cassettes",
    "cli",
    "docs",
    "pipeline",
    "prompts",
    "recall",
    "store",
    "tests",
    "ui",
)
SEEDS = {"A": 48, "B": 28, "C": 33, "D": 22, "E": 23}
STATES = ("works", "answered differently", "later")
AGENTS = {"Claude Code": "claude", "Codex CLI": "codex", "OpenCode": "opencode", "Gemini CLI": "gemini"}

_TEST = re.compile(r"\b(test_\w+\.py)(?:::(\w+))?")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FILE = re.compile(rf"(?:{'|'.join(ROOMS)})/[\w./-]*")
_ROW = re.compile(r"\| ([A-E]\d+) \| ([^|]+) \| ([^|]+) \|(.*)\|")

documents = pytest.mark.parametrize("name", DOCS)


@cache
def known_tests() -> dict[str, set[str]]:
    """Names of the test functions of each test file."""
    return {
        path.name: {
            node.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }
        for path in (ROOT / "tests").rglob("test_*.py")
    }


def code(text: str) -> Iterator[str]:
    """Inline code and the lines of code blocks; comments off. A table writes "|" as "\\|"."""
    for line in text.splitlines():
        if line.startswith("    "):
            yield line.strip()
        else:
            yield from (found.replace("\\|", "|") for found in _CODE.findall(line))


def calls(text: str) -> Iterator[list[str]]:
    """The words of every `silt …` that a document shows."""
    for line in code(text):
        for piece in re.findall(r"(?:^|\s|/)silt (\w.*)", line):
            yield shlex.split(piece.split(">")[0], comments=True)


def anchors(text: str) -> set[str]:
    """Headings as GitHub links to them."""
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@documents
def test_every_test_that_is_named_exists(name: str) -> None:
    known = known_tests()
    for file, test in _TEST.findall(DOCS[name]):
        assert file in known, f"{name}: no test file {file}"
        assert not test or test in known[file], f"{name}: no test {file}::{test}"


@documents
def test_every_link_leads_somewhere(name: str) -> None:
    prose = re.sub(r"^(?: {4}.*|```[\s\S]*?^```)$", "", DOCS[name], flags=re.M)
    for target in _LINK.findall(prose):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        there = (ROOT / name).parent / path if path else ROOT / name
        assert there.exists(), f"{name}: {target}"
        on_site = not name.startswith("docs/") or there.resolve().is_relative_to(ROOT / "docs")
        assert on_site, f"{name}: {target} is no page of `make site`"
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), f"{name}: {target}"


@documents
def test_every_file_that_is_named_exists(name: str) -> None:
    if name == "CHANGELOG.md":
        return
    for said in code(DOCS[name]):
        if _FILE.fullmatch(said):
            assert (ROOT / said).exists(), f"{name}: {said}"


@documents
def test_every_command_that_is_shown_exists(name: str) -> None:
    if name == "docs/commands.md":
        return
    known = commands()
    for words in calls(DOCS[name]):
        command = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        assert command in known, f"{name}: silt {' '.join(words)}"
        options = set(re.findall(r"--[a-z-]+", help_of(command)))
        used = {word for word in words if word.startswith("--")}
        assert used <= options, f"{name}: silt {command} has no {', '.join(used - options)}"
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for line in code(DOCS[name]):
        for target in re.findall(r"(?:^|[A-Z] )make ([a-z]+)", line):
            assert target in targets, f"{name}: make {target}"


def test_every_seed_has_one_row_and_a_state() -> None:
    rows = _ROW.findall(DOCS["docs/seeds.md"])
    ids = [row[0] for row in rows]
    assert ids == [f"{group}{n}" for group, last in SEEDS.items() for n in range(1, last + 1)]
    for id, _, state, why in rows:
        assert state in STATES, f"{id}: {state}"
        assert len(why.split()) > 3 or state == "works", f"{id} does not say why"


def test_every_invariant_is_held_by_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \| .+? \| (.+) \|$", DOCS["docs/architecture.md"], re.M)
    assert [int(number) for number, _ in rows] == list(range(1, 16))
    for number, held in rows:
        assert "::test_" in held, f"invariant {number}"


def test_every_reason_that_is_told_of_an_agent_is_one_of_its_reader() -> None:
    for part in DOCS["docs/transcripts.md"].split("\n## ")[1:]:
        agent = AGENTS.get(part.split("\n")[0].partition(" (")[0])
        if agent is None:
            continue
        folders = (ROOT / "agents" / agent, ROOT / "agents")
        files = [path for folder in folders for form in ("*.py", "*.toml") for path in folder.glob(form)]
        source = "\n".join(path.read_text(encoding="utf-8") for path in files)
        rows = re.findall(r"^\| (`[^|]+`) \|", part, re.M)
        told = [reason for row in rows for reason in _CODE.findall(row)]
        assert told, f"{agent}: no reasons"
        for reason in told:
            assert f'"{reason}"' in source, f"{agent}: {reason}"
