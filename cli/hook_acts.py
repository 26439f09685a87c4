"""What is done about what a hook heard: the state moved on, something shown. On the hot path (cli/hot.py).

Each act loads what it needs when it is wanted: a tool's event needs no block, a prompt no waiter.
"""

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.recall.session.state import NewerState, load
from siltstone.store.compiled import checksum
from siltstone.store.errors import SiltError
from siltstone.store.state.hooks import Hooks
from siltstone.store.state.sessions import Sessions
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    _Result = TypeVar("_Result")

SHORT = 2_000
"""Characters of a tool's output that are never cut."""
MOST_TYPED = 20_000
"""Characters of a prompt in which a wish to keep something is heard: a longer one is a paste, and is read
with its transcript."""

OWED = "hook owed"
"""Beside what a session was shown (`Shown`): what its next prompt is told. An emptied context clears it."""


class Answer:
    """What the agent is to be told, as far as it is known: its hook may be over at any time."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.meanwhile = ""
        """What is told in place of the part that is not done."""
        self.output: str | None = None
        """What stands in for a tool's output; None: it stays."""

    def add(self, part: str) -> None:
        """A part is done."""
        self.parts.append(part)
        self.meanwhile = ""

    @property
    def context(self) -> str:
        """All parts, to be read by the model."""
        return "\n".join(filter(None, (*self.parts, self.meanwhile)))


class Moment(NamedTuple):
    """When and where a hook is called."""

    state: hot.State
    environ: "Mapping[str, str]"
    now: float
    until: float
    """The monotonic time at which all must be over."""


def act(heard: Heard, raw: bytes, at: Moment, answer: Answer) -> None:
    """Do it all, and put into the answer what is to be told of it; what fails is a note on standard error,
    and the rest is done.

    `raw` is the payload: the same bytes again within two seconds are the same call, from another place
    in which we are registered.
    """
    if not _tried("whether it was heard before is not known", lambda: _begun(heard, raw, at), True):
        return
    if heard.show:
        answer.add(_tried("nothing is shown", lambda: _shown(heard, at), ""))
    if heard.events or heard.gone:
        answer.add(_tried("the state is left as it was", lambda: _moved(heard, at), ""))
    if heard.batch:
        _tried("nobody is told to read the session", lambda: _wanted(heard, at), None)
    if heard.typed:  # at last: it may take all the time that is left
        answer.add(_tried("nothing is kept", lambda: _saved(heard, at, answer), ""))
    if heard.tool:
        answer.output = _tried("the output stays", lambda: _pruned(heard, at), None)


def _tried(otherwise: str, do: "Callable[[], _Result]", result: "_Result") -> "_Result":
    try:
        return do()
    except (SiltError, NewerState, OSError) as error:
        hot.note(f"{otherwise}: {error}")
        return result


def _begun(heard: Heard, raw: bytes, at: Moment) -> bool:
    """Whether this is to be done: not what was done a moment ago."""
    with at.state.light() as light:
        hooks = Hooks(light)
        if hooks.heard(f"{heard.agent} {checksum(raw)} {len(raw)}", at.now):
            return False
        unready = hooks.mark_ready()
        if heard.anew:
            from siltstone.store.state.shown import Shown

            Shown(light).drop(heard.agent, heard.session)
    if unready:
        from siltstone.cli.hook_behind import make_ready

        make_ready(at.state.folder, at.environ)
    return True


def _shown(heard: Heard, at: Moment) -> str:
    from siltstone.cli.hook_showing import shown

    return shown(heard, at.state, at.environ, at.now)


def _saved(heard: Heard, at: Moment, answer: Answer) -> str:
    from siltstone.pipeline.hearing import own
    from siltstone.pipeline.request_words import asking, refusing

    if len(heard.typed) > MOST_TYPED:
        return ""
    text = own(heard.typed)
    if not (asking(text).any or refusing(text).any):
        return ""
    from siltstone.cli import hook_saving

    answer.meanwhile = hook_saving.meanwhile(heard, at.state.folder)
    if not answer.meanwhile:
        return ""
    return hook_saving.saved(heard, at.state.folder, at.environ, at.now, at.until)


def _moved(heard: Heard, at: Moment) -> str:
    """Tell the session's state; what is to be said to the agent of it.

    A session that was left may be resumed: its state stays, and is swept when it is old. What comes up when
    a turn is over has nobody to be said to: it waits for the session's next prompt, also when that reaches
    another process of the agent.
    """
    from siltstone.cli.event import sum_up, take
    from siltstone.recall.session.event import Event

    said = [take(event, at.state, at.now) for event in heard.events]
    if heard.gone == "deleted":
        take(Event("end", heard.agent, heard.session, at.now, heard.cwd), at.state, at.now)
    elif heard.gone:
        with at.state.light() as light:
            sum_up(Event("idle", heard.agent, heard.session, at.now, heard.cwd), light, at.now)
    if heard.typed:
        said.insert(0, _owed(heard, at))
    told = "\n".join(filter(None, said))
    if told and heard.batch:
        _owe(heard, at, told)
        return ""
    return told


def _owe(heard: Heard, at: Moment, told: str) -> None:
    from siltstone.store.state.shown import Last, Shown

    with at.state.light() as light:
        Shown(light).put(heard.agent, heard.session, OWED, Last(told, at.now, at.now, 0, 0, ()))


def _owed(heard: Heard, at: Moment) -> str:
    from siltstone.store.state.shown import Shown

    light = at.state.light()
    kept = Shown(light)
    last = kept.get(heard.agent, heard.session, OWED)
    if last is None:
        return ""
    with light:
        kept.drop_variant(heard.agent, heard.session, OWED)
    return last.text


def _wanted(heard: Heard, at: Moment) -> None:
    from siltstone.cli.hook_behind import want

    want(heard, at.state, at.environ, at.now)


def _pruned(heard: Heard, at: Moment) -> str | None:
    """A tool's output as short as the pressure asks for; None where it may stay (docs/seeds.md B6–B9)."""
    output = heard.events[-1].output
    if len(output) < SHORT:
        return None
    level = load(Sessions(at.state.light()).get(heard.agent, heard.session)).pressure.level
    if level == "safe":
        return None
    from siltstone.recall.prune.prune import prune

    cut = prune(output, heard.tool, level)
    return cut if len(cut) < len(output) else None
