"""Which of an agent's options a reply takes (invariant 6).

People choose by a letter or a number ("a", "let's do 2", "B indoors, the garden should get A"), by an
option's first words, which an agent's own menu gives back, or by words of one option alone ("take the
thorough one").
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from siltstone.pipeline.proof import options
from siltstone.pipeline.proof.clauses import CLAUSE, negates
from siltstone.pipeline.proof.normal_form import plain, words_of
from siltstone.pipeline.proof.origin import Located, fold
from siltstone.pipeline.proof.phrases import opens, pattern
from siltstone.pipeline.proof.stated import right_before
from siltstone.pipeline.proof.wording import NEUTRAL, WORDING
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.sentences import cut, is_question, mask, sentences
from siltstone.pipeline.words import letters

_POINT = re.compile(r"\s*(?:#(?=\d)|(?=\w{1,2}[.):]))([a-h]|\d{1,2})[.):]?\s+(\S.*)", re.I)
_IN_A_ROW = re.compile(r"(?:(?<=\s)|\A)([a-h1-9])[.)]\s+(.+?)(?=\s[a-h1-9][.)]\s|\Z)", re.I | re.S)
"""A point of several that stand in one line, by its mark, and what is said to it."""
_ORDERS = ("abcdefgh", "123456789")
"""In which the marks of points follow one another."""
_ANSWER = re.compile(r"(?:q(?:uestion)? ?)?([1-9])[ :.)=-]{0,3}([a-h])(?!\w)")
_ANSWERS = re.compile(rf"\W*{_ANSWER.pattern}(?:[\s,;]+{_ANSWER.pattern})*\W*")
"""One label for each of several questions, in their order: "Q1: B, Q2: A"."""
_JOINT = re.compile(r"(?<=[a-h\d])\s+e\s+(?=[a-h\d])")
"""An "and" that could be a label."""
_LABELS = re.compile(r"(?<!\w)(?:[a-h]|[1-9]\d?)(?!\w)")
_NUMBER_OF = re.compile(r"(?<!\w)q(?:uestion)? ?\d(?!\d)", re.I)
_IN_PROSE = re.compile(r"\([A-H]\)|(?<!\w)(?:question \d|\*{0,2}[A-H]\*{0,2} (?:=|is) )", re.I)
"""An option within a sentence, or a question by its number."""
_LABEL = re.compile(r"\s*\(?[a-h1-9][.)]?\s*", re.I)
MAX_ALONE = 60
"""Characters of a reply that does nothing but take an option."""
LAST = 3
"""Of each four groups of "nth" the one for the last item."""
ECHO = 2
"""Words of a sentence in a reply that tell that the reply speaks of it."""


def takes(reply: str, proposal: Located) -> bool | None:
    """Whether a reply takes the option that a quoted sentence stands in; None where it names no option. A
    reply that picks an option says nothing of a sentence beside the options, unless it speaks of it."""
    item, mark, items = options.item_of(proposal), options.mark_of(proposal), options.items_of(proposal)
    every = _takes_all(reply, proposal, items) if item or options.asks_which(proposal) else None
    if every is not None:
        return every
    taken, nth = chosen(reply, proposal), _counted(reply, items)
    labels, _ = _labels(reply)
    if labels and not taken:
        return False
    if taken and (mark or item):
        return (mark or options.place_of(item or proposal)) in taken
    if items and (taken or nth is not None):
        if item is None:
            return None if speaks_of(reply, proposal) else False
        return nth is not None and item in nth
    return True if item and _names(reply, item, items) else None


def begins_with(reply: str, proposal: Located) -> bool:
    """Whether a line of a reply is what a quoted sentence, or the option that it stands in, begins with, and
    no other line says no."""
    item = options.item_of(proposal)
    begun = [proposal.text] if item is None else [proposal.text, item.text]
    lines = reply.split("\n")
    others = [line for line in lines if not any(_copies(line, one) for one in begun)]
    return len(others) < len(lines) and pattern("no").search("\n".join(others)) is None


def takes_another(reply: str, proposal: Located) -> bool:
    """Whether a reply takes an option of a message, and not the one that a quoted sentence stands in."""
    item, taken = options.item_of(proposal), _taken(reply, proposal)
    if item is None or any(options.holds(item, one) for one in taken):
        return False
    return bool(taken) and item in _offered(reply, proposal)


def passed_over(reply: str, proposal: Located) -> list[Located]:
    """The other options, where a reply takes the one that a quoted sentence stands in; not its heading."""
    item, taken = options.item_of(proposal), _taken(reply, proposal)
    if item not in taken:
        return []
    return [one for one in _offered(reply, proposal) if not any(options.holds(one, other) for other in taken)]


def chosen(reply: str, proposal: Located) -> frozenset[str]:
    """The letters or numbers of the options that a reply takes, of the message that a proposal stands in. A
    reply that is nothing but labels takes them all of one list, or one of each of several lists; nothing if
    they do not fit."""
    if options.asks_what_to_drop(proposal.shown.message.text):
        return frozenset()
    labels, each = _labels(reply)
    if not labels:
        return _in_words(reply)
    lists = options.asked_lists(proposal, digits=labels[0].isdigit())
    if not lists:
        return frozenset()
    if len(lists) == 1 and not each:
        return frozenset(labels) if lists[0].keys() >= {*labels} else frozenset()
    if not _fit(labels, lists):
        return frozenset()
    begun = [one for one, its in zip(labels, lists, strict=True) if min(its.values()) <= proposal.start]
    return frozenset(begun[-1:])


def picked(reply: Shown, window: Window) -> list[Located]:
    """The options right before a typed message which, line by line, is nothing but their labels. A message
    that ends with them asks to choose, however it asks."""
    before = _answered(reply, window)
    if before is None:
        return []
    lines = {fold(line)[0].strip(" .!。") for line in own_words(reply.message.text).split("\n")} - {""}
    last = before.text.rstrip().rpartition("\n")[2]
    asks = is_question if options.is_item(last) and not is_question(last) else options.offers
    items = options.items_of(before, asks)
    labels = {options.label(one.text) for one in items}
    taken = [_labels_in(line, labels) for line in lines]
    picks = {one for some in taken for one in some}
    return [one for one in items if options.label(one.text) in picks] if all(taken) else []


def taken_by_label(reply: Shown, window: Window) -> list[Located]:
    """The options right before a typed message that it takes by their letters or numbers. The agent asks for
    one, and no label stands before two."""
    before, text = _answered(reply, window), reply.message.text
    labels = _in_words(text)
    if before is None or not labels or not options.asks_for_one(before.text):
        return []
    items = options.items_of(before)
    taken = {label: [one for one in items if options.mark_of(one) == label] for label in labels}
    found = [one for its in taken.values() for one in its]
    return found if all(len(its) == 1 for its in taken.values()) else []


def answers(reply: Shown, asked: Shown, window: Window) -> bool:
    """Whether a typed message is nothing but labels of options of a message of the agent's, with one of the
    user's and the answer to that between: a label for each of several questions, where the user had asked
    about these, or one behind a question of the user's what that had been, where the answer asks for it
    anew."""
    session = (one for one in window.shown if one.session == reply.session and one.message.tool is None)
    between = [one for one in session if asked.n < one.n < reply.n]
    if [one.message.role for one in between] != ["user", "assistant"]:
        return False
    again, answer = own_words(between[0].message.text), between[1].message.text
    if _answers_each(reply, asked, answer):
        return _asks_about_them(again) and not _offers_others(answer)
    return (
        _LABEL.fullmatch(own_words(reply.message.text)) is not None
        and pattern("asks_again").search(again) is not None
        and pattern("asks_for_label").search(answer) is not None
        and bool(options.items_of(options.whole(asked)))
    )


def speaks_of(reply: str, proposal: Located, besides: frozenset[str] = frozenset()) -> bool:
    """Whether a reply repeats words of a quoted sentence, other than those that count for nothing here."""
    return len((words_of(own_words(reply)) & words_of(proposal.text)) - WORDING - besides) >= ECHO


def point(reply: str, proposal: Located) -> str | None:
    """What a reply that answers several points says to the one that a quoted sentence belongs to; None where
    it says nothing to that."""
    return _numbered(reply).get(options.mark_of(proposal))


def _numbered(reply: str) -> dict[str, str]:
    """What a reply says to each of several numbered points ("1. no\\n2. by date", "a) at noon b) at one")."""
    points = [found.groups() for line in reply.split("\n") if (found := _POINT.match(line))]
    if len(points) < 2:
        points = [found.groups() for found in _IN_A_ROW.finditer(reply)]
        marks = "".join(mark for mark, _ in points).lower()
        points = points if any(order.startswith(marks) for order in _ORDERS) else []
    return {number.lower(): said for number, said in points} if len(points) > 1 else {}


def _offered(reply: str, proposal: Located) -> Sequence[Located]:
    """The items of a message between which a reply chooses: all, of one list where it counts them, and of
    the lists asked about where it is nothing but labels."""
    items, (labels, _) = options.items_of(proposal), _labels(reply)
    if labels:
        lists = options.asked_lists(proposal, digits=labels[0].isdigit())
        marked = {at for one in lists for at in one.values()}
        return [one for one in items if one.start in marked]
    return options.only_list(items) if _counted(reply, items) else items


def _taken(reply: str, proposal: Located) -> list[Located]:
    """The items of a message that a reply takes: by letter or number, first words, or words of one alone."""
    items = options.items_of(proposal)
    if _numbered(reply):  # it answers points, and chooses none
        return []
    if chosen(reply, proposal):
        return [one for one in items if (options.mark_of(one) or options.place_of(one)) in chosen(reply, one)]
    if (nth := _counted(reply, items)) is not None:
        return nth
    return [one for one in items if _copies(reply, one.text) or _names(reply, one, items)]


def _takes_all(reply: str, proposal: Located, items: Sequence[Located]) -> bool | None:
    """Whether a reply takes all options of a message, which are one list, or both things that a question asks
    about; None where it does not say so."""
    said = own_words(reply).strip(" .!。！\n")
    both, every = (pattern(words).fullmatch(said) for words in ("both_of_them", "all_of_them"))
    if not (both or every):
        return None
    one_list = len({options.mark_of(one) or options.place_of(one) for one in items}) == len(items)
    fits = one_list and (every is not None or len(items) == 2)
    drops = options.asks_what_to_drop(proposal.shown.message.text)
    return (fits or options.asks_which(proposal)) and not drops


def _counted(reply: str, items: Sequence[Located]) -> list[Located] | None:
    """The item of a plain list that a reply takes by its place, and says nothing else ("the second one").
    None: it takes none so."""
    found = pattern("nth").fullmatch(own_words(reply))
    listed = options.only_list(items) if found else []
    if found is None or not listed:
        return None
    place = ((found.lastindex or 2) - 2) % 4
    return listed[-1:] if place == LAST else listed[place : place + 1]


def _names(reply: str, item: Located, items: Sequence[Located]) -> bool:
    """Whether a reply begins with all words of an item's label, or with words of one item and of no other."""
    own = own_words(reply)
    first = next(iter(sentences(mask(own))), None)
    if first is None or is_question(own[first.start : first.end]) or pattern("no").search(own):
        return False
    said = pattern("yes").sub(" ", own[first.start : first.end], count=1).lstrip(" ,")
    begins = CLAUSE.split(said, maxsplit=1)[0]
    named = words_of(pattern("wishes").sub(" ", begins)) - WORDING - NEUTRAL
    labels = {one.start: words_of(options.label(one.text)) - WORDING for one in items}
    if labelled := [start for start, words in labels.items() if words and words <= named]:
        return labelled == [item.start]
    others = (words_of(one.text) for one in items if one.start != item.start)
    return bool(named) and named <= words_of(item.text) and not any(named <= other for other in others)


def _answers_each(reply: Shown, asked: Shown, since: str) -> bool:
    """Whether a message gives each of several questions of another the label of one of its options: with the
    questions' numbers ("Q1: B, Q2: A"), or as the agent has shown `since`."""
    labels, each = _labels(reply.message.text)
    if len(labels) < 2 or not (each or len(_ANSWER.findall(since.lower())) == len(labels)):
        return False
    lists = options.asked_lists(options.whole(asked), digits=labels[0].isdigit())
    return len(lists) > 1 and _fit(labels, lists)


def _asks_about_them(text: str) -> bool:
    """Whether a text asks something, names a question by its number or is but one label, and says no to
    nothing."""
    about = is_question(text) or _NUMBER_OF.search(text) or _LABELS.fullmatch(text.strip().lower())
    return bool(about) and negates(text) is False


def _offers_others(text: str) -> bool:
    """Whether a text has options of its own, as lines or within a sentence, or asks about anything but the
    numbered questions."""
    marks = (pattern("option").match(line) for line in text.split("\n"))
    listed = any(one and (one[1] or one[3] or "").isalpha() for one in marks)
    asks = any(is_question(one) and not _NUMBER_OF.search(one) for one in cut(text))
    return listed or asks or _IN_PROSE.search(text) is not None


def _fit(labels: Sequence[str], lists: Sequence[Collection[str]]) -> bool:
    """Whether there is a label for each list, and an option with it."""
    return len(lists) == len(labels) and all(one in its for one, its in zip(labels, lists, strict=True))


def _answered(reply: Shown, window: Window) -> Located | None:
    """The answer of the agent's right before a typed message, whole."""
    before = right_before(reply, window)
    if before is None or before.message.role != "assistant" or before.session != reply.session:
        return None
    return options.whole(before)


def _labels(reply: str) -> tuple[list[str], bool]:
    """The letters or numbers that are all there is in a reply, and whether it gives `each` question one of
    them ("Q1: B, Q2: A"); in the order of the questions."""
    said = _JOINT.sub(" ", plain(own_words(reply)).lower())
    if is_question(said):
        return [], False
    if _ANSWERS.fullmatch(said):
        answers = sorted(_ANSWER.findall(said))
        in_order = all(int(number) == n for n, (number, _) in enumerate(answers, 1))
        return ([label for _, label in answers], True) if in_order else ([], False)
    labels = _LABELS.findall(said) if pattern("labels").fullmatch(said) else []
    return (labels, False) if len({one.isdigit() for one in labels}) == 1 else ([], False)


def _labels_in(line: str, labels: Collection[str]) -> list[str]:
    """The labels that a line is made of, with commas between them; [] if it is anything else."""
    until: dict[int, list[str]] = {0: []}
    for at in range(len(line)):
        for one in labels if at in until else ():
            if line[at:] == one:
                return [*until[at], one]
            if line.startswith(f"{one}, ", at):
                until.setdefault(at + len(one) + 2, [*until[at], one])
    return []


@lru_cache(maxsize=64)
def _in_words(reply: str) -> frozenset[str]:
    """The letters or numbers that a reply takes in a sentence ("let's do 2")."""
    if _numbered(reply):
        return frozenset()
    own = " ".join(own_words(reply).split()).strip(" .!。！")
    alone = pattern("chooses_alone").fullmatch(own) if len(own) <= MAX_ALONE else None
    picked = [alone] if alone else [pattern("chooses").match(one) for one in _told(reply)]
    labels = (label for found in picked if found for label in found.groups() if label)
    return frozenset(map(str.lower, labels))


def _told(reply: str) -> list[str]:
    """The clauses of a reply that ask nothing; [] where one says no, and not as the reason of another, or
    asks whether it shall be another thing."""
    clauses: list[str] = []
    for one in cut(plain(own_words(reply))):
        parts = [*filter(str.strip, CLAUSE.split(one))]
        asks = one.endswith("?")
        if asks and opens("alternative", parts[-1]):
            return []
        told = parts[:-1] if asks else parts
        clauses += [clause for clause in told if not is_question(clause)]
    others = [one for one in clauses if not opens("because", one) or pattern("refuses").search(one)]
    no = any(pattern("no").search(pattern("in_place").sub(" ", one)) for one in others or clauses)
    return [] if no else clauses


def _copies(reply: str, option: str) -> bool:
    """Whether a line of the reply is what an option that was offered begins with."""
    offered = options.unmarked(option)
    return any(letters(line) > 1 and offered.startswith(fold(line)[0].strip()) for line in reply.split("\n"))
