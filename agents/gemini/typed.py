"""What of a prompt in Gemini CLI a person typed, as far as a prompt tells it. On the hot path (cli/hot.py).

The transcript knows better (`displayContent`); a hook is told what the prompt came to: with the content of
files that it names behind it, and for a command of the user's the text of that command's file.
"""

import os

from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OURS = "This is what `silt "
"""How the prompts of our own commands begin (`agents/commands.py`)."""
MOST = 200
"""Files of commands that are looked at: with more nothing is certain."""
_READ = 100_000
_MARK = "--- Content from referenced "
_REFERENCED = LatePattern(rf"(?m)^{_MARK}\w+ ---[ \t]*$")
_PUT_IN = LatePattern(r"(?s)(\{\{args\}\}|[!@]\{.*?\}+)")
"""What a command's prompt takes in: arguments, a shell's output, a file."""


def typed(prompt: str) -> str:
    """What stands before the content of files: behind the first such line nothing is believed."""
    found = _REFERENCED.search(prompt) if _MARK in prompt else None
    return prompt[: found.start()].rstrip() if found else prompt


def may_be_a_command(prompt: str, cwd: str, environ: "Mapping[str, str]") -> bool:
    """Whether a command of the user's, a project's or an extension's may have come to this prompt.

    Those of MCP servers are in no file: they cannot be told.
    """
    said = ""
    for number, path in enumerate(_files(cwd, environ)):
        said = said or "".join(prompt.split())
        if number >= MOST or _may_come_to(path, said):
            return True
    return False


def _files(cwd: str, environ: "Mapping[str, str]") -> "Iterator[str]":
    home = os.path.join(environ.get("GEMINI_CLI_HOME") or environ.get("HOME") or "", ".gemini")
    places = [
        home,
        *(os.path.join(one, ".gemini") for one in (cwd, environ.get("GEMINI_PROJECT_DIR")) if one),
    ]
    for place in dict.fromkeys(places):
        folders = [os.path.join(place, "commands")]
        extensions = os.path.join(place, "extensions")
        if os.path.isdir(extensions):
            folders += [os.path.join(extensions, one, "commands") for one in sorted(os.listdir(extensions))]
        for folder in folders:
            for at, _, names in os.walk(folder, followlinks=False):
                yield from (os.path.join(at, name) for name in names if name.endswith(".toml"))


def _may_come_to(path: str, said: str) -> bool:
    """Whether what stands in a command's prompt stands, in its order, in what was said (without blanks).

    A file that cannot be read may come to anything.
    """
    try:
        with open(path, "rb") as file:
            raw = file.read(_READ + 1)
        lines = raw.decode().splitlines()
    except (OSError, ValueError):
        return True
    if len(lines) == 2 and lines[1].startswith(f'prompt = "{OURS}'):
        return False  # one of ours, whose prompts are known by how they begin
    import tomllib

    try:
        prompt = tomllib.loads("\n".join(lines)).get("prompt") if len(raw) <= _READ else None
    except (ValueError, RecursionError):
        return False  # Gemini CLI takes no such file
    if not isinstance(prompt, str):
        return len(raw) > _READ
    at = 0
    for piece in _PUT_IN.split(prompt)[::2]:
        bare = "".join(piece.split())
        found = said.find(bare, at)
        if found < 0:
            return False
        at = found + len(bare)
    return True
