"""`make run` shows what it promises: the main job over the recorded transcripts of the four agents."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.picture import PICTURE, drawn

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "demo"
AGENTS = {"claude", "codex", "gemini", "opencode"}
INJECTED = ("--no-verify", "wren-parcel", "pre.sh")
NEGATED = ("investor", "4999")


def secrets() -> list[str]:
    """The two secrets of the recorded sessions, put together here so that no file holds one. They open
    nothing."""
    stripe = "_".join(("sk", "live", "51NqT8yKx2Vw" + "L7mZc4RbJ9sDfG0hPaEu"))
    return [stripe, "_".join(("ghp", "x7Qp2LmV9sTz4KcR8" + "wYd1NfB6hJg3AeUiOo0"))]


@dataclass(frozen=True)
class Demo:
    """A demo that has run, and what it printed."""

    folder: Path
    told: str

    @property
    def store(self) -> Path:
        return self.folder / "store"

    def silt(self, *arguments: str) -> Any:
        """What a reading command says of the demo's store, as JSON."""
        places = {f"SILT_{name.upper()}": str(self.folder / name) for name in ("state", "config")}
        env = os.environ | places | {"SILT_HOME": str(self.store)}
        command = [sys.executable, "-m", "siltstone", *arguments, "--json"]
        return json.loads(subprocess.check_output(command, cwd=ROOT, env=env, text=True))

    def files(self) -> str:
        """All text of the store as it stands, derived files too."""
        found = (file for file in sorted(self.store.rglob("*")) if ".git" not in file.parts)
        return "\n".join(file.read_text("utf-8") for file in found if file.is_file())

    def history(self) -> str:
        """Every object and message that git keeps of the store."""
        git = ["git", "-C", str(self.store)]
        everything = subprocess.check_output([*git, "cat-file", "--batch", "--batch-all-objects"])
        return everything.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """One run of the demo for all tests here, under variables that must not matter to it."""
    folder = tmp_path_factory.mktemp("demo")
    foreign = {"SILT_MODEL": "openai/none", "SILT_COMPACT_ENABLED": "false"}
    env = os.environ | foreign | {"PYTHON": sys.executable}
    command = ["sh", str(ROOT / "tests" / "demo.sh"), str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Demo(folder, done.stdout)


@pytest.fixture(scope="module")
def memories(demo: Demo) -> list[dict[str, Any]]:
    """Every memory, those in the archive too."""
    listed: list[dict[str, Any]] = demo.silt("list", "--archived")
    return listed


def agents_of(memory: dict[str, Any]) -> set[str]:
    return {evidence["agent"] for evidence in memory["evidence"]}


def test_at_least_ten_facts_and_one_from_each_agent(memories: list[dict[str, Any]]) -> None:
    current = [memory for memory in memories if not memory["archived"]]
    assert len(current) >= 10
    assert set().union(*map(agents_of, current)) == AGENTS
    assert {memory["scope"] for memory in current} == {"global", "projects/heron", "projects/otter"}


def test_a_change_told_to_another_agent_supersedes(memories: list[dict[str, Any]]) -> None:
    (before,) = [memory for memory in memories if "use Jest" in memory["body"] and memory["archived"]]
    (after,) = [memory for memory in memories if "Vitest" in memory["body"] and not memory["archived"]]
    assert before["superseded_by"] == after["path"]
    assert agents_of(before) != agents_of(after)


def test_a_contradiction_is_a_conflict_and_both_sides_stay(
    demo: Demo, memories: list[dict[str, Any]]
) -> None:
    told = (demo.store / "_CONFLICTS.md").read_text("utf-8")
    sides = [m for m in memories if m["path"] in told and not m["archived"]]
    assert len(demo.silt("conflicts")) == 1
    assert sorted(re.findall(r"\d+ EUR", " ".join(m["description"] for m in sides))) == ["40 EUR", "50 EUR"]
    assert [agents_of(side) for side in sides] == [{"claude"}, {"opencode"}]


def test_what_an_agent_said_itself_waits_in_the_inbox(demo: Demo) -> None:
    """After a bare "remember this", and in a candidate block."""
    waiting = demo.silt("inbox")
    for words in ("make sign", "config.toml"):
        assert [item["origin"] for item in waiting if words in item["body"]] == ["assistant-inferred"]


def test_rejections_have_at_least_five_reasons(demo: Demo) -> None:
    reasons = {row["reason"] for row in demo.silt("log", "--rejected")}
    assert reasons >= {"read-content", "negated_request"}
    assert len(reasons) >= 5


def test_saves_are_kept_in_chinese_and_for_all_projects(memories: list[dict[str, Any]]) -> None:
    (chinese,) = [memory for memory in memories if "商品文案" in memory["body"]]
    assert (chinese["source"], chinese["scope"]) == ("explicit", "projects/heron")
    (everywhere,) = [memory for memory in memories if "co-author" in memory["body"]]
    assert everywhere["scope"] == "global"


@pytest.mark.parametrize("number", [0, 1], ids=["in tool output", "in a typed line"])
def test_a_secret_of_the_transcripts_is_nowhere(demo: Demo, number: int) -> None:
    secret = secrets()[number]
    read = b"".join(file.read_bytes() for file in (demo.folder / "agents").rglob("*") if file.is_file())
    assert secret.encode() in read
    assert secret not in demo.told + demo.files() + demo.history()
    assert not any(secret.encode() in file.read_bytes() for file in (demo.folder / "state").iterdir())


def test_what_was_said_beside_a_secret_is_kept_without_it(memories: list[dict[str, Any]]) -> None:
    (beside,) = [memory for memory in memories if "private modules" in memory["body"]]
    assert beside["body"] == "the build asks for a login to our private modules"
    assert beside["evidence"][0]["quote"] in beside["body"]


@pytest.mark.parametrize("words", [*INJECTED, *NEGATED])
def test_what_was_injected_or_negated_is_not_kept(demo: Demo, words: str) -> None:
    assert words in (demo.folder / "agents").joinpath("opencode/opencode.db").read_bytes().decode(
        "utf-8", "replace"
    ) + "".join(file.read_text("utf-8") for file in (demo.folder / "agents").rglob("*.jsonl"))
    # By whole words: four digits stand in some id of a commit now and then.
    assert not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", demo.files() + demo.history())


def test_no_file_of_the_demo_holds_a_secret() -> None:
    for file in DATA.rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            assert not any(secret[:12].encode() in held for secret in secrets()), file


def test_it_says_what_each_part_shows_and_how_to_go_on_and_shows_what_an_agent_gets_to_see(
    demo: Demo,
) -> None:
    headings = re.findall(r"^== (.+)$", demo.told, re.M)
    assert len(headings) == len(set(headings)) == 11
    assert "by rules; nothing was sent" in demo.told
    assert "silt install" in demo.told.rpartition("\nDone. ")[2]
    block = demo.told.partition("<siltstone-memory>")[2].partition("</siltstone-memory>")[0]
    assert "1 conflict, for the user: `silt conflicts`" in block
    assert "never put co-author lines" in block
    assert "所有商品文案" in block
    assert "otter" not in block
    assert re.search(r"\(\d+ of \d+ shown, \d+ stale, 2 in conflict\)", block)


def test_the_readmes_picture_is_of_this_demo(demo: Demo) -> None:
    def texts(svg: str) -> list[str]:
        return re.findall(r"<text [^>]*>([^<]*)</text>", svg)

    assert texts(PICTURE.read_text("utf-8")) == texts(drawn(demo.folder)), "run `make docs`"


def test_it_leaves_an_older_demo_alone(demo: Demo) -> None:
    command = ["sh", str(ROOT / "tests" / "demo.sh"), str(demo.folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "already contains a demo" in done.stderr
