"""What `silt doctor` says of hooks that stand and answer, but that the agent itself does not run."""

from collections.abc import Iterator
from pathlib import Path

from siltstone.agents.codex.approvals import Passed, passed_over, sources
from siltstone.agents.pieces import Door, Place
from siltstone.agents.settings_edit.toml_table import read
from siltstone.agents.switched_off import switched_off
from siltstone.cli.finding import Finding

_REVIEW = 'start codex once and say "Trust all" when it asks'


def by_settings(agent: str, door: Door, place: Place) -> Iterator[Finding]:
    """A switch that is off in the settings for the user, or in those of the place's project."""
    off = switched_off(agent, door.folder(place.environ, place.home), place.project)
    if off:
        told = f"{door.TITLE} runs none of them here: {off}; take that out"
        yield Finding(f"{agent} hooks", False, told)


def by_approval(door: Door, place: Place, hooks: Path, where: str, package: bool) -> Iterator[Finding]:
    """Whether Codex was told to trust the hooks of that file. What cannot be read is told elsewhere."""
    settings = door.folder(place.environ, place.home) / "config.toml"
    try:
        told = read(settings.read_text(encoding="utf-8")) if settings.exists() else {}
        passed = passed_over(sources(hooks, package), hooks.read_text(encoding="utf-8-sig"), told)
    except (OSError, ValueError):
        return
    what = "codex hooks"
    for sentence in _sentences(passed):
        yield Finding(what, False, sentence)
    if passed == Passed():
        yield Finding(what, True, f"approved {where}")


def _sentences(passed: Passed) -> Iterator[str]:
    if passed.unapproved:
        yield f"codex does not run {', '.join(passed.unapproved)} yet: {_REVIEW}"
    if passed.changed:
        yield f"codex does not run {', '.join(passed.changed)}: changed since they were approved; {_REVIEW}"
    if passed.off:
        yield f"codex does not run {', '.join(passed.off)}: switched off there; switch them on in its /hooks"
