"""Lists of words, written as text."""

import re


def listed(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(text.split())


def one_of(text: str) -> str:
    """A pattern for any one of the comma-separated phrases of a text, the longest first."""
    phrases = {" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()}
    return "(?:" + "|".join(re.escape(phrase) for phrase in sorted(phrases, key=lambda p: (-len(p), p))) + ")"
