"""OpenCode asked headlessly: `opencode run --format json`.

Its login and models stand in the user's own files; an agent of ours, given in the environment, has no
tools and our system text. The database is one in memory, so no session is kept.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from siltstone.agents import settings_json
from siltstone.agents.ask import MODEL_NAME, Call, HeadlessAgent, Question, Report, amount, dollars, records
from siltstone.agents.child import Ended
from siltstone.agents.door import DOORS
from siltstone.agents.settings_json import Unreadable
from siltstone.agents.settings_toml import settings_in
from siltstone.agents.values import Record, integer, obj, string
from siltstone.pipeline.model.port import Usage
from siltstone.store.places import home_folder

_AGENT = "siltstone"
_CONTENT = "OPENCODE_CONFIG_CONTENT"
_FOLDER = "OPENCODE_CONFIG_DIR"
_NAMES = ("config.json", "opencode.json", "opencode.jsonc")


def call(question: Question) -> Call:
    """See `HeadlessAgent`. No session is left: the database is in memory."""
    # OpenCode fills `{env:…}` and `{file:…}` in before it reads the JSON: none is spelled out in ours.
    settings = orjson.dumps(_settings(question)).decode()
    environ = {
        _CONTENT: settings.replace("{env:", "\\u007benv:").replace("{file:", "\\u007bfile:"),
        "OPENCODE_DB": ":memory:",
        "OPENCODE_PURE": "1",
        "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
        "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX": str(question.max_tokens),
        "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT": "1",
    }
    # AGENTS.md lies in the first folder of settings, which is empty. Who has named a folder of their own has
    # their settings there: it stays.
    if not question.environ.get(_FOLDER):
        folder = question.scratch / "settings"
        folder.mkdir(exist_ok=True)
        environ[_FOLDER] = str(folder)
    words = ("run", "--format=json", f"--agent={_AGENT}", f"--title={_AGENT}")  # no call for a title
    return Call((*words, *question.model_option), environ)


def report(ended: Ended) -> Report | None:
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
            error, data = obj(event.get("error")), obj(obj(event.get("error")).get("data"))
            words = ": ".join(filter(None, (string(error.get("name")), string(data.get("message")))))
            return Report(error=words or "it says that it failed", status=integer(data.get("statusCode")))
    if not reason or reason == "tool-calls":
        return None
    text = "".join(list(texts.values())[-1]) if texts else ""
    return Report(text, usage, cut=reason == "length")


def _settings(question: Question) -> dict[str, Any]:
    """Over the user's: an agent that only answers, and every MCP server off, which goes by name alone."""
    given: Record = {}
    with suppress(Unreadable):
        given = obj(settings_json.read(question.environ.get(_CONTENT, "")))
    configs = [*map(obj, map(settings_in, _files(question.environ))), given]
    servers = {name: {"enabled": False} for one in configs for name in obj(one.get("mcp"))}
    agent = {"mode": "primary", "prompt": question.system, "tools": {"*": False}, "permission": {"*": "deny"}}
    ours = {"share": "disabled", "autoupdate": False, "snapshot": False}
    return {
        **given,
        **ours,
        "mcp": {name: {**obj(obj(given.get("mcp")).get(name)), **off} for name, off in servers.items()},
        "agent": {**obj(given.get("agent")), _AGENT: agent},
    }


def _files(environ: Mapping[str, str]) -> list[Path]:
    """Where OpenCode looks for settings. What cannot be read there is left for it to report."""
    folders = [DOORS["opencode"].folder(environ), Path(home_folder(environ)) / ".opencode"]
    if environ.get(_FOLDER):
        folders.append(Path(environ[_FOLDER]))
    files = [folder / name for folder in folders for name in _NAMES]
    if environ.get("OPENCODE_CONFIG"):
        files.append(Path(environ["OPENCODE_CONFIG"]))
    return files


def _usage(part: Record) -> Usage:
    used = obj(part.get("tokens"))
    cache = obj(used.get("cache"))
    cached = amount(cache.get("read"))
    prompt = amount(used.get("input")) + cached + amount(cache.get("write"))
    completion = amount(used.get("output")) + amount(used.get("reasoning"))
    return Usage(prompt, completion, cached, dollars(part.get("cost")))


_INHERITED = ("OPENCODE", "OPENCODE_PID", "OPENCODE_SERVER_PASSWORD")
HEADLESS = HeadlessAgent(
    "opencode", "run `opencode auth login`", _INHERITED, call, report, rf"[\w.-]+/{MODEL_NAME}"
)
