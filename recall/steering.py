"""What a memory steers: the files, commands and names of code at which it is given before an agent's call.

Only a rule steers ("never", "always", "instead of" …), and only what its own sentence names: what it forbids,
and what it says when it holds. What it asks for instead is left alone: "use pnpm, never npm" speaks at `npm`
and not at `pnpm`. In doubt nothing is given. `action.py` is the other side: what a call touches, in the same
terms. `steering.toml` has the words.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from siltstone.recall.action import COMMAND, ENDING, FILE, FOLDER, NAME, PACKAGE
from siltstone.store.command_words import commands
from siltstone.store.data import data
from siltstone.store.entry import Entry

MOST_TEXT = 4_000
"""Characters of a memory that are read: a rule is short, or stands at the beginning."""
MOST = 40
"""Terms of one memory."""
MOST_BEHIND = 2
"""Words behind what is forbidden ("by hand", "be called"): more may be a condition that no call shows."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|[。！？]")
_STOP = re.compile(r"[;；：—]|:(?=\s)|\s[–-]\s")
_COMMA = re.compile(r"[,，、](?!\S*[}])")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_PATH = re.compile(
    r"(?<![\w@:/.~-])(?:[~.]{0,2}/)?[\w@.*?{}\[\]-]++(?:/[\w@.*?{},\[\]-]++)*+/?+(?![\w@]|:(?![\s\d]|$))"
)
_FILE = re.compile(r"\.?[\w-]+(?:\.[A-Za-z][\w-]{0,14})+|\.[a-z][\w.-]+|[A-Z][a-z]+file")
_IDENTIFIER = re.compile(
    r"(?<![\w./-])(?![a-z]+OS\b)(?:[a-z]+[A-Z]\w*|[A-Za-z]+_\w+|[A-Za-z_]\w*(?=\(\)))(?![\w/-])"
)
_PLACE = re.compile(r"(?i)\b(?:in|inside|under|within)\s+(?:the\s+)?`?$")
_WORD = re.compile(r"[a-z@][\w@/.-]*")
_PREFERRED = re.compile(r"(?i)(\bprefer(?:red|s)?\b[^,.;:]{1,60}?\s)over(?=\s)")
_THING_BEHIND = "use|import|add|install|depend on|pull in|require|include"
_WILD = "*?"


class Steers(NamedTuple):
    """One thing at which a memory is given."""

    term: str
    rest: str
    """Of a command the words that must follow; else the glob that a path must fit, "" for any."""
    unless: str
    """Commands that the rule asks for, one a line: a call that runs one of them follows it already."""
    sentence: str
    forbidden: bool
    """The rule says not to, without a condition: who does it again ignores the rule."""


class _Mention(NamedTuple):
    start: int
    end: int
    text: str
    kinds: str


def steers(entry: Entry) -> list[Steers]:
    """What a memory steers, without repeats, at most MOST."""
    if entry.type == "reference":
        return []
    found: dict[tuple[str, str], Steers] = {}
    for sentence in _SENTENCE.split(entry.claim[:MOST_TEXT]):
        for one in _of_sentence(sentence.strip(), strict=entry.type == "project"):
            found.setdefault((one.term, one.rest), one)
    return list(found.values())[:MOST]


def _of_sentence(sentence: str, strict: bool) -> Iterator[Steers]:
    """`strict`: of a fact about the project only what forbids, asks always or says must counts as a rule."""
    told, sentence = sentence, _PREFERRED.sub(r"\1instead of", sentence)
    bare = _CODE.sub(lambda code: "_" * len(code[0]), sentence)
    cues = _cues(bare)
    is_rule = any(kind == "forbid" for _, _, kind in cues) or _pattern("rule").search(bare) is not None
    if not is_rule and (strict or not any(kind == "ask" for _, _, kind in cues)):
        return
    mentions = [(one, _stance(one, cues, bare)) for one in _mentions(sentence)]
    asked = [one.text for one, stance in mentions if stance == "ask" and COMMAND in one.kinds]
    steered = [(one, how) for one, how in mentions if how != "ask" and (how or FILE in one.kinds)]
    places = [
        (one, how) for one, how in steered if FILE in one.kinds and _PLACE.search(sentence[: one.start])
    ]
    things = [one for one in steered if one not in places]
    for one, how in things or places:
        for term, rest in _terms(one):
            if places and things and not (rest or term.startswith(COMMAND)):
                rest = places[0][0].text.strip("/").casefold() + "/*"  # "in src/, never call load()" is both
            unless = "" if term[:2] in (FILE, FOLDER, ENDING) else "\n".join(asked)
            behind = _behind(one, cues, bare)
            # "generated/: never edit by hand" forbids behind its colon, "never edit generated/: …" before it.
            is_told = bare[one.end : one.end + 1] == ":" and not _pattern("against").match(behind)
            condition = [] if is_told else _pattern("against").sub("", behind).split()
            forbidden = how == "forbid" and len(condition) <= MOST_BEHIND
            yield Steers(term, rest, unless, told, forbidden)


def _cues(sentence: str) -> list[tuple[int, int, str]]:
    """Where words of the rule stand, in order; where two begin the longer one."""
    found: dict[int, tuple[int, int, str]] = {}
    for kind in ("part", "when", "put", "ask", "but", "forbid"):
        for match in _pattern(kind).finditer(sentence):
            if match.end() >= found.get(match.start(), (0, 0, ""))[1]:
                found[match.start()] = (match.start(), match.end(), kind)
    for kind, pattern in (("part", _STOP), ("comma", _COMMA)):
        found |= {match.start(): (*match.span(), kind) for match in pattern.finditer(sentence)}
    return [found[start] for start in sorted(found)]


def _stance(one: _Mention, cues: list[tuple[int, int, str]], sentence: str) -> str:
    """What the rule says of a mention: "forbid", "ask", "when"; "" for nothing."""
    stance, fresh = "", False
    for start, _, kind in cues:
        if start >= one.start:
            break
        if kind == "part":
            stance = ""
        elif kind == "comma":
            fresh = True  # a list goes on in the same stance, until another word
        elif (kind, stance) in (("when", "put"), ("put", "when")):
            continue
        elif kind == "but":
            stance = "ask" if stance == "forbid" else "when"
        elif kind == "forbid" or stance != "forbid" or (fresh and kind == "ask"):
            stance, fresh = kind, False
    if stance in ("", "when") and _pattern("against").match(_behind(one, cues, sentence)):
        return "forbid"
    return "ask" if stance == "put" else stance


def _behind(one: _Mention, cues: list[tuple[int, int, str]], sentence: str) -> str:
    """What the clause says behind a mention."""
    begin = one.end + (sentence[one.end : one.end + 1] == ":")  # "generated/: never edit by hand"
    ends = (start for start, _, kind in cues if start >= begin and kind in ("part", "comma"))
    return sentence[begin : next(ends, None)].lstrip(" _`")


def _mentions(sentence: str) -> Iterator[_Mention]:
    """What a sentence names, with the kinds of term that it may be."""
    bare = sentence
    for code in _CODE.finditer(sentence):
        bare = bare[: code.start()] + " " * len(code[0]) + bare[code.end() :]
        text = code[1].strip().removesuffix("()")
        if " " in text:
            yield _Mention(code.start(), code.end(), text, COMMAND)
        else:
            yield _Mention(*code.span(), text, _kinds(text, sentence[code.end() :]) or COMMAND + NAME)
    for match in _PATH.finditer(bare):
        text = match[0].rstrip(".,")
        if kinds := _kinds(text, bare[match.end() :]):
            yield _Mention(*match.span(), text, kinds)
    for start, words in commands(bare):
        yield _Mention(start, start + len(" ".join(words)), " ".join(words), COMMAND)
    for match in _IDENTIFIER.finditer(bare):
        yield _Mention(*match.span(), match[0], NAME)
    for match in _package().finditer(bare):
        at = match.span(match.lastgroup or 0)
        yield _Mention(*at, bare[slice(*at)].rstrip("."), PACKAGE + COMMAND + NAME)
    for pattern, command in () if "git " in sentence else _git_verbs():
        for match in pattern.finditer(sentence):
            yield _Mention(*match.span("verb"), f"{command} {match['branch'] or ''}", COMMAND)


def _kinds(word: str, behind: str) -> str:
    """The kinds of term that one word is by its looks and what stands behind it; "" for none of a path."""
    if _pattern("folder").match(behind.lstrip()):
        return FILE + FOLDER
    if not word.startswith("@") and re.search(r"[/*]", word):
        return FILE
    if not _FILE.fullmatch(word):
        return ""
    is_file = word.rpartition(".")[2].lower() in data(__file__)["endings"].split()
    return FILE if is_file else FILE + NAME  # `console.log` may be both


def _terms(one: _Mention) -> Iterator[tuple[str, str]]:
    """The terms under which a mention is found, with what must be true beside them."""
    if FOLDER in one.kinds:
        yield FOLDER + one.text.strip("/").casefold(), ""
    elif FILE in one.kinds:
        yield from _path_terms(one.text)
    if COMMAND in one.kinds:
        program, *words = one.text.split()
        if _WORD.fullmatch(program):
            yield COMMAND + program, " ".join(words)
    for kind in (NAME, PACKAGE):
        if kind in one.kinds:
            yield kind + one.text.removesuffix(".js"), ""


def _path_terms(text: str) -> Iterator[tuple[str, str]]:
    """The term of a path or glob: the folders before its first wildcard, else its ending."""
    text = re.sub(r"\{[^}]*\}", "*", text.casefold().replace("\\", "/"))
    parts = [part for part in text.split("/") if part not in ("", ".", "..", "~")]
    while parts and parts[0] in ("*", "**") and len(parts) > 1:
        parts = parts[1:]
    fixed: list[str] = []
    for part in parts:
        if any(mark in part for mark in _WILD):
            break
        fixed.append(part)
    rest = parts[len(fixed) :]
    if not rest:
        if fixed:
            yield (FOLDER if text.endswith("/") else FILE) + "/".join(fixed), ""
    elif fixed:
        yield FOLDER + "/".join(fixed), "" if set(rest) <= {"*", "**"} else "/".join(parts)
    elif ending := re.search(r"\.[^.*?]+$", rest[-1]):
        yield ENDING + ending[0], "" if rest == [f"*{ending[0]}"] else "/".join(parts)


def _phrases(kind: str) -> list[str]:
    return [phrase.strip() for phrase in re.split(r"[;\n]", data(__file__)[kind]) if phrase.strip()]


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """A list of `steering.toml` as one pattern."""
    phrases = _phrases(kind)
    spaced = "|".join(one.replace(" ", r"\s+") for one in phrases if one.isascii() or one < "\u2e80")
    joined = "|".join(one for one in phrases if one >= "\u2e80")
    return re.compile(rf"(?i:(?<!\w)(?:{spaced})(?!\w))" + (f"|{joined}" if joined else ""))


@cache
def _package() -> re.Pattern[str]:
    """A plain word that can be nothing but a package, program or function: "never use moment", "instead of
    lodash", ", not yarn", "moment is banned"."""
    forbid = _pattern("forbid").pattern
    before = (
        rf"(?:{forbid})\s+(?:{_THING_BEHIND})|\b(?:instead of|rather than)"
        r"|,\s*(?:not|never)(?=\s+\S+\s*$)(?!\s+(?:change|commit|delete|edit|modify|push|touch)\b)"
    )
    behind = r"\s*(?:[,;:.)(]|$)|\s+(?:in|for|to|as|and|or|because|here|directly)\b"
    subject = rf"(?<!\S)(?P<subject>{_WORD.pattern})(?=\s+(?:is|are)\s+(?:banned|forbidden))"
    return re.compile(rf"(?i:{before})\s+(?P<word>{_WORD.pattern})(?={behind})|{subject}")


@cache
def _git_verbs() -> list[tuple[re.Pattern[str], str]]:
    """How sentences speak of git without its name, and the command of each: "never force-push to main". With
    an object behind it a verb may be another's: "never merge cells", "do not push the button"."""
    before = (
        rf"(?i:{_pattern('forbid').pattern}|{_pattern('but').pattern}|\b(?:each|every|you|we|directly))\s+"
    )
    branch = r"(?:(?:\s+directly)?\s+(?:to|into|on)\s+(?:the\s+)?`?(?P<branch>[a-z][\w./-]*\w))?"
    alone = "|".join(_pattern(kind).pattern for kind in ("but", "of_git"))
    behind = rf"\b{branch}(?=\s*(?:$|[^\w\s`])|\s+(?:{alone}))"
    pairs = (phrase.split(" = ") for phrase in _phrases("git"))
    return [(re.compile(rf"{before}(?P<verb>(?i:{said})){behind}"), asked) for said, asked in pairs]
