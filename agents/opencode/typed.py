"""What a person typed, out of the form that OpenCode gives it. On the hot path (cli/hot.py)."""


def unquote(text: str) -> str:
    """What was typed behind `opencode run "two words"`, which stores the argument with its quotes.

    Only a text that is one quoted argument as a whole is unwrapped, and only with a blank in it:
    `run` quotes no other.
    """
    whole = text.strip()
    inside = whole[1:-1]
    is_one = len(whole) > 2 and whole[0] == whole[-1] == '"' and '"' not in inside.replace('\\"', "")
    return inside.replace('\\"', '"') if is_one and len(inside.split()) > 1 else text
