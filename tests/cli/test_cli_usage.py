"""What was shown, opened and cited is counted, and slows decay."""

from pathlib import Path

from support.commands import Said, call
from support.events import dump, served
from support.events import happens as taken

from siltstone.cli.hooks.inject import Asked
from siltstone.recall.prepared import Prepared
from siltstone.recall.session.event import Event
from siltstone.store.state import State

NOW = 1_795_168_800.0
PATH = "projects/larkspur/project-deploys-go-out-on-tuesdays-only.md"


def used() -> dict[str, int]:
    found = {one["path"]: one["usage"] for one in call("list", "--usage", "--json").json}
    return {key: count for key, count in found[PATH].items() if count}


def answer(home: Path, text: str, at: float = NOW, role: str = "assistant") -> None:
    taken(Event("message", "claude", "s1", at, role=role, text=text), home / "state", at)


def show_it(at: float = NOW) -> None:
    served(Asked(agent="claude", session="s1"), at)


def test_use_is_counted_from_block_to_answer(home: Path, kept: Said) -> None:
    assert used() == {}
    answer(home, "Deploys go out on Tuesdays only")
    assert used() == {}  # nothing was shown yet: it cannot have come from there
    show_it()
    show_it(NOW + 1)
    assert used() == {"shown": 1}
    answer(home, "Deploys go out on Tuesdays only", role="user")
    answer(home, "No idea.")
    assert used() == {"shown": 1}
    answer(home, "Deploys go out on Tuesdays only, so wait.")
    assert used() == {"shown": 1, "cited": 1, "days": 1}
    call("show", "deploys-go-out-on-tuesdays-only")
    assert used()["opened"] == 1
    assert "shown 1, opened 1, cited 1" in call("list", "--usage").out
    assert "shown 1" not in call("list").out


def test_a_person_who_looks_is_no_use(kept: Said) -> None:
    call("inject")
    assert used() == {}


def test_use_slows_decay_from_the_next_change_of_the_store_on(home: Path, kept: Said) -> None:
    show_it()
    answer(home, "As project-deploys-go-out-on-tuesdays-only.md says.")
    answer(home, "As project-deploys-go-out-on-tuesdays-only.md says.", NOW + 90_000)
    assert call("rebuild").code == 0
    with Prepared(str(home / "state")) as prepared:
        assert prepared.fragments([PATH])[PATH].repeats == 2


def test_an_answer_is_heard_though_nothing_is_prepared(home: Path, kept: Said) -> None:
    show_it()
    (home / "state" / "recall.sqlite3").unlink()
    heard = dump(Event("message", "claude", "s1", NOW, role="assistant", text="Deploys go out on Tuesdays."))
    said = call("event", given=heard)
    assert (said.code, said.out, "nothing is prepared" in said.err) == (0, "", True)
    with State.open(home / "state") as db:
        assert db.sessions.get("claude", "s1") is not None
    assert used() == {"shown": 1}
