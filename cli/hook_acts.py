"""What is done about what a hook heard: the state moved on, something shown. On the hot path (cli/hot.py).

Each act loads what it needs when it is wanted: a tool's event needs no block, a prompt no waiter.
"""

from binascii import crc32
from collections.abc import Callable, Mapping
from contextlib import closing

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.recall.session.state import NewerState, load
from siltstone.store.errors import SiltError
from siltstone.store.state.hooks import Hooks
from siltstone.store.state.sessions import Sessions
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from typing import TypeVar

    _Result = TypeVar("_Result")

SHORT = 2_000
"""Characters of a tool's output that are never cut."""
MOST_TYPED = 20_000
"""Characters of a prompt in which a wish to keep something is heard: a longer one is a paste, and is read
with its transcript."""

OWED = "hook owed"
"""Beside what a session was shown (`Shown`): what its next prompt is told. An emptied context clears it."""


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
    if not _tried("whether it was heard before is not known", lambda: _begun(heard, raw, folder, now), True):
        return Answer()
    context = []
    if heard.show:
        context.append(_tried("nothing is shown", lambda: _shown(heard, folder, environ, now), ""))
    if heard.events or heard.gone:
        context.append(_tried("the state is left as it was", lambda: _moved(heard, folder, now), ""))
    if heard.batch:
        _tried("nobody is told to read the session", lambda: _wanted(heard, folder, environ, now), None)
    if heard.typed:  # at last: it may take all the time that is left
        context.append(_tried("nothing is kept", lambda: _saved(heard, folder, environ, now, until), ""))
    output = _tried("the output stays", lambda: _pruned(heard, folder), None) if heard.tool else None
    return Answer("\n".join(filter(None, context)), output)


def _tried(otherwise: str, do: "Callable[[], _Result]", result: "_Result") -> "_Result":
    try:
        return do()
    except (SiltError, NewerState, OSError) as error:
        hot.note(f"{otherwise}: {error}")
        return result


def _begun(heard: Heard, raw: bytes, folder: str, now: float) -> bool:
    """Whether this is to be done: not what was done a moment ago."""
    with closing(hot.opened(folder)) as light, light:
        if Hooks(light).heard(f"{heard.agent} {crc32(raw):08x} {len(raw)}", now):
            return False
        if heard.anew:
            from siltstone.store.state.shown import Shown

            Shown(light).drop(heard.agent, heard.session)
    return True


def _shown(heard: Heard, folder: str, environ: Mapping[str, str], now: float) -> str:
    from siltstone.cli.hook_showing import shown

    return shown(heard, folder, environ, now)


def _saved(heard: Heard, folder: str, environ: Mapping[str, str], now: float, until: float) -> str:
    from siltstone.pipeline import hearing

    if len(heard.typed) > MOST_TYPED or not hearing.may_ask(heard.typed):
        return ""
    from siltstone.cli.hook_saving import saved

    return saved(heard, folder, environ, now, until)


def _moved(heard: Heard, folder: str, now: float) -> str:
    """Tell the session's state; what is to be said to the agent of it.

    A session that was left may be resumed: its state stays, and is swept when it is old. What comes up when
    a turn is over has nobody to be said to: it waits for the session's next prompt, also when that reaches
    another process of the agent.
    """
    from siltstone.cli.event import sum_up, take
    from siltstone.recall.session.event import Event

    said = [take(event, folder, now) for event in heard.events]
    if heard.gone == "deleted":
        take(Event("end", heard.agent, heard.session, now, heard.cwd), folder, now)
    elif heard.gone:
        with closing(hot.opened(folder)) as light, light:
            sum_up(Event("idle", heard.agent, heard.session, now, heard.cwd), light, now)
    if heard.typed:
        said.insert(0, _owed(heard, folder))
    told = "\n".join(filter(None, said))
    if told and heard.batch:
        _owe(heard, folder, told, now)
        return ""
    return told


def _owe(heard: Heard, folder: str, told: str, now: float) -> None:
    from siltstone.store.state.shown import Last, Shown

    with closing(hot.opened(folder)) as light, light:
        Shown(light).put(heard.agent, heard.session, OWED, Last(told, now, now, 0, 0, ()))


def _owed(heard: Heard, folder: str) -> str:
    from siltstone.store.state.shown import Shown

    with closing(hot.opened(folder)) as light:
        kept = Shown(light)
        last = kept.get(heard.agent, heard.session, OWED)
        if last is None:
            return ""
        with light:
            kept.drop_variant(heard.agent, heard.session, OWED)
    return last.text


def _wanted(heard: Heard, folder: str, environ: Mapping[str, str], now: float) -> None:
    from siltstone.cli.hook_batch import want

    want(heard, folder, environ, now)


def _pruned(heard: Heard, folder: str) -> str | None:
    """A tool's output as short as the pressure asks for; None where it may stay (docs/seeds.md B9)."""
    output = heard.events[-1].output
    if len(output) < SHORT:
        return None
    with closing(hot.opened(folder)) as light:
        level = load(Sessions(light).get(heard.agent, heard.session)).pressure.level
    if level == "safe":
        return None
    from siltstone.recall.prune.prune import prune

    cut = prune(output, heard.tool, level)
    return cut if len(cut) < len(output) else None
