"""How `silt mcp` starts: without the command line library, for its agent waits for it."""

import os
from collections.abc import Sequence

from siltstone.cli.hooks.common import options
from siltstone.cli.output import note
from siltstone.store.errors import Misuse


def main(words: Sequence[str]) -> int:
    """Serve a client until it goes away; the exit status. Misuse is one sentence on standard error."""
    try:
        start(words)
    except Misuse as error:
        note(str(error))
        return Misuse.exit_code
    return 0


def start(words: Sequence[str]) -> None:
    """Serve with these options. Raises Misuse for others, and where the SDK is missing."""
    said = options(words, ("tools", "agent", "session", "cwd"))
    from siltstone.cli.output import prepare
    from siltstone.cli.tools.offered import OFFERED, Sets
    from siltstone.cli.tools.table import Asked

    prepare()
    named = said.get("tools", Sets.MEMORY)
    tools = next((OFFERED[one] for one in Sets if one == named), None)
    if tools is None:
        raise Misuse(f"--tools wants one of {', '.join(Sets)}, not {named[:80]!r}.")
    if "cwd" in said and not os.path.isdir(said["cwd"]):
        raise Misuse(f"--cwd {said['cwd'][:200]!r} is no folder; name the one that the agent works in.")
    try:
        from siltstone.cli.mcp_server import serve
    except ModuleNotFoundError:
        raise Misuse(
            "`silt mcp` needs the MCP SDK: install siltstone with it, pip install 'siltstone[mcp]'."
        ) from None
    asked = Asked(said.get("agent", ""), said.get("session", ""), said.get("cwd", ""))
    serve(tools, asked, dict(os.environ))
