"""Lists of words, written as text."""

_ESCAPED = {ord(sign): f"\\{sign}" for sign in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}
"""As `re.escape` has it."""


def listed(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """The comma-separated phrases of a text, each once, the longest first."""
    found = {" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()}
    return tuple(sorted(found, key=lambda phrase: (-len(phrase), phrase)))


def one_of(text: str) -> str:
    """A pattern for any one of the comma-separated phrases of a text."""
    return "(?:" + "|".join(phrase.translate(_ESCAPED) for phrase in phrases(text)) + ")"
