"""`silt inject`: print what an agent should know, from what is prepared. A hot command (cli/hot.py)."""

import os
import time

from siltstone.cli import hot
from siltstone.cli.around import around, hits_for
from siltstone.cli.hot_settings import rules_of
from siltstone.cli.served import Served
from siltstone.cli.session_text import known, parts_of
from siltstone.recall.block import Block, build
from siltstone.recall.layouts import LAYOUTS
from siltstone.recall.prepared import Prepared
from siltstone.recall.receipt import as_json, in_full
from siltstone.recall.rules import Rules
from siltstone.recall.selection import CAPS, CHARS, Budget
from siltstone.store.compiled import checksum
from siltstone.store.errors import Misuse
from siltstone.store.places import state_folder
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MIN_BUDGET, MAX_BUDGET = 0, 200_000
VALUED = ("agent", "session", "cwd", "query", "layout", "budget")
FLAGS = ("receipt", "json")


class Asked(NamedTuple):
    """The options of one call."""

    agent: str = ""
    session: str = ""
    cwd: str = ""
    """"" for the current folder."""
    query: str = ""
    """What is asked just now: what fits it is shown first."""
    steady: bool = False
    """Another question alone is no reason for a new block; a new one begins with what fits it."""
    layout: str = "default"
    budget: int = CHARS
    receipt: bool = False
    json: bool = False


def run(argv: list[str]) -> int:
    """The command: words in, exit status out. Raises Misuse, StateError, Locked."""
    inject(parsed(argv), os.environ, time.time())
    return 0


def parsed(argv: "Sequence[str]") -> Asked:
    """What the words ask for. Raises Misuse."""
    found = hot.options(argv, VALUED, FLAGS)
    layout = found.get("layout", "default")
    if layout not in LAYOUTS:
        raise Misuse(f"there is no layout {layout[:40]!r}; there are {', '.join(LAYOUTS)}.")
    budget = found.get("budget")
    return Asked(
        agent=found.get("agent", ""),
        session=found.get("session", ""),
        cwd=found.get("cwd", ""),
        query=found.get("query", ""),
        layout=layout,
        budget=CHARS if budget is None else hot.whole_number("budget", budget, MIN_BUDGET, MAX_BUDGET),
        receipt="receipt" in found,
        json="json" in found,
    )


def inject(asked: Asked, environ: "Mapping[str, str]", now: float) -> None:
    """Print the block, the receipt with `--receipt` on standard error, or both as JSON."""
    with hot.State(state_folder(environ)) as state:
        served = shown(asked, state, environ, now)
    block, decision = served.block, served.decision
    if asked.json:
        import json

        told: dict[str, object] = {"text": block.text, "receipt": as_json(block.receipt)}
        if decision is not None:
            told["shown"] = decision._asdict()
        hot.say(json.dumps(told, ensure_ascii=False) + "\n")
        return
    hot.say(block.text)
    if asked.receipt:
        for line in in_full(block.receipt).splitlines():
            hot.note(line)


def shown(asked: Asked, state: hot.State, environ: "Mapping[str, str]", now: float) -> Served:
    """The block for one call. Raises StateError when nothing is prepared, Locked when it is held."""
    folder = state.folder
    # Without either, nothing that can be set matters.
    rules = rules_of(folder, environ) if asked.query or asked.session else Rules()
    light, to = known(state, asked.agent, asked.session)
    with Prepared(folder) as prepared:
        if prepared.behind():
            hot.note("the store has commits by another hand that are not shown yet; run `silt rebuild`")
        scope, view, here = around(prepared, _folder(asked.cwd), environ, CAPS)
        session = parts_of(light, to, here, now, prepared.brief(scope))

        def built(at: float) -> Block:
            hits = hits_for(asked.query, folder, prepared, view, at, rules) if asked.query else ()
            return build(view, hits, session, Budget(asked.budget), LAYOUTS[asked.layout], at)

        if light is None or to is None:
            return Served(built(now))
        # Loaded only where a session is asked for: half of a hot command's time.
        from siltstone.cli.serving import serve

        question = "" if asked.steady else asked.query
        variant = f"{asked.layout} {asked.budget} {scope} {len(question)} {_mark(question)}"
        return serve(light, to, variant, built, rules, now)


def _mark(text: str) -> str:
    """What tells one question from another."""
    return checksum(text.encode("utf-8", "replace")) if text else ""


def _folder(cwd: str) -> str:
    """The folder that is meant: a relative one is below where the command stands."""
    if os.path.isabs(cwd):
        return cwd
    here = _here()
    return os.path.normpath(os.path.join(here, cwd)) if here else ""


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
