"""Whether two texts say opposite things about the same, found without a model.

`opposed` looks for a different number with the same unit, a different name behind the same subject, the same
words once with and once without a negation, or in other roles. A hit is put before the user (invariant 11),
so precision comes before recall: the subject must be the same to the word, but for verbs that mean one thing
("is kept", "stays"), and under the same condition or heading. What is only a property of a thing ("the API
is slow", "the shop uses Redis") stands beside others.

`announces` asks whether the user's word of change speaks of what a memory says, and so replaces it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.merging import likeness
from siltstone.pipeline.merging.likeness import content, fold, negated, stem, swapped
from siltstone.pipeline.rules.change import denies, old_values, says_change
from siltstone.pipeline.rules.language import ASIAN, pattern, spoken
from siltstone.pipeline.words import asian, patterns, word_lists
from siltstone.store.entry import Entry

FEW = 2
"""Words besides its value, or runs of Chinese, Japanese and Korean, with which a claim says little else."""
LETTERS = 6
"""Letters that two clauses with other numbers must have in common."""
LABEL = 3
"""Letters that a number counts for which names a thing."""
LABELLED = 4
"""Words of a subject that a number may name one of: "the old wharf pump 3"."""
MAX_CLAUSES, MAX_CLAUSE = 40, 300

_WORDS = word_lists(__file__, "words")
_ROLES, _DEMANDED = (frozenset(map(stem, _WORDS[name])) for name in ("roles", "demanded"))
_SAME = [frozenset(map(stem, alike)) for alike in word_lists(__file__, "same").values()]
_FAMILIES = [frozenset(map(stem, family)) for family in word_lists(__file__, "families").values()]
_SLIGHT = frozenset(map(stem, _WORDS["verbs"] | _WORDS["leading"] | _WORDS["changing"] | likeness.NEGATIONS))
_SLIGHT |= _WORDS["setting"]
"""Words that do not tell what a text speaks of."""
_SENTENCE = re.compile(rf"{likeness.SENTENCE_END}|{likeness.DASH}")
_CLAUSE_END = re.compile(rf"{likeness.SENTENCE_END}|{likeness.COMMA}|{likeness.DASH}|:\s")
_COMMA = re.compile(likeness.COMMA)
_COLON = re.compile(r":\s|：")
_VALUE = re.compile(
    rf"(?<![a-z0-9_.])(?P<sign>[£$€¥₩#v])?\s?(?P<number>[0-9]+(?:[.,:/-][0-9]+){{0,5}})\s?-?"
    rf"(?P<unit>%|[a-z]{{1,12}}|[{likeness.CJK}]{{1,2}})?"
)
_PLACE = re.compile(r"\S*[a-z]\S*/\S*|\S*/\S*[a-z]\S*")
_CJK_RUN = re.compile(rf"[{likeness.CJK}]{{2,}}")
_PATTERNS = patterns(__file__)


# What a word of change speaks of


def announces(quote: str, old: str) -> bool:
    """Whether a quote says that what the old text claims has changed: it holds a word of change or a denial,
    and speaks of what the old text says. "We no longer publish to PyPI" replaces no price.
    """
    if not (says_change(quote) or denies(quote, old)):
        return False
    return names_old_value(quote, old) or opposed(quote, old) or _of_one_subject(quote, old)


def names_old_value(quote: str, old: str) -> bool:
    """Whether a quote speaks of a value of the old text, and of what it is the value of.

    "We moved the ingest queue from Redis Streams to NATS" names "Redis Streams" of "The ingest queue
    is Redis Streams" and shares "ingest queue" with it. The name alone is not enough: many memories
    may mention Redis. What is said to be left behind or denied ("from SumUp", "no longer Jest") needs one
    such word, or a claim that says little besides.
    """
    quoted = content(quote)
    gone = set(map(content, old_values(old)))
    left = [value for value in map(content, old_values(quote)) if value and value not in gone]
    for clause in _clauses(old):
        about, values = content(clause), _value_words(clause)
        subject = {word for word in about - values if not word.isdigit()}  # "base64url" has three words
        if values & quoted and subject and len(subject & quoted) >= 0.5 * len(subject):
            return True
        for value in left if left and not negated(clause) else ():
            besides = [word for word in _topic(clause) - value if not asian(word)]
            little = len(besides) + len(_CJK_RUN.findall(_plain(clause))) <= FEW
            if value <= about and ((about - value) & quoted or little):
                return True
    return False


def _of_one_subject(quote: str, old: str) -> bool:
    """Whether a quote speaks of the subject of a clause of the old text.

    It has all the words of the subject, or all but one of many. Or a clause of it has no others, and gives
    the same measure or denies the old value. A name or one short word, "the API", is no subject alone. Or the
    quote sets the old measure against another: "no longer £40 but £50".
    """
    told = _values(_undated(quote))
    said, mine, theirs = _topic(quote), _names(quote), _names(old)
    left = [content(value) for value in old_values(quote)]
    if left and not any(value & content(old) for value in left):
        return False  # "we no longer deploy on Fridays" does not say how it is deployed
    for clause in _clauses(old):
        known, values = _topic(clause), _value_words(clause) | theirs
        subject = known - (values - said)
        most = len(subject & said) >= max(len(subject) - 1, 3)
        if (subject <= said or most) and subject - values and _letters(subject) >= LETTERS:
            return True
        measures = {one.unit for one in _values(clause) if one in told and (one.unit or len(one.number) > 2)}
        if any(one.unit in measures and one not in _values(clause) for one in told):
            return True
        for part in _clauses(quote):
            words = _topic(part)
            rest = words - ((_value_words(part) | mine) - known)
            alike = _values(part) and _of_one_measure(_values(part), _values(clause))
            if rest and (rest == subject or (rest <= known and (alike or denies(part, clause)))):
                return True
    return False


def differs_in_value(quote: str, old: str) -> bool:
    """Whether a quote says a clause of the old text again with one other name or number behind the subject:
    "migrations now use Aerich", "migrations use Alembic"."""
    for pair in product(_clauses(quote), _clauses(old)):
        mine, yours = ([word for word in one.split() if word not in _WORDS["changing"]] for one in pair)
        differ = [i for i, (a, b) in enumerate(zip(mine, yours, strict=False)) if a != b]
        if len(mine) != len(yours) or len(differ) != 1:
            continue
        at, names = differ[0], _names(quote) | _names(old)
        named = all(content(words[at]) & names or words[at][0].isdigit() for words in (mine, yours))
        if named and _letters(_topic(" ".join(mine[:at]))) >= LETTERS:
            return True
    return False


@lru_cache(maxsize=16_384)
def _topic(text: str) -> frozenset[str]:
    """The words of a text that may name what it speaks of: no verbs of change, no numbers."""
    return content(_plain(text)) - _SLIGHT


def _plain(text: str) -> str:
    plain = _VALUE.sub(" ", _undated(text))
    if not asian(plain):
        return plain
    change = pattern("change", "deny", "deny_after", of=spoken(*ASIAN))
    return _PATTERNS["slight"].sub(" ", _PATTERNS["asian_verbs"].sub(" ", change.sub(" ", plain)))


@lru_cache(maxsize=16_384)
def _names(text: str) -> frozenset[str]:
    return frozenset(word for identifier in identifiers(text) for word in content(identifier))


@lru_cache(maxsize=16_384)
def _clauses(text: str) -> tuple[str, ...]:
    parts = (part.strip()[:MAX_CLAUSE] for part in _CLAUSE_END.split(_undated(text)))
    return tuple(dict.fromkeys(part for part in parts if part))[:MAX_CLAUSES]


def _undated(text: str) -> str:
    """The text folded, without what tells since when it holds: "since Monday" is no part of a claim."""
    return pattern("dating", after=r"[\s,]*").sub("", fold(text))


@lru_cache(maxsize=16_384)
def _value_words(clause: str) -> frozenset[str]:
    """Words of a clause that a change would replace: its numbers, names and the value it gives."""
    named = _named(clause)
    words = {word for identifier in identifiers(clause) for word in content(identifier) if len(word) > 1}
    return frozenset(words | named.value if named and not named.placed else words)


# Who contradicts whom


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


class _Claim(NamedTuple):
    text: str
    heading: frozenset[str]
    """Words before a colon."""
    bounds: frozenset[str]
    """Words of the condition it stands under, and of the clause whose subject it leaves out."""


@lru_cache(maxsize=16_384)
def _claims(text: str) -> tuple[_Claim, ...]:
    plain = _PLACE.sub(lambda place: place[0].translate(likeness.AS_LETTERS), _undated(text))
    found = (claim for sentence in _SENTENCE.split(plain) for claim in _in_sentence(sentence))
    return tuple(dict.fromkeys(islice(found, MAX_CLAUSES)))


def _in_sentence(sentence: str) -> Iterator[_Claim]:
    # "We decided that the API listens on port 7100" speaks of the API, and of nothing more.
    settled = _PATTERNS["settled"].match(sentence)
    *heads, rest = _COLON.split(sentence[settled.end() :] if settled else sentence, maxsplit=1)
    parts = [part.strip()[:MAX_CLAUSE] for part in _COMMA.split(rest)[:MAX_CLAUSES]]
    parts = [part for part in parts if part]
    conditions = [part for part in parts if len(parts) > 1 and _PATTERNS["bound"].match(part)]
    heading, bounds = (
        frozenset(
            word for part in of for word in content(part) | likeness.NEGATIONS.intersection(part.split())
        )
        for of in (heads, conditions)
    )
    claims = [part for part in parts if part not in conditions]
    for part in claims:
        elided = part is not claims[0] and _PATTERNS["elided"].match(f"{part} ")
        yield _Claim(part, heading, bounds | content(claims[0]) if elided else bounds)


def _clash(one: _Claim, other: _Claim) -> bool:
    # "Commit messages: at most 72 characters" says nothing of "Log messages: …".
    two_headings = one.heading and other.heading and one.heading != other.heading
    if one.bounds != other.bounds or two_headings:
        return False
    if negated(one.text) != negated(other.text):  # the same words else
        left, right = (content(each.text) - likeness.NEGATIONS - {stem("always")} for each in (one, other))
        return len(left) >= 2 and left == right
    if _numbers_clash(one, other):
        return True
    a, b = _named(one.text), _named(other.text)
    if a is None or b is None or not (a.plain and b.plain) or a.subject != b.subject or a.value & b.value:
        return False
    return (a.one and b.one) or any(a.value <= family and b.value <= family for family in _FAMILIES)


def _numbers_clash(one: _Claim, other: _Claim) -> bool:
    if not _values(one.text) or not _of_one_measure(_values(one.text), _values(other.text)):
        return False
    left, right = _numbered(one.text), _numbered(other.text)
    if not left.measures or left.measures & right.measures or left.labels != right.labels:
        return False
    shared = _letters((left.words & right.words) | one.bounds) + LABEL * len(left.labels)
    differ = (left.subject - right.subject - other.heading) | (right.subject - left.subject - one.heading)
    same = not differ or any(differ <= alike for alike in _SAME)
    return bool(right.measures) and shared >= LETTERS and same


class _Numbered(NamedTuple):
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
    for match, value in zip(_VALUE.finditer(clause), _values(clause), strict=True):
        unit, before = match["unit"] or "", clause[: match.start()]
        bare = value.unit in ("", "v", "#") or unit in _WORDS["verbs"] or unit.endswith("ed")
        ordinal = before.endswith(tuple(_WORDS["ordinal"]))
        names = ordinal or (bare and _is_label(before, clause[match.end("number") :]))
        (labels if names else measures).append(value.number)
    plain = _VALUE.sub(" ", clause)
    subject = content(_PATTERNS["asian_verbs"].sub(" ", plain)) - _WORDS["setting"]
    return _Numbered(content(plain), subject, tuple(labels), frozenset(measures))


def _is_label(before: str, behind: str) -> bool:
    """Whether a number that stands there names a thing or a day: where the clause begins, behind its noun."""
    left, more = before.split(), content(behind)
    if not more or more <= _DEMANDED or len(content(before)) > LABELLED:
        return False
    if not left or (len(left) == 1 and left[0] in _WORDS["dating"]):
        return True
    has_verb = not _WORDS["verbs"].isdisjoint(left) or _PATTERNS["asian_verbs"].search(before)
    return left[-1] not in _WORDS["leading"] and not has_verb


# Both


class _Value(NamedTuple):
    number: str
    unit: str
    periodic: bool


@lru_cache(maxsize=16_384)
def _values(clause: str) -> tuple[_Value, ...]:
    found = []
    for match in _VALUE.finditer(clause):
        unit = match["sign"] or stem(match["unit"] or "")
        periodic = _PATTERNS["periodic"].search(clause[: match.start()]) is not None
        number = match["number"].replace(",", "")
        found.append(_Value(number, "" if unit in _WORDS["no_unit"] else unit, periodic))
    return tuple(found)


def _of_one_measure(mine: tuple[_Value, ...], yours: tuple[_Value, ...]) -> bool:
    """Whether as many values stand in the same units, in the same order."""
    return [(a.unit, a.periodic) for a in mine] == [(b.unit, b.periodic) for b in yours]


def _letters(shared: frozenset[str]) -> int:
    """Letters of words, a pair of CJK letters counting for three."""
    return sum(len(word) if not asian(word) else 3 for word in shared)


class _Named(NamedTuple):
    subject: frozenset[str]
    value: frozenset[str]
    plain: bool
    """Whether it says plainly which one the subject is, not what it is like or has."""
    one: bool
    """Whether the subject has one value."""
    placed: bool
    """Whether the subject is a place, "use tabs in yaml": sharing it, two texts may speak of two things."""


@lru_cache(maxsize=16_384)
def _named(clause: str) -> _Named | None:
    """Subject and value of a clause that names a thing."""
    for form in ("names_by_use", "names_by_verb", "names_in_asia"):
        match = _PATTERNS[form].match(clause)
        if match is None:
            continue
        use, name, head = form == "names_by_use", match["value"].split(), match["subject"].split()[-1]
        value, subject = content(match["value"]), content(match["subject"])
        if any(word.endswith(tuple(_WORDS["describing"])) for word in name) or len(name) > 3:
            return None
        if not value or not subject:
            continue
        which = _WORDS["adjectives"].isdisjoint(name) and not any(word[0].isdigit() for word in name)
        plain = which and (use or match["is"] is not None) and not _values(match["subject"])
        one = not use and (stem(head) in _ROLES or _PATTERNS["asian_roles"].search(head) is not None)
        return _Named(subject, value, plain, one, use and match["subject"].startswith("in "))
    return None
