"""What happens in a session, told to its state as hooks tell it."""

import os
from pathlib import Path

from siltstone.cli.event import take
from siltstone.cli.hot import State
from siltstone.cli.inject import Asked, shown
from siltstone.cli.served import Served
from siltstone.recall.session.event import Event
from siltstone.store.places import state_folder


def happens(event: Event, folder: Path | str, now: float) -> str:
    """Have an event taken by the state in a folder; what the agent is told."""
    with State(str(folder)) as state:
        return take(event, state, now)


def served(asked: Asked, now: float) -> Served:
    """What `silt inject` shows."""
    with State(state_folder(os.environ)) as state:
        return shown(asked, state, os.environ, now)
