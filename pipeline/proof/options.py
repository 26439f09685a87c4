"""Which of an agent's options a reply takes (invariant 6).

People choose by a letter or a number ("a", "let's do 2", "B indoors, the garden should get A"), by an
option's first words, which an agent's own menu gives back, or by words of one option alone ("take the
thorough one").
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from siltstone.pipeline.proof.clauses import CLAUSE
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
_RECOMMENDED = re.compile(r"^[\W_]*recommended[\W_]+(?=option )", re.I)
"""Begins a line that belongs to the option that it recommends."""
_ANSWER = re.compile(r"(?:q(?:uestion)? ?)?([1-9])[ :.)=-]{0,3}([a-h])(?!\w)")
_ANSWERS = re.compile(rf"\W*{_ANSWER.pattern}(?:[\s,;]+{_ANSWER.pattern})*\W*")
"""One label for each of several questions, in their order: "Q1: B, Q2: A"."""
_JOINT = re.compile(r"(?<=[a-h\d])\s+e\s+(?=[a-h\d])")
"""An "and" that could be a label."""
_LABELS = re.compile(r"(?<!\w)(?:[a-h]|[1-9]\d?)(?!\w)")
_LABEL = re.compile(r"\s*\(?[a-h1-9][.)]?\s*", re.I)
_BULLET = re.compile(r"\W*(?:[a-z\d][.):]\s+)?", re.I)
_FENCED = re.compile(r"^[ \t]*```[^`\n]*$.*?^[ \t]*```[ \t]*$", re.M | re.DOTALL)
_RECOMMENDS = re.compile(rf"{_RECOMMENDED.pattern}option ([a-h]|\d)(?!\w)", re.I | re.M)
_NUMBERED = r"(?:question|frage|pregunta|вопрос|问题|質問)\s*#?\d"
_QUESTION = re.compile(rf"^[ \t]*(?:#{{1,6}}[ \t]+(?=[\W_]*{_NUMBERED})|(?=\*\*{_NUMBERED}))", re.I | re.M)
"""Stands before a heading that numbers a question."""
_BOLD_LABEL = re.compile(r"[ \t]*\*\*\S")
LAST = 3
"""Of each four groups of "nth" the one for the last item."""
ECHO = 2
"""Words of a sentence in a reply that tell that the reply speaks of it."""
_RULE = r"[ \t]*\|[-:|\s]*$"
_BOLD_QUESTION = r"[ \t]*\*\*[^*\n]*(?:[?？]\*\*|\*\*[?？])[ \t]*$"
_ITEM = re.compile(
    rf"^(?!{_RULE}|[ \t]*\|[^\n]*\n{_RULE}|{_BOLD_QUESTION})[ \t]*"
    r"(?:[-*+•#|]|(?:option )?(?:[a-h]|\d{1,2})[.):]\s)",
    re.M | re.I,
)
"""Begins an item of a list, a row of a table but its head, or a heading."""


def takes(reply: str, proposal: Located) -> bool | None:
    """Whether a reply takes the option that a quoted sentence stands in; None where it names no option. A
    reply that picks an option says nothing of a sentence beside the options, unless it speaks of it."""
    item, mark, items = _item(proposal), mark_of(proposal), _items(proposal)
    every = _takes_all(reply, proposal, items) if item or asks_which(proposal) else None
    if every is not None:
        return every
    taken, nth = chosen(reply, proposal), _counted(reply, items)
    labels, _ = _labels(reply)
    if labels and not taken:
        return False
    if taken and (mark or item):
        return (mark or _place(item or proposal)) in taken
    if items and (taken or nth is not None):
        if item is None:
            return None if speaks_of(reply, proposal) else False
        return nth is not None and item in nth
    return True if item and _names(reply, item, items) else None


def begins_with(reply: str, proposal: Located) -> bool:
    """Whether a line of a reply is what a quoted sentence, or the option that it stands in, begins with, and
    no other line says no."""
    item = _item(proposal)
    begun = [proposal.text] if item is None else [proposal.text, item.text]
    lines = reply.split("\n")
    others = [line for line in lines if not any(_copies(line, one) for one in begun)]
    return len(others) < len(lines) and pattern("no").search("\n".join(others)) is None


def takes_another(reply: str, proposal: Located) -> bool:
    """Whether a reply takes an option of a message, and not the one that a quoted sentence stands in."""
    item, taken = _item(proposal), _taken(reply, proposal)
    if item is None or any(holds(item, one) for one in taken):
        return False
    return bool(taken) and item in _offered(reply, proposal)


def passed_over(reply: str, proposal: Located) -> list[Located]:
    """The other options, where a reply takes the one that a quoted sentence stands in; not its heading."""
    item, taken = _item(proposal), _taken(reply, proposal)
    if item not in taken:
        return []
    return [one for one in _offered(reply, proposal) if not any(holds(one, other) for other in taken)]


def holds(item: Located, part: Located) -> bool:
    """Whether a part of a message begins within an item of it."""
    return item.start <= part.start < item.start + len(item.text)


def _offered(reply: str, proposal: Located) -> Sequence[Located]:
    """The items of a message between which a reply chooses: all, of one list where it counts them, and of
    the lists asked about where it is nothing but labels."""
    items, (labels, _) = _items(proposal), _labels(reply)
    if labels:
        lists = _asked_lists(proposal, digits=labels[0].isdigit())
        marked = {at for one in lists for at in one.values()}
        return [one for one in items if one.start in marked]
    return _plain_list(items) if _counted(reply, items) else items


def picked(reply: Shown, window: Window) -> list[Located]:
    """The options right before a typed message which, line by line, is nothing but their labels. A message
    that ends with them asks to choose, however it asks."""
    before = _answered(reply, window)
    if before is None:
        return []
    lines = {fold(line)[0].strip() for line in own_words(reply.message.text).split("\n")} - {""}
    last = before.text.rstrip().rpartition("\n")[2]
    asks = is_question if _ITEM.match(last) and not is_question(last) else offers
    items = _items(before, asks)
    labels = {label(one.text) for one in items}
    taken = [_labels_in(line, labels) for line in lines]
    picks = {one for some in taken for one in some}
    return [one for one in items if label(one.text) in picks] if all(taken) else []


def taken_by_label(reply: Shown, window: Window) -> list[Located]:
    """The options right before a typed message that it takes by their letters or numbers. The agent asks for
    one, and no label stands before two."""
    before, text = _answered(reply, window), reply.message.text
    labels = _in_words(text) if before and not numbered(text) else frozenset[str]()
    if before is None or not labels or not _asks_for_one(before.text):
        return []
    items = _items(before)
    taken = {label: [one for one in items if mark_of(one) == label] for label in labels}
    found = [one for its in taken.values() for one in its]
    return found if all(len(its) == 1 for its in taken.values()) else []


def answers(reply: Shown, asked: Shown, window: Window) -> bool:
    """Whether a typed message is nothing but the label of an option of a message of the agent's, behind a
    question of the user's what that had been, which the agent answers and asks for a label anew."""
    session = (one for one in window.shown if one.session == reply.session and one.message.tool is None)
    between = [one.message for one in session if asked.n < one.n < reply.n]
    if len(between) != 2 or not _LABEL.fullmatch(own_words(reply.message.text)):
        return False
    again, answer = between
    return (
        (again.role, answer.role) == ("user", "assistant")
        and pattern("asks_again").search(own_words(again.text)) is not None
        and pattern("asks_for_label").search(answer.text) is not None
        and bool(_parts(asked.message.text, offers))
    )


def _answered(reply: Shown, window: Window) -> Located | None:
    """The answer of the agent's right before a typed message, whole."""
    before = right_before(reply, window)
    if before is None or before.message.role != "assistant" or before.session != reply.session:
        return None
    return Located(before, "assistant-inferred", before.message.text, 0)


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


def label(item: str) -> str:
    """What an item begins with, before a colon ("- Copper: keeps the heat"), folded."""
    return fold(_BULLET.sub("", item, count=1).replace("**", ""))[0].split(": ")[0].strip()


def chosen(reply: str, proposal: Located) -> frozenset[str]:
    """The letters or numbers of the options that a reply takes, of the message that a proposal stands in. A
    reply that is nothing but labels takes them all of one list, or one of each of several lists; nothing if
    they do not fit."""
    if _asks_what_to_drop(proposal.shown.message.text):
        return frozenset()
    labels, each = _labels(reply)
    if not labels:
        return _in_words(reply)
    lists = _asked_lists(proposal, digits=labels[0].isdigit())
    if not lists:
        return frozenset()
    if len(lists) == 1 and not each:
        return frozenset(labels) if lists[0].keys() >= {*labels} else frozenset()
    if len(lists) != len(labels) or not all(one in its for one, its in zip(labels, lists, strict=True)):
        return frozenset()
    begun = [one for one, its in zip(labels, lists, strict=True) if min(its.values()) <= proposal.start]
    return frozenset(begun[-1:])


@lru_cache(maxsize=64)
def _in_words(reply: str) -> frozenset[str]:
    """The letters or numbers that a reply takes in a sentence ("let's do 2")."""
    picked = (pattern("chooses").match(one) for one in _told(reply))
    return frozenset((found[1] or found[2]).lower() for found in picked if found)


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


def _asked_lists(proposal: Located, *, digits: bool) -> list[dict[str, int]]:
    """The lists of options in a message with letters, or with numbers, if there is but one or a question
    stands before each. Of each option its mark, and where its line begins. A mark that was there before
    begins another list; the items of a plain list have their places for numbers."""
    text = proposal.shown.message.text
    lists: list[dict[str, int]] = []
    asked: list[bool] = []
    at = lead = 0
    for line in text.split("\n"):
        found = pattern("option").match(line)
        mark = (found[1] or found[3] or "").lower() if found else ""
        if mark and mark.isdigit() == digits:
            if not lists or mark in lists[-1]:
                lists.append({})
                asked.append(
                    any(is_question(one) or pattern("asks_one").search(one) for one in cut(text[lead:at]))
                )
            lists[-1][mark] = at
            lead = at + len(line)
        at += len(line) + 1
    if not lists and digits:
        listed = _plain_list(_items(proposal))
        return [{str(n): one.start for n, one in enumerate(listed, 1)}] if listed else []
    return lists if len(lists) == 1 or all(asked) else []


def _takes_all(reply: str, proposal: Located, items: Sequence[Located]) -> bool | None:
    """Whether a reply takes all options of a message, which are one list, or both things that a question asks
    about; None where it does not say so."""
    said = own_words(reply).strip(" .!。！\n")
    both, every = (pattern(words).fullmatch(said) for words in ("both_of_them", "all_of_them"))
    if not (both or every):
        return None
    one_list = len({mark_of(one) or _place(one) for one in items}) == len(items)
    fits = one_list and (every is not None or len(items) == 2)
    return (fits or asks_which(proposal)) and not _asks_what_to_drop(proposal.shown.message.text)


@lru_cache(maxsize=256)
def _asks_for_one(text: str) -> bool:
    """Whether a message asks which of several things it shall be, and not which shall be dropped."""
    which = any(pattern("asks_for_one").search(one) for one in cut(text) if is_question(one))
    return which and not _asks_what_to_drop(text)


@lru_cache(maxsize=256)
def _asks_what_to_drop(text: str) -> bool:
    """Whether a question of a message, but no item of it, speaks of dropping something, or of leaving it."""
    lines = (line for line in text.split("\n") if not pattern("option").match(line))
    return any(pattern("drops").search(one) for line in lines for one in cut(line) if is_question(one))


def _counted(reply: str, items: Sequence[Located]) -> list[Located] | None:
    """The item of a plain list that a reply takes by its place, and says nothing else ("the second one").
    None: it takes none so."""
    found = pattern("nth").fullmatch(own_words(reply))
    listed = _plain_list(items) if found else []
    if found is None or not listed:
        return None
    place = ((found.lastindex or 2) - 2) % 4
    return listed[-1:] if place == LAST else listed[place : place + 1]


def _plain_list(items: Sequence[Located]) -> list[Located]:
    """The items of the only list of a message, or of the only one that is announced as options; none if it
    has headings, tables or lists within it."""
    lists: list[list[Located]] = []
    leads: list[str] = []
    at = 0
    for one in sorted(items, key=lambda one: one.start):
        before = one.shown.message.text[at : one.start]
        if before.strip() or not lists:
            lists.append([])
            leads.append("".join(cut(before)[-1:]))
        lists[-1].append(one)
        at = one.start + len(one.text)
    offering = [one for one, lead in zip(lists, leads, strict=True) if pattern("leads_options").search(lead)]
    among = lists if len(lists) == 1 else offering
    rows = among[0] if len(among) == 1 else []
    margins = {len(one.text) - len(one.text.lstrip()) for one in rows}
    plain = len(margins) == 1 and not any(one.text.lstrip().startswith(("#", "|")) for one in rows)
    return rows if plain and len(rows) > 1 else []


def _told(reply: str) -> list[str]:
    """The clauses of a reply that ask nothing; [] where one says no, and not as the reason of another."""
    own = plain(own_words(reply))
    clauses = [clause for one in cut(own) for clause in CLAUSE.split(one) if not is_question(clause)]
    others = [one for one in clauses if not opens("because", one) or pattern("refuses").search(one)]
    no = any(pattern("no").search(pattern("in_place").sub(" ", one)) for one in others or clauses)
    return [] if no else clauses


def speaks_of(reply: str, proposal: Located, besides: frozenset[str] = frozenset()) -> bool:
    """Whether a reply repeats words of a quoted sentence, other than those that count for nothing here."""
    return len((words_of(own_words(reply)) & words_of(proposal.text)) - WORDING - besides) >= ECHO


def numbered(reply: str) -> dict[str, str]:
    """What a reply says to each of several numbered points ("1. no\\n2. by date")."""
    points = [found.groups() for line in reply.split("\n") if (found := _POINT.match(line))]
    return {number.lower(): said for number, said in points} if len(points) > 1 else {}


def mark_of(proposal: Located) -> str:
    """The letter or number of the option that a quoted sentence belongs to: it begins with it, its line does,
    or the heading above it; "" for none. A letter below a numbered question is an answer to that."""
    mark = ""
    *above, before = proposal.shown.message.text[: proposal.start].split("\n")
    for line in (before + proposal.text, *reversed(above)):
        if mark and _RECOMMENDED.match(line):  # it recommends one of the rows below it
            continue
        line = _RECOMMENDED.sub("", line)
        if found := pattern("option").match(line) or (not mark and pattern("option").match(proposal.text)):
            if found[1] or (found[2] and not mark.isalpha()):
                return (found[1] or found[2]).lower()
            mark = mark or (found[3] or "").lower()
        elif line.startswith(("#", "**", "---")):
            break
    return mark


def question_above(proposal: Located) -> int:
    """Where the heading begins that numbers an option's question ("## Question 1: …"); -1 for nowhere."""
    begins = (one.end() for one in _QUESTION.finditer(proposal.shown.message.text, 0, proposal.start))
    return max(begins, default=-1)


def recommends_another(proposal: Located) -> bool:
    """Whether a message recommends an option, and not the one that a quoted sentence stands in: a yes takes
    what is recommended."""
    found = _RECOMMENDS.search(proposal.shown.message.text)
    return found is not None and mark_of(proposal) not in ("", found[1].lower())


def _place(item: Located) -> str:
    """The number of an item that has none of its own, counted within its list."""
    above = item.shown.message.text[: item.start].split("\n")[:-1]
    return str(1 + sum(1 for _ in takewhile(_ITEM.match, reversed(above))))


def _item(proposal: Located) -> Located | None:
    """The item that a quoted sentence stands in, of several between which the user is asked to choose."""
    return next((one for one in _items(proposal) if holds(one, proposal)), None)


def asks_which(proposal: Located) -> bool:
    """Whether a quoted sentence asks for one of two things itself ("to CSV, or by hour?")."""
    return is_question(proposal.text) and pattern("either").search(proposal.text) is not None


def offers(sentence: str) -> bool:
    """Whether a sentence asks to choose or to tell, and not for a yes."""
    asks = is_question(sentence) and any(pattern(words).search(sentence) for words in ("offers", "wonders"))
    return asks or pattern("asks_for_label").search(sentence) is not None


def _items(proposal: Located, asks: Callable[[str], bool] = offers) -> list[Located]:
    """All items of a message in which the user is asked to choose between several; `asks` tells of a sentence
    whether it asks that."""
    parts = _parts(proposal.shown.message.text, asks)
    return [replace(proposal, text=text, start=start) for start, text in parts]


@lru_cache(maxsize=256)
def _parts(text: str, asks: Callable[[str], bool]) -> tuple[tuple[int, str], ...]:
    """Where an item begins, and the item: up to the next one, an empty line or a line that asks, or below a
    heading to the next heading. The last comes first, so that an item comes before the heading that it stands
    below."""
    fences = [found.span() for found in _FENCED.finditer(text)]
    starts = [one.start() for one in _ITEM.finditer(text)]
    # Beside a list neither one within fenced code is one of options, nor beside marked rows a bold label.
    plain_ones = [one for one in starts if not any(begin <= one < end for begin, end in fences)]
    starts = plain_ones if len(plain_ones) > 1 else starts
    marked = [one for one in starts if text[one] != "#" and pattern("option").match(text, one)]
    if len(marked) > 1:
        starts = [one for one in starts if one in marked or not _BOLD_LABEL.match(text, one)]
    if len(starts) < 2 or not any(map(asks, cut(text))):
        return ()
    headings = [one for one in starts if text[one] == "#"]
    found: list[tuple[int, str]] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if text[start] == "#":
            found.append((start, text[start : min((o for o in headings if o > start), default=len(text))]))
        else:
            first, *rest = text[start:end].split("\n\n")[0].split("\n")
            found.append((start, "\n".join((first, *takewhile(lambda line: not is_question(line), rest)))))
    return tuple(reversed(found))


def _taken(reply: str, proposal: Located) -> list[Located]:
    """The items of a message that a reply takes: by letter or number, first words, or words of one alone."""
    items = _items(proposal)
    if chosen(reply, proposal):
        return [one for one in items if (mark_of(one) or _place(one)) in chosen(reply, one)]
    if (nth := _counted(reply, items)) is not None:
        return nth
    return [one for one in items if _copies(reply, one.text) or _names(reply, one, items)]


def _names(reply: str, item: Located, items: Sequence[Located]) -> bool:
    """Whether a reply begins with all words of an item's label, or with words of one item and of no other."""
    own = own_words(reply)
    first = next(iter(sentences(mask(own))), None)
    if first is None or is_question(own[first.start : first.end]) or pattern("no").search(own):
        return False
    said = pattern("yes").sub(" ", own[first.start : first.end], count=1).lstrip(" ,")
    begins = CLAUSE.split(said, maxsplit=1)[0]
    named = words_of(pattern("wishes").sub(" ", begins)) - WORDING - NEUTRAL
    labels = {one.start: words_of(label(one.text)) - WORDING for one in items}
    if labelled := [start for start, words in labels.items() if words and words <= named]:
        return labelled == [item.start]
    others = (words_of(one.text) for one in items if one.start != item.start)
    return bool(named) and named <= words_of(item.text) and not any(named <= other for other in others)


def _copies(reply: str, proposal: str) -> bool:
    """Whether a line of the reply is what an option that was offered begins with."""
    offered = fold(_BULLET.sub("", proposal, count=1))[0]
    return any(letters(line) > 1 and offered.startswith(fold(line)[0].strip()) for line in reply.split("\n"))
