"""What happens in a session, told to its state as hooks tell it."""

import json
import os
from pathlib import Path

from siltstone.cli.hooks import citations
from siltstone.cli.hooks.common import LazyState, hook_settings
from siltstone.cli.hooks.inject import Asked, inject_block
from siltstone.cli.hooks.session_state import take
from siltstone.recall.block import Block
from siltstone.recall.prepared import Prepared
from siltstone.recall.session.event import Event
from siltstone.store.places import state_folder


def happens(event: Event, folder: Path | str, now: float) -> str:
    """Have an event taken by the state in a folder; what the agent is told."""
    with LazyState(str(folder)) as state:
        told = take(event, state, now, hook_settings(os.environ))
        citations.count([event], state, now)
        return told


def served(asked: Asked, now: float) -> Block:
    """What `silt inject` shows."""
    with LazyState(state_folder(os.environ)) as state, Prepared(state.folder) as prepared:
        return inject_block(asked, state, prepared, hook_settings(os.environ), os.environ, now)[0]


def dump(event: Event) -> str:
    """The JSON that `parse` reads back as the same event."""
    fields = event._asdict()
    del fields["kind"]
    present = {key: value for key, value in fields.items() if value not in ("", None) and value is not False}
    return json.dumps({"event": event.kind, **present})
