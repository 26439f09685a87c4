"""What of a claim stands in the words that prove it (invariant 6). The rest is cut; the memory stays.

A model rewords: it writes "5" for "five" and "06:00" for "6am", puts a sentence in order, adds a reason. It
also takes words from a page that the agent read and puts them into the user's mouth. So each sentence is
compared, word by word, with what the user typed or a command printed in the quoted messages. A word that
stands only in other parts of the window came from there. Of all words most must have been said.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import islice, permutations
from typing import NamedTuple

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.merging.likeness import fold, negated, stem
from siltstone.pipeline.proof.commands import agents_words, programs, reads
from siltstone.pipeline.proof.dates import near
from siltstone.pipeline.proof.normal_form import is_form, numbers_of, plain, spoken, without_unit, words_of
from siltstone.pipeline.proof.origin import Located, not_typed
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.candidates import described, made, named
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.sentences import is_question, mask, sentences
from siltstone.pipeline.rules.statements import stands_alone, unopened
from siltstone.pipeline.words import letters, word_lists
from siltstone.store.entry import Type
from siltstone.store.names import slug

NEEDS_THE_USER: frozenset[Type] = frozenset({"user", "feedback", "decision"})
"""Types that only the user's own words may carry (invariant 6)."""
MOST = 0.5
"""Share of a sentence's words that must have been said."""
LEAST = 1 / 3
"""The same where the rest stands in the user's own questions, and says what the statement is about."""
TOPIC = 0.25
"""Share of a clause's words that may come from around a sentence that the user agreed to."""
MAX_ENDS = 40
"""Clauses of a sentence after which it may be cut."""
MIN_LETTERS = 14
"""Letters of a clause that says something; a CJK letter counts for two."""
MIN_ECHO, MIN_OWN = 6, 6
"""Words in a row, and letters of what the agent wrote into a command, that stand elsewhere by no accident."""
MIN_REST = 2
"""Words that carry meaning with which something is said beside what is repeated."""
MIN_WORDS = 4
"""Words that carry meaning in a sentence that says something by itself."""

_LISTS = word_lists(__file__, "words")
WORDING = frozenset(map(stem, _LISTS["wording"]))
"""Words with which a claim, or a question, is put. They say nothing of their own."""
_OPPOSITES = [
    (stem(one), stem(other)) for pair in _LISTS["opposites"] for one, other in permutations(pair.split("/"))
]
_CLAUSE_END = re.compile(
    r"[,;:]\s|[，；：、]|,(?=[\u3040-\u9fff\uac00-\ud7af])|\s[–—-]+\s|\s(?=\()"
    r"|\s(?=(?:because|since|so that|weil|porque|parce)\b)"
)
_RUN_ON = re.compile(r"(?<=\w)\s(?=it(?:'s|\sis)\s)")
"""Before what is said of a thing without a comma: "drop the cache it's too slow"."""
_CLAUSE = re.compile(
    rf"{_CLAUSE_END.pattern}|{_RUN_ON.pattern}|\n|\.\s|[。！？]|\s(?:and|but|so|und|aber|y|pero|et|mais)\s"
)
"""Between two clauses of which one may say yes and the other no."""
_CODE = re.compile(r"(?<!\S)(?=\S*(?:\w[-_./=@:]\w|[/_=@$#\\]|(?<!\S)-|[^\W\d_]\d|\d[^\W\d_]{3}))\S+")
"""A path, an option, an address, a compound or a name of code: more than a word of prose."""


_COMPOUND = re.compile(r"[A-Z]?[a-z]{3,}(?:-[a-z]{3,}){1,2}")
"""Words that a hyphen joins, prose where one of them was said: "user-facing"."""


class _Ground(NamedTuple):
    """What a claim may be made of, and what it may not."""

    words: frozenset[str]
    """Of what was quoted, and of the memory that is updated."""
    own: frozenset[str]
    """Of all that the user typed in the window, questions too: what their statements are about."""
    asked: frozenset[str]
    """Of the user's questions that are quoted too."""
    denied: frozenset[str]
    """Of what the user turned down, for clauses that say no."""
    numbers: frozenset[str]
    poles: frozenset[str]
    """Every word of it, among them those of two opposites that are too small to carry meaning ("on")."""
    clauses: tuple[tuple[frozenset[str], bool | None], ...]
    """Of each clause that was said its words, and whether it says no; None for "X instead of Y"."""
    elsewhere: frozenset[str]
    """Words that stand only in what the user did not type."""
    topic: frozenset[str]
    """Words that stand only around a sentence of the agent's that the user agreed to. A few may be taken."""
    named: frozenset[str]
    """Identifiers that the agent's own calls name."""
    days: frozenset[date]
    """On which it was said: relative dates are written out."""


def covered(
    candidate: Candidate,
    window: Window,
    said: Sequence[Located],
    known: RelatedEntry | None = None,
    denied: Sequence[Located] = (),
) -> Candidate | None:
    """The candidate without the sentences, or ends of sentences, that go beyond what was said. Where
    nothing is left, the user's own sentence takes its place; None when that does not stand alone either.

    `said`: the quotes that prove it. `known`: the memory that it updates, whose words need no proof anew.
    `denied`: what the agent proposed and the user turned down.
    """
    ground = _ground(candidate.type, window, said, known, denied)
    description, body = _kept(candidate.description, ground), _kept(candidate.body, ground)
    if _opens("reason", body):  # it gives the reason of what is cut
        body = f"{description}\n{body}" if description else ""
    if not (description or body):
        return _own_sentence(candidate, window, said)
    description = description or described(body)
    name = candidate.name if _stands(candidate.name.replace("-", " "), ground) else slug(named(description))
    return replace(candidate, name=name, description=description, body=body or description)


def understood(text: str) -> bool:
    """Whether a text that a model wrote is understood without what stood before it: its first clause points
    at nothing that is not in it, and it is no guess and nobody else's word."""
    first = _CLAUSE.split(mask(text), maxsplit=1)[0]
    points = (
        _opens("leans", first) or pattern("points_back").search(first) or pattern("points_at").match(first)
    )
    doubt = is_question(text) or pattern("hedges").search(text) or pattern("reports").search(text)
    return len(words_of(text)) >= MIN_WORDS and not (points or doubt)


def _is_statement(typed: str) -> bool:
    """Whether typed words state something by themselves: no task, no problem, no guess. A wish or an order
    says how something shall be, and what it closes with points at what it names."""
    plainly = pattern("wishes").sub("we", _RUN_ON.sub(", ", typed))
    points = _opens("leans", typed) or _opens("purpose", typed) or pattern("points_back").search(typed)
    return len(words_of(typed)) >= MIN_WORDS and stands_alone(plainly) and not points


def negates(clause: str) -> bool | None:
    """Whether a clause says no; None when it says of two things that one takes the other's place."""
    words = fold(clause).split()
    if not _LISTS["both"].isdisjoint(words):
        return None
    return negated(clause) or not _LISTS["no"].isdisjoint(words)


def unsaid(candidate: Candidate, window: Window, said: Sequence[Located]) -> list[str]:
    """The words of a body that stand in none of its quotes, for whoever is to write it again."""
    words = _ground(candidate.type, window, said).words
    found = re.findall(r"[^\W_](?:\S*[^\W_])?", candidate.body)
    return [one for one in dict.fromkeys(found) if any(not _said(w, words) for w in words_of(one) - WORDING)]


def _own_sentence(candidate: Candidate, window: Window, said: Sequence[Located]) -> Candidate | None:
    """The candidate with the user's own sentences as its text: those that hold the quote."""
    typed = [one for one in said if one.origin == "user-said"]
    for one in sorted(typed, key=lambda one: letters(one.text), reverse=True):
        told = " ".join(filter(None, map(_asserted, _sentences(one))))
        told = told[unopened(told) :]
        words = words_of(told)
        own = words - WORDING <= words_of(_stated(one.shown.message.text, _before(one.shown, window)))
        if own and _is_statement(told):
            rest = made(candidate.type, candidate.scope == "global", told, (), one.shown, "extraction")
            return replace(candidate, name=rest.name, description=rest.description, body=rest.body)
    return None


def _sentences(quote: Located) -> list[str]:
    """The sentences of a message that a quote stands in."""
    text, end = quote.shown.message.text, quote.start + len(quote.text)
    spans = [one for one in sentences(mask(text)) if one.start < end and quote.start < one.end]
    return [text[one.start : one.end] for one in spans] or [quote.text]


def _ground(
    type_: Type,
    window: Window,
    said: Sequence[Located],
    known: RelatedEntry | None = None,
    denied: Sequence[Located] = (),
) -> _Ground:
    texts = (text for one in said for text in _texts(one, type_, window))
    agreed = max((one.shown.n for one in said if _settles(one)), default=0)
    questions = {
        text: one.shown.n
        for one in said
        if one.origin == "user-said"
        for text in _sentences(one)
        if is_question(text)
    }
    asked = (text for text, n in questions.items() if n < agreed)
    ground = "\n".join([*texts, *asked, *([known.claim] if known else [])])
    turned_down = "\n".join(text for one in denied for text in _sentences(one))
    clauses = (
        *((words_of(part), negates(part)) for part in _CLAUSE.split(ground)),
        *((words_of(part), True) for part in _CLAUSE.split(turned_down)),
    )
    folders = (one.session.cwd for one in window.shown)
    answered = (_question_before(one.shown, window) for one in said if one.origin == "user-said")
    agreed_to = dict.fromkeys(one.shown for one in said if one.shown.message.role == "assistant")
    adopted = (_unread(one, window) for one in agreed_to)
    about = [_answered(one.shown, window) for one in said if one.origin == "user-said"]
    own = words_of("\n".join(_typed(one, window) for one in window.shown if one.message.role == "user"))
    users = own | words_of("\n".join((ground, window.scope, *answered, *dict.fromkeys(folders))))
    quoted = {one.shown.n for one in said if one.shown.message.tool and type_ not in NEEDS_THE_USER}
    others = (text for one in window.shown if one.n not in quoted for text in not_typed(one))
    rest = frozenset[str]().union(*map(words_of, others))
    topic = words_of("\n".join((*adopted, *about))) - users
    days = frozenset(one.shown.message.at.date() for one in said)
    elsewhere = rest - users - topic
    named = _named(window.shown)
    about_it = words_of("\n".join(questions)) & own
    return _Ground(
        words_of(ground),
        own,
        about_it,
        words_of(turned_down),
        numbers_of(ground),
        _poles(ground),
        clauses,
        elsewhere,
        topic,
        named,
        days,
    )


def _typed(shown: Shown, window: Window) -> str:
    """What the user typed in a message, questions too, without what they only repeat."""
    text, before = shown.message.text, _before(shown, window)
    clauses = (_without_echo(one, before) for one in _CLAUSE.split(own_words(text)))
    return "\n".join((_stated(text, before), *clauses))


def _settles(quote: Located) -> bool:
    """Whether a quote answers what the user had asked themselves: a proposal that they adopted, or a wish."""
    own = own_words(quote.shown.message.text) if quote.origin == "user-said" else ""
    wishes = pattern("prefers_it").search(own) is not None and pattern("no").search(own) is None
    confirms = pattern("confirms").search(own) is not None and pattern("no").search(own) is None
    return wishes or confirms or quote.shown.message.role == "assistant"


def _question_before(shown: Shown, window: Window) -> str:
    """The question of the agent that a typed message answers. Its words tell what the answer is about."""
    before = next((one.message for one in reversed(window.shown) if one.n < shown.n), None)
    if shown.message.role != "user" or before is None or before.role != "assistant":
        return ""
    parts = (before.text[one.start : one.end] for one in sentences(mask(before.text)))
    return "\n".join(filter(is_question, parts))


def _answered(shown: Shown, window: Window) -> str:
    """What the agent had said before a typed message: what that is about."""
    before = (one for one in reversed(window.shown) if one.n < shown.n and one.session == shown.session)
    last = next((one for one in before if one.message.role == "assistant"), None)
    return _unread(last, window) if last is not None and shown.message.role == "user" else ""


def _unread(shown: Shown, window: Window) -> str:
    """What the agent says in a message that the user agreed to, and did not read out: what it is about."""
    others = tuple(one for one in window.shown if one.message.role != "assistant")
    return _without_echo(shown.message.text, _not_typed(others))


def _texts(quote: Located, type_: Type, window: Window) -> list[str]:
    """What a quote proves the words of: all that the user typed in its message; of the agent its
    sentence, which the user adopted; of a command, for a fact of the project, it, how it ended and all it
    printed."""
    message = quote.shown.message
    if message.tool is not None:
        command = message.tool.command or ""
        if reads(command) or type_ in NEEDS_THE_USER:
            return []
        ended = _LISTS["failed" if message.tool.exit or message.tool.failed else "ran"]
        ran = "\n".join((command, message.tool.output, *sorted(ended)))
        for own in agents_words(command):
            ran = ran.replace(own, " ") if len(own) >= MIN_OWN else ran
        return [ran]
    if message.role == "user" and quote.origin == "user-said":
        return [_stated(message.text, _before(quote.shown, window))]
    return _sentences(quote)


@lru_cache(maxsize=256)
def _stated(text: str, before: str) -> str:
    """What the user says of their own in a message: no question, and nothing they call wrong. What they
    repeat of others counts where they agree, or say nothing beside it.

    `before`: what others had said until then.
    """
    own = own_words(text)
    parts = [own[one.start : one.end] for one in sentences(mask(own))]
    beside = {clause: _without_echo(clause, before) for one in parts for clause in _CLAUSE.split(one)}
    rests = {part: plain(" ".join(beside[one] for one in _CLAUSE.split(part))) for part in parts}
    denied = any(pattern("denies").search(rest) for rest in rests.values())
    beside_it = re.search(r"\w", " ".join(rests.values())) is not None
    said: list[str] = []
    for whole, rest in rests.items():
        part = _asserted(whole) or _requested(whole)
        if not part or pattern("denies").search(plain(part)):
            continue
        plainly = _opens("yes", part) or _opens("from_now", part) or not beside_it
        agrees = plainly and not denied and pattern("no").search(rest) is None
        for one in _CLAUSE.split(part):
            named = not denied and len(words_of(one)) < MIN_REST  # "(TASK-7)" is no quotation
            said.append(one if agrees or named else beside.get(one, one))
    return "\n".join(said)


def _asserted(sentence: str) -> str:
    """A sentence without the question that it ends in ("A it is (can you tell Mo?)") or begins with ("can you
    look, I think we need B"); "" where it asks about all of it ("we use yarn, don't we?")."""
    clauses = list(_CLAUSE.finditer(sentence))
    if not is_question(sentence):
        said = [end for end in clauses if _opens("tells", sentence[end.end() :])]
        return sentence if not _opens("asks", sentence) else sentence[said[0].end() :] if said else ""
    # Behind "and" a verb without a subject asks nothing: "flags are on and are fetched, right?"
    starts = ((end, "requests" if end[0].strip().isalpha() else "asks") for end in clauses)
    asked = next((end for end, words in starts if _opens(words, sentence[end.end() :])), None)
    if (
        asked is None
        or _opens("asks", sentence)
        or len(words_of(sentence[asked.end() :]) - WORDING) < MIN_REST
    ):
        return ""
    return sentence[: asked.start()]


def _requested(sentence: str) -> str:
    """What a question asks to be made ("can we add a limit?"); "" for one that wants to know something."""
    first = next((i for i, char in enumerate(sentence) if char.isalnum()), 0)
    asked = pattern("requests").match(sentence, first)
    rest = sentence[asked.end() :] if asked and is_question(sentence) else ""
    return "" if _opens("inquires", rest) or pattern("wonders").search(rest) else rest


def _before(shown: Shown, window: Window) -> str:
    """What nobody typed of a window up to a message, word by word."""
    return _not_typed(tuple(one for one in window.shown if one.n <= shown.n))


def _without_echo(clause: str, echoed: str) -> str:
    """A clause without what it repeats word by word; as it is where it repeats too little."""
    said = spoken(clause).split()
    left, at, least = list[str](), 0, min(MIN_ECHO, len(said))
    while at < len(said):
        end = at + least
        if end <= len(said) and " ".join(said[at:end]) in echoed:
            while end < len(said) and " ".join(said[at : end + 1]) in echoed:
                end += 1
            at = end
        else:
            left.append(said[at])
            at += 1
    return clause if len(left) == len(said) else " ".join(left)


@lru_cache(maxsize=256)
def _not_typed(messages: tuple[Shown, ...]) -> str:
    """Everything in messages that the user did not type, word by word."""
    return "\n".join(spoken(text) for one in messages for text in not_typed(one))


def _opens(words: str, text: str) -> bool:
    """Whether a text begins with such words of `phrases.toml`."""
    start = next((i for i, char in enumerate(text) if char.isalnum()), 0)
    return pattern(words).match(text, start) is not None


@lru_cache(maxsize=2)
def _named(messages: tuple[Shown, ...]) -> frozenset[str]:
    """Identifiers that the agent's own calls name before anything that was read does. Of paths those inside
    the project."""
    found, read = set[str](), set[str]()
    for shown in messages:
        tool = shown.message.tool
        if tool is None:
            read |= identifiers("\n".join(not_typed(shown)))
            continue
        ran = {" ".join(one.words[:2]) for one in programs(tool.command or "")}
        text = tool.command or tool.input.replace(f"{shown.session.cwd}/", "")
        mine = {one for one in identifiers(text) if one in ran or is_path(one)} - read
        found |= {one for one in mine if not one.startswith(("/", "~", "..", "http"))}
        read |= identifiers(tool.output)
    return frozenset(found)


def _kept(text: str, ground: _Ground) -> str:
    """The text without what was not said."""
    lines: list[str] = []
    for line in text.split("\n"):
        spans = sentences(mask(line))
        kept = [_beginning(line[one.start : one.end], ground) for one in spans]
        if all(one == line[s.start : s.end] for one, s in zip(kept, spans, strict=True)):
            lines.append(line)
        elif any(kept):
            lines.append(line[: spans[0].start] + " ".join(filter(None, kept)))
    return "\n".join(lines).strip()


def _beginning(sentence: str, ground: _Ground) -> str:
    """As much of a sentence as was said: all of it, or its first clauses; "" when nothing was."""
    if _stands(sentence, ground):
        return sentence
    ends = [end.start() for end in islice(_CLAUSE_END.finditer(sentence), MAX_ENDS)]
    for number, end in reversed(list(enumerate(ends))):
        part = sentence[:end].rstrip()
        bare = number == 0 and (_opens("bound", part) or _opens("purpose", part))
        if letters(part) >= MIN_LETTERS and not bare and _stands(part, ground):
            return part
    return ""


def _stands(text: str, ground: _Ground) -> bool:
    """Whether a piece of a claim was said: no number and no word of it comes from elsewhere, most words were
    said, and it says no where they did."""
    text = plain(text)
    for one in identifiers(text) & ground.named:
        text = re.sub(re.escape(one), " ", text, flags=re.I)
    clauses = _CLAUSE.split(text)
    no = [words_of(one) for one in clauses if _denies(one, ground)]
    denied = ground.denied & frozenset[str]().union(*no)
    said = ground.words | denied
    for one in _CODE.findall(text):
        own, joined = words_of(one), stem(re.sub(r"[\W_]", "", one.lower()))
        prose = _COMPOUND.fullmatch(one.strip("`'\"()[],.:;")) is not None and any(
            _said(word, said) for word in own
        )
        if not (prose or own <= said | ground.own or joined in ground.words):
            return False
    told = numbers_of(text)
    if any(not _is_told(one, ground) for one in told):
        return False
    poles = _poles(text)
    if any(one in poles and one not in ground.poles and other in ground.poles for one, other in _OPPOSITES):
        return False
    words = words_of(text) - WORDING
    missing = {word for word in words if not _said(word, said)}
    told_of = len(words - missing) >= LEAST * len(words)
    if missing & ground.elsewhere or len(missing - ground.asked if told_of else missing) > MOST * len(words):
        return False
    borrowed = missing & ground.topic
    if borrowed and any(_borrows(words_of(clause), borrowed, ground) for clause in clauses):
        return False
    return all(_agrees(clause, ground) for clause in clauses)


def _poles(text: str) -> frozenset[str]:
    return words_of(text) | frozenset(map(stem, spoken(text).split()))


def _borrows(words: frozenset[str], borrowed: set[str], ground: _Ground) -> bool:
    """Whether a clause takes more from around an agreed sentence than what it is about: too many words, or
    one in the place of another that was said."""
    taken = words & borrowed
    if not taken or len(taken) > TOPIC * len(words):
        return bool(taken)
    said = (other for other, _ in ground.clauses)
    alike = max(said, key=lambda other: len(other & words), default=frozenset())
    return not alike - WORDING <= words


def _agrees(clause: str, ground: _Ground) -> bool:
    """Whether a clause says yes, or no, as what was said of the same does. A condition says neither.
    Names of code do not tell what is said of them."""
    words, no = (
        words_of(_CODE.sub(" ", clause)) - WORDING,
        None if _opens("bound", clause) else _denies(clause, ground),
    )
    alike = [(len(words & other), says) for other, says in ground.clauses]
    most = max((shared for shared, _ in alike), default=0)
    return most == 0 or any(None in (no, says) or no == says for shared, says in alike if shared == most)


def _denies(clause: str, ground: _Ground) -> bool | None:
    """Whether a clause of a claim says no, or of what the user turned down that they did."""
    down = pattern("turned_down").search(clause) and words_of(clause) & ground.denied
    return True if down else negates(clause)


def _is_told(number: str, ground: _Ground) -> bool:
    """Whether a number was said: with its unit, or with no unit on one of the sides."""
    bare = without_unit(number)
    alike = (other for other in ground.numbers if without_unit(other) == bare)
    return near(bare, ground.days) or any(other == number or bare in (other, number) for other in alike)


def _said(word: str, said: Iterable[str]) -> bool:
    return word in said or any(is_form(word, other) for other in said)
