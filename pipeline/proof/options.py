"""The options that a message of the agent's offers (invariant 6): its lists, tables and headings."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from siltstone.pipeline.proof.origin import Located, fold
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.reading.window import Shown
from siltstone.pipeline.rules.pasted import fenced
from siltstone.pipeline.rules.sentences import cut, is_question

_RECOMMENDED = re.compile(r"^[\W_]*recommended[\W_]+(?=option )", re.I)
"""Begins a line that belongs to the option that it recommends."""
_RECOMMENDS = re.compile(rf"{_RECOMMENDED.pattern}option ([a-h]|\d)(?!\w)", re.I | re.M)
_NUMBERED = r"(?:question|frage|pregunta|вопрос|问题|質問)\s*#?\d"
_QUESTION = re.compile(rf"^[ \t]*(?:#{{1,6}}[ \t]+(?=[\W_]*{_NUMBERED})|(?=\*\*{_NUMBERED}))", re.I | re.M)
"""Stands before a heading that numbers a question."""
_BULLET = re.compile(r"\W*(?:[a-z\d][.):]\s+)?", re.I)
_BOLD = re.compile(
    r"\s*(?:[-*+•]|[a-z\d]{1,2}[.):])?\s*\*\*([^*\n]+?):?\*\*(?=\s*(?:[:(（—–-]|$))", re.I | re.M
)
_BOLD_LABEL = re.compile(r"[ \t]*\*\*\S")
_RULE = r"[ \t]*\|[-:|\s]*$"
_BOLD_QUESTION = r"[ \t]*\*\*[^*\n]*(?:[?？]\*\*|\*\*[?？])[ \t]*$"
_ITEM = re.compile(
    rf"^(?!{_RULE}|[ \t]*\|[^\n]*\n{_RULE}|{_BOLD_QUESTION})[ \t]*"
    r"(?:[-*+•#|]|(?:option )?(?:[a-h]|\d{1,2})[.):]\s)",
    re.M | re.I,
)
"""Begins an item of a list, a row of a table but its head, or a heading."""


def offers(sentence: str) -> bool:
    """Whether a sentence asks to choose or to tell, and not for a yes."""
    asks = is_question(sentence) and any(pattern(words).search(sentence) for words in ("offers", "wonders"))
    return asks or pattern("asks_for_label").search(sentence) is not None


def asks_which(proposal: Located) -> bool:
    """Whether a quoted sentence asks for one of two things itself ("to CSV, or by hour?")."""
    return is_question(proposal.text) and pattern("either").search(proposal.text) is not None


@lru_cache(maxsize=256)
def asks_for_one(text: str) -> bool:
    """Whether a message asks which of several things it shall be, and not which shall be dropped."""
    which = any(pattern("asks_for_one").search(one) for one in cut(text) if is_question(one))
    return which and not asks_what_to_drop(text)


@lru_cache(maxsize=256)
def asks_what_to_drop(text: str) -> bool:
    """Whether a question of a message, but no item of it, speaks of dropping something, or of leaving it."""
    lines = (line for line in text.split("\n") if not pattern("option").match(line))
    return any(pattern("drops").search(one) for line in lines for one in cut(line) if is_question(one))


def recommends_another(proposal: Located) -> bool:
    """Whether a message recommends an option, and not the one that a quoted sentence stands in: a yes takes
    what is recommended."""
    found = _RECOMMENDS.search(proposal.shown.message.text)
    return found is not None and mark_of(proposal) not in ("", found[1].lower())


def items_of(proposal: Located, asks: Callable[[str], bool] = offers) -> list[Located]:
    """All items of a message in which the user is asked to choose between several; `asks` tells of a sentence
    whether it asks that."""
    parts = _parts(proposal.shown.message.text, asks)
    return [replace(proposal, text=text, start=start) for start, text in parts]


def item_of(proposal: Located) -> Located | None:
    """The item that a quoted sentence stands in, of several between which the user is asked to choose."""
    return next((one for one in items_of(proposal) if holds(one, proposal)), None)


def holds(item: Located, part: Located) -> bool:
    """Whether a part of a message begins within an item of it."""
    return item.start <= part.start < item.start + len(item.text)


def label(item: str) -> str:
    """What an item begins with, in bold or before a colon ("- Copper: keeps the heat"), folded."""
    bold = _BOLD.match(item)
    return fold(bold[1])[0].strip() if bold else unmarked(item.replace("**", "")).split(": ")[0].strip()


def unmarked(item: str) -> str:
    """An item without the mark of its list, folded."""
    return fold(_BULLET.sub("", item, count=1))[0]


def is_item(line: str) -> bool:
    """Whether a line begins an item of a list, a row of a table, or is a heading."""
    return _ITEM.match(line) is not None


def whole(shown: Shown) -> Located:
    """A message of the agent's, all of it quoted."""
    return Located(shown, "assistant-inferred", shown.message.text, 0)


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
            above_it = (found[1] or found[2] or "").lower()
            if above_it and not (mark.isalpha() and above_it.isdigit()):
                return above_it
            mark = mark or (found[3] or "").lower()
        elif line.startswith(("#", "**", "---")):
            break
    return mark


def place_of(item: Located) -> str:
    """The number of an item that has none of its own, counted within its list."""
    above = item.shown.message.text[: item.start].split("\n")[:-1]
    return str(1 + sum(1 for _ in takewhile(_ITEM.match, reversed(above))))


def question_above(proposal: Located) -> int:
    """Where the heading begins that numbers an option's question ("## Question 1: …"); -1 for nowhere."""
    begins = (one.end() for one in _QUESTION.finditer(proposal.shown.message.text, 0, proposal.start))
    return max(begins, default=-1)


def only_list(items: Sequence[Located]) -> list[Located]:
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


def asked_lists(proposal: Located, *, digits: bool) -> list[dict[str, int]]:
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
        listed = only_list(items_of(proposal))
        return [{str(n): one.start for n, one in enumerate(listed, 1)}] if listed else []
    return lists if len(lists) == 1 or all(asked) else []


@lru_cache(maxsize=256)
def _parts(text: str, asks: Callable[[str], bool]) -> tuple[tuple[int, str], ...]:
    """Where an item begins, and the item: up to the next one, an empty line or a line that asks, or below a
    heading to the next heading. The last comes first, so that an item comes before the heading that it stands
    below."""
    code = fenced(text.split("\n"))
    starts = [one.start() for one in _ITEM.finditer(text)]
    # Beside a list neither one within fenced code is one of options, nor beside marked rows a bold label.
    plain_ones = [one for one in starts if not code[text.count("\n", 0, one)]]
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
