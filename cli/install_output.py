"""What `silt install` and `silt uninstall` say: what changes, what became of each agent, what is left."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from siltstone.agents.door import Place
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Change
from siltstone.cli.output import let_go, show
from siltstone.pipeline.words import counted
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import redact


def _say(text: str, style: str = "") -> None:
    """Who reads no further (`| head`) has the settings written all the same."""
    try:
        show(text, style)
    except (BrokenPipeError, SystemExit):  # the latter is what rich makes of it
        let_go()


def line(agent: str, what: str) -> None:
    """One line about an agent."""
    _say(f"{agent:<9} {what}")


def changes(made: Iterable[Change], whole: bool) -> None:
    """Each change as a diff; files that are ours alone by their name, unless all is wanted. A secret that
    stands beside a change is not for the screen."""
    for change in made:
        if change.is_one and change.is_of_us_alone and not (whole or (change.unrecorded and change.then)):
            _say(_named(change))
        elif change.is_one:
            try:
                _say(redact(change.diff).text)
            except RedactionError:
                _say(f"{change.path} changes; it is too long to be shown")


def installed(
    agent: str, place: Place, made: Sequence[Change], copies: Sequence[Path], dry_run: bool
) -> None:
    """What has become of an agent; `copies`: the files as they were before."""
    if not any(change.is_one for change in made):
        line(agent, "is installed, as before")
    else:
        where = "for you, in every project" if place.project is None else f"for {place.project}"
        line(agent, f"{'would be' if dry_run else 'is'} installed {where}")
    for copy in copies:
        _say(f"{'':<9} what was there before: {copy}", style="dim")
    for change in (change for change in made if change.remark):
        more = ": ours is left out; rename that one or take it out and install again to have ours"
        line(agent, f"{change.remark}{'' if change.edited else more}")
    if not place.mcp:
        line(agent, "without an MCP server: install siltstone[mcp], then run this again")


def gone(made: Sequence[Change], dry_run: bool) -> None:
    """What has become of each agent's settings, and what of ours stays in them."""
    agents = [change.agent for change in made if change.is_one]
    for name in AGENTS:
        of_it = [change for change in made if change.agent == name]
        stays = [*dict.fromkeys(change.remark for change in of_it if change.remark)]
        unrecorded = [change for change in of_it if change.unrecorded]
        empty = {folder for change in unrecorded if _is_empty(folder := _above(change.path))}
        stays += [f"{folder} is empty and stays: nothing tells who made it" for folder in sorted(empty)]
        if name in agents:
            before = "as it was before Siltstone"
            if unrecorded:
                before = "without Siltstone; how it was before is not known, as no record of that is left"
            what = "without Siltstone, but:" if stays and not unrecorded else before
            line(name, f"{'would be' if dry_run else 'is'} {what}")
        for remark in stays:
            line(name, remark)
    if not agents and not any(change.ours and change.remark for change in made):
        _say("nothing was installed")


def shown_by_git(project: Path, paths: Iterable[Path]) -> None:
    """The files of a project that git shows as changed."""
    for path in paths:
        name = path.relative_to(project)
        _say(f"{'git':<9} shows the change to {name}; it names the silt of this machine: do not commit it")


def _named(change: Change) -> str:
    what = "new file" if change.now is None else "gone:" if change.then is None else "renewed:"
    return f"{what} {change.path}, {counted(len((change.then or change.now or b'').splitlines()), 'line')}"


def _above(path: Path) -> Path:
    """The folder that a path is in, or that its folder was in which has gone."""
    return next(folder for folder in path.parents if folder.is_dir())


def _is_empty(folder: Path) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:
        return False
