"""Making the brief of a project out of its own files, at write time and without a model (E5, E6, E20).

What is read: README and manifests of the top folder, within the limits of docs/seeds.md E5. What is
quoted: of a README its first real paragraph (E6), of a manifest the few lines that say what the project
is and how it is run. Every text is freed of secrets before a line of it is taken.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from siltstone.recall.brief import Brief, Quote, digest, read
from siltstone.recall.escape import line
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import redact

Mode = Literal["auto", "strict", "off"]
"""auto: a brief where a file says something; strict: always one, if only the names of files; off: none."""
MOST_FILES = 10
MOST_CHARS = 7_000
README_CHARS, PACKAGE_CHARS, OTHER_CHARS = 3_000, 2_000, 1_500
"""What is looked at: files, characters of all, of a README, of package.json, of any other (E5)."""
LEAST = 20
"""A README's line says something when it has more characters (E6)."""
QUOTED = 280
"""Characters quoted of one file."""
GIT = ".git"

_README = re.compile(r"readme(?:\.(?:md|markdown|rst|txt|adoc|org))?", re.I)
_TELLING: Mapping[str, str] = {
    "package.json": r'"(?:name|description|packageManager|workspaces|type|node|dev|start|build|test|lint'
    r'|typecheck|check|format)"\s*:.*',
    "Cargo.toml": r"(?:name|description|edition|rust-version|members)\s*=.*",
    "go.mod": r"(?:module|go|toolchain)\s.*",
    "pyproject.toml": r"(?:name|description|requires-python|build-backend|testpaths|line-length)\s*=.*",
    "requirements.txt": r"[A-Za-z0-9][\w.\[\]-]*\s*(?:[=<>~!;].*)?",
    "Gemfile": r"(?:ruby|gem)\s.*",
    "pom.xml": r"<(?:groupId|artifactId|packaging|description|java\.version|maven\.compiler\.release)>.*",
    "build.gradle": r"(?:id|group|sourceCompatibility|applicationId|mainClass)\b.*",
    "CMakeLists.txt": r"(?:project|cmake_minimum_required|add_executable|add_library)\s*\(.*",
}
"""A manifest and its telling lines. To know one more kind of project, add a line (E5)."""
TRIGGERS = (*_TELLING, GIT, "README")
"""A folder that holds one of these is a project's."""

_JSON = "package.json"
_KEY = re.compile(r'(?<=[{,])\s*(?="[^"\n]{1,60}"\s*:)')
_CLOSING = re.compile(r"(?m)(?<=[\"\]\w])\s*\}[\s},]*$")
"""Of JSON on one line: where a key begins, and the brackets that close behind a value."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"[\W_]*")
_UNDERLINE = re.compile(r"(?:=+|-+|~+|\^+|\*+|\"+)\s*")
_NO_PROSE = re.compile(
    r"\s*(?:#|<|!\[|\[!|\[[^\]]{0,200}\]:|\||={2,}\s|\.\. |:\w+:|>|\[[^\]]*\]\([^)]*\)\s*(?:[|·•-]|$))"
)
"""A heading, HTML, an image or badge, a link's target, a table, a directive, a quotation, a line of links."""


def _nothing(said: str) -> bool:
    return False


def triggers(folder: str) -> list[str]:
    """What in a folder makes it a project's, READMEs first, by name; [] for any other folder."""
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
    readmes = [name for name in names if _README.fullmatch(name)]
    return [*readmes, *(name for name in (*_TELLING, GIT) if name in names)][:MOST_FILES]


def brief_of(
    folder: str,
    now: float,
    mode: Mode = "auto",
    known: Brief | None = None,
    refused: Callable[[str], bool] = _nothing,
) -> Brief | None:
    """The brief of a project's folder; None when there is nothing to say, or `mode` says none.

    `known` is the brief as it was: while its files hold what they held, its date stays. `refused` says
    which lines are not to be quoted, for what they ask for.
    """
    if mode == "off":
        return None
    quotes = tuple(_quotes(folder, refused))
    if mode == "auto" and not any(one.said for one in quotes):
        return None
    shown = tuple(one for one in quotes if one.said or mode == "strict")
    made = known.made if known is not None and _same(known, folder, shown) else now
    return Brief(folder, made, shown) if shown else None


def _same(known: Brief, folder: str, quotes: Sequence[Quote]) -> bool:
    """Whether a brief says what it said, of the same files: a new time of a file alone is no news."""
    return known.folder == folder and [one[:3] for one in known.quotes] == [one[:3] for one in quotes]


def _quotes(folder: str, refused: Callable[[str], bool]) -> Iterator[Quote]:
    left = MOST_CHARS
    for name in triggers(folder):
        found = read(os.path.join(folder, name))
        if found is None:
            yield Quote(line(name, QUOTED), "")
            continue
        data, stamp = found
        most = min(left, _limit(name))
        seen = "" if b"\0" in data else data.decode("utf-8", "replace")[:most]  # no text: a picture, UTF-16
        left -= len(seen)
        yield Quote(line(name, QUOTED), _said(name, seen, refused), digest(data), stamp)


def _limit(name: str) -> int:
    if _README.fullmatch(name):
        return README_CHARS
    return PACKAGE_CHARS if name == "package.json" else OTHER_CHARS


def _said(name: str, seen: str, refused: Callable[[str], bool]) -> str:
    try:
        clean = redact(seen).text
    except RedactionError:
        return ""
    if name == _JSON:
        clean = _CLOSING.sub("", _KEY.sub("\n", clean))
    if name in _TELLING:
        said = "; ".join(_lines_of(clean, _TELLING[name], refused))
    else:
        said = _first_paragraph(clean, refused)
    return line(said, QUOTED) if said else ""


def _lines_of(text: str, telling: str, refused: Callable[[str], bool]) -> Iterator[str]:
    for row in text.splitlines():
        said = row.strip().partition("</")[0].rstrip(",").rstrip()  # of XML the value is enough
        if re.fullmatch(telling, said) and not refused(said):
            yield said


def _first_paragraph(text: str, refused: Callable[[str], bool]) -> str:
    """The first line that says something, with the rest of its paragraph; "" when there is none (E6)."""
    rows = _outside_fences(text)
    for n, row in enumerate(rows):
        under = rows[n + 1] if n + 1 < len(rows) else ""
        if not _is_prose(row) or (under.strip() and _UNDERLINE.fullmatch(under)):
            continue
        paragraph = [row.strip()]
        for more in rows[n + 1 :]:
            if not more.strip() or _NO_PROSE.match(more):
                break
            paragraph.append(more.strip())
        said = " ".join(paragraph)
        if not refused(said):
            return said
    return ""


def _is_prose(row: str) -> bool:
    return len(row.strip()) > LEAST and not _NO_PROSE.match(row) and not _RULE.fullmatch(row)


def _outside_fences(text: str) -> list[str]:
    """The lines of a text without code blocks, front matter and comments."""
    text = re.sub(r"\A\ufeff?---\n.*?\n---(?:\n|\Z)", "", text, count=1, flags=re.S)
    text = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.S)
    rows, fenced = [], False
    for row in text.splitlines():
        if _FENCE.match(row):
            fenced = not fenced
            row = ""
        rows.append("" if fenced else row)
    return rows
