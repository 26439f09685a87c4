"""Identifiers: the words of a memory that must survive a rewrite (docs/architecture.md).

Numbers with their units, paths, URLs, commands, code, proper names and quoted text. A rewrite or a
merge that loses one is refused, whoever proposed it.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.canonical import MAX_TEXT, is_path, normal_path, normal_url
from siltstone.pipeline.words import asian, word_lists
from siltstone.store.command_words import commands

_URL = re.compile(
    r"(?:https?|ftp|ssh|git|wss?|s3|file)://[^\s<>\"'`|\\^{}\u3000-\u303f\uff00-\uffef]{1,2000}", re.I
)
_CODE = re.compile(r"`([^`\n]{1,300})`")
_QUOTED = re.compile(
    r"“([^”\n]{1,200})”|\"([^\"\n]{1,200})\"|「([^」\n]{1,200})」|『([^』\n]{1,200})』|«([^»\n]{1,200})»"
    r"|(?<!\w)['‘]([^'’\n]{1,100})['’](?!\w)"
)
_UNITS = {unit: short for short, units in word_lists(__file__, "units").items() for unit in units}
_UNIT = "|".join(sorted((re.escape(unit) for unit in _UNITS), key=len, reverse=True))
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<money>[€$£¥]\s?)?(?P<number>\d{1,30}(?:[.,:/-]\d{1,30}){0,8})"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?![A-Za-z]))?",
    re.I,
)
_IN_WORD = re.compile(r"(?<![\w.])[A-Za-z#@][\w#@.+-]{0,60}")
_AROUND = "`\"'“”‘’!?()[]<>*「」『』，。；：！？（）"
_WORDS = word_lists(__file__, "words")
_NOUN_ENDINGS = tuple(_WORDS["noun_endings"])
_BEFORE_A_NAME = re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS['before_a_name'])})\s+\Z", re.I)


_SYMBOL = re.compile(r"([A-Za-z_$][\w$-]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*){0,5})(\(.{0,80}\))?")
_OF_CODE = re.compile(r"\w_\w|^_\w|[a-z]\d*[A-Z]|[A-Z]{2}[a-z]|\w{2}(?:[.#]|::)\w{3}")
"""In a word of code: an underscore, a capital behind a small letter, or a dot."""
_VERSION = re.compile(
    r"(?<![\w./-])([A-Za-z][\w+-]{1,30})(?:\s+version)?(?:\s+|@)v?(\d{1,4}(?:\.\d{1,4}){0,3})(?![\w%])"
)


@lru_cache(maxsize=1_024)
def identifiers(text: str) -> frozenset[str]:
    """All of a text's, folded (NFKC, lower case): "£40", "55s", "src/app.ts", "uv run", "postgres".

    URLs and paths are normalised as in `canonical.py`; numbers carry their unit in one spelling.
    """
    text = _plain(text)
    found = {_fold(normal_url(match.group())) for match in _URL.finditer(text)}
    rest = _URL.sub(" ", text)
    found |= {_fold(match.group(1)) for match in _CODE.finditer(rest)}
    for match in _QUOTED.finditer(rest):
        found.add(_fold(next(group for group in match.groups() if group is not None)))
    for word in rest.split():
        bare = word.strip(_AROUND).rstrip(".,:;!?")
        if is_path(bare):
            found.add(_fold(normal_path(bare)))
    rest = _CODE.sub(" ", rest)
    found |= numbers(rest) | {_fold(" ".join(words)) for _, words in commands(rest)} | _names(rest)
    return frozenset(one for one in found if one)


def lost(old: str, new: str) -> frozenset[str]:
    """Identifiers of the old text that stand nowhere in the new one.

    Looked for as whole words, so that "1.7" is not found in "1.74". Numbers must keep their unit.
    """
    kept, text = identifiers(new), " ".join(_fold(_plain(new)).split())
    return frozenset(
        identifier
        for identifier in identifiers(old)
        if identifier not in kept and not _stands(identifier, text)
    )


def _stands(identifier: str, text: str) -> bool:
    first, last = (char.isalnum() and not asian(char) for char in (identifier[0], identifier[-1]))
    before = r"(?<![\w€$£¥])(?<!\d[.,])" if first else ""
    after = r"(?!\w)(?![.,]\d)" if last else ""
    return re.search(before + re.escape(identifier) + after, text) is not None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:MAX_TEXT]).replace("’", "'")


def _fold(text: str) -> str:
    return " ".join(text.lower().split())


def numbers(text: str) -> frozenset[str]:
    """Its numbers with their units, in one spelling: "55s", "£40"."""
    found = set()
    for match in _NUMBER.finditer(text):
        number = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", match["number"]).rstrip(".,:/-")
        unit = _UNITS.get((match["unit"] or "").lower(), "")
        money = (match["money"] or "").strip() or (unit if unit in "€$£¥" else "")
        found.add(f"{money}{number}" if money else f"{number}{unit}")
    return frozenset(found)


class CodeNames(NamedTuple):
    """What a text names in code, as it is written, each once and in order."""

    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    """ "Git.run", "MAX_BODY", "parseConfig": in backticks any word, else one that no prose has."""
    commands: tuple[tuple[str, str], ...]
    """Tool and what it is asked for: ("make", "gen")."""
    versions: tuple[tuple[str, str], ...]
    """A word and the number behind it: ("Python", "3.11")."""


def code_names(text: str) -> CodeNames:
    """The files, symbols, commands and versions in a text, found as `identifiers` finds them."""
    rest = _URL.sub(" ", _plain(text))
    paths, symbols = [], []
    spans = {match.group(1).strip(): True for match in _CODE.finditer(rest)}
    prose = _CODE.sub(" ", rest)
    for word in (*spans, *prose.split()):
        quoted = word in spans
        bare = word if quoted else word.strip(_AROUND.replace("(", "").replace(")", "")).rstrip(".,:;!?")
        path, _, below = bare.partition("::")
        path = re.sub(r":\d[\d:-]*\Z", "", path)
        if is_path(path.strip(_AROUND), quoted=quoted) and " " not in path:
            paths.append(normal_path(path.strip(_AROUND)))
            symbols += [below] if below else []
        elif (found := _SYMBOL.fullmatch(bare)) and (quoted or found[2] or _OF_CODE.search(found[1])):
            symbols.append(re.sub("::|#", ".", found[1]))
    asked = [span.split()[:3] for span in spans]
    asked += [prose[at:].split()[:3] if words[1:] == ["run"] else words for at, words in commands(prose)]
    # Tool and what it is asked for: `npm run build`.
    calls = [(one[0], one[2] if one[1] == "run" and one[2:] else one[1]) for one in asked if len(one) > 1]
    calls = [(tool, word) for tool, word in calls if word[0].isalpha()]
    versions = ((match[1], match[2]) for match in _VERSION.finditer(rest.replace("`", " ")))
    return CodeNames(
        tuple(dict.fromkeys(paths)),
        tuple(dict.fromkeys(symbols)),
        tuple(dict.fromkeys(calls)),
        tuple(dict.fromkeys(versions)),
    )


def _names(text: str) -> set[str]:
    """Capitalised words that begin no sentence, words with inner capitals or digits, Latin words in CJK.

    In German every noun has a capital. There it counts only behind a preposition ("bei Strato"), on a word
    without a noun's ending.
    """
    found = set()
    foreign = asian(text) * 3 > len(text)
    german = len(_WORDS["german"].intersection(text.lower().split())) > 1
    for match in _IN_WORD.finditer(text):
        word = match.group().rstrip(".-")
        if len(word) < 2 or word in _WORDS["stop"] or word.lower() in _UNITS:
            continue
        inner = any(char.isupper() or char.isdigit() for char in word[1:]) or word[0] in "#@"
        before = text[max(0, match.start() - 20) : match.start()]
        noun = german and (word.endswith(_NOUN_ENDINGS) or not _BEFORE_A_NAME.search(before))
        if inner or foreign or (word[0].isupper() and not noun and not _begins(text, match)):
            found.add(_fold(word))
    return found


def _begins(text: str, match: re.Match[str]) -> bool:
    """At the start of a sentence a capital says nothing, unless a name or number follows."""
    before = text[max(0, match.start() - 3) : match.start()].rstrip(" \t\"'(*-")
    if before and before[-1] not in ".!?:\n":
        return False
    after = text[match.end() : match.end() + 2]
    return not (len(after) == 2 and after[0] == " " and (after[1].isupper() or after[1].isdigit()))
