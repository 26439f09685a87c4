"""Many at once: four runs over the same sessions, two clones of one store (invariants 2 and 13)."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from larkspur import SESSIONS, reply
from person import Person, line, told
from process import environment, words
from support.bench import planted
from support.commands import call
from support.endpoint import LOOPBACK, Answer, endpoint, overflows, says
from support.fake_model import Asked
from support.git import git

from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.port import Turn
from siltstone.store.errors import Overflow

FOUR = 4


def answering(request: dict[str, Any]) -> Answer:
    """The larkspur model behind an endpoint; it has nothing to compact."""
    turns = tuple(Turn(said["role"], said["content"]) for said in request["messages"])
    asked = Asked(turns, WireReply, 0)
    if "<transcript" not in asked.text:
        return says('{"ops": []}')
    answer = reply(asked)
    return overflows() if isinstance(answer, Overflow) else says(json.dumps(answer))


FORKED = """
import json, os, sys, traceback
from siltstone.cli.app import main
from siltstone.pipeline.model.litellm_model import litellm

def child(words):
    try:
        main(words)
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(int(ended.code or 0))
    except BaseException:
        traceback.print_exc()
    os._exit(70)

litellm()  # it takes seconds, and so is imported once for all of them
for env, size in json.load(sys.stdin):
    os.environ.update(env)
    pids = [os.fork() or child(sys.argv[1:]) for _ in range(size)]
    print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids], file=sys.stderr)
"""


@pytest.mark.block_network(allowed_hosts=LOOPBACK)
def test_four_runs_at_once_equal_one_and_ask_each_window_once(tmp_path: Path) -> None:
    roots = planted(tmp_path / "agents", *SESSIONS, "04")
    one, four = tmp_path / "one", tmp_path / "four"
    with endpoint(otherwise=answering) as alone, endpoint(otherwise=answering) as shared:
        phases = [
            (environment(home, SILT_API_BASE=told.url, OPENAI_API_KEY="none"), size)
            for home, told, size in ((one, alone, 1), (four, shared, FOUR))
        ]
        argv = [sys.executable, "-c", FORKED, *words(roots, "--yes", "--model", "openai/scripted")[3:]]
        env = environment(tmp_path)
        done = subprocess.run(argv, env=env, input=json.dumps(phases), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, f"[0]\n{[0] * FOUR}\n")
    for home in (one, four):
        assert git(home / "store", "fsck", "--full", "--strict") == ""
    assert git(four / "store", "rev-parse", "HEAD^{tree}") == git(one / "store", "rev-parse", "HEAD^{tree}")
    asked = [
        ["".join(said["content"] for said in one["messages"]) for one in told.requests]
        for told in (alone, shared)
    ]
    assert sorted(asked[1]) == sorted(asked[0])
    assert len(set(asked[1])) == len(asked[1])


def clone(of: str, at: Path) -> Path:
    """Work tree of a project, cloned by this URL."""
    at.mkdir(parents=True)
    git(at, "init", "-q")
    git(at, "remote", "add", "origin", of)
    return at


def test_two_clones_of_a_store_keep_sharing_their_scopes(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = clone("git@git.example.org:acme/larkspur.git", person.home / "here" / "larkspur")
    there = clone("https://ada@git.example.org/acme/larkspur", person.home / "there" / "shop")
    shared = person.home / "shared.git"
    git(person.home, "init", "-q", "--bare", "--initial-branch=main", str(shared))
    first, second = person.store, person.home / "second"

    def at(store: Path, state: str, cwd: Path, fact: str) -> None:
        """One machine's turn: pull, run, push."""
        monkeypatch.setenv("SILT_HOME", str(store))
        monkeypatch.setenv("SILT_STATE", str(person.home / state))
        person.says(line(f"please remember: {fact}", cwd=str(cwd)), name=f"{state}-{fact[:6]}.jsonl")
        if (store / ".git").exists():
            git(store, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        told(person.run("--root", f"plain={person.home / 'said'}"))
        git(store, "push", "-q", "origin", "HEAD:main")

    told(person.run())
    git(first, "remote", "add", "origin", str(shared))
    git(first, "push", "-q", "origin", "HEAD:main")
    git(person.home, "clone", "-q", str(shared), str(second))
    at(first, "one", here, "deploys go out on Tuesdays only")
    at(second, "two", there, "staging is wiped every night")
    at(first, "one", here, "invoices are numbered by year")
    at(second, "two", there, "the courier is Packhorse")

    listed = call("list", "--json").json
    assert {one["scope"] for one in listed} == {"projects/larkspur"}
    assert len(listed) == 4
    assert git(second, "status", "--porcelain") == ""
