"""`silt prune`: cut a tool's output by the level of pressure, from standard input to standard output."""

from siltstone.cli.hooks.common import options, read_input, say
from siltstone.recall.session.pruning import prune


def run(argv: list[str]) -> int:
    """The command. Raises Misuse. If pruning fails the text is printed whole: no output is lost."""
    found = options(argv, ("tool", "level"), ("synthetic",))
    level = found.get("level", "safe")
    prune("", "", level)  # raises Misuse for an unknown level before anything is read
    text = shown = read_input().decode("utf-8", "replace")
    try:
        shown = prune(text, found.get("tool", ""), level, "synthetic" in found)
    finally:
        say(shown)
    return 0
