"""Gemini CLI asked headlessly: `gemini --output-format json`.

Settings of the folder it is started in switch off what can be; its login and model stand in the user's
own. It keeps every session, so ours has an id of its own and is taken away behind it.
"""

import os
import uuid
from pathlib import Path

import orjson

from siltstone.agents.ask import MODEL, Call, Question, Report, amount, last_record, model_option
from siltstone.agents.child import Ended
from siltstone.agents.gemini import door
from siltstone.agents.values import entries, home, integer, obj, string
from siltstone.pipeline.model.port import Usage

_SETTINGS = {
    "hooksConfig": {"enabled": False},
    "skills": {"enabled": False},
    "experimental": {"enableAgents": False},
    "general": {"maxAttempts": 2},
    "context": {"includeDirectoryTree": False},
    # One tool, which sees that folder and nothing else, and which the service is told not to let the model
    # call: a request with an empty list of tools is refused by some of Google's services.
    "tools": {"core": ["list_directory"]},
    "modelConfigs": {
        "customOverrides": [
            {
                "match": {"isChatModel": True},
                "modelConfig": {
                    "generateContentConfig": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}
                },
            }
        ]
    },
}
_LOGGED_OUT = 41


class _Gemini:
    program = "gemini"
    login = "run `gemini` and log in"
    models = MODEL
    inherited = ("GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH")

    def call(self, asked: Question) -> Call:
        _settle(asked)
        told = asked.files / "system.md"
        told.write_text(asked.system, encoding="utf-8")
        words = (
            "--output-format=json",
            "--extensions=none",
            "--allowed-mcp-server-names=none",
            *model_option(asked),
            f"--session-id={uuid.uuid4()}",
        )
        environ = {"GEMINI_SYSTEM_MD": str(told), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        return Call(words, asked.text, environ)

    def report(self, ended: Ended) -> Report | None:
        """One object, of what went wrong on standard error behind whatever else stands there."""
        report = last_record(ended.out)
        if isinstance(report.get("response"), str):
            return Report(string(report["response"]), _usage(report))
        error = obj(report.get("error")) or obj(last_record(ended.err).get("error"))
        if not error:
            return None
        status = integer(error.get("code"))
        trouble = string(error.get("message")) or "it says that it failed"
        return Report(trouble=trouble, status=401 if status == _LOGGED_OUT else status)

    def tidy(self, asked: Question, call: Call) -> None:
        session = call.words[-1].partition("=")[2]
        for project in entries(door.folder(asked.environ, home(asked.environ)) / "tmp"):
            for chat in entries(Path(project.path, "chats")):
                if session[:8] in chat.name and session in _head(Path(chat.path)):
                    Path(chat.path).unlink(missing_ok=True)


def _settle(asked: Question) -> None:
    """Put the settings where Gemini looks for them, whole at any time: calls run beside each other."""
    settings, wanted = asked.scratch / ".gemini" / "settings.json", orjson.dumps(_SETTINGS)
    if not settings.is_file() or settings.read_bytes() != wanted:
        settings.parent.mkdir(exist_ok=True)
        made = asked.files / "settings.json"
        made.write_bytes(wanted)
        os.replace(made, settings)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(4096).decode("utf-8", "replace")
    except OSError:
        return ""


def _usage(report: dict[str, object]) -> Usage:
    """Of all models that were asked: one more may have chosen the other. Gemini tells no cost."""
    prompt = completion = cached = 0
    for model in obj(obj(report.get("stats")).get("models")).values():
        told = obj(obj(model).get("tokens"))
        prompt += amount(told.get("prompt"))
        completion += amount(told.get("candidates")) + amount(told.get("thoughts"))
        cached += amount(told.get("cached"))
    return Usage(prompt, completion, cached, None)


ASKER = _Gemini()
