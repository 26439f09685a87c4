"""Codex asked headlessly: `codex exec --json`.

The login and the model's provider stand in the user's own `config.toml`, so that is read; what it adds
besides is switched off one by one (`asked.toml`). Settings by `-c` that a version does not know are passed
over. Tools that go by the model and have no switch are taken out of the list of models that Codex works by.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import orjson

from siltstone.agents.ask import MAX_OUTPUT, Call, HeadlessAgent, Question, Report, amount, records
from siltstone.agents.child import Ended, run
from siltstone.agents.door import DOORS
from siltstone.agents.jsonl import loads
from siltstone.agents.settings_toml import BARE, settings_in
from siltstone.agents.values import obj, string
from siltstone.pipeline.model.port import Usage

_SETTINGS = [
    line.replace(" = ", "=", 1)
    for line in (Path(__file__).parent / "asked.toml").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
_OF_MODELS = ("apply_patch_tool_type", "tool_mode", "multi_agent_version")
"""What makes Codex offer a model tools: a patch, JavaScript that calls tools, agents of its own."""
_LISTING = 20.0
"""Seconds in which Codex lists its models; it may ask its service for them first."""


def call(question: Question) -> Call:
    """See `HeadlessAgent`. An ephemeral session is not written."""
    system = question.files / "system.md"
    system.write_text(question.system, encoding="utf-8")
    off = [f"mcp_servers.{name}.enabled=false" for name in servers(question.environ)]
    instructions = f"model_instructions_file={json.dumps(str(system), ensure_ascii=False)}"
    settings = (*_SETTINGS, *off, *_models(question), instructions)
    words = ["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox=read-only"]
    options = (*question.model_option, *(f"--config={setting}" for setting in settings))
    return Call((*words, *options, "-"))


def report(ended: Ended) -> Report | None:
    """Events, one a line: the last message before the turn was completed is the reply."""
    text, failure = None, ""
    for event in records(ended.out):
        kind, item = event.get("type"), obj(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            text = string(item.get("text"))
        elif kind == "turn.completed" and text is not None:
            used = obj(event.get("usage"))  # without a cost
            prompt, cached = amount(used.get("input_tokens")), amount(used.get("cached_input_tokens"))
            return Report(text, Usage(prompt, amount(used.get("output_tokens")), cached, None))
        elif kind in ("error", "turn.failed"):
            failure = string(event.get("message") or obj(event.get("error")).get("message")) or failure
    return Report(error=failure) if failure else None


def servers(environ: Mapping[str, str]) -> list[str]:
    """Names of the MCP servers in the user's settings, which cannot be switched off but by name.

    Settings that cannot be read are left for Codex to report.
    """
    settings = obj(settings_in(DOORS["codex"].folder(environ) / "config.toml"))
    return [name for name in obj(settings.get("mcp_servers")) if BARE.fullmatch(name)]


def _models(question: Question) -> tuple[str, ...]:
    """The setting that names a list of models without tools: Codex's own, its service's or the user's, as it
    lists it. With a version that lists none the models keep their tools, and the sandbox lets those write
    nothing.
    """
    words = (question.program, "debug", "models")
    ended = run(words, "", question.scratch, question.environ, _LISTING, MAX_OUTPUT, question.stop)
    catalog = loads(ended.out.encode()) if ended.code == 0 else None
    models = (catalog or {}).get("models")
    if not isinstance(models, list) or not models:
        return ()
    bare = [{k: v for k, v in obj(one).items() if k not in _OF_MODELS} for one in models]
    path = question.files / "models.json"
    path.write_bytes(orjson.dumps({"models": [{**one, "experimental_supported_tools": []} for one in bare]}))
    return (f"model_catalog_json={json.dumps(str(path), ensure_ascii=False)}",)


_INHERITED = ("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED")
HEADLESS = HeadlessAgent("codex", "run `codex login`", _INHERITED, call, report)
