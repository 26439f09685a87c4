"""A home for each agent, in which the user has hooks, plugins and MCP servers that leave a mark when they
are started, and instructions for all projects. The model is the scripted one."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

VERSIONS = {
    "claude": ("@anthropic-ai/claude-code", "2.1.329"),
    "codex": ("@openai/codex", "0.169.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "opencode": ("opencode-ai", "1.18.33"),
}
INSTRUCTIONS = "the user's instructions"
"""Of the file that each agent reads in all projects."""


@dataclass(frozen=True, slots=True)
class Home:
    """A home, and the environment that the agent is called in."""

    agent: str
    root: Path
    program: Path
    env: dict[str, str]

    @property
    def marks(self) -> set[str]:
        """Which of the user's own things were started."""
        found = self.root / "marks"
        return set(found.read_text().split()) if found.exists() else set()


def furnished(agent: str, root: Path, program: Path, url: str) -> Home:
    """A home with traps in it; `url` is the scripted model's."""
    root.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join((str(program.parent), os.environ["PATH"]))
    env = {"HOME": str(root), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb"}
    env |= _FURNISH[agent](root, url.removesuffix("/v1"))
    return Home(agent, root, program, env)


def without_packages(settings: Path) -> None:
    """OpenCode fetches a package for plugins, of 60 MB with what that needs, into each folder of settings in
    which npm was not at work yet, even for plugins that use nothing of it. Here it finds that npm was."""
    (settings / "node_modules").mkdir(parents=True)
    installed = {"": {"dependencies": {"@opencode-ai/plugin": VERSIONS["opencode"][1]}}}
    _write(settings / "package-lock.json", {"packages": installed})


def _trap(root: Path, mark: str) -> list[str]:
    return ["/bin/sh", "-c", f"echo {mark} >> {root}/marks"]


def _hook(root: Path) -> str:
    return f"echo hook >> {root}/marks"


def _write(path: Path, told: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(told if isinstance(told, str) else json.dumps(told))


def _server(root: Path) -> dict[str, object]:
    command, *args = _trap(root, "server")
    return {"mem": {"command": command, "args": args}}


def _claude(root: Path, url: str) -> dict[str, str]:
    handlers = [{"hooks": [{"type": "command", "command": _hook(root)}]}]
    _write(root / ".claude" / "settings.json", {"hooks": {"UserPromptSubmit": handlers}, "verbose": True})
    _write(root / ".claude" / "CLAUDE.md", INSTRUCTIONS)
    _write(root / ".claude.json", {"mcpServers": _server(root)})
    quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return quiet | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none"}


def _codex(root: Path, url: str) -> dict[str, str]:
    command, *args = _trap(root, "server")
    settings = f"""\
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"
notify = {json.dumps(_trap(root, "hook"))}
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.mem]
command = {json.dumps(command)}
args = {json.dumps(args)}
"""
    _write(root / ".codex" / "config.toml", settings)
    _write(root / ".codex" / "AGENTS.md", INSTRUCTIONS)
    return {}


def _gemini(root: Path, url: str) -> dict[str, str]:
    handlers = [{"hooks": [{"type": "command", "command": _hook(root)}]}]
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "model": {"name": "gemini-2.5-flash"},
        "hooks": {"BeforeAgent": handlers},
        "mcpServers": _server(root),
    }
    _write(root / ".gemini" / "settings.json", settings)
    _write(root / ".gemini" / "GEMINI.md", INSTRUCTIONS)
    return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none"}


_LIMITS = {"limit": {"context": 128_000, "output": 4096}, "tool_call": True}


def _opencode(root: Path, url: str) -> dict[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": dict.fromkeys(("scripted", "small"), _LIMITS),
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",  # it writes that itself where it is missing
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "permission": {"*": "allow"},
        "provider": {"scripted": provider},
        "mcp": {"mem": {"type": "local", "command": _trap(root, "server"), "enabled": True}},
    }
    folder = root / ".config" / "opencode"
    without_packages(folder)
    _write(folder / "opencode.json", settings)
    mark = f'appendFileSync("{root}/marks", "hook\\n"); return {{}}'
    plugin = f'import {{ appendFileSync }} from "node:fs"\nexport const Trap = async () => {{ {mark} }}\n'
    _write(folder / "plugin" / "trap.js", plugin)
    _write(folder / "AGENTS.md", INSTRUCTIONS)
    _write(root / ".claude" / "CLAUDE.md", INSTRUCTIONS)  # read where there is no AGENTS.md
    return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}


_FURNISH: dict[str, Callable[[Path, str], dict[str, str]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "opencode": _opencode,
}
