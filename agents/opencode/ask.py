"""OpenCode asked headlessly: `opencode run --format json`.

Its login and models stand in the user's own files; an agent of ours, given in the environment, has no
tools and our system text. The database is one in memory, so no session is kept.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from siltstone.agents import settings_json
from siltstone.agents.ask import MODEL, Call, Question, Report, amount, dollars, model_option, records
from siltstone.agents.child import Ended
from siltstone.agents.opencode import door
from siltstone.agents.values import Record, home, integer, obj, string
from siltstone.pipeline.model.port import Usage

_AGENT = "siltstone"
_CONTENT = "OPENCODE_CONFIG_CONTENT"
_FOLDER = "OPENCODE_CONFIG_DIR"
_FILES = ("config.json", "opencode.json", "opencode.jsonc")


class _OpenCode:
    program = "opencode"
    login = "run `opencode auth login`"
    models = rf"[\w.-]+/{MODEL}"  # of a provider
    inherited = ("OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER_PASSWORD")

    def call(self, asked: Question) -> Call:
        environ = {
            _CONTENT: _escaped(_settings(asked)),
            "OPENCODE_DB": ":memory:",
            "OPENCODE_PURE": "1",
            "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
            "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX": str(asked.max_tokens),
        }
        words = ("run", "--format=json", f"--agent={_AGENT}", f"--title={_AGENT}")  # no call for a title
        return Call((*words, *model_option(asked)), asked.text, environ | _instructions(asked))

    def report(self, ended: Ended) -> Report | None:
        """Events, one a line; the texts of the last message are the reply."""
        texts: dict[str, list[str]] = {}
        usage, reason = Usage(), ""
        for event in records(ended.out):
            part = obj(event.get("part"))
            if event.get("type") == "text":
                texts.setdefault(string(part.get("messageID")), []).append(string(part.get("text")))
            elif event.get("type") == "step_finish":
                usage += _usage(part)
                reason = string(part.get("reason"))
            elif event.get("type") == "error":
                return _trouble(obj(event.get("error")))
        if not reason or reason == "tool-calls":
            return None
        text = "".join(list(texts.values())[-1]) if texts else ""
        return Report(text, usage, cut=reason == "length")

    def tidy(self, asked: Question, call: Call) -> None:
        """Nothing is left: the database was in memory."""


def _instructions(asked: Question) -> dict[str, str]:
    """No AGENTS.md of the user's, which lies in the first folder of settings, nor the CLAUDE.md read in its
    place. Who has named a folder of their own has their settings there: it stays."""
    environ = {"OPENCODE_DISABLE_CLAUDE_CODE_PROMPT": "1"}
    if not asked.environ.get(_FOLDER):
        folder = asked.scratch / "settings"
        folder.mkdir(exist_ok=True)
        environ[_FOLDER] = str(folder)
    return environ


def _settings(asked: Question) -> dict[str, Any]:
    """Over the user's: an agent that only answers, and every MCP server off, which goes by name alone."""
    given = _read(asked.environ.get(_CONTENT, ""))
    servers = {name: {"enabled": False} for told in _configs(asked.environ) for name in obj(told.get("mcp"))}
    agent = {
        "mode": "primary",
        "prompt": asked.system,
        "tools": {"*": False},
        "permission": {"*": "deny"},
    }
    ours = {"share": "disabled", "autoupdate": False, "snapshot": False}
    return {
        **given,
        **ours,
        "mcp": {name: {**obj(obj(given.get("mcp")).get(name)), **off} for name, off in servers.items()},
        "agent": {**obj(given.get("agent")), _AGENT: agent},
    }


def _configs(environ: Mapping[str, str]) -> Iterator[Record]:
    """The user's settings, wherever OpenCode looks for them; what cannot be read is its to complain of."""
    folders = [door.folder(environ, home(environ)), home(environ) / ".opencode"]
    if environ.get(_FOLDER):
        folders.append(Path(environ[_FOLDER]))
    files = [folder / name for folder in folders for name in _FILES]
    if environ.get("OPENCODE_CONFIG"):
        files.append(Path(environ["OPENCODE_CONFIG"]))
    for file in files:
        try:
            yield _read(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
    yield _read(environ.get(_CONTENT, ""))


def _read(text: str) -> Record:
    try:
        return obj(settings_json.read(text))
    except (ValueError, RecursionError):
        return {}


def _escaped(settings: dict[str, Any]) -> str:
    """OpenCode fills `{env:…}` and `{file:…}` in before it reads the JSON: none is spelled out in ours."""
    return orjson.dumps(settings).decode().replace("{env:", "\\u007benv:").replace("{file:", "\\u007bfile:")


def _usage(part: Record) -> Usage:
    told = obj(part.get("tokens"))
    cache = obj(told.get("cache"))
    cached = amount(cache.get("read"))
    prompt = amount(told.get("input")) + cached + amount(cache.get("write"))
    completion = amount(told.get("output")) + amount(told.get("reasoning"))
    return Usage(prompt, completion, cached, dollars(part.get("cost")))


def _trouble(error: Record) -> Report:
    data = obj(error.get("data"))
    words = ": ".join(filter(None, (string(error.get("name")), string(data.get("message")))))
    return Report(trouble=words or "it says that it failed", status=integer(data.get("statusCode")))


ASKER = _OpenCode()
