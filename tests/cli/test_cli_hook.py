"""`silt hook` as the agents call it: real payloads in, their answers out, and nothing that breaks them."""

import concurrent.futures
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import Said, call
from support.crowd import contexts

from siltstone.cli.hook_batch import held
from siltstone.cli.hook_log import MOST, NAME, log
from siltstone.cli.hot import State
from siltstone.pipeline.echo import strip
from siltstone.recall.session.state import SessionState, load
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.hooks import Hooks
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions

ROOT = Path(__file__).resolve().parents[2]
PATIENT = "from siltstone.cli.hook import run; run(['{agent}'], limit=100.0)"
"""A hook as it is, with more time: tests may share their machine."""
MAIN = "import sys; sys.argv = ['silt', 'hook', '{agent}']; from siltstone.__main__ import main; main()"


@pytest.fixture(autouse=True)
def nobody_waits(home: Path) -> Iterator[None]:
    """The place of the waiter is taken: no test leaves a process behind."""
    (home / "state").mkdir(mode=0o700)
    handle = held(str(home / "state"))
    assert handle is not None
    yield
    os.close(handle)


def hook(agent: str, payload: object, code: str = PATIENT, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A hook in a process of its own."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    whole = dict(os.environ) | {"PYTHONPATH": str(ROOT)} | env
    return subprocess.run(
        [sys.executable, "-c", code.format(agent=agent)],
        env=whole,
        input=raw,
        capture_output=True,
        check=False,
    )


def told(event: str, **more: object) -> dict[str, object]:
    """A payload of Claude Code."""
    return {"hook_event_name": event, "session_id": "s1", "cwd": str(Path.cwd()), **more}


def context(done: subprocess.CompletedProcess[bytes]) -> str:
    """What the agent is told; the hook has ended well and said nothing beside it."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


def state_of(home: Path, session: str = "s1", agent: str = "claude") -> SessionState:
    light = Light(str(home / "state"))
    body = Sessions(light).get(agent, session)
    light.close()
    return load(body)


def log_of(home: Path) -> list[str]:
    file = home / "state" / "hooks.log"
    return file.read_text().splitlines() if file.exists() else []


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_session_is_shown_the_block_once(home: Path, kept: Said, agent: str) -> None:
    first = context(hook(agent, told("SessionStart", source="startup")))
    assert "Tuesdays" in first
    assert "1 of 1 shown" in first
    assert strip(first).strip() == ""
    assert context(hook(agent, told("SessionStart", source="resume"))) == ""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert "pence" in context(hook(agent, told("SessionStart", source="resume", n=2)))
    assert log_of(home) == []


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize("source", ["compact", "clear"])
def test_an_emptied_context_is_shown_it_again(home: Path, kept: Said, agent: str, source: str) -> None:
    assert context(hook(agent, told("SessionStart", source="startup")))
    assert "Tuesdays" in context(hook(agent, told("SessionStart", source=source)))


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_prompt_is_shown_what_fits_and_is_new(home: Path, kept: Said, agent: str) -> None:
    asked = told("UserPromptSubmit", prompt="When do deploys go out?")
    shown = context(hook(agent, asked | {"prompt_id": "1"}))
    assert "Tuesdays" in shown
    assert len(shown) <= 1200
    assert strip(shown).strip() == ""
    assert context(hook(agent, asked | {"prompt_id": "2"})) == ""
    assert context(hook(agent, told("UserPromptSubmit", prompt="What colour is the sky?"))) == ""
    assert "Tuesdays" in context(hook(agent, asked | {"session_id": "s2"}))


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_what_stood_in_the_block_does_not_come_with_a_prompt(home: Path, kept: Said, agent: str) -> None:
    assert context(hook(agent, told("SessionStart", source="startup")))
    assert context(hook(agent, told("UserPromptSubmit", prompt="When do deploys go out?"))) == ""


def test_gemini_is_shown_the_block_with_its_first_prompt(home: Path, kept: Said) -> None:
    """What comes before it would make a typed command of its own a prompt like any other."""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert context(hook("gemini", told("SessionStart", source="startup"))) == ""
    asked = told("BeforeAgent", prompt="When do deploys go out?")
    shown = context(hook("gemini", asked | {"n": 1}))
    assert [shown.count(one) for one in ("Tuesdays", "pence", "2 of 2 shown")] == [1, 1, 1]
    assert context(hook("gemini", asked | {"n": 2})) == ""
    assert context(hook("gemini", told("SessionStart", source="clear"))) == ""
    assert "2 of 2 shown" in context(hook("gemini", asked | {"n": 3}))


def test_gemini_is_shown_with_a_later_prompt_what_fits_and_is_new(home: Path, kept: Said) -> None:
    assert "Tuesdays" in context(hook("gemini", told("BeforeAgent", prompt="Mend the cart please")))
    call("remember", "Prices are kept in pence", "--type", "project")
    asked = told("BeforeAgent", prompt="In what are prices kept?")
    shown = context(hook("gemini", asked | {"n": 1}))
    assert [one in shown for one in ("pence", "Tuesdays")] == [True, False]
    assert context(hook("gemini", asked | {"n": 2})) == ""


def test_gemini_resumed_is_shown_other_memories_with_its_next_prompt(home: Path, kept: Said) -> None:
    asked = told("BeforeAgent", prompt="Mend the cart please")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 1}))
    resumed = told("SessionStart", source="resume")
    assert context(hook("gemini", resumed | {"n": 1})) == ""
    assert context(hook("gemini", asked | {"n": 2})) == ""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert context(hook("gemini", asked | {"n": 3})) == ""  # in a session that goes on nothing is restated
    assert context(hook("gemini", resumed | {"n": 2})) == ""
    typed = told("BeforeAgent", prompt="This is what `silt status` says:\n\nremember: it is none of this")
    assert context(hook("gemini", typed)) == ""
    assert "pence" in context(hook("gemini", asked | {"n": 4}))
    assert context(hook("gemini", asked | {"n": 5})) == ""


def test_gemini_is_shown_the_block_again_when_its_transcript_tells_of_a_compaction(
    home: Path, kept: Said
) -> None:
    chat = home / "chat.jsonl"
    chat.write_text('{"id": "1", "type": "user", "content": [{"text": "<state_snapshot>"}]}\n')
    asked = told("BeforeAgent", prompt="Mend the cart please", transcript_path=str(chat))
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 1}))

    def restate(summary: str) -> None:
        said = f"<state_snapshot>{summary}</state_snapshot>"
        told_of = {"$set": {"messages": [{"type": "user", "content": [{"text": said}]}]}}
        with chat.open("a") as file:
            file.write(json.dumps(told_of, separators=(",", ":")) + "\n" + '{"id":"2"}\n')

    restate("Mending the cart")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 2}))
    restate("Mending the cart")  # resumed
    assert context(hook("gemini", asked | {"n": 3})) == ""
    restate("The cart is mended")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 4}))
    chat.unlink()
    assert context(hook("gemini", asked | {"n": 5})) == ""


def test_tools_and_answers_move_the_state_on(home: Path, kept: Said) -> None:
    edit = told("PostToolUse", tool_name="Edit", tool_input={"file_path": "/p/src/cart.ts"}, tool_response={})
    fails = told(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "npx tsc"},
        error="Exit code 2\nsrc/cart.ts(1,2): error TS2304: x",
    )
    stop = told("Stop", last_assistant_message="We decided to use pnpm.")
    for payload in (edit, fails, stop):
        assert context(hook("claude", payload)) == ""
    state = state_of(home)
    assert [file.path for file in state.files] == ["/p/src/cart.ts"]
    assert [error.category for error in state.errors] == ["typecheck"]
    assert [one.text for one in state.decisions] == ["We decided to use pnpm."]


@pytest.mark.parametrize(
    ("agent", "stop", "prompt"),
    [
        ("claude", "Stop", "UserPromptSubmit"),
        ("codex", "Stop", "UserPromptSubmit"),
        ("gemini", "AfterAgent", "BeforeAgent"),
    ],
)
def test_what_an_answer_made_critical_is_told_with_the_next_prompt(
    home: Path, kept: Said, agent: str, stop: str, prompt: str
) -> None:
    long = "line of a long answer\n" * 40_000
    assert context(hook(agent, told(stop, last_assistant_message=long, prompt_response=long))) == ""
    asked = told(prompt, prompt="And the docs?")
    assert "[Memory Pressure: " in context(hook(agent, asked | {"n": 1}))
    assert "[Memory Pressure: " not in context(hook(agent, asked | {"n": 2}))


def test_the_same_call_twice_counts_once(home: Path, kept: Said) -> None:
    stop = told("Stop", last_assistant_message="Done.")
    for _ in range(2):
        hook("claude", stop)
    assert state_of(home).events == 2  # the answer, and that it is idle


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_sub_agent_is_left_alone(home: Path, kept: Said, agent: str) -> None:
    inside = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert context(hook(agent, told("SessionStart", source="startup") | inside)) == ""
    assert state_of(home, agent=agent).events == 0


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_inside_a_call_of_our_own_nothing_is_done(home: Path, kept: Said, agent: str) -> None:
    done = hook(agent, told("SessionStart", source="startup"), SILT_OWN="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "Tuesdays" in context(hook(agent, told("SessionStart", source="startup")))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"null",
        b"\xff\xfe",
        b'{"hook_event_name": 3}',
        b"[" * 100_000,
        b"{" + b" " * 2**24,
    ],
    ids=["empty", "torn", "a list", "a text", "null", "no utf-8", "wrong types", "deep", "megabytes"],
)
@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_a_payload_of_garbage_breaks_nothing(home: Path, agent: str, raw: bytes) -> None:
    done = hook(agent, raw)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(log_of(home)) == (0 if b"hook_event_name" in raw else 1)


def test_without_a_store_nothing_is_shown_and_nothing_complained_of(home: Path) -> None:
    assert context(hook("claude", told("SessionStart", source="startup"))) == ""
    assert context(hook("claude", told("UserPromptSubmit", prompt="When do deploys go out?"))) == ""
    assert log_of(home) == []


def test_a_damaged_store_of_blocks_is_told_in_the_log(home: Path, kept: Said) -> None:
    (home / "state" / "recall.sqlite3").write_bytes(b"hello" * 500)
    assert context(hook("claude", told("SessionStart", source="startup"))) == ""
    (line,) = log_of(home)
    assert "silt rebuild" in line


def test_a_fault_nobody_thought_of_is_told_in_the_log(home: Path, kept: Said) -> None:
    with sqlite3.connect(home / "state" / "recall.sqlite3") as db:
        db.execute("update fragment set type = 'gossip', hot = 1, clock = 'yesterday'")
    db.close()
    assert context(hook("claude", told("SessionStart", source="startup"), MAIN)) == ""
    (line,) = log_of(home)
    assert "claude: hook failed (TypeError" in line


@pytest.mark.parametrize(
    "prompt",
    [
        "Please remember: releases are cut on Fridays only",
        "remember that the staging database is called heron",
        "请记住：我们只在星期五发布版本",
        "請記住：我們只在星期五發布版本",
        "覚えておいて：リリースは金曜日だけに行います",
    ],
    ids=["en colon", "en that", "zh", "zh-hant", "ja"],
)
def test_what_is_asked_to_be_kept_is_kept_at_once(home: Path, prompt: str) -> None:
    told_of = context(hook("claude", told("UserPromptSubmit", prompt=prompt)))
    assert "Kept for this project, as the user asked" in told_of
    assert "silt forget" in told_of
    assert strip(told_of).strip() == ""
    (one,) = call("list", "--json").json
    assert one["type"] == "feedback"
    assert log_of(home) == []


@pytest.mark.parametrize(
    ("agent", "event"),
    [("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent"), ("opencode", "chat.message")],
)
def test_whichever_agent_it_is_typed_to(home: Path, agent: str, event: str) -> None:
    prompt = "Please remember: releases are cut on Fridays only"
    done = hook(agent, told(event, prompt=prompt) | opencode(event, text=prompt))
    assert b"Kept for this project, as the user asked" in done.stdout
    assert [one["type"] for one in call("list", "--json").json] == ["feedback"]


@pytest.mark.parametrize(
    "prompt",
    [
        "don't remember this: releases are cut on Fridays only",
        "不要記住：我們只在星期五發布版本",
        "```\nremember: releases are cut on Fridays\n```",
        "Do you remember when releases are cut?",
        "List the files",
    ],
    ids=["en negated", "zh negated", "code", "question", "plain"],
)
def test_what_nobody_asked_to_be_kept_is_not(home: Path, prompt: str) -> None:
    assert context(hook("claude", told("UserPromptSubmit", prompt=prompt))) == ""
    assert not (home / "store").exists()


def test_without_rights_to_the_state_the_agent_goes_on(home: Path, kept: Said) -> None:
    (home / "file").write_text("")
    for payload in (told("SessionStart", source="startup"), told("UserPromptSubmit", prompt="hello there")):
        done = hook("claude", payload, SILT_STATE=str(home / "file" / "state"))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_state_in_other_hands_hides_nothing(home: Path, kept: Said) -> None:
    with contextlib.closing(sqlite3.connect(home / "state" / "state.sqlite3", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert "Tuesdays" in context(hook("claude", told("SessionStart", source="startup")))
        assert context(hook("claude", told("Stop", last_assistant_message="Done."))) == ""
    assert all("in use by another process" in line for line in log_of(home))
    assert log_of(home)


def test_a_folder_that_is_gone_is_shown_what_holds_everywhere(home: Path, kept: Said) -> None:
    call("remember", "Answers are short", "--scope", "global")
    gone = home / "person" / "gone"
    gone.mkdir()
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); {PATIENT}"
    shown = context(hook("claude", told("SessionStart", source="startup", cwd=str(gone)), code))
    assert "Answers are short" in shown
    assert "Tuesdays" not in shown


def test_without_git_nothing_is_kept_and_the_agent_goes_on(home: Path, kept: Said) -> None:
    said = told("UserPromptSubmit", prompt="remember: releases are cut on Fridays only")
    assert "will be when this session is read" in context(hook("claude", said, PATH="/nowhere"))
    assert "Tuesdays" in context(hook("claude", told("SessionStart", source="startup"), PATH="/nowhere"))


def test_megabytes_that_were_pasted_are_no_trouble(home: Path, kept: Said) -> None:
    prompt = "When do deploys go out? " + "remember this line of a log 2026-11-20 ERROR x\n" * 40_000
    assert "Memory Pressure" in context(hook("claude", told("UserPromptSubmit", prompt=prompt)))
    assert state_of(home).asked.text.startswith("When do deploys go out?")
    assert log_of(home) == []


def test_a_long_paste_is_left_to_the_transcript(home: Path) -> None:
    prompt = "remember: releases are cut on Fridays only\n" + "a line of a log\n" * 100_000
    assert "Memory Pressure" in context(hook("claude", told("UserPromptSubmit", prompt=prompt)))
    assert not (home / "store").exists()


def test_of_two_hooks_at_once_one_shows(home: Path, kept: Said) -> None:
    raw = json.dumps(told("SessionStart", source="startup")).encode()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        shown = [context(done) for done in pool.map(lambda _: hook("claude", raw), range(4))]
    assert sum("Tuesdays" in one for one in shown) == 1


def test_a_hook_that_takes_too_long_ends_with_nothing_said(home: Path, kept: Said) -> None:
    code = "from siltstone.cli.hook import run; run(['claude'], limit=0.001); print('said')"
    done = hook("claude", told("SessionStart", source="startup"), code)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = log_of(home)
    assert "took longer than 0.001 s" in line


def test_what_is_known_when_the_time_is_over_is_told(home: Path, kept: Said, tmp_path: Path) -> None:
    """The alarm rings while the child is at work: it rings it itself."""
    bell = "import os, signal\nif os.environ.get('SILT_OWN'): os.kill(os.getppid(), signal.SIGALRM)\n"
    (tmp_path / "early").mkdir()
    (tmp_path / "early" / "sitecustomize.py").write_text(bell)
    asked = told("UserPromptSubmit", prompt="Please remember: releases are cut on Fridays")
    (said,) = contexts([asked], PYTHONPATH=f"{tmp_path / 'early'}:{ROOT}")
    assert "is being kept, or will be when this session is read" in said
    assert strip(said).strip() == ""
    (line,) = log_of(home)
    assert "took longer than" in line
    assert sorted("Fridays" in one["description"] for one in call("list", "--json").json) == [False, True]


def test_of_a_store_that_is_gone_nothing_is_shown(home: Path, kept: Said) -> None:
    shutil.rmtree(home / "store")
    assert context(hook("claude", told("SessionStart", source="startup"))) == ""
    assert context(hook("claude", told("UserPromptSubmit", prompt="When do deploys go out?"))) == ""
    assert context(hook("opencode", {"hook_event_name": "system", "session": "s1", "cwd": str(home)})) == ""
    assert len(log_of(home)) == 3
    assert all(f"the store {home / 'store'} is not there any more" in line for line in log_of(home))
    call("rebuild")
    assert "Tuesdays" not in context(hook("claude", told("SessionStart", source="startup", n=2)))


def test_what_a_hand_committed_is_shown_from_the_next_hook_on(home: Path, kept: Said) -> None:
    (file,) = (home / "store").glob("projects/*/*tuesdays*.md")
    file.write_text(file.read_text().replace("Tuesdays", "Wednesdays"))
    git = ["git", "-C", str(home / "store"), "-c", "user.name=A", "-c", "user.email=a@b.example"]
    subprocess.run([*git, "commit", "-aqm", "By hand"], check=True)
    assert "silt rebuild" in call("inject").err
    first, second = (told("SessionStart", source="startup", session_id=name) for name in ("s1", "s2"))
    assert "Tuesdays" in contexts([first])[0]
    assert "Wednesdays" in contexts([second])[0]
    assert call("inject").err == ""


def test_what_is_shown_is_not_prepared_at_every_hook(home: Path) -> None:
    with contextlib.closing(Light(str(home / "state"))) as light:
        assert [Hooks(light).renew(at) for at in (1000.0, 1001.0, 1029.0, 1030.0, 1031.0, 900.0)] == [
            *(True, False, False),
            *(True, False, True),
        ]


@pytest.mark.parametrize("held_by", ["BEGIN EXCLUSIVE", "PRAGMA user_version = 9999"])
def test_a_state_that_cannot_be_opened_is_asked_for_once(home: Path, kept: Said, held_by: str) -> None:
    with contextlib.closing(sqlite3.connect(home / "state" / "state.sqlite3")) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute(held_by)
        with State(str(home / "state")) as state:
            first, second = (pytest.raises((Locked, StateError)) for _ in range(2))
            with first as one:
                state.light()
            with second as two:
                state.light()
        assert one.value is two.value


def test_an_unknown_agent_is_told_of_and_breaks_nothing(home: Path) -> None:
    done = hook("cursor", {})
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"wants one agent" in done.stderr


def test_the_log_stays_within_bounds(home: Path) -> None:
    folder = str(home / "state")
    for n in range(3):
        (home / "state" / NAME).write_text("x" * MOST)
        log(folder, "claude", f"line {n}\nof two \udcff", 0.0)
    assert not (home / "state" / NAME).exists()
    assert (home / "state" / f"{NAME}.1").read_text().endswith("claude: line 2\ufffdof two \ufffd\n")
    log(folder, "claude", "next", 0.0)
    assert log_of(home) == ["1970-01-01T00:00:00Z claude: next"]


def test_a_session_that_was_left_keeps_its_state_and_its_summary_is_shown_to_the_next(
    home: Path, kept: Said
) -> None:
    hook("claude", told("UserPromptSubmit", prompt="Mend the cart please"))
    hook("claude", told("SessionEnd", reason="other"))
    assert state_of(home).turn == 1
    assert "Mend the cart" in context(hook("claude", told("SessionStart", source="startup", session_id="s2")))


def opencode(event: str, **more: object) -> dict[str, object]:
    """A payload of our plugin."""
    return {"hook_event_name": event, "session": "s1", "cwd": str(Path.cwd()), **more}


def test_opencode_is_shown_the_same_bytes_until_its_context_is_emptied(home: Path, kept: Said) -> None:
    first = hook("opencode", opencode("system", at=1)).stdout
    assert "Tuesdays" in json.loads(first)["context"]
    assert hook("opencode", opencode("system", at=2)).stdout == first
    call("remember", "Prices are kept in pence", "--type", "project")
    assert hook("opencode", opencode("system", at=3)).stdout == first
    hook("opencode", opencode("session.compacted"))
    assert "pence" in json.loads(hook("opencode", opencode("system", at=4)).stdout)["context"]


def test_opencode_has_output_cut_under_pressure_alone(home: Path, kept: Said) -> None:
    listing = "\n".join(f"src/module_{n}/file.ts" for n in range(500))
    told_of = opencode("tool.after", tool="list", input={}, output=listing, limit=100_000, reserve=0)
    assert hook("opencode", told_of | {"tokens": 1_000}).stdout == b""
    cut = json.loads(hook("opencode", told_of | {"tokens": 90_000}).stdout)
    assert len(cut["output"]) < len(listing)
    assert "[silt: " in cut["output"]


def test_opencode_has_a_deleted_session_forgotten_and_read(home: Path, kept: Said) -> None:
    hook("opencode", opencode("chat.message", text="Mend the cart please", message="m1"))
    hook("opencode", opencode("session.deleted"))
    with contextlib.closing(Light(str(home / "state"))) as light:
        assert Sessions(light).get("opencode", "s1") is None
        assert [(one.session, one.ended) for one in Hooks(light).wanted()] == [("s1", True)]
