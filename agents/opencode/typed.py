"""What a person typed, out of the form that OpenCode gives it. On the hot path (cli/hot.py)."""

from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_ARGUMENTS = LatePattern(r'(?:(?<!\S)"(?:\\.|[^"\\])*"(?!\S)|[^\n])*')


def typed(text: str, headless: bool) -> str:
    """What was typed; of a session of `opencode run` what stood on its command line: what was piped into it
    follows in the next line, and nothing else marks it."""
    if headless:
        told = _ARGUMENTS.match(text.lstrip())
        text = told[0] if told else ""
    return unquote(text)


def is_headless(rules: object) -> bool:
    """Whether a session is one of `opencode run`, by its rules of permission: it has nobody to ask."""
    listed = rules if isinstance(rules, list) else []
    denied = {
        one.get("permission") for one in listed if isinstance(one, dict) and one.get("action") == "deny"
    }
    return "question" in denied


def from_a_command(part: "Mapping[str, object]") -> bool:
    """Whether a text is what a command of the user's came to: our plugin marks those, OpenCode does not."""
    metadata = part.get("metadata")
    return isinstance(metadata, dict) and metadata.get("siltstone") == "command"


def unquote(text: str) -> str:
    """What was typed behind `opencode run "two words"`, which stores the argument with its quotes.

    Only a text that is one quoted argument as a whole is unwrapped, and only with a blank in it:
    `run` quotes no other.
    """
    whole = text.strip()
    inside = whole[1:-1]
    is_one = len(whole) > 2 and whole[0] == whole[-1] == '"' and '"' not in inside.replace('\\"', "")
    return inside.replace('\\"', '"') if is_one and len(inside.split()) > 1 else text
