"""What is done about what a hook heard: the state moved on, something shown. On the hot path (cli/hot.py)."""

from binascii import crc32
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.cli.event import sum_up, take
from siltstone.cli.hook_batch import want
from siltstone.cli.hook_saving import saved
from siltstone.cli.hook_showing import shown
from siltstone.recall.session.event import Event
from siltstone.recall.session.state import NewerState, load
from siltstone.store.errors import SiltError
from siltstone.store.state.hooks import Hooks
from siltstone.store.state.sessions import Sessions
from siltstone.store.state.shown import Shown

SHORT = 2_000
"""Characters of a tool's output that are never cut."""


class Answer(NamedTuple):
    """What the agent is told."""

    context: str = ""
    output: str | None = None
    """What stands in for a tool's output; None: it stays."""


def act(
    heard: Heard, raw: bytes, folder: str, environ: Mapping[str, str], now: float, until: float
) -> Answer:
    """Do it all; what fails is a note on standard error, and the rest is done.

    `raw` is the payload: the same bytes again within two seconds are the same call, from another place
    in which we are registered. `until`: the monotonic time at which all must be over.
    """
    if not _begun(heard, raw, folder, now):
        return Answer()
    context = [_showing(heard, folder, environ, now), saved(heard, folder, environ, now, until)]
    context += [_taken(event, folder, now) for event in heard.events]
    if heard.gone:
        _gone(heard, folder, now)
    if heard.batch:
        _batch(heard, folder, environ, now)
    output = _pruned(heard, folder) if heard.tool else None
    return Answer("\n".join(filter(None, context)), output)


def _begun(heard: Heard, raw: bytes, folder: str, now: float) -> bool:
    """Whether this is to be done: not what was done a moment ago. Where the state tells nothing, it is."""
    mark = f"{heard.agent} {crc32(raw):08x} {len(raw)}"
    try:
        with closing(hot.opened(folder)) as light, light:
            if Hooks(light).heard(mark, now):
                return False
            if heard.anew:
                Shown(light).drop(heard.agent, heard.session)
    except SiltError as error:
        hot.note(f"{heard.event}: {error}")
    return True


def _showing(heard: Heard, folder: str, environ: Mapping[str, str], now: float) -> str:
    if not heard.show:
        return ""
    try:
        return shown(heard, folder, environ, now)
    except SiltError as error:
        hot.note(f"{heard.event}: nothing is shown: {error}")
        return ""


def _taken(event: Event, folder: str, now: float) -> str:
    try:
        return take(event, folder, now)
    except (SiltError, NewerState) as error:
        hot.note(f"an event ({event.kind}) is left out: {error}")
        return ""


def _gone(heard: Heard, folder: str, now: float) -> None:
    """A session that was left may be resumed: its state stays, and is swept when it is old."""
    if heard.gone == "deleted":
        _taken(Event("end", heard.agent, heard.session, now, heard.cwd), folder, now)
        return
    try:
        with closing(hot.opened(folder)) as light, light:
            sum_up(Event("idle", heard.agent, heard.session, now, heard.cwd), light, now)
    except (SiltError, NewerState) as error:
        hot.note(f"{heard.event}: the session is not summed up: {error}")


def _batch(heard: Heard, folder: str, environ: Mapping[str, str], now: float) -> None:
    try:
        want(heard, folder, environ, now)
    except (SiltError, OSError) as error:
        hot.note(f"{heard.event}: the session is not announced for reading: {error}")


def _pruned(heard: Heard, folder: str) -> str | None:
    """A tool's output as short as the pressure asks for; None where it may stay (docs/seeds.md B9)."""
    output = heard.events[-1].output
    if len(output) < SHORT:
        return None
    level = _level(heard, folder)
    if level == "safe":
        return None
    from siltstone.recall.prune.prune import prune

    cut = prune(output, heard.tool, level)
    return cut if len(cut) < len(output) else None


def _level(heard: Heard, folder: str) -> str:
    try:
        with closing(hot.opened(folder)) as light:
            return load(Sessions(light).get(heard.agent, heard.session)).pressure.level
    except (SiltError, NewerState):
        return "safe"  # which was told when the event was taken
