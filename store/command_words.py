"""The commands that a sentence names: `npm install` in "we never npm install here"."""

import re
from collections.abc import Iterator

from siltstone.store.data import data

_WORDS = {name: frozenset(text.split()) for name, text in data(__file__).items()}
_TOOL = "|".join(sorted(_WORDS["tools"]))
_COMMAND = re.compile(
    rf"(?<![\w./-])(?P<tool>{_TOOL})(?![\w./])"
    rf"(?P<rest>(?:[ \t]+(?!(?i:{'|'.join(_WORDS['prose'])})(?![\w-]))[\w.:/@=+-]{{1,60}}){{0,4}})"
)


def commands(text: str) -> Iterator[tuple[int, list[str]]]:
    """Where each stands, and its words: `tool word` and the flags after it, because nothing in prose marks
    where a command ends."""
    for match in _COMMAND.finditer(text):
        taken: list[str] = []
        for word in match["rest"].split():
            word = word.rstrip(".,:;")
            if not word.isascii() or (taken and not word.startswith("-")):
                break
            taken.append(word)
        if taken or match["tool"] not in _WORDS["words_too"]:
            yield match.start(), [match["tool"], *taken]
