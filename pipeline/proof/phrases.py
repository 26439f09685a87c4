"""The words that proof and gate look for (`phrases.toml`), compiled when first wanted."""

import re
from functools import cache

from siltstone.pipeline.words import anyof
from siltstone.store.data import data


@cache
def pattern(name: str) -> re.Pattern[str]:
    """What finds the words of a name."""
    for kind, flags in (("exact", re.NOFLAG), ("patterns", re.IGNORECASE)):
        if name in data(__file__)[kind]:
            own = _source(name, kind)
            more = f"|{_source(name, 'phrases')}" if name in data(__file__)["phrases"] else ""
            return re.compile(own + more, flags)
    return re.compile(_source(name, "phrases"), re.IGNORECASE)


def opens(words: str, text: str) -> bool:
    """Whether a text begins with such words of `phrases.toml`."""
    start = next((i for i, char in enumerate(text) if char.isalnum()), 0)
    return pattern(words).match(text, start) is not None


def only_in(words: str, text: str, other: str) -> str:
    """The first of such words in a text, where another text has none of them; "" for none."""
    found = pattern(words).search(text)
    return found[0] if found is not None and pattern(words).search(other) is None else ""


def _source(name: str, kind: str) -> str:
    text: str = data(__file__)[kind][name]
    text = re.sub(r"<([a-z]+)>", _part, text if kind == "phrases" else text.replace("\n", ""))
    return anyof(text) if kind == "phrases" else text


def _part(named: re.Match[str]) -> str:
    """What stands in the place of `<name>`, itself where there is no such part (`<system>` is a tag)."""
    part = data(__file__)["parts"].get(named[1])
    return named[0] if part is None else "(?:" + re.sub(r"<([a-z]+)>", _part, part.replace("\n", "")) + ")"
