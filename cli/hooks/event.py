"""Record one event of a running session, as JSON on standard input, and
update the session's state.

For agents' hooks. Prints something only when the event makes the agent's
context critical: then it prints what the agent should read. `event` is
message, tool, compaction, model, idle or end; agent and session are required;
docs/session-state.md has the rest.
Example: echo '{"event": "idle", "agent": "claude", "session": "s1"}' | silt event
"""

import os
import time

from siltstone.cli.hooks import citations
from siltstone.cli.hooks.common import LazyState, hook_settings, read_input, say
from siltstone.cli.hooks.options import Options
from siltstone.cli.hooks.session_state import take
from siltstone.cli.note import note
from siltstone.recall.session.event import Misread, parse
from siltstone.recall.session.state import NewerState
from siltstone.store.places import state_folder

MAX_BYTES = 64 * 2**20


def run(argv: list[str]) -> int:
    """The command. Raises Misuse, StateError, StoreError, Locked."""
    Options("event", __doc__).parse_args(argv)
    raw = read_input(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        note(f"the event is longer than {MAX_BYTES:,} bytes; it is ignored")
        return 0
    now = time.time()
    with LazyState(state_folder(os.environ)) as state:
        try:
            event = parse(raw.decode("utf-8", "replace"), now)
            text = take(event, state, now, hook_settings(os.environ))
        except (Misread, NewerState) as error:
            note(f"the event is ignored: {error}")
            return 0
        if text:
            say(f"{text}\n")
        citations.count([event], state, now)
    return 0
