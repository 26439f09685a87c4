"""The hooks that our plugin in OpenCode calls (`siltstone.js`), with payloads of our own design.

Each payload is `{"hook_event_name", "session", "parent", "cwd", …}`; `parent` names the session that a
sub-agent's belongs to: there nothing is done but before its tools. An answer is one JSON object, or nothing.

- `chat.message`: `text` (the typed parts alone), `message` (its id), `model`, `headless` in a session of
  `opencode run` (as in `system`), `undone` when messages before it were taken back. Answer `{"context"}`:
  what fits it, what was saved of it, and that the context was full at the end of the last turn, to stand
  beside the prompt.
- `system`: `text`, what was typed when this process first met the session: a new block begins with what fits
  it. Answer `{"context"}`: the block, whose bytes stay while nothing is worth a change. Here, and of what was
  saved, `{"told"}` is a line for the person.
- `tool.before`: `tool`, `input`, of tools that change or run something, in sub-agents too. Answer
  `{"context"}`, to stand behind the output, and `{"held"}` where the call is refused.
- `tool.after`: `tool`, `input`, `output`, `exit`, `failed`, and `synthetic` for an output that the agent
  made itself. Answer `{"output"}` where it was cut under pressure, `{"context"}` when the context is full.
- `session.compacting`. Answer `{"context"}`: memories for the agent's own summary, and what it is asked for.
- `session.compacted`: `text`, the summary where it is known.
- `session.idle`: `text`, the answer. A context that is full by then is reported with the next message.
- `session.deleted`, and `dispose`, whose `session` may be "".

`chat.message`, `tool.after` and `session.idle` may give `tokens` in the context, its `limit` and `reserve`.
`at` sets apart payloads that are otherwise the same.
"""

import re
from collections.abc import Mapping
from json import dumps

from siltstone.agents.hooks import AgentHooks, Hook, HookCall, Means, Payload, name, text, whole
from siltstone.recall.session.event import Event

CANDIDATES = """\
Do not copy these notes into the summary. After everything else, and only if the conversation holds any, end
it with what a later session of this project should know:

Memory candidates:
- [type] one self-contained sentence

type is user, feedback, project, decision or reference. At most eight, each said or confirmed by the user or
shown by a command that ran; no progress, no plans, no secrets, nothing that the repository itself says."""
"""Prompt for the agent's summary (docs/seeds.md A8), read by `pipeline/extraction/candidate_block.py`."""
SHELLS = ("bash", "shell")
EDITORS = ("edit", "multiedit", "write", "apply_patch", "patch")
_SKILL, _BELOW = "\nBase directory for this skill: ", "Relative paths in this skill "
"""Begin two lines below the text of a skill that was called. What was typed behind its name follows."""
_ARGUMENTS = re.compile(r'(?:(?<!\S)"(?:\\.|[^"\\])*"(?!\S)|[^\n])*')


def _result(event: Event, payload: Payload) -> Event:
    failed = payload.get("failed") is True
    return event._replace(output=text(payload, "output"), exit=whole(payload, "exit"), failed=failed)


def _particular(call: HookCall, means: Means, payload: Payload, environ: Mapping[str, str]) -> HookCall:
    if means == "prompt":
        return call._replace(message=name(payload, "message"), undone=payload.get("undone") is True)
    if means == "tool":
        made_by_agent = payload.get("synthetic") is True
        return call._replace(tool="" if made_by_agent else name(payload, "tool"))
    return call._replace(anew=True) if means == "compacted" else call


def _answer(event: str, context: str, output: str | None, held: str, told: str) -> str:
    if event == "session.compacting":
        context = f"{context}\n{CANDIDATES}" if context else CANDIDATES
    made: dict[str, str] = {"context": context} if context else {}
    if output is not None:
        made["output"] = output
    if held:
        made["held"] = held
    if told:
        made["told"] = told
    return dumps(made) + "\n" if made else ""


def typed_text(text: str, headless: bool) -> str:
    """What was typed; of a session of `opencode run` what stood on its command line: what was piped into it
    follows in the next line, and nothing else marks it."""
    if headless:
        found = _ARGUMENTS.match(text.lstrip())
        text = found[0] if found else ""
    return unquote(text)


def without_skill(text: str) -> str:
    """A text without that of a skill that was called by name."""
    _, mark, rest = text.rpartition(_SKILL)
    below, _, typed = rest.partition("\n")[2].partition("\n")
    return typed.strip() if mark and below.startswith(_BELOW) else text


def is_headless(rules: object) -> bool:
    """Whether a session is one of `opencode run`, by its rules of permission: it has nobody to ask."""
    listed = rules if isinstance(rules, list) else []
    rows = [one for one in listed if isinstance(one, dict)]
    return any(one.get("permission") == "question" and one.get("action") == "deny" for one in rows)


def from_a_command(part: Mapping[str, object]) -> bool:
    """Whether a text is what a command of the user's came to: our plugin marks those, OpenCode does not."""
    metadata = part.get("metadata")
    return isinstance(metadata, dict) and metadata.get("siltstone") == "command"


def unquote(text: str) -> str:
    """What was typed behind `opencode run "two words"`, which stores the argument with its quotes.

    Only a text that is one quoted argument as a whole is unwrapped, and only with a blank in it:
    `run` quotes no other.
    """
    whole = text.strip()
    inside = whole[1:-1]
    is_one = len(whole) > 2 and whole[0] == whole[-1] == '"' and '"' not in inside.replace('\\"', "")
    return inside.replace('\\"', '"') if is_one and len(inside.split()) > 1 else text


HOOKS = AgentHooks(
    hooks=(
        Hook("chat.message", "prompt", 5_000),
        Hook("system", "system", 5_000),
        Hook("tool.before", "acting", 5_000),
        Hook("tool.after", "tool", 5_000),
        Hook("session.compacting", "compacting", 5_000),
        Hook("session.compacted", "compacted", 5_000),
        Hook("session.idle", "answered", 5_000),
        Hook("session.deleted", "deleted", 5_000),
        Hook("dispose", "disposed", 1_000),
    ),
    prompt=lambda payload, environ: typed_text(
        without_skill(text(payload, "text")), payload.get("headless") is True
    ),
    result=_result,
    shells=SHELLS,
    editors=EDITORS,
    session_key="session",
    subagent_key="parent",
    tool_key="tool",
    input_key="input",
    answer_key="text",
    summary_key="text",
    particular=_particular,
    own_answer=_answer,
)
