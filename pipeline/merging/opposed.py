"""Plain contradictions between memories that nobody set against each other: precision before recall.

`rivals` asks of two texts whether one gives another value, where something says already that both speak
of one thing: a target, a word of change, words to be merged. Here nothing says so, and a hit is put before
the user (invariant 11), so the subject must be the same to the word: but for verbs that mean one thing
("is kept", "stays"), and under the same condition or heading. What is only a property of a thing ("the API
is slow", "the shop uses Redis") stands beside others.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from siltstone.pipeline.merging.likeness import (
    CJK,
    COMMA,
    DASH,
    NEGATIONS,
    SENTENCE_END,
    content,
    fold,
    negated,
    stem,
    swapped,
)
from siltstone.pipeline.merging.rivals import (
    DESCRIBES,
    MAX_CLAUSE,
    MAX_CLAUSES,
    SETTING,
    VALUE,
    letters_of,
    of_one_measure,
    polarity_clash,
    values,
)
from siltstone.pipeline.words import words
from siltstone.store.entry import Entry

LETTERS = 6
"""Of a subject, a pair of CJK letters counting for three: less says nothing."""
LABEL = 3
"""Letters that such a number counts for."""
LABELLED = 4
"""Words of a subject that a number may name one of: "the old wharf pump 3"."""

BOUND = re.compile(
    r"(?:after|at|before|during|except|for|if|in|inside|on|once|outside|unless|until|when|whenever|while|with"
    r"|within|without|as long as|as soon as"
    r"|wenn|falls|sobald|solange|außer|bei|beim|auf|im|für|während|bevor|nachdem|ohne|mit|nur"
    r"|si|quand|lorsque|sauf|pour|dans|en|sur|pendant|avant|après|sans|avec"
    r"|cuando|salvo|excepto|para|durante|antes|después|sin|con|se|quando|exceto|em|no|na|sem|com"
    r"|tranne|per|nel|nella|senza|als|wanneer|behalve|voor|op|tijdens"
    r"|если|когда|кроме|для|в|на|при|без|с)\b(?=.)"
    r"|(?:如果|若|当|當|除非|只要|只有|在|对于|對於|もし)|.*(?:场合|の場合|のとき|の時|なら|たら|では|에서는?|하면|이면|때)$"
)
ELIDED = re.compile(
    r"(?:(?:and|but|then|or|und|aber|et|mais|y|pero|e)\s)?(?:allows|blocks|caps|checks|closes|costs|deletes|drops"
    r"|expires|gets|has|holds|keeps|limits|listens|logs|needs|opens|polls|reads|requires|retries|returns|runs"
    r"|sends|serves|sleeps|starts|stays|stops|stores|takes|times|tries|uses|waits|wants|writes|is|are|must|may"
    r"|can|should|will|has|hat|ist|läuft|wartet|est|attend|es|espera)\s"
)
"""A clause that begins with its verb: its subject stands in the clause before."""
CJK_VERBS = re.compile("监听|監聽|使用|设为|設為|设置为|設置為|是|为|為|は|が|の|은|는|이|가")
"""What stands between a subject and its value there, or marks the one; no word of it."""
SAME = tuple(
    frozenset(stem(word) for word in words(alike))
    for alike in (
        "begin begins start starts over above from",
        "keep keeps kept retain retained remain remains stay stays store stored there database held "
        "hold holds",
        "listen listens run runs serve serves bind binds bound answer answers reachable served",
        "need needs require requires required want wants",
        "cost costs",
        "expire expires end ends",
        "läuft lauscht hört liegt auf",
        "bleiben aufbewahrt gespeichert werden",
        "écoute tourne est sur",
        "escucha corre está es usa",
        "guardan conservan mantienen se",
    )
)
"""Verbs by which one thing is said of one subject; a clause may have one where the other has another."""
DEMANDED = frozenset(map(stem, words("default demand mandatory minimum minimal must need require standard")))
"""What is said of the one version that counts, not of a numbered thing: "Node 18 is required"."""
LEADING = words(
    "about above after at before below between by every from in least less more most of on over per "
    "than to under until up with within ab auf bei bis nach unter über von vor à de en par sur a de en hasta"
)
"""Directly before a number they make it a measure, not a name."""
ORDINAL = ("第", "제")
"""Directly before a number they make it the name of a thing."""
DATING = [["in"], ["on"], ["since"], ["am"], ["seit"], ["le"], ["el"], ["en"]]
VERBS = words(
    "are be can cost costs expire expires get gets had has have is keep keeps last lasts listen listens "
    "may must need needs run runs serve serves set shall should start starts stay stays take takes to use "
    "uses wait waits was were will bleiben bleibt hat ist läuft lauscht sind est sont es son usa écoute"
)

_ROLES = words(
    "branch bundle broker charset ci cloud contact currency database db directory domain editor "
    "encoding endpoint engine folder font host hosting hostname lead license licence locale "
    "maintainer name owner password path platform provider queue region registry repository reviewer "
    "scheduler separator shell store storage theme timezone url username"
)
ROLES = frozenset(map(stem, _ROLES))
"""Heads of a subject that has one value, also in a repository of several languages."""
CJK_ROLES = re.compile("(?:分支|数据库|資料庫|区域|區域|时区|時區|队列|平台|主机|名称|リージョン|ブランチ)$")
ADJECTIVES = words(
    "a an at bad behind big broken dead down empty external fast fine flaky full good green in "
    "internal legacy live local mandatory missing new not off old on optional our private public "
    "ready red remote safe shared slow small stable unsafe up"
)
"""With one of them in it, or first, a value tells what a thing is like or where, not which it is."""
FAMILIES = tuple(
    frozenset(map(stem, words(family)))
    for family in (
        "npm pnpm yarn bun",
        "pip pipenv poetry uv pdm conda",
        "tabs spaces",
        "jest vitest mocha jasmine",
        "unittest pytest",
        "black yapf autopep8",
        "maven gradle bazel",
        "mysql mariadb postgres postgresql sqlite",
        "merge rebase squash",
    )
)
"""Of these one is used for one purpose."""


_SENTENCE = re.compile(rf"{SENTENCE_END}|{DASH}")
_SETTLED = re.compile(
    r"\W*(?:(?:and|but|so|also|und|y|et)\s+)?(?:(?:we|i|the team|everybody|everyone|it)"
    r"(?:'ve| have| has| was| is| been| all| now| just| finally| already)*"
    r" (?:decided|agreed|settled|resolved) that"
    r"|wir haben (?:\w+ ){0,2}(?:entschieden|beschlossen|vereinbart),? dass|hemos (?:decidido|acordado) que"
    r"|(?:on a|nous avons) (?:décidé|convenu) que|我[们們](?:已经|已經)?(?:决定|決定|商定|约定|約定)了?)"
    r"[，,：:\s]*"
)
"""Tells that something was settled: what follows is the claim."""
_COMMA = re.compile(COMMA)
_COLON = re.compile(r":\s|：")
_PLACE = re.compile(r"\S*[a-z]\S*/\S*|\S*/\S*[a-z]\S*")
_LETTERS = str.maketrans("0123456789", "klmnopqrst")
"""A number in a path or URL belongs to its name."""
_IS = re.compile(r"^(?:the\s)?(?P<subject>\S.{0,100}?)\s?(?:\b(?:is|are)\s|=\s?)(?P<value>\S.{0,60})$")
_CJK_IS = re.compile(
    rf"^(?P<subject>[^是用为為は]{{2,40}}?)(?:是|使用|用|为|為|は)\s?(?P<value>[^{CJK}]{{1,40}})(?:です)?$"
)
_USE = re.compile(
    r"^(?:(?:we|i|always|please)\s){0,2}(?:use|prefer|pick|run)\s(?P<value>\S.{0,40}?)\s"
    r"(?P<subject>(?:for|as|when|in)\s.{2,80})$"
)


def contradict(one: Entry, other: Entry) -> bool:
    """Whether two memories plainly contradict each other: in their bodies, or in what heads them."""
    if opposed(one.body, other.body):
        return True
    if one.description in one.body and other.description in other.body:
        return False  # said in the bodies already
    return opposed(one.description, other.description)


def opposed(one: str, other: str) -> bool:
    """Whether some clause of one text plainly contradicts a clause of the other. Symmetric."""
    if swapped(one, other):
        return True
    return any(_clash(a, b) for a, b in product(_claims(one), _claims(other)))


@dataclass(frozen=True, slots=True)
class _Claim:
    text: str
    heading: frozenset[str]
    """Words before a colon."""
    bounds: frozenset[str]
    """Words of the condition it stands under, and of the clause whose subject it leaves out."""


@lru_cache(maxsize=16_384)
def _claims(text: str) -> tuple[_Claim, ...]:
    plain = _PLACE.sub(lambda place: place[0].translate(_LETTERS), fold(text))
    found = (claim for sentence in _SENTENCE.split(plain) for claim in _in_sentence(sentence))
    return tuple(dict.fromkeys(islice(found, MAX_CLAUSES)))


def _in_sentence(sentence: str) -> Iterator[_Claim]:
    # "We decided that the API listens on port 7100" speaks of the API, and of nothing more.
    settled = _SETTLED.match(sentence)
    *heads, rest = _COLON.split(sentence[settled.end() :] if settled else sentence, maxsplit=1)
    parts = [part.strip()[:MAX_CLAUSE] for part in _COMMA.split(rest)[:MAX_CLAUSES]]
    parts = [part for part in parts if part]
    conditions = [part for part in parts if len(parts) > 1 and BOUND.match(part)]
    claims = [part for part in parts if part not in conditions]
    bounds = _words_of(conditions)
    for part in claims:
        elided = part is not claims[0] and ELIDED.match(f"{part} ")
        yield _Claim(part, _words_of(heads), bounds | content(claims[0]) if elided else bounds)


def _words_of(parts: Iterable[str]) -> frozenset[str]:
    """Of several clauses, negations with them."""
    return frozenset(word for part in parts for word in content(part) | NEGATIONS.intersection(part.split()))


def _clash(one: _Claim, other: _Claim) -> bool:
    # "Commit messages: at most 72 characters" says nothing of "Log messages: …".
    two_headings = one.heading and other.heading and one.heading != other.heading
    if one.bounds != other.bounds or two_headings:
        return False
    if negated(one.text) != negated(other.text):
        return polarity_clash(one.text, other.text)
    return _numbers_clash(one, other) or _names_clash(one.text, other.text)


def _numbers_clash(one: _Claim, other: _Claim) -> bool:
    mine, yours = values(one.text), values(other.text)
    if not mine or not of_one_measure(mine, yours):
        return False
    left, right = _numbered(one.text), _numbered(other.text)
    if not left.measures or left.measures & right.measures or left.labels != right.labels:
        return False
    shared = letters_of((left.words & right.words) | one.bounds) + LABEL * len(left.labels)
    differ = (left.subject - right.subject - other.heading) | (right.subject - left.subject - one.heading)
    same = not differ or any(differ <= alike for alike in SAME)
    return bool(right.measures) and shared >= LETTERS and same


@dataclass(frozen=True, slots=True)
class _Numbered:
    words: frozenset[str]
    """All but the numbers and their units."""
    subject: frozenset[str]
    """Of these, those that name the subject."""
    labels: tuple[str, ...]
    """Numbers that name which thing is meant: "pump 3 runs at 20 Hz"."""
    measures: frozenset[str]
    """The other numbers: what is claimed of it."""


@lru_cache(maxsize=16_384)
def _numbered(clause: str) -> _Numbered:
    labels: list[str] = []
    measures: list[str] = []
    for match, value in zip(VALUE.finditer(clause), values(clause), strict=True):
        bare = value.unit in ("", "v", "#") or match["unit"] in VERBS or (match["unit"] or "").endswith("ed")
        numbered = clause[: match.start()].endswith(ORDINAL)
        names = numbered or (bare and _is_label(clause[: match.start()], clause[match.end("number") :]))
        (labels if names else measures).append(value.number)
    plain = VALUE.sub(" ", clause)
    subject = content(CJK_VERBS.sub(" ", plain)) - SETTING
    return _Numbered(content(plain), subject, tuple(labels), frozenset(measures))


def _is_label(before: str, behind: str) -> bool:
    """Whether a number that stands there names a thing or a day: where the clause begins, behind its noun."""
    left, more = before.split(), content(behind)
    if not more or more <= DEMANDED or len(content(before)) > LABELLED:
        return False
    return (
        not left
        or left in DATING
        or (left[-1] not in LEADING and VERBS.isdisjoint(left) and not CJK_VERBS.search(before))
    )


def _names_clash(one: str, other: str) -> bool:
    mine, yours = _named(one), _named(other)
    if mine is None or yours is None or mine.subject != yours.subject or mine.value & yours.value:
        return False
    of_one_kind = any(mine.value <= family and yours.value <= family for family in FAMILIES)
    return of_one_kind or (mine.one and yours.one)


@dataclass(frozen=True, slots=True)
class _Named:
    subject: frozenset[str]
    value: frozenset[str]
    one: bool
    """Whether the subject has one value."""


@lru_cache(maxsize=16_384)
def _named(clause: str) -> _Named | None:
    """Subject and value of a clause that says which a thing is: "the queue is NATS", "use npm for X"."""
    for pattern in (_USE, _IS, _CJK_IS):
        match = pattern.match(clause)
        if match is None:
            continue
        value, name = content(match["value"]), match["value"].split()
        subject = content(match["subject"])
        if not value or not subject or not _is_name(name) or values(match["subject"]):
            return None
        head = match["subject"].split()[-1]
        has_one_value = stem(head) in ROLES or CJK_ROLES.search(head) is not None
        return _Named(subject, value, pattern is not _USE and has_one_value)
    return None


def _is_name(value: list[str]) -> bool:
    """Whether the words of a value tell which one it is, not what it is like."""
    if len(value) > 3 or not ADJECTIVES.isdisjoint(value):
        return False
    return not any(word.endswith(DESCRIBES) or word[0].isdigit() for word in value)
