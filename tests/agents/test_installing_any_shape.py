"""Settings that are well-formed but of another shape than an agent's: refused in a sentence, or left."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from any_shape import OTHERS, paths, replaced
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_home import Home
from support.table import table

from siltstone.agents import doctor, install, settings_toml
from siltstone.agents.codex.door import skipped_hooks
from siltstone.agents.door import DOORS
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Records
from siltstone.agents.settings_json import Unreadable
from siltstone.store.errors import SettingsError


def walked(home: Home, agent: str) -> None:
    """All that reads such settings, without a word of it written."""
    one = DOORS[agent]
    pieces = one.pieces(home.place())
    for decide in (install.install, install.uninstall):
        with suppress(SettingsError):
            decide(agent, None, pieces, home.records)
    files = [piece.path for piece in pieces]
    doctor.hooks_in(agent, files)
    doctor.hooks_by_hand(agent, files)
    list(doctor.servers_in(pieces))
    doctor.switched_off(agent, one.folder({"HOME": str(home.root)}), home.root)
    if agent == "codex":
        with suppress(OSError, Unreadable):
            told = settings_toml.read(files[1].read_text(encoding="utf-8"))
            skipped_hooks(Path("/h"), files[0].read_text(encoding="utf-8"), told)


FILES = {
    "claude": (".claude/settings.json", ".claude.json"),
    "codex": (".codex/hooks.json",),
    "gemini": (".gemini/settings.json",),
}
MORE: dict[str, dict[str, Any]] = {
    ".claude/settings.json": {"disableAllHooks": False},
    ".gemini/settings.json": {"hooksConfig": {"enabled": True, "disabled": ["x"]}},
}


@pytest.mark.parametrize(("agent", "name"), [(agent, name) for agent in FILES for name in FILES[agent]])
@pytest.mark.parametrize("recorded", [True, False])
def test_json_of_any_shape_raises_nothing_but_a_sentence(
    home: Home, agent: str, name: str, recorded: bool
) -> None:
    home.at(name).parent.mkdir(parents=True, exist_ok=True)
    home.at(name).write_text("{}", encoding="utf-8")
    home.install(agent)
    whole = {**json.loads(home.at(name).read_text(encoding="utf-8")), **MORE.get(name, {})}
    if not recorded:
        home.records = Records(home.root / "another", home.disk)

    @given(st.sampled_from([(), *paths(whole)]), st.sampled_from(OTHERS))
    @settings(max_examples=40)
    def any_shape(place: tuple[str | int, ...], other: Any) -> None:
        home.at(name).write_text(json.dumps(replaced(whole, place, other)), encoding="utf-8")
        walked(home, agent)

    any_shape()


@table("installing", "toml_shapes")
@pytest.mark.parametrize("installed", [False, True], ids=["first", "behind ours"])
def test_toml_of_any_shape_raises_nothing_but_a_sentence(home: Home, text: str, installed: bool) -> None:
    config = home.at(".codex/config.toml")
    if installed:
        home.install("codex")
        text = f"{config.read_text(encoding='utf-8')}\n{text}"
    config.write_text(text, encoding="utf-8")
    walked(home, "codex")


def test_servers_that_are_a_list_are_refused_with_their_line(home: Home) -> None:
    config = home.at(".codex/config.toml")
    config.write_text('a = 1\n\n[[mcp_servers]]\nname = "x"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        home.install("codex")
    assert str(caught.value) == (
        f"{config}, line 3: mcp_servers is a list, to which no table can be added; "
        "correct it there and try again. It was left as it is."
    )


def test_all_agents_have_their_settings_looked_at() -> None:
    assert {*FILES, "codex", "opencode"} == {*AGENTS}
