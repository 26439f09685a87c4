"""What our plugin in OpenCode tells (`plugin/siltstone.js`): a vocabulary of ours, for there is no other.

Each payload is `{"hook_event_name", "session", "parent", "cwd", …}`; `parent` names the session that a
sub-agent's belongs to: nothing is done there. An answer is one JSON object, or nothing.

- `chat.message`: `text` (the typed parts alone), `message` (its id), `model`, `headless` in a session of
  `opencode run` (as in `system`), `undone` when messages before it were taken back. Answer `{"context"}`:
  what fits it, what was saved of it, and that the context was full at the end of the last turn, to stand
  beside the prompt.
- `system`: `text`, what was typed when this process first met the session: a new block begins with what fits
  it. Answer `{"context"}`: the block, whose bytes stay while nothing is worth a change.
- `tool.after`: `tool`, `input`, `output`, `exit`, `failed`, and `synthetic` for an output that the agent
  made itself. Answer `{"output"}` where it was cut under pressure, `{"context"}` when the context is full.
- `session.compacting`. Answer `{"context"}`: memories for the agent's own summary, and what it is asked for.
- `session.compacted`: `text`, the summary where it is known.
- `session.idle`: `text`, the answer. That the context is full by then is told with the next message.
- `session.deleted`, and `dispose`, whose `session` may be "".

`chat.message`, `tool.after` and `session.idle` may tell `tokens` in the context, its `limit` and `reserve`.
`at` sets apart payloads that are otherwise the same.
"""

from siltstone.agents.hooks import (
    ALONE,
    NOTHING,
    Heard,
    Hook,
    Payload,
    answered,
    inner,
    name,
    prompted,
    text,
    whole,
)
from siltstone.agents.opencode.typed import typed
from siltstone.recall.session.event import Event, compact
from siltstone.store.light_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "opencode"
EVENTS = (
    Hook("chat.message", 5_000),
    Hook("system", 5_000),
    Hook("tool.after", 5_000),
    Hook("session.compacting", 5_000),
    Hook("session.compacted", 5_000),
    Hook("session.idle", 5_000),
    Hook("session.deleted", 5_000),
    Hook("dispose", 1_000),
)
CANDIDATES = """\
Do not copy these notes into the summary. After everything else, and only if the conversation holds any, end
it with what a later session of this project should know:

Memory candidates:
- [type] one self-contained sentence

type is user, feedback, project, decision or reference. At most eight, each said or confirmed by the user or
shown by a command that ran; no progress, no plans, no secrets, nothing that the repository itself says."""
"""What the agent's summary is asked for (docs/seeds.md A8); `pipeline/candidate_block.py` reads it."""
_NOBODY = "-"
"""The session of a `dispose` that tells none: only transcripts are to be read."""


def heard(payload: Payload, now: float, environ: "Mapping[str, str]" = ALONE) -> Heard:
    """See `agents/hooks.py`, `Listener`."""
    event, session = name(payload, "hook_event_name"), name(payload, "session")
    if event == "dispose":
        return Heard(AGENT, session or _NOBODY, name(payload, "cwd"), event=event, batch="now")
    if not session or payload.get("parent"):
        return NOTHING
    here = Heard(AGENT, session, name(payload, "cwd"), event=event)
    told = Event(
        "idle",
        AGENT,
        session,
        now,
        here.cwd,
        model=name(payload, "model"),
        tokens=whole(payload, "tokens"),
        limit=whole(payload, "limit"),
        reserve=whole(payload, "reserve"),
    )
    if event == "chat.message":
        return _typed(here, told, payload)
    if event == "system":
        return here._replace(show="system", query=_said(payload))
    if event == "tool.after":
        made = payload.get("synthetic") is True
        return here._replace(events=(_tool(told, payload),), tool="" if made else name(payload, "tool"))
    if event == "session.compacting":
        return here._replace(show="compacting")
    if event == "session.compacted":
        return here._replace(
            events=(told._replace(kind="compaction", text=text(payload, "text")),), anew=True
        )
    if event == "session.idle":
        return answered(here, told, text(payload, "text"))
    if event == "session.deleted":
        return here._replace(batch="now", gone="deleted")
    return NOTHING


def answer(event: str, context: str, output: str | None = None) -> str:
    """See `agents/hooks.py`, `Listener`."""
    if event == "session.compacting":
        context = f"{context}\n{CANDIDATES}" if context else CANDIDATES
    told: dict[str, str] = {"context": context} if context else {}
    if output is not None:
        told["output"] = output
    return dumps(told) + "\n" if told else ""


def _said(payload: Payload) -> str:
    return typed(text(payload, "text"), payload.get("headless") is True)


def _typed(here: Heard, told: Event, payload: Payload) -> Heard:
    prompt = _said(payload)
    if not prompt.strip():
        return NOTHING
    undone = payload.get("undone") is True
    here = here._replace(show="prompt", message=name(payload, "message"), undone=undone)
    return prompted(here, told, prompt)


def _tool(told: Event, payload: Payload) -> Event:
    tool = name(payload, "tool")
    return told._replace(
        kind="tool",
        name=tool,
        input=compact(payload.get("input")),
        output=text(payload, "output"),
        command=text(inner(payload, "input"), "command") if tool in ("bash", "shell") else "",
        exit=whole(payload, "exit"),
        failed=payload.get("failed") is True,
    )
