"""What a rollback took back in a legacy rollout.

Codex before paginated rollouts leaves the turns in the file and appends an event that says how many
of the last ones are gone: `{"type":"thread_rolled_back","num_turns":n}`, a turn beginning with its
typed text. (Paginated rollouts revert by going on in another file: `rollouts.py`, `cutoffs`.)
"""

from siltstone.agents.codex.injected import start_reason
from siltstone.agents.codex.rollouts import opener
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.records import integer, obj, string

_ROLLBACK = b'"thread_rolled_back"'
_TYPED = b'"user_message"'

Place = tuple[int, int]
"""From the first byte taken back to the first one after the event that says so."""


def rolled_back(lines: Lines) -> list[Place]:
    """The places in the whole file; none where no rollback stands in what is still to be read."""
    if not lines.holds(_ROLLBACK):
        return []
    whole = Lines(lines.path, opener=opener(lines.path))
    turns: list[int] = []
    places: list[Place] = []
    for line in whole.without(lambda raw: _TYPED not in raw and _ROLLBACK not in raw):
        record = loads(line.raw) or {}
        payload = obj(record.get("payload"))
        kind = payload.get("type") if record.get("type") == "event_msg" else None
        if kind == "user_message" and start_reason(string(payload.get("message"))) is None:
            turns.append(line.start)
        elif kind == "thread_rolled_back" and turns:
            gone = min(max(integer(payload.get("num_turns")) or 0, 0), len(turns))
            if gone:
                places.append((turns[-gone], line.end))
                del turns[-gone:]
    return places
