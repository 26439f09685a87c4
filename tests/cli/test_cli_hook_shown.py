"""What an agent is shown at its hooks, by real payloads: the block, what fits a prompt, and nothing twice."""

import concurrent.futures
import json
import os
import shutil
from pathlib import Path

import pytest
from hook_calls import PATIENT, begun, context, hook, log_of, opencode, prompted, python, state_of, told
from support.commands import Said, call
from support.crowd import contexts
from support.git import git

from siltstone.pipeline.reading.echo import strip
from siltstone.store.state import State

pytestmark = pytest.mark.usefixtures("nobody_waits")


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_session_is_shown_the_block_once_and_again_when_its_context_was_emptied(
    home: Path, kept: Said, agent: str
) -> None:
    first = begun(agent)
    assert "Tuesdays" in first
    assert "1 of 1 shown" in first
    assert strip(first).strip() == ""
    assert begun(agent, source="resume") == ""
    assert prompted("When do deploys go out?", agent) == ""  # it stood in the block
    assert "Tuesdays" in begun(agent, source="compact")
    assert "Tuesdays" in begun(agent, source="clear")
    pence()
    assert "pence" in begun(agent, source="resume", n=2)
    assert log_of(home) == []


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_prompt_is_shown_what_fits_and_is_new(home: Path, kept: Said, agent: str) -> None:
    asked = "When do deploys go out?"
    shown = prompted(asked, agent, prompt_id="1")
    assert "Tuesdays" in shown
    assert len(shown) <= 1200
    assert strip(shown).strip() == ""
    assert prompted(asked, agent, prompt_id="2") == ""
    assert prompted("What colour is the sky?", agent) == ""
    assert "Tuesdays" in prompted(asked, agent, session_id="s2")


def pence() -> None:
    call("remember", "Prices are kept in pence", "--type", "project")


def test_gemini_is_shown_the_block_with_its_first_prompt(home: Path, kept: Said) -> None:
    """What comes before it would make a typed command of its own a prompt like any other."""
    pence()
    assert begun("gemini", source="startup") == ""
    asked = "When do deploys go out?"
    shown = prompted(asked, "gemini", n=1)
    assert [shown.count(one) for one in ("Tuesdays", "pence", "2 of 2 shown")] == [1, 1, 1]
    assert prompted(asked, "gemini", n=2) == ""
    assert begun("gemini", source="clear") == ""
    assert "2 of 2 shown" in prompted(asked, "gemini", n=3)


def test_gemini_is_shown_with_a_later_prompt_what_fits_and_is_new(home: Path, kept: Said) -> None:
    assert "Tuesdays" in prompted("Mend the cart please", "gemini")
    pence()
    asked = "In what are prices kept?"
    shown = prompted(asked, "gemini", n=1)
    assert [one in shown for one in ("pence", "Tuesdays")] == [True, False]
    assert prompted(asked, "gemini", n=2) == ""


def test_gemini_resumed_is_shown_other_memories_with_its_next_prompt(home: Path, kept: Said) -> None:
    asked = "Mend the cart please"
    assert "Tuesdays" in prompted(asked, "gemini", n=1)
    assert begun("gemini", source="resume", n=1) == ""
    assert prompted(asked, "gemini", n=2) == ""
    pence()
    assert prompted(asked, "gemini", n=3) == ""  # in a session that goes on nothing is restated
    assert begun("gemini", source="resume", n=2) == ""
    ours = "This is what `silt status` says:\n\nremember: it is none of this"
    assert prompted(ours, "gemini") == ""
    assert "pence" in prompted(asked, "gemini", n=4)
    assert prompted(asked, "gemini", n=5) == ""


def test_gemini_is_shown_the_block_again_when_its_transcript_tells_of_a_compaction(
    home: Path, kept: Said
) -> None:
    chat = home / "chat.jsonl"
    chat.write_text('{"id": "1", "type": "user", "content": [{"text": "<state_snapshot>"}]}\n')
    asked = "Mend the cart please"
    assert "Tuesdays" in prompted(asked, "gemini", n=1, transcript_path=str(chat))

    def restate(summary: str) -> None:
        said = f"<state_snapshot>{summary}</state_snapshot>"
        told_of = {"$set": {"messages": [{"type": "user", "content": [{"text": said}]}]}}
        with chat.open("a") as file:
            file.write(json.dumps(told_of, separators=(",", ":")) + "\n" + '{"id":"2"}\n')

    restate("Mending the cart")
    assert "Tuesdays" in prompted(asked, "gemini", n=2, transcript_path=str(chat))
    restate("Mending the cart")  # resumed
    assert prompted(asked, "gemini", n=3, transcript_path=str(chat)) == ""
    restate("The cart is mended")
    assert "Tuesdays" in prompted(asked, "gemini", n=4, transcript_path=str(chat))
    chat.unlink()
    assert prompted(asked, "gemini", n=5, transcript_path=str(chat)) == ""


def test_of_two_hooks_at_once_one_shows(home: Path, kept: Said) -> None:
    raw, code = json.dumps(told("SessionStart", source="startup")), PATIENT.format(agent="claude")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        shown = [context(done) for done in pool.map(lambda _: python(code, raw), range(4))]
    assert sum("Tuesdays" in one for one in shown) == 1


def test_a_folder_that_is_gone_is_shown_what_holds_everywhere(home: Path, kept: Said) -> None:
    call("remember", "Answers are short", "--scope", "global")
    gone = home / "person" / "gone"
    gone.mkdir()
    patient = PATIENT.format(agent="claude")
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); {patient}"
    shown = context(python(code, told("SessionStart", source="startup", cwd=str(gone))))
    assert "Answers are short" in shown
    assert "Tuesdays" not in shown


def test_of_a_store_that_is_gone_nothing_is_shown(home: Path, kept: Said) -> None:
    shutil.rmtree(home / "store")
    assert begun() == ""
    assert prompted("When do deploys go out?") == ""
    assert context(hook("opencode", {"hook_event_name": "system", "session": "s1", "cwd": str(home)})) == ""
    assert len(log_of(home)) == 3
    assert all(
        f"the store {home / 'store'} no longer exists; put it back, or run `silt run`" in line
        for line in log_of(home)
    )
    assert call("run").code == 0
    assert "Tuesdays" not in begun(n=2)


@pytest.mark.parametrize("how", ["committed", "not committed", "with the time of an older file"])
def test_what_a_hand_wrote_is_shown_from_the_next_hook_on(home: Path, kept: Said, how: str) -> None:
    (file,) = (home / "store").glob("projects/*/*tuesdays*.md")
    file.touch()
    assert "Deploys go out on Tuesdays only" in begun(session_id="touched")
    file.write_text(file.read_text().replace("Tuesdays", "Wednesdays"))
    if how == "committed":
        git(home / "store", "commit", "-aqm", "By hand")
    elif how != "not committed":
        os.utime(file, (1, 1))
    said = call("inject")
    assert "silt rebuild" in said.err
    first, second = (told("SessionStart", source="startup", session_id=name) for name in ("s1", "s2"))
    asked = told("UserPromptSubmit", prompt="When do deploys go out?", session_id="s3")
    for shown in (said.out, *contexts([first, asked])):
        assert "Tuesdays only" not in shown
    assert "- project: deploys-go-out-on-tuesdays-only" in said.out
    assert "Wednesdays" in contexts([second])[0]
    assert call("inject").err == ""


def test_what_a_hand_wrote_is_shown_in_opencode_from_its_next_session_on(home: Path, kept: Said) -> None:
    (file,) = (home / "store").glob("projects/*/*tuesdays*.md")
    file.write_text(file.read_text().replace("Tuesdays", "Wednesdays"))
    first, second = (opencode("system", session=name) for name in ("s1", "s2"))
    assert "Tuesdays only" not in contexts([first], "opencode")[0]
    assert "Wednesdays" in contexts([second], "opencode")[0]


def test_what_is_shown_is_not_prepared_at_every_hook(home: Path) -> None:
    times = (1000.0, 1001.0, 1029.0, 1030.0, 1031.0, 900.0)
    with State.open(str(home / "state")) as db:
        assert [db.hooks.renew(at) for at in times] == [True, False, False, True, False, True]


def test_a_session_that_was_left_keeps_its_state_and_its_summary_is_shown_to_the_next(
    home: Path, kept: Said
) -> None:
    hook("claude", told("UserPromptSubmit", prompt="Mend the cart please"))
    hook("claude", told("SessionEnd", reason="other"))
    assert state_of(home).turn == 1
    assert "Mend the cart" in begun(session_id="s2")


def test_a_memory_whose_file_was_deleted_is_shown_nowhere(home: Path, kept: Said) -> None:
    pence()
    for file in (home / "store" / "projects").glob("*/project-prices*.md"):
        file.unlink()
    block = begun("claude")
    assert "Tuesdays" in block
    assert "pence" not in block
    assert "1 of 1 shown" in block
    assert prompted("In what are prices kept?", session_id="s9") == ""


@pytest.mark.parametrize(("layout", "sign"), [("memfs", "<memfs>"), ("sections", "[MEMORY]")])
def test_the_layout_is_a_setting(home: Path, kept: Said, layout: str, sign: str) -> None:
    (home / "config.toml").write_text(f'layout = "{layout}"\n')
    assert sign in begun("claude")
    assert sign in call("inject").out
    (home / "config.toml").write_text('layout = "round"\n')
    said = call("inject")
    assert "workspace memory" in said.out.lower()
    assert "layout = 'round' is ignored: must be one of default, memfs, sections" in said.err
