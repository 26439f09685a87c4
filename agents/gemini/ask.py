"""Gemini CLI asked headlessly: `gemini --output-format json`.

Settings of the folder it is started in switch off what can be; its login and model stand in the user's
own. It keeps every session, so ours has an id of its own and is removed afterwards.
"""

import os
import uuid
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from siltstone.agents.ask import Call, HeadlessAgent, Question, Report, amount, last_record
from siltstone.agents.child import Ended
from siltstone.agents.door import DOORS
from siltstone.agents.values import entries, integer, obj, string
from siltstone.pipeline.model.port import Usage
from siltstone.store.plain_file import head

_SETTINGS = Path(__file__).parent / "asked.json"
"""One tool is left, which sees that folder and nothing else, and which the service is told not to let the
model call: a request with an empty list of tools is refused by some of Google's services."""
_LOGGED_OUT = 41


def call(question: Question) -> Call:
    # The settings go where Gemini looks for them, whole at any time: calls run beside each other.
    settings, wanted = question.scratch / ".gemini" / "settings.json", _SETTINGS.read_bytes()
    if not settings.is_file() or settings.read_bytes() != wanted:
        settings.parent.mkdir(exist_ok=True)
        made = question.files / "settings.json"
        made.write_bytes(wanted)
        os.replace(made, settings)
    session = str(uuid.uuid4())
    system = question.files / "system.md"
    system.write_text(question.system, encoding="utf-8")
    words = (
        "--output-format=json",
        "--extensions=none",
        "--allowed-mcp-server-names=none",
        *question.model_option,
        f"--session-id={session}",
    )
    environ = {"GEMINI_SYSTEM_MD": str(system), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return Call(words, environ, partial(_remove_session, question.environ, session))


def report(ended: Ended) -> Report | None:
    """One object, of what went wrong on standard error behind whatever else stands there."""
    last = last_record(ended.out)
    if isinstance(last.get("response"), str):
        return Report(string(last["response"]), _usage(last))
    error = obj(last.get("error")) or obj(last_record(ended.err).get("error"))
    if not error:
        return None
    status = integer(error.get("code"))
    words = string(error.get("message")) or "it says that it failed"
    return Report(error=words, status=401 if status == _LOGGED_OUT else status)


def _remove_session(environ: Mapping[str, str], session: str) -> None:
    for project in entries(DOORS["gemini"].folder(environ) / "tmp"):
        for chat in entries(Path(project.path, "chats")):
            if session[:8] in chat.name and session.encode() in head(Path(chat.path), 4096):
                with suppress(OSError):
                    os.unlink(chat.path)


def _usage(last: dict[str, object]) -> Usage:
    """Of all models that were asked: one more may have chosen the other. Gemini reports no cost."""
    prompt = completion = cached = 0
    for model in obj(obj(last.get("stats")).get("models")).values():
        used = obj(obj(model).get("tokens"))
        prompt += amount(used.get("prompt"))
        completion += amount(used.get("candidates")) + amount(used.get("thoughts"))
        cached += amount(used.get("cached"))
    return Usage(prompt, completion, cached, None)


_INHERITED = ("GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH")
HEADLESS = HeadlessAgent("gemini", "run `gemini` and log in", _INHERITED, call, report)
