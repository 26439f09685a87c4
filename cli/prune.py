"""`silt prune`: cut a tool's output by the level of pressure, from stdin to stdout. A hot command."""

from siltstone.cli import hot
from siltstone.recall.prune.prune import prune


def run(argv: list[str]) -> int:
    """The command: words in, exit status out. Raises Misuse.

    Whatever goes wrong with the text, it is printed: a tool's output is never lost for being pruned.
    """
    found = hot.options(argv, ("tool", "level"), ("synthetic",))
    level = found.get("level", "safe")
    prune("", "", level)  # an unknown level is misuse before anything is read
    text = shown = hot.given().decode("utf-8", "replace")
    try:
        shown = prune(text, found.get("tool", ""), level, "synthetic" in found)
    finally:
        hot.say(shown)
    return 0
