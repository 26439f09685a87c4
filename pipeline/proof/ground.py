"""What a claim may be made of: what was said in the quoted messages, and what it is about (invariant 6).

Of typed messages what the user states of their own, without questions and what they only repeat; of a command
it and what it printed; of the agent what the user adopted. Beside it stands what came from elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.proof import exchange
from siltstone.pipeline.proof.clauses import CLAUSE, NO, Polarity, Side, negates, sides
from siltstone.pipeline.proof.commands import agents_words, programs
from siltstone.pipeline.proof.echo import others_wrote, stood_before, without_echo
from siltstone.pipeline.proof.normal_form import numbers_of, plain, spoken, without_unit, words_of
from siltstone.pipeline.proof.origin import Located, not_typed, observed
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.proof.roles import Roles, roles_of
from siltstone.pipeline.proof.stated import question_before, stated
from siltstone.pipeline.proof.wording import CLAIMS, ENDS, NEUTRAL, WORDING, Ended, poles_of
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules import language
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.sentences import is_question, mask, sentences
from siltstone.store.entry import Type

NEEDS_THE_USER: frozenset[Type] = frozenset({"user", "feedback", "decision"})
"""Types that only the user's own words may carry (invariant 6)."""
MIN_OWN = 6
"""Letters of what the agent wrote into a command that stand elsewhere by no accident."""

_NUMBERED = re.compile(r"(?<![^\W_])([^\W\d_]+)\d[\w.]*")
"""A name with a number, in one word."""
_FIRST = language.pattern("first", of=language.spoken(*language.ASIAN))
"""Says "I", in a language that has other words than `WORDING` for the user who does."""


class Ground(NamedTuple):
    """What a claim may be made of, and what it may not."""

    words: frozenset[str]
    """Of what was quoted, and of the memory that is updated."""
    own: frozenset[str]
    """Of all that the user typed in the window, questions too, and the project's name and folder: what their
    statements are about."""
    asked: frozenset[str]
    """Of the user's questions that are quoted too, and of the agent's that the user answers."""
    denied: frozenset[str]
    """Words and numbers of what the user turned down, for clauses that say no."""
    numbers: frozenset[str]
    numbered: frozenset[str]
    """Names with a number that the user typed in other messages of the window ("ga4", "phase 2")."""
    poles: frozenset[str]
    """Every word of it, among them those of two opposites that are too small to carry meaning ("on")."""
    clauses: tuple[tuple[frozenset[str], frozenset[str], Polarity | None], ...]
    """Of each side of a clause that was said its words, its names with a number, and whether it says no."""
    affirmed: tuple[frozenset[str], ...]
    """Of these the words of each that says yes."""
    unwanted: tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...]
    """The words, or the numbers, of each thing that another takes the place of, the words of the clause that
    says so, and what the numbers belong to ("v" of "v3"). What says yes does not name it."""
    elsewhere: frozenset[str]
    """Words that stand only in what the user did not type."""
    topic: frozenset[str]
    """Words that stand only around a sentence of the agent's that the user agreed to. A few may be taken."""
    beside: str | None
    """All that nobody typed beside what is quoted, word by word, if that is commands and outputs alone."""
    ends: frozenset[str]
    """Words that say how the quoted commands ended; other forms of them say something else."""
    other_ends: frozenset[str]
    """Words that claim an end which no quoted command had."""
    roles: Roles
    """Which thing goes with which in what was typed or agreed to."""
    verbatim: frozenset[str]
    """The lines of the memory that is updated, or of those that are replaced."""
    named: frozenset[str]
    """Identifiers that the agent's own calls name."""
    days: frozenset[date]
    """On which it was said: relative dates are written out."""


def ground_of(
    type_: Type,
    window: Window,
    said: Sequence[Located],
    known: RelatedEntry | None = None,
    denied: Sequence[Located] = (),
) -> Ground:
    """What a claim of this type may be made of, from the quotes that prove it (`said`), the memory that it
    updates (`known`), and what the agent proposed and the user turned down (`denied`)."""
    texts = [(one, text) for one in said for text in _texts(one, type_, window)]
    agreed = max((one.shown.n for one in said if _settles(one)), default=0)
    questions = {
        text: one.shown.n
        for one in said
        if one.origin == "user-said"
        for text in sentences_of(one)
        if is_question(text)
    }
    settled = [text for text, n in questions.items() if n < agreed]
    kept = [*exchange.lines(known.claim)] if known else []
    stands = [line.text for line in kept if line.stands]
    beside = [*settled, *stands]
    ground = "\n".join([*(text for _, text in texts), *settled, *(line.text for line in kept)])
    if any(one.origin == "user-said" and _FIRST.search(text) for one, text in texts):
        ground += f"\n{' '.join(language.phrases_of('user', *language.ASIAN))}"
    refused = (text for one in denied for text in sentences_of(one))
    turned_down = "\n".join([*refused, *(line.text for line in kept if line.label == exchange.DENIED)])
    told = [
        *(side for one, text in texts for part in CLAUSE.split(text) for side in _sides(part, one)),
        *(side for text in beside for part in CLAUSE.split(text) for side in sides(part)),
    ]
    not_so = [Side(part, NO) for part in CLAUSE.split(turned_down)]
    folders = (one.session.cwd for one in window.shown)
    answered = "\n".join(question_before(one.shown, window) for one in said if one.origin == "user-said")
    agreed_to = dict.fromkeys(one.shown for one in said if one.shown.message.role == "assistant")
    adopted = (_unread(one, window) for one in agreed_to)
    about = [_answered(one.shown, window) for one in said if one.origin == "user-said"]
    typed = [_typed(one, window) for one in window.shown if one.message.role == "user"]
    own = words_of("\n".join((window.scope, *dict.fromkeys(folders), *typed)))
    users = own | words_of("\n".join((ground, answered)))
    quoted = {one.shown.n for one in said if one.shown.message.tool and type_ not in NEEDS_THE_USER}
    others = [text for one in window.shown if one.n not in quoted for text in not_typed(one)]
    rest = frozenset[str]().union(*map(words_of, others))
    topic = words_of("\n".join((*adopted, *about))) - users
    observed_alone = bool(said) and all(one.origin == "tool-observed" for one in said)
    ran = (one.shown.message.tool for one in said if one.shown.n in quoted)
    ended: set[Ended] = {"failed" if tool.went_wrong else "ran" for tool in ran if tool}
    return Ground(
        words=words_of(ground),
        own=own,
        asked=words_of("\n".join(questions)) & own | words_of(answered),
        denied=words_of(turned_down) | numbers_of(turned_down),
        numbers=numbers_of(ground),
        numbered=_numbered("\n".join(typed), ground),
        poles=poles_of("\n".join(side.text for side in told if not side.unwanted)),
        clauses=tuple((words_of(it.text), numbered_names(it.text), it.says) for it in (*told, *not_so)),
        affirmed=tuple(words_of(side.text) for side in told if side.says and not side.says.anywhere),
        unwanted=tuple(_unwanted(side) for side in told if side.unwanted),
        elsewhere=rest - users - topic,
        topic=topic,
        beside="\n".join(map(spoken, others)) if observed_alone else None,
        ends=frozenset[str]().union(*(ENDS[how] for how in ended)),
        other_ends=frozenset[str]().union(*(words for how, words in CLAIMS.items() if how not in ended)),
        roles=roles_of([*(text for one in said for text in _spoken(one)), *settled], "\n".join(stands)),
        verbatim=frozenset(known.claim.split("\n") if known else ()),
        named=_named(window.shown),
        days=frozenset(one.shown.message.at.date() for one in said),
    )


def numbered_names(text: str) -> frozenset[str]:
    """Its names with a number: "k8s", "phase 2"."""
    return frozenset(one[0].lower() for one in pattern("named_number").finditer(plain(text)))


def _numbered(text: str, said: str) -> frozenset[str]:
    """The names with a number in a text, but for those of which another number is told ("v2", "v3"), and of
    what it says no to."""
    wanted = "\n".join(one for one in CLAUSE.split(text) if not negates(one))
    typed, told = numbered_names(wanted), numbered_names(said)
    of_each = Counter(one.rstrip("0123456789.") for one in typed | told)
    return frozenset(one for one in typed - told if of_each[one.rstrip("0123456789.")] == 1)


def _unwanted(side: Side) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """What a thing is called that another takes the place of, its number or its first word, the words of the
    clause that says so, and what the number belongs to."""
    other, *_ = sides(side.unwanted)
    words = (words_of(one) - words_of(other.text) for one in side.text.split())
    named = [*filter(None, words)]
    first = next((one for one in named if one - WORDING - NEUTRAL), *named[:1]) if named else frozenset()
    numbers = frozenset(map(without_unit, numbers_of(side.text)))
    names = frozenset(found[1].lower() for found in _NUMBERED.finditer(side.text))
    return numbers or first, words_of(side.unwanted) - WORDING, names


def without_other_names(text: str, names: frozenset[str]) -> str:
    """A text without names with a number, like "q3", that are none of these, where there are any."""
    return _NUMBERED.sub(lambda it: it[0] if it[1].lower() in names else " ", text) if names else text


def _typed(shown: Shown, window: Window) -> str:
    """What the user typed in a message, questions too, without what they only repeat."""
    before = stood_before(shown, window)
    clauses = (without_echo(one, before) for one in CLAUSE.split(own_words(shown.message.text)))
    return "\n".join((stated(shown, window), *clauses))


def _settles(quote: Located) -> bool:
    """Whether a quote answers what the user had asked themselves: a proposal that they adopted, or a wish."""
    own = own_words(quote.shown.message.text) if quote.origin == "user-said" else ""
    wishes = any(pattern(words).search(own) for words in ("prefers_it", "confirms"))
    return (wishes and pattern("no").search(own) is None) or quote.shown.message.role == "assistant"


def _answered(shown: Shown, window: Window) -> str:
    """What the agent had said before a typed message: what that is about."""
    before = (one for one in reversed(window.shown) if one.n < shown.n and one.session == shown.session)
    last = next((one for one in before if one.message.role == "assistant"), None)
    return _unread(last, window) if last is not None and shown.message.role == "user" else ""


def _unread(shown: Shown, window: Window) -> str:
    """What the agent says in a message that the user agreed to, and did not read out: what it is about."""
    return without_echo(shown.message.text, others_wrote(window.shown))


def _texts(quote: Located, type_: Type, window: Window) -> list[str]:
    """What a quote proves the words of: all that the user typed in its message; of the agent its
    sentence, which the user adopted; of a command, for a fact of the project, it, unless it is copied from
    what was read, and, if it reads nothing, all it printed."""
    message = quote.shown.message
    if message.tool is not None:
        command = message.tool.command or ""
        if type_ in NEEDS_THE_USER:
            return []
        output = message.tool.output if observed(message.tool) else ""
        read = others_wrote([one for one in window.shown if one.n < quote.shown.n])
        ran = "\n".join((without_echo(command, read), output))
        for own in agents_words(command):
            ran = ran.replace(own, " ") if len(own) >= MIN_OWN else ran
        return [ran]
    if message.role == "user" and quote.origin == "user-said":
        return [stated(quote.shown, window)]
    return sentences_of(quote)


def _spoken(quote: Located) -> list[str]:
    """What was said as it was: all that the user typed in a message, of the agent the quoted sentences."""
    message = quote.shown.message
    if message.tool is not None:
        return []
    typed = message.role == "user" and quote.origin == "user-said"
    return [own_words(message.text)] if typed else sentences_of(quote)


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
        text = (tool.command or tool.input).replace(f"{shown.session.cwd}/", "")
        mine = {one for one in identifiers(text) if one in ran or is_path(one)} - read
        found |= {one for one in mine if not one.startswith(("/", "~", "..", "http"))}
        read |= identifiers(tool.output)
    return frozenset(found)


def sentences_of(quote: Located) -> list[str]:
    """The sentences of a message that a quote stands in."""
    text, end = quote.shown.message.text, quote.start + len(quote.text)
    spans = [one for one in sentences(mask(text)) if one.start < end and quote.start < one.end]
    return [text[one.start : one.end] for one in spans] or [quote.text]


def _sides(clause: str, quote: Located) -> Iterator[Side]:
    """The sides of a clause of what was quoted. Below a heading that says no ("Not fixed"), and for a command
    that failed, which may be said to do, or not, it says neither."""
    tool = quote.shown.message.tool
    failed = tool is not None and tool.went_wrong and clause.strip() in (tool.command or "")
    lines = quote.shown.message.text[: max(quote.start, 0)].split("\n")
    heading = next((line for line in reversed(lines[:-1]) if line.startswith("#")), "")
    if failed or negates(heading) or pattern("turned_down").search(heading):
        yield Side(clause, None)
    else:
        yield from sides(clause)
