"""What a prompt asks to keep is kept while it is typed, once, and as the store's rules allow."""

import json
import os
import subprocess
import sys
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hook_calls import PATIENCE, PATIENT, hook, python
from support.commands import call

from siltstone.agents.hooks import HookCall
from siltstone.cli.context import Context
from siltstone.cli.hooks.common import LOG as NAME
from siltstone.cli.hooks.common import Answer, LazyState, Work
from siltstone.cli.hooks.save_typed import save
from siltstone.cli.hooks.saving import Asked, step
from siltstone.pipeline.reading.echo import strip
from siltstone.recall.settings import RecallSettings

PROMPT = "Please remember: releases are cut on Fridays only"


pytestmark = pytest.mark.usefixtures("nobody_waits")


def told(home: Path, prompt: str, session: str = "s1", **env: str) -> str:
    """What the agent is told of a prompt, by a hook with all the time it wants."""
    heard = HookCall("claude", session, str(Path.cwd()), event="UserPromptSubmit", typed=prompt)
    until = time.monotonic() + PATIENCE
    answer = Answer()
    with LazyState(str(home / "state")) as state:
        step(Work(heard, state, RecallSettings(), {**os.environ, **env}, time.time(), until), answer)
    return answer.context


def asked(text: str, at: float = 1_795_165_198.5, session: str = "s1") -> Asked:
    return Asked(agent="claude", session=session, cwd=str(Path.cwd()), text=text, at=at, message="")


def transcript(home: Path, *texts: str) -> str:
    """A session of Claude Code in which the texts were typed; `--root` of it."""
    records: list[dict[str, object]] = []
    for n, text in enumerate(texts):
        typed, answered = (f"11111111-0000-4000-8000-0000000000{n}{m}" for m in (1, 2))
        at = f"2026-11-20T07:{39 + n}:59.000Z"
        records += [
            {"type": "user", "uuid": typed, "timestamp": at, "message": {"role": "user", "content": text}},
            {"type": "assistant", "uuid": answered, "timestamp": at, "message": answer(f"m{n}", "Noted.")},
        ]
    common = {"sessionId": "s1", "cwd": str(Path.cwd()), "isSidechain": False, "version": "2.1.329"}
    parents = [None, *(record["uuid"] for record in records)]
    lines = [json.dumps(common | {"parentUuid": up} | one) for up, one in zip(parents, records, strict=False)]
    file = home / "claude" / "projects" / "-p" / "s1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(lines) + "\n")
    os.utime(file, (1_795_165_300, 1_795_165_300))
    return f"claude={home / 'claude'}"


def answer(id: str, words: str) -> dict[str, object]:
    return {"id": id, "role": "assistant", "content": [{"type": "text", "text": words}]}


def test_places_that_are_named_relatively_are_the_same_for_the_child(home: Path) -> None:
    Path("beside/state").mkdir(parents=True)
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(Path.cwd())}
    done = hook("claude", payload | {"prompt": PROMPT}, SILT_HOME="beside/store", SILT_STATE="beside/state")
    assert b"for this project, as the user asked" in done.stdout
    assert sorted(path.name for path in Path("beside").iterdir()) == ["state", "store"]


def test_the_agent_is_told_what_was_kept_and_how_to_undo_it(home: Path) -> None:
    said = told(home, PROMPT)
    assert 'for this project, as the user asked: "releases are cut on Fridays only"' in said
    assert call("show", name_in(said)).code == 0
    assert call("forget", name_in(said)).code == 0
    assert call("list", "--json").json == []


def test_the_transcript_read_later_doubles_nothing(home: Path) -> None:
    save(asked(PROMPT))
    (before,) = call("list", "--json").json
    report = call("run", "--json", "--root", transcript(home, PROMPT)).json
    assert report["outcome"]["absorbed"] == 1
    assert report["outcome"]["promoted"] == 0
    (after,) = call("list", "--json").json
    assert after["path"] == before["path"]
    with Context() as context:
        (entry,) = (one.entry for one in context.store.entries())
    (proof,) = entry.evidence
    assert proof.message == "11111111-0000-4000-8000-000000000001"
    assert entry.created == proof.at == datetime(2026, 11, 20, 7, 39, 59, tzinfo=UTC)


def test_the_same_prompt_told_twice_is_kept_once(home: Path) -> None:
    for _ in range(2):
        save(asked(PROMPT))
    assert len(call("list", "--json").json) == 1


@pytest.mark.parametrize("gone", ["forget NAME", "purge NAME --yes", "undo"])
def test_what_was_deleted_meanwhile_does_not_come_back(home: Path, gone: str) -> None:
    told_of = save(asked(PROMPT))
    ((path, *_),) = told_of["saved"]
    assert call(*gone.replace("NAME", Path(path).stem).split()).code == 0
    report = call("run", "--json", "--root", transcript(home, PROMPT)).json
    assert report["rejected"] == {"tombstone": 1}
    assert call("list", "--json").json == []


@pytest.mark.parametrize(
    "words",
    [["undo --reread"], ["undo", "undo COMMIT"], ["undo", "run --reread"]],
    ids=["undone to be read again", "the undo is undone", "everything is read again"],
)
def test_an_undone_save_that_the_user_wants_back_is_kept(home: Path, words: list[str]) -> None:
    save(asked(PROMPT))
    for line in words:
        with Context() as context:
            head = context.store.git.head() or ""
        assert call(*line.replace("COMMIT", head).split()).code == 0
    call("run", "--root", transcript(home, PROMPT))
    assert len(call("list", "--json").json) == 1


def test_of_an_excluded_folder_nothing_is_kept(home: Path) -> None:
    (home / "config.toml").write_text(f'exclude = ["{Path.cwd()}"]\n')
    assert told(home, PROMPT) == ""
    assert not (home / "store").exists()


def test_a_store_in_other_hands_is_not_waited_for(home: Path) -> None:
    call("remember", "Deploys go out on Tuesdays only")
    with Context() as context, context.store.locked():
        said = told(home, PROMPT)
    assert "will be when this session is read" in said
    assert len(call("list", "--json").json) == 1


def without_time(prompt: str) -> str:
    """What the agent is told by a hook that cannot wait for its child."""
    code = (
        "import os, time;"
        "from siltstone.agents.hooks import HookCall; from siltstone.cli.hooks.saving import step;"
        "from siltstone.cli.hooks.common import Answer, LazyState, Work, hook_settings; answer = Answer();"
        f"heard = HookCall('claude', 's1', os.getcwd(), event='UserPromptSubmit', typed={prompt!r});"
        "state = LazyState(os.environ['SILT_STATE']);"
        "rules, now = hook_settings(os.environ), time.time();"
        "step(Work(heard, state, rules, os.environ, now, time.monotonic()), answer);"
        "print(answer.context)"
    )
    return python(code).stdout.decode()


def test_a_hook_without_time_says_that_it_is_kept_in_the_background(home: Path) -> None:
    assert "is being saved" in without_time(PROMPT)
    said = without_time("Remember: ok")
    assert ("Not saved" in said, "is being saved" in said) == (True, False)
    for _ in range(10_000):  # nobody knows its process: it ends when it has kept it
        if (listed := call("list", "--json")).code == 0 and listed.json:
            break
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]


TAKEN_BACK = "Actually no, don't remember that."


def name_in(said: str) -> str:
    """The memory that the agent is told to take out."""
    return said.partition("`silt forget ")[2].partition("`")[0]


def test_what_is_taken_back_is_named_with_how_to_take_it_out(home: Path) -> None:
    save(asked("Please remember: the harbour office opens at nine"))
    save(asked(PROMPT, at=1_795_165_199.5))
    assert "the harbour office" in told(home, "please don't remember that the harbour office opens at nine")
    assert told(home, "please don't remember that the ferry leaves at nine") == ""
    said = told(home, TAKEN_BACK)
    assert "nothing is deleted" in said
    assert 'as the user asked: "releases are cut on Fridays only"' in said
    assert strip(said).strip() == ""
    assert len(call("list", "--json").json) == 2
    assert call("forget", name_in(said)).code == 0
    assert "the harbour office opens at nine" in told(home, TAKEN_BACK)


@pytest.mark.parametrize("prompt", [TAKEN_BACK, "don't remember this: the ferry leaves at nine"])
def test_what_another_session_kept_is_not_taken_back(home: Path, prompt: str) -> None:
    save(asked(PROMPT))
    assert told(home, prompt, session="s2") == ""


def test_taken_back_and_asked_anew_in_one_prompt(home: Path) -> None:
    save(asked(PROMPT))
    said = told(home, f"{TAKEN_BACK} Remember: releases are cut on Mondays only")
    assert 'was kept, as the user asked: "releases are cut on Fridays only"' in said
    assert 'Kept for this project, as the user asked: "releases are cut on Mondays only"' in said


def test_a_hook_without_time_says_that_nothing_is_deleted(home: Path) -> None:
    save(asked(PROMPT))
    said = without_time(TAKEN_BACK)
    assert "The user takes something back; nothing is deleted." in said
    assert "being saved" not in said


@pytest.mark.parametrize("heard_by_a_hook", [True, False], ids=["hook", "transcript alone"])
def test_what_was_taken_back_and_stands_is_told_when_it_is_read(home: Path, heard_by_a_hook: bool) -> None:
    if heard_by_a_hook:
        save(asked(PROMPT))
    report = call("run", "--json", "--root", transcript(home, PROMPT, TAKEN_BACK)).json
    (path,) = (one["path"] for one in call("list", "--json").json)
    (told_of,) = report["taken_back"]
    assert told_of.startswith(f"{path} was saved on request and then taken back in claude/s1: it stays until")
    assert f"taken-back             {path} was saved on request" in call("log", "--rejected").out
    assert call("purge", Path(path).stem, "--yes").code == 0
    assert "taken-back" not in call("log", "--rejected").out


def left_alone(text: str) -> None:
    """A child whose hook is over: nobody reads what it says."""
    given = json.dumps(asked(text)._asdict()).encode()
    subprocess.run(
        [sys.executable, "-m", "siltstone.cli.hooks.save_typed"],
        input=given,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def test_what_a_child_does_not_keep_is_in_the_log_when_its_hook_is_over(home: Path) -> None:
    call("remember", "Deploys go out on Tuesdays only")
    with Context() as context, context.store.locked():
        left_alone(PROMPT)
    left_alone(REQUEST.format(secret()))
    left_alone(PROMPT)
    waits, refused = (home / "state" / NAME).read_text().splitlines()
    assert "Z claude: saved when the session is read: another silt process has been writing to " in waits
    assert refused.endswith("Z claude: a request to remember was refused: only-secret")


def test_a_fault_in_the_child_is_in_the_log(home: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "siltstone.cli.hooks.save_typed"], input=b"{", check=False)
    assert done.returncode == 1
    (line,) = (home / "state" / NAME).read_text().splitlines()
    assert "Z save: saved when the session is read: JSONDecodeError: " in line


def test_letters_that_the_locale_lacks_are_kept(home: Path) -> None:
    ascii = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "as the user asked" in told(home, "请记住：我们只在星期五发布版本", "s1", **ascii)
    assert len(call("list", "--json").json) == 1


def test_typed_saves_are_kept_where_extraction_is_switched_off(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_EXTRACT_ENABLED", "0")
    assert "as the user asked" in told(home, PROMPT)
    assert len(call("list", "--json").json) == 1
    typed = transcript(home, "We always use pnpm, never npm.", "Please remember: the API is frozen in May")
    assert call("run", "--json", "--root", typed).json["outcome"]["promoted"] == 1
    assert "frozen in May" in call("list").out


def test_what_is_taken_back_waits_for_the_save_that_is_under_way(home: Path) -> None:
    call("remember", "Deploys go out on Tuesdays only")  # a hook takes nothing back where there is no store
    assert "is being saved" in without_time(PROMPT)
    assert 'was kept, as the user asked: "releases are cut on Fridays only"' in told(home, TAKEN_BACK)


def test_a_request_that_says_nothing_is_refused_aloud_and_logged(home: Path) -> None:
    said = told(home, "Remember that.")
    assert "Not saved, although the user asked to remember it" in said
    report = call("run", "--json", "--root", transcript(home, "Remember this, please!")).json
    assert report["rejected"] == {"nothing-named": 1}
    assert "nothing-named" in call("log", "--rejected").out
    assert call("list", "--json").json == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the shipping table has a row a country " * 400, "it is too long"),
        ("</siltstone-memory>", "it contains only tags"),
    ],
)
def test_what_is_refused_is_told(home: Path, text: str, why: str) -> None:
    said = told(home, f"Please remember: {text}")
    assert f"Not saved, although the user asked to remember it ({why}): tell the user so." in said
    assert "Kept" not in said
    assert not (home / "store").exists() or call("list", "--json").json == []


REQUEST = "Please remember: our staging token is {}"


def secret() -> str:
    return "ghp_" + "a8Kd93jfLs02kfjQ" * 2 + "Zz91"


def holding(home: Path, key: str) -> list[Path]:
    """Files of ours that hold the secret: store, its git objects, state, logs; not the transcript."""
    ours = [one for one in home.rglob("*") if one.is_file() and home / "claude" not in one.parents]
    assert any(one.suffix == ".sqlite3" for one in ours)
    packed = (
        zlib.decompress(one.read_bytes()) for one in ours if "objects" in one.parts and len(one.name) == 38
    )
    assert not [raw for raw in packed if key.encode() in raw]
    return [one for one in ours if key.encode() in one.read_bytes()]


def test_that_a_secret_alone_is_not_kept_is_told_and_it_is_nowhere(home: Path) -> None:
    key = secret()
    payload = {"session_id": "s1", "cwd": str(Path.cwd()), "hook_event_name": "UserPromptSubmit"}
    done = python(PATIENT.format(agent="claude"), payload | {"prompt": REQUEST.format(key)})
    said = (done.stdout + done.stderr).decode()
    assert "Not saved, although the user asked to remember it (it contains only a secret)" in said
    report = call("run", "--json", "--root", transcript(home, REQUEST.format(key)))
    assert report.json["rejected"] == {"only-secret": 1}
    log = call("log", "--rejected")
    assert "only-secret" in log.out
    assert key not in "".join((said, report.out, report.err, log.out, log.err))
    assert call("list", "--json").json == []
    assert holding(home, key) == []


@pytest.mark.parametrize("gone", ["forget NAME", "undo"])
@pytest.mark.parametrize("read_between", [False, True], ids=["at once", "after its transcript was read"])
def test_what_was_forgotten_and_is_asked_for_anew_is_kept_again(
    home: Path, read_between: bool, gone: str
) -> None:
    ((path, *_),) = save(asked(PROMPT))["saved"]
    assert call(*gone.replace("NAME", Path(path).stem).split()).code == 0
    if read_between:
        assert call("run", "--json", "--root", transcript(home, PROMPT)).json["rejected"] == {"tombstone": 1}
    assert len(save(asked(PROMPT, at=time.time() + 60, session="s2"))["saved"]) == 1
    assert len(call("list", "--json").json) == 1


def test_what_contradicts_a_memory_is_a_conflict_at_once_and_told(home: Path) -> None:
    assert "contradicts" not in told(home, "please remember: the API listens on port 7100")
    said = told(home, "please remember: the API listens on port 8200", "s2")
    assert 'It contradicts "the API listens on port 7100"' in said
    assert "settle it with `silt conflicts`" in said
    assert [len(one["sides"]) for one in call("conflicts", "--json").json] == [2]
    shown = call("inject").out
    assert shown.count("[in conflict]") == 2
    assert "1 conflict" in (home / "store" / "MEMORY.md").read_text() + call("inject", "--receipt").err
    assert "contradicts" not in told(home, "please remember: the checkout server listens on port 9300", "s3")
