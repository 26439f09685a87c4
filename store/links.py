"""`[[name]]` links between memories (docs/seeds.md C5): read, and rewritten when what they name goes."""

import re
from collections.abc import Mapping

_LINK = re.compile(r"\[\[([^\[\]\n|]{1,120})((?:\|[^\[\]\n]{0,120})?)\]\]")


def links(text: str) -> frozenset[str]:
    """The names a text links to."""
    return frozenset(match[1].strip() for match in _LINK.finditer(text))


def relink(text: str, renamed: Mapping[str, str]) -> str:
    """The text with links to renamed memories pointing to their new names; a label (`|…`) stays."""

    def point(match: re.Match[str]) -> str:
        name = match[1].strip()
        return f"[[{renamed[name]}{match[2]}]]" if name in renamed else match[0]

    return _LINK.sub(point, text)
