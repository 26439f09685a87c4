"""Print what an agent should know here: this project's memories and global
ones, within a budget.

For agents' hooks, and to see what they get. It shows what was prepared when
the store last changed.
Example: silt inject --agent claude --cwd ~/src/larkspur --receipt
"""

import json
import os
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from siltstone.cli.hooks.common import LazyState, hook_settings, say
from siltstone.cli.hooks.options import Options
from siltstone.cli.hooks.surroundings import Running, folder_of, hits_for, running, session_texts
from siltstone.cli.note import note
from siltstone.recall import receipt as receipts
from siltstone.recall.block import Block, build
from siltstone.recall.layouts import LAYOUTS
from siltstone.recall.prepared import Prepared
from siltstone.recall.refresh import Decision, Moment, decide, line
from siltstone.recall.selection import CAPS, CHARS, Budget
from siltstone.recall.session.pressure import percent
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import Locked, Misuse, StateError
from siltstone.store.places import state_folder
from siltstone.store.state import Last, Line, State, clean

MAX_BUDGET = 200_000

Served = tuple[Block, Decision | None]
"""A block and why it is this one; None if nothing is kept of what was shown (no session, no state)."""


class Asked(NamedTuple):
    """The options of one call."""

    agent: str = ""
    session: str = ""
    cwd: str = ""
    """"" for the current folder."""
    query: str = ""
    """The current question: what fits it is shown first."""
    steady: bool = False
    """Another question alone is no reason for a new block; a new one begins with what fits it."""
    layout: str = "default"
    budget: int = CHARS
    receipt: bool = False
    json: bool = False


def run(argv: list[str]) -> int:
    """The command. Raises Misuse, StateError, Locked."""
    options = Options("inject", __doc__)
    add = options.add_argument
    add("--agent", metavar="NAME", default="", help="which agent is shown it")
    add("--session", metavar="ID", default="", help="the agent's own id of the session")
    add("--cwd", metavar="DIR", default="", help="the folder the agent works in; by default this one")
    add("--query", metavar="TEXT", default="", help="the current question: what fits it comes first")
    rules = hook_settings(os.environ)
    add(
        "--layout",
        choices=LAYOUTS,
        default=rules.layout,
        help="the block's form (default: the setting layout)",
    )
    more = "characters for the block, without pinned memories (default: %(default)s)"
    add("--budget", metavar="N", type=int, default=CHARS, help=more)
    add("--receipt", action="store_true", help="print on standard error what was left out, and why")
    add("--json", action="store_true", help="print text and receipt as one JSON document")
    asked = Asked(**vars(options.parse_args(argv)))
    if not 0 <= asked.budget <= MAX_BUDGET:
        raise Misuse(f"argument --budget: a block has from 0 to {MAX_BUDGET} characters, not {asked.budget}.")
    with LazyState(state_folder(os.environ)) as state, Prepared(state.folder) as prepared:
        block, decision = inject_block(asked, state, prepared, rules, os.environ, time.time())
        if prepared.behind():
            note("the store was changed by something else, and that is not shown yet; run `silt rebuild`")
    if asked.json:
        document: dict[str, object] = {"text": block.text, "receipt": receipts.as_json(block.receipt)}
        if decision is not None:
            document["shown"] = decision._asdict()
        say(json.dumps(document, ensure_ascii=False) + "\n")
        return 0
    say(block.text)
    if asked.receipt:
        note(*receipts.in_full(block.receipt).splitlines())
    return 0


def inject_block(
    asked: Asked,
    state: LazyState,
    prepared: Prepared,
    rules: RecallSettings,
    environ: Mapping[str, str],
    now: float,
) -> Served:
    """The block for one call. Raises StateError, and Locked if what is prepared is in use.

    A running session is shown the same bytes until there is a reason for a new block (recall/refresh.py).
    """
    db, to = running(state, asked.agent, asked.session)
    cwd = ""
    with suppress(OSError):  # the current folder may be gone
        cwd = os.path.abspath(asked.cwd)
    folder = folder_of(prepared, cwd, environ, CAPS)
    texts = session_texts(db, to, prepared, folder, now)

    def built(at: float) -> Block:
        hits = hits_for(asked.query, prepared, folder.view, rules)
        return build(folder.view, hits, texts, Budget(asked.budget), LAYOUTS[asked.layout], at)

    question = "" if asked.steady else asked.query
    mark = f"{zlib.crc32(question.encode('utf-8', 'replace')):08x}" if question else ""
    # Another question or layout has a block of its own.
    variant = f"{asked.layout} {asked.budget} {folder.scope} {len(question)} {mark}"
    served: Served | None = None
    if db is not None and to is not None:
        try:
            served = serve(db, to, variant, built, rules, now)
        except (Locked, StateError) as error:
            note(f"session {to.session[:80]} is shown a new block: {error}")
    block, decision = served or (built(now), None)
    if asked.receipt or asked.json:
        receipt = receipts.with_paths(block.receipt, prepared.paths(block.receipt.scopes))
        block = block._replace(receipt=receipt)
    return block, decision


def serve(
    db: State, to: Running, variant: str, built: Callable[[float], Block], rules: RecallSettings, now: float
) -> Served:
    """The block for a session: the one it knows, or a new one, noted with the reason.

    `variant` names the way it was asked for; `built` makes the block as of some time. Raises StateError and
    Locked.
    """
    shown, state = db.shown, to.state
    last = shown.get(to.agent, to.session, variant)
    receipt = receipts.load(last.receipt) if last is not None else None
    if last is not None and last.text and receipt is None:
        last = None  # damaged: a block is never shown with another one's receipt
    moment = Moment(now, percent(state.pressure), state.answered, to.forced, to.source, state.compactions)
    same = last is not None and clean(built(last.at).text) == last.text
    decision = decide(last, same, moment, rules)
    kept = None if decision.reason or last is None or receipt is None else Block(last.text, receipt)
    block = kept or built(now)
    with db.transaction():
        if kept is None:
            paths = tuple(one.path for one in block.receipt.shown)
            dumped = receipts.dump(block.receipt)
            made = Last(clean(block.text), now, now, to.forced, state.compactions, paths, dumped)
            shown.put(to.agent, to.session, variant, made)
            db.usage.shown(paths)
        else:
            shown.again(to.agent, to.session, variant, now)
        shown.log(Line(now, to.agent, to.session, line(decision, len(block.text))))
    return block, decision
