"""What of a claim stands in the words that prove it (invariant 6). The rest is cut; the memory stays.

A model rewords: it writes "5" for "five" and "06:00" for "6am", puts a sentence in order, adds a reason. It
also takes words from a page that the agent read and puts them into the user's mouth. So each sentence is
compared, word by word, with what the user typed or a command printed in the quoted messages. A word that
stands only in other parts of the window came from there. Of all words most must have been said.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice, pairwise
from typing import NamedTuple

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.merging.likeness import CJK, stem
from siltstone.pipeline.proof import exchange
from siltstone.pipeline.proof.clauses import (
    CLAUSE,
    CLAUSE_END,
    COMMA,
    NO,
    REASON,
    Polarity,
    Side,
    negates,
    polarity,
    sides,
)
from siltstone.pipeline.proof.dates import near
from siltstone.pipeline.proof.echo import is_rooted, repeats
from siltstone.pipeline.proof.ground import Ground, ground_of, numbered_names, without_other_names
from siltstone.pipeline.proof.normal_form import (
    as_one_word,
    is_ending,
    is_form,
    is_misspelt,
    numbers_of,
    plain,
    spoken,
    without_unit,
    words_of,
)
from siltstone.pipeline.proof.origin import Located
from siltstone.pipeline.proof.phrases import only_in, opens, pattern
from siltstone.pipeline.proof.roles import rearranged, roles_of
from siltstone.pipeline.proof.wording import ENDS, HERE, NEUTRAL, OPPOSITES, WORDING, poles_of
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules.candidates import described, named
from siltstone.pipeline.rules.language import language_of, phrases_of
from siltstone.pipeline.rules.sentences import cut, is_question, mask, sentences
from siltstone.pipeline.words import letters
from siltstone.store.entry import Entry
from siltstone.store.names import slug

MOST = 0.5
"""Share of a sentence's words that must have been said."""
LEAST = 1 / 3
"""The same where the rest stands in the user's own questions, and says what the statement is about."""
FEW = 0.25
"""Share of a sentence's words that may come from elsewhere if it tells what a command did."""
ADDED = 1 / 6
"""Share of the words of a new text that may stand in none of the memories, and of the quotes."""
MAX_ENDS = 40
"""Clauses of a sentence after which it may be cut."""
MIN_LETTERS = 14
"""Letters of a clause that says something; a CJK letter counts for two."""
MIN_WORDS = 4
"""Words that carry meaning in a sentence that says something by itself."""

_CODE = re.compile(r"(?<!\S)(?=\S*(?:\w[-_./=@:]\w|[/_=@$#\\]|(?<!\S)-|[^\W\d_]\d|\d[^\W\d_]{3}))\S+")
"""A path, an option, an address, a compound or a name of code: more than a word of prose."""
_AROUND = "`'\"()[],.:;"
_CJK = re.compile(f"[{CJK}]")
_CJK_PROSE = re.compile(rf"(?<![-_./=@\\{CJK}])[{CJK}]++(?![-_./=@\\])")
"""CJK letters that are no part of a path or a name."""
_PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}](?:[^\s{CJK}]*[^\W_{CJK}])?")
"""Of a text, what stands between spaces, and in CJK between other letters."""

_PLACE = re.compile(r"\Aon\s(?!(?:it|by|for|is)\s)(?:\S+\s){0,3}\S+,", re.IGNORECASE)
"""Where something is, at the beginning: no opposite of "off"."""
_PREFERRED_TO = re.compile(r"(\bprefer\w*\s.*?\s)to\s.*", re.IGNORECASE)
"""A thing, and to what it is preferred. What was said is not read so: "prefer deploying to staging"."""
_COMMAND_SAYS = re.compile(r"`[^`\s]{1,80} [^`\n]{1,400}` sa(?:ys|id)(?!\w)")
"""What a command of several words says is nobody's word."""
_JOINED = re.compile(r"(?<![A-Za-z])[A-Z]?[a-z]+(?:[A-Z][a-z]*)+")
"""Words written as one: "GitHub", "MySQL"."""
_YES = frozenset({"yes", "yeah", "yep"})
"""Begin what was said without a comma, and are no part of it: "Yes remove the old one"."""
_COMPOUND = re.compile(r"[A-Z]?[a-z]{3,}(?:-[a-z]{3,}){1,2}")
"""Words that a hyphen joins, prose where one of them was said: "user-facing"; among CJK letters a name."""


def covered(
    candidate: Candidate,
    window: Window,
    said: Sequence[Located],
    known: RelatedEntry | None = None,
    denied: Sequence[Located] = (),
) -> Candidate | None:
    """The candidate without the sentences, or ends of sentences, that go beyond what was said; None where
    nothing is left that is understood, where something is cut of a candidate that is to be `whole`, or where
    it updates a memory that quotes what was asked or turned down, and does not say that.

    `said`: the quotes that prove it. `known`: the memory that it updates, whose words need no proof anew.
    `denied`: what the agent proposed and the user turned down.
    """
    if known is not None and exchange.missing_lines(known.body, candidate.body):
        return None
    ground = ground_of(candidate.type, window, said, known, denied)
    begins = candidate.description.endswith("…")  # only the body says all of it
    description, body = "" if begins else _kept(candidate.description, ground), _kept(candidate.body, ground)
    if opens("reason", description):  # it gives the reason of what is cut
        description = ""
    if opens("reason", body):
        body = f"{description}\n{body}" if description else ""
    first, *rest = body.split("\n")
    if first != candidate.body.split("\n")[0]:  # or of an end that is cut
        body = "\n".join((first, *(one for one in rest if not opens("reason", one))))
    same = body == candidate.body and (begins or description == candidate.description)
    if candidate.whole and not same:
        return None
    if not (description or understood(body)):
        return None
    description = description or described(body)
    name = candidate.name if _stands(candidate.name.replace("-", " "), ground) else slug(named(description))
    return replace(candidate, name=name, description=description, body=body or description)


def beyond(text: str, kept: Sequence[Entry], scope: str) -> str:
    """The first sentence of a text that says more than memories and their quotes do, or otherwise; "" for
    none. Whether something is so, when, and which thing goes with which, the memories say alone."""
    memories = "\n".join(one.claim for one in kept)
    quotes = "\n".join(one.quotes for one in kept)
    said = [line.text for line in exchange.lines(memories) if line.stands]
    known = RelatedEntry(0, "project", "", "", memories)
    ground = ground_of("project", Window(scope, ()), (), known)
    ground = ground._replace(
        words=ground.words | words_of(quotes),
        numbers=ground.numbers | numbers_of(quotes),
        roles=roles_of(said),
        days=frozenset(proof.at.date() for one in kept for proof in one.evidence),
    )
    as_it_is = {one for line in said for one in cut(line)}
    new = (line for line in text.split("\n") if line not in ground.verbatim)
    for one in (one for line in new for one in cut(line) if one not in as_it_is):
        words = words_of(one) - WORDING - NEUTRAL
        added = sum(not is_said(word, ground.words) for word in words)
        denies = only_in("turned_down", one, memories)
        if added > ADDED * len(words) or denies or not _stands(one, ground):
            return one
    return ""


def understood(text: str) -> bool:
    """Whether a text that a model wrote is understood without what stood before it, and is no guess and
    nobody else's word."""
    first = CLAUSE.split(pattern("this_worked").sub(" ", mask(text)), maxsplit=1)[0]
    reports = pattern("reports").search(_COMMAND_SAYS.sub(" ", text))
    doubt = is_question(text) or pattern("hedges").search(text) or reports
    return len(words_of(text)) >= MIN_WORDS and not (
        doubt or points(text) or pattern("points_back").search(first)
    )


def points(text: str) -> bool:
    """Whether a text begins with what points at something that is not in it ("It is kept there")."""
    return opens("leans", text) or pattern("points_at").match(text) is not None


def unsaid(candidate: Candidate, window: Window, said: Sequence[Located]) -> list[str]:
    """The words of a body that stand neither in its quotes nor elsewhere in what the user typed, and its
    numbers that stand in no quote, for whoever is to write it again."""
    ground, body = ground_of(candidate.type, window, said), plain(candidate.body)
    known = ground.words | ground.ends | ground.own
    missing = {word for word in words_of(body) - WORDING if not is_said(word, known)}
    numbers = [one for one in sorted(numbers_of(body)) if not _is_told(one, ground)]

    def new(text: str) -> bool:
        return not missing.isdisjoint(words_of(text))

    return [*(one for one in dict.fromkeys(_pieces(body, new)) if new(one)), *numbers]


def _pieces(text: str, new: Callable[[str], bool]) -> Iterator[str]:
    """What stands between the spaces of a text; of CJK the letters in a row that are `new`, and those that
    are not."""
    for one in _PIECE.findall(text):
        yield from ("".join(run) for _, run in groupby(one, new)) if _CJK.match(one) else [one]


def _kept(text: str, ground: Ground) -> str:
    """The text without what was not said."""
    lines: list[str] = []
    for line in text.split("\n"):
        spans = [] if line in ground.verbatim else sentences(mask(line))
        kept = [_beginning(line[one.start : one.end], ground) for one in spans]
        if all(one == line[s.start : s.end] for one, s in zip(kept, spans, strict=True)):
            lines.append(line)
        elif kept and not kept[0] and not lines:
            return ""
        elif any(kept):
            *ended, last = filter(None, kept)
            apart = (one if one.endswith(tuple(".!?。！？")) else f"{one}." for one in ended)
            lines.append(line[: spans[0].start] + " ".join((*apart, last)))
    return "\n".join(lines).strip()


def _beginning(sentence: str, ground: Ground) -> str:
    """As much of a sentence as was said: all of it, or its first clauses; "" when nothing was."""
    if _stands(sentence, ground):
        return sentence
    found = islice(CLAUSE_END.finditer(mask(sentence, words=False)), MAX_ENDS)
    # What a colon announces is the point, unless it is the reason.
    kept = (end for end in found if end[0][0] not in ":：" or REASON.match(sentence, end.end()))
    ends = [end.start() for end in kept]
    for end in reversed(ends):
        part = sentence[:end].rstrip()
        bare = COMMA.search(part) is None and (opens("bound", part) or opens("purpose", part))
        whole = all(part.count(one) == part.count(other) for one, other in ("()", "[]", "（）"))
        if letters(part) >= MIN_LETTERS and whole and not bare and _stands(part, ground):
            return part
    return ""


class _Piece(NamedTuple):
    """A piece of a claim, made ready to be compared."""

    text: str
    """In plain letters, without the names that the agent's calls gave."""
    clauses: tuple[str, ...]
    denied: frozenset[str]
    """Words and numbers of what the user turned down, in its clauses that say no."""
    said: frozenset[str]
    """Words of which it may be made."""
    unnamed: str
    """The text without the names with a number that the user typed elsewhere."""


def _stands(text: str, ground: Ground) -> bool:
    """Whether a piece of a claim was said: no name, number and word of it comes from elsewhere, most of its
    words were said, and it says no where they did."""
    piece = _piece(text, ground)
    poles = poles_of(_PLACE.sub("", piece.text))
    turned = any(one in poles and one not in ground.poles and it in ground.poles for one, it in OPPOSITES)
    numbers = numbers_of(piece.unnamed) - piece.denied
    return (
        all(_is_named(one, piece, ground) for one in _CODE.findall(_CJK_PROSE.sub(" ", piece.text)))
        and all(_is_told(one, ground) for one in numbers)
        and not turned
        and not (ground.beside is not None and any(_claims(one, ground.other_ends) for one in piece.clauses))
        and _words_are_said(piece, ground)
        and _says_alike(piece, ground)
        and not rearranged(text, ground.roles)
    )


def _piece(text: str, ground: Ground) -> _Piece:
    text = plain(text)
    for one in sorted(identifiers(text) & ground.named, key=lambda one: (-len(one), one)):
        text = re.sub(re.escape(one), " ", text, flags=re.I)
    for one in _JOINED.findall(text):
        if stem(one.lower()) in ground.words:
            text = text.replace(one, one.lower())
    # A name that the user repeats stands among what was said as one word (echo.py).
    for name in (one.strip(_AROUND) for one in _CODE.findall(text)):
        if _CJK.search(name) and not is_rooted(name):
            continue
        if (whole := words_of(as_one_word(name))) and whole <= ground.words:
            # No part of another name: "/query" within "e:/git/query".
            text = re.sub(rf"(?<![\w/.\\-]){re.escape(name)}(?![\w/])", as_one_word(name), text)
    clauses = tuple(CLAUSE.split(text))
    no = [one for one in clauses if (says := _says(Side(one, polarity(one)), ground)) and says.anywhere]
    denied = ground.denied & frozenset[str]().union(*(words_of(one) | numbers_of(one) for one in no))
    # What was not done may be named as the agent named it.
    passed_over = (words_of(one) & ground.topic for one in clauses if opens("in_favour", one))
    unnamed = pattern("named_number").sub(lambda it: " " if it[0].lower() in ground.numbered else it[0], text)
    return _Piece(text, clauses, denied, ground.words.union(denied, *passed_over), unnamed)


def _is_named(one: str, piece: _Piece, ground: Ground) -> bool:
    """Whether a path, an option or a name of code was said, or is a compound of which a part was."""
    own, joined = words_of(one), stem(re.sub(r"[\W_]", "", one.lower()))
    compound = _COMPOUND.fullmatch(one.strip(_AROUND)) and not _CJK.search(piece.text)
    prose = compound and any(is_said(word, piece.said) for word in own)
    return bool(prose) or own <= piece.said | ground.own or joined in ground.words


def _words_are_said(piece: _Piece, ground: Ground) -> bool:
    """Whether most words of a piece were said, and the others come from nowhere else."""
    # "was turned down" says of what was, that it was.
    told = (
        pattern("turned_down").sub(" ", one) if words_of(one) & ground.denied else one
        for one in piece.clauses
    )
    neutral = (NEUTRAL if ground.beside is None else NEUTRAL | HERE) | _small_words(piece.text)
    words = frozenset[str]().union(*map(words_of, told)) - WORDING - (neutral - piece.said)
    missing = {word for word in words - ground.ends if not (is_said(word, piece.said) or is_ending(word))}
    told_of = len(words - missing) >= LEAST * len(words)
    name_alone = words <= missing and piece.unnamed != piece.text
    if name_alone or len(missing - ground.asked if told_of else missing) > MOST * len(words):
        return False
    if missing & ground.denied and not pattern("contrasts").search(piece.text):
        return False  # it tells of the other option as if that had been taken
    if missing & ground.elsewhere and not _only_tells(piece.text, missing, len(words), ground):
        return False
    new = (words_of(one) - WORDING - neutral for one in _instead(piece.clauses))
    borrowed = missing & ground.topic
    return not (
        any(its and its <= missing for its in new)
        or (borrowed and any(_borrows(words_of(one), borrowed, ground) for one in piece.clauses))
    )


def _says_alike(piece: _Piece, ground: Ground) -> bool:
    """Whether each clause of a piece says yes, or no, as what was said of the same does."""
    ends = [end[0] for end in CLAUSE.finditer(piece.text)]
    return all(_agrees(one, _is_condition(one, n, ends), ground) for n, one in enumerate(piece.clauses))


def _is_condition(clause: str, n: int, ends: Sequence[str]) -> bool:
    """Whether the nth clause only says when the others hold; `ends`: what stands behind each but the last.
    "If it is late do not sail" has no comma: the condition and the no are one clause."""
    beside = ends[n : n + 1] or ends[-1:]
    return any(one.startswith(tuple(",;:，；：、")) for one in beside) and opens("bound", clause)


def _instead(clauses: Sequence[str]) -> Iterator[str]:
    """What is to take the place of another thing: the first side of a contrast, or the clause before it if
    that is empty."""
    for before, clause in pairwise(("", *clauses)):
        first, *others = sides(clause)
        if others:
            yield first.text if words_of(first.text) else before


def _claims(clause: str, ends: frozenset[str]) -> bool:
    """Whether a clause says, and does not deny, that a command ended so."""
    return not ends.isdisjoint(spoken(mask(clause)).split()) and not negates(clause)


def _small_words(text: str) -> frozenset[str]:
    """The words of a text that are small ones of its language; not a name that is spelled like one ("MIT").
    Those of English carry no meaning anyway."""
    code = language_of(text)
    small = phrases_of("small", code) if code not in (None, "en") else frozenset[str]()
    found = [*re.finditer(r"[^\W\d_]+", text)]
    plain_ones = {stem(one[0].lower()) for one in found if one[0].lower() in small and _is_plain(one, text)}
    return frozenset(plain_ones - {stem(one[0].lower()) for one in found if not _is_plain(one, text)})


def _is_plain(word: re.Match[str], text: str) -> bool:
    """In small letters, but for the first one of a text."""
    return word[0].islower() or (word[0].istitle() and not text[: word.start()].strip(" `\"'(-"))


def _only_tells(text: str, missing: set[str], count: int, ground: Ground) -> bool:
    """Whether the words that were not said only help to tell what a command did: they are few of the `count`,
    say nothing of how it ended, and the text is no copy of what stands elsewhere."""
    few = (
        ground.beside is not None
        and len(missing) <= FEW * count
        and missing.isdisjoint(chain(*ENDS.values()))
    )
    return few and not repeats(text, ground.beside or "")


def _borrows(words: frozenset[str], borrowed: set[str], ground: Ground) -> bool:
    """Whether a clause takes a word from around an agreed sentence in the place of one that was said, or
    takes nothing else."""
    if words.isdisjoint(borrowed):
        return False
    said = (other for other, _, _ in ground.clauses)
    alike = max(said, key=lambda other: len(other & words), default=frozenset())
    return alike.isdisjoint(words) or not alike - WORDING - NEUTRAL - _YES <= words


def _agrees(clause: str, condition: bool, ground: Ground) -> bool:
    """Whether a clause says yes, or no, as what was said of the same does. A condition says neither. "X
    instead of Y" is not compared when nothing that was said was read as a contrast ("X, pas Y" is not)."""
    if polarity(clause) is None and not ground.unwanted:
        return True
    return all(_side_agrees(one, condition, ground) for one in sides(clause))


def _side_agrees(one: Side, condition: bool, ground: Ground) -> bool:
    """Whether a side of a clause says yes, or no, as one of the clauses that are most like it, and were said,
    does. Names of code do not tell what is said of them; those with a number decide between clauses that
    share as many words."""
    says = _says(one, ground)
    if says and not one.unwanted and _names_unwanted(_PREFERRED_TO.sub(r"\1", one.text), ground):
        if not says.anywhere:
            return False
        wanted = (other - WORDING for other in ground.affirmed)
        if not any(other and other <= words_of(one.text) for other in wanted):
            return True
    words, names = words_of(_CODE.sub(" ", one.text)) - WORDING, numbered_names(one.text)
    no = None if condition else says
    alike = [(_shared(words, names, its, called), yes) for its, called, yes in ground.clauses]
    most = max((shared for shared, _ in alike), default=(0, 0))
    return not any(most) or any(None in (no, yes) or no == yes for shared, yes in alike if shared == most)


def _shared(
    words: frozenset[str], names: frozenset[str], its: frozenset[str], called: frozenset[str]
) -> tuple[int, int]:
    """How many words, and how many names with a number, a clause that was said has in common. One that shares
    words and has no such name may go on about the one before it, and counts as if it had them all."""
    same = words & its
    return len(same), len(names if same and not called else names & called)


def _names_unwanted(text: str, ground: Ground) -> bool:
    """Whether a text names a thing that another takes the place of, unless it fits better something else that
    was said of that thing."""
    words = words_of(text) - WORDING
    for its, clause, names in ground.unwanted:
        things = words_of(text).union(map(without_unit, numbers_of(without_other_names(text, names))))
        elsewhere = max((len(words & other) for other in ground.affirmed if its <= other), default=0)
        if its and its <= things and elsewhere <= len(words & clause):
            return True
    return False


def _says(one: Side, ground: Ground) -> Polarity | None:
    """The polarity of what a claim says: a no, too, where it says of what was turned down that it was."""
    denies = pattern("turned_down").search(one.text) or opens("in_favour", one.text)
    return NO if denies and words_of(one.text) & ground.denied else one.says


def _is_told(number: str, ground: Ground) -> bool:
    """Whether a number was said: with its unit, or with no unit on one of the sides."""
    bare = without_unit(number)
    alike = (other for other in ground.numbers if without_unit(other) == bare)
    return near(bare, ground.days) or any(other == number or bare in (other, number) for other in alike)


def is_said(word: str, said: Iterable[str]) -> bool:
    return word in said or any(is_form(word, other) or is_misspelt(word, other) for other in said)
