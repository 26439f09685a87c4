"""`silt inject`: print what an agent should know, from what is prepared. A hot command (cli/hot.py)."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siltstone.cli import hot
from siltstone.cli.session_text import parts_of
from siltstone.recall.block import Block, build
from siltstone.recall.layouts import LAYOUTS
from siltstone.recall.place import scope_of
from siltstone.recall.prepared import Prepared
from siltstone.recall.receipt import as_json, in_full
from siltstone.recall.selection import CAPS, CHARS, Budget
from siltstone.recall.view import GLOBAL, Hit, View
from siltstone.store.errors import Locked, Misuse, StateError
from siltstone.store.places import state_folder

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
    layout: str = "default"
    budget: int = CHARS
    receipt: bool = False
    json: bool = False


def run(argv: list[str]) -> int:
    """The command: words in, exit status out. Raises Misuse, StateError, Locked."""
    inject(parsed(argv), os.environ, time.time())
    return 0


def parsed(argv: Sequence[str]) -> Asked:
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


def inject(asked: Asked, environ: Mapping[str, str], now: float) -> None:
    """Print the block, the receipt with `--receipt` on standard error, or both as JSON."""
    block = shown(asked, environ, now)
    if asked.json:
        import json

        hot.say(
            json.dumps({"text": block.text, "receipt": as_json(block.receipt)}, ensure_ascii=False) + "\n"
        )
        return
    hot.say(block.text)
    if asked.receipt:
        for line in in_full(block.receipt).splitlines():
            hot.note(line)


def shown(asked: Asked, environ: Mapping[str, str], now: float) -> Block:
    """The block for one call. Raises StateError when nothing is prepared, Locked when it is held."""
    folder = state_folder(environ)
    with Prepared(folder) as prepared:
        cwd = asked.cwd or _here()
        scope = scope_of(cwd, prepared.scope_of, environ.get("HOME") or os.path.expanduser("~"))
        view = prepared.view([GLOBAL] if scope == GLOBAL else [GLOBAL, scope], CAPS)
        hits = hits_for(asked.query, folder, prepared, view, now) if asked.query else ()
        quoted = prepared.brief(scope)
    session = parts_of(folder, asked.agent, asked.session, quoted)
    return build(view, hits, session, Budget(asked.budget), LAYOUTS[asked.layout], now)


def hits_for(query: str, folder: str, prepared: Prepared, view: View, now: float) -> Sequence[Hit]:
    """What fits a question; nothing, with a remark, when it cannot be searched for."""
    # Loaded only where something is asked.
    from siltstone.recall.relevance import relevant, terms
    from siltstone.store.seek import Seeker

    try:
        with Seeker(folder) as seeker:
            return relevant(terms(query), seeker, prepared.fragments, view.scopes, now)
    except (Locked, StateError) as error:
        hot.note(f"what fits the question is not shown: {error}")
        return ()


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""
