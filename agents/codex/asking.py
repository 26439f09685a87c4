"""Codex asked headlessly: `codex exec --json`.

The login and the model's provider stand in the user's own `config.toml`, so that is read; what it adds
besides is switched off one by one. Settings by `-c` that a version does not know are passed over.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.asking import Call, Question, Told, amount, records
from siltstone.agents.child import Ended
from siltstone.agents.records import Record, home, obj, string
from siltstone.pipeline.model import Usage

_FEATURES = (
    "hooks",
    "shell_tool",
    "unified_exec",
    "apps",
    "plugins",
    "view_image",
    "goals",
    "skill_search",
    "multi_agent",
    "memories",
)
_SETTINGS = (
    *(f"features.{name}=false" for name in _FEATURES),
    "notify=[]",
    'approval_policy="never"',
    'web_search="disabled"',
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "include_permissions_instructions=false",
    "include_environment_context=false",
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class _Codex:
    program = "codex"
    login = "run `codex login`"
    inherited = ("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED")

    def call(self, asked: Question) -> Call:
        told = asked.files / "system.md"
        told.write_text(asked.system, encoding="utf-8")
        off = [f"mcp_servers.{name}.enabled=false" for name in servers(asked.environ)]
        settings = (*_SETTINGS, *off, f"model_instructions_file={_quoted(told)}")
        words = ["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox=read-only"]
        return Call((*words, *(f"--config={setting}" for setting in settings), "-"), asked.text)

    def told(self, ended: Ended) -> Told | None:
        """Events, one a line: the last message before the turn was completed is the reply."""
        text, trouble = None, ""
        for event in records(ended.out):
            kind, item = event.get("type"), obj(event.get("item"))
            if kind == "item.completed" and item.get("type") == "agent_message":
                text = string(item.get("text"))
            elif kind == "turn.completed" and text is not None:
                return Told(text, _usage(obj(event.get("usage"))))
            elif kind in ("error", "turn.failed"):
                trouble = string(event.get("message") or obj(event.get("error")).get("message")) or trouble
        return Told(trouble=trouble) if trouble else None

    def tidy(self, asked: Question, call: Call) -> None:
        """Nothing is left: an ephemeral session is not written."""


def servers(environ: Mapping[str, str]) -> list[str]:
    """Names of the MCP servers in the user's settings, which cannot be switched off but by name.

    Settings that cannot be read are Codex's to complain of.
    """
    folder = Path(environ["CODEX_HOME"]) if environ.get("CODEX_HOME") else home(environ) / ".codex"
    try:
        told = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [name for name in obj(told.get("mcp_servers")) if _BARE.fullmatch(name)]


def _quoted(path: Path) -> str:
    """A TOML string."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _usage(told: Record) -> Usage:
    """Codex tells no cost."""
    prompt, cached = amount(told.get("input_tokens")), amount(told.get("cached_input_tokens"))
    return Usage(prompt, amount(told.get("output_tokens")), cached, None)


ASKER = _Codex()
