"""Explicit saves: "remember …", 记住 …, found by rule in typed text (docs/seeds.md A28, E8 and "Source").

A trigger counts where it begins a clause, never inside code or quotation marks, never when it is
negated, a question, or put off. `find_refusals` finds what the user asked *not* to keep: nothing
said there may become a memory by any path.
"""

from siltstone.pipeline import explicit_table as table
from siltstone.pipeline import speech
from siltstone.pipeline.fillers import says
from siltstone.pipeline.program_data import of_a_program
from siltstone.pipeline.request_words import LONG, Signs, asking, refusing
from siltstone.pipeline.sentences import Sentence, mask, sentences, sentences_near
from siltstone.pipeline.words import letters
from siltstone.store.late import fold
from siltstone.store.light_cache import lru_cache
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

PUT_OFF = 16
"""Letters under which a body that puts off ("later, ok") says nothing else."""
SHORT = 20
"""Under so many letters a clause does not stand for itself."""


class Save(NamedTuple):
    """What the user asked to keep. `text[start:end]` is the body, verbatim.

    Where it holds nothing but a secret, the verdict says so (`hollow.py`), and the user is told.
    """

    start: int
    end: int
    body: str
    around: str
    """The body and the words before it: they may say that it holds `everywhere`."""
    bare: bool
    """"remember this" with nothing after it: the body is the sentence before it, "" if there is none
    (then it goes to the inbox)."""
    asked: tuple[int, int] = (0, 0)
    """The sentence that asks for it: `text[asked[0]:asked[1]]`."""


class Refusal(NamedTuple):
    """What the user asked not to keep: `text[start:end]`."""

    start: int
    end: int


def everywhere(sentence: str) -> bool:
    """Whether it is said to hold in all of the user's repositories.

    "Everywhere" alone may mean everywhere in one code base ("pence everywhere"): it counts where it
    stands apart ("no recaps, everywhere").
    """
    named = table.EVERYWHERE.search(table.ALONE.sub(" ", sentence))
    return named is not None or table.STRESSED.search(sentence) is not None


def find_saves(text: str, remarks: bool = True) -> list[Save]:
    """The saves a typed message asks for, in order of the text. Shapes: see `Save`.

    `remarks`: what stands behind a request and says something else is none of it. To tell it takes a hook a
    tenth of a second; without, all that its line goes on with belongs to the request.
    """
    signs = asking(text if len(text) > LONG else _shape(text))
    if not signs.any:
        return []
    if len(text) > LONG and not any(
        next(_triggers(one, shape), None) for one, shape in _telling(text, signs)
    ):
        return []
    shape = _shape(text)
    cut = _cut(text, shape, signs)
    refused = find_refusals(text)
    saves: list[Save] = []
    for i, sentence in enumerate(cut):
        if saves and sentence.start < saves[-1].end:
            continue  # it was taken into the body before it
        if not _may(signs, sentence, shape):
            continue
        for match in _triggers(sentence, shape):
            save = _save(text, shape, cut, i, match, remarks)
            if save and not _refused(refused, sentence.start + match.start(), sentence.start + match.end()):
                saves.append(save._replace(asked=(sentence.start, sentence.end)))
                break
    return saves


def find_refusals(text: str) -> list[Refusal]:
    """What the user asked not to keep, the request included.

    The words after "don't remember:", or the sentence before "don't remember this".
    """
    return list(_refusals(text))


@lru_cache(maxsize=4)
def _refusals(text: str) -> "Sequence[Refusal]":
    signs = refusing(text if len(text) > LONG else _shape(text))
    if not signs.any:
        return ()
    if len(text) > LONG and not any(_may_refuse(one, shape) for one, shape in _telling(text, signs)):
        return ()
    shape = _shape(text)
    cut = _cut(text, shape, signs)
    found: list[Refusal] = []
    for i, sentence in enumerate(cut):
        match = _refusing(sentence, shape) if _may(signs, sentence, shape) else None
        if match is None:
            continue
        start, tail = sentence.start, shape[match.end() : sentence.end]
        that = shape[: match.end()].endswith("that") and table.CLAUSE.match(tail)
        follows = (that or table.WHAT.match(tail)) and says(tail, told=True)
        if not follows and letters(shape[start : match.start()]) < SHORT and i > 0:
            start = cut[i - 1].start
        found.append(Refusal(start, sentence.end))
    return found


def _refusing(sentence: Sentence, shape: str) -> "re.Match[str] | None":
    """Where a sentence asks not to keep something.

    What a program is not to save, to log or to write is a rule, and may stand in a request to remember:
    "remember: never log these values", "never save this in a cookie".
    """
    from siltstone.pipeline import refusal_table as refusal_words  # few texts may refuse, and it is dear

    asked: bool | None = None
    for words in (table.REFUSAL, refusal_words.NOT_TO_KEEP):
        for match in words.finditer(shape, sentence.start, sentence.end):
            memory = refusal_words.OF_MEMORY.search(shape, match.start(), match.end())
            if memory or refusal_words.INTO_MEMORY.match(shape, match.end()):
                return match
            if asked is None:
                asked = any(_to_remember(one) for one in _triggers(sentence, shape))
            if not (asked or refusal_words.INTO_ELSE.match(shape, match.end())):
                return match
    return None


def _may_refuse(sentence: Sentence, shape: str) -> bool:
    """Whether it has the words for that; what they are about may stand behind its line."""
    from siltstone.pipeline.refusal_table import NOT_TO_KEEP

    return any(words.search(shape, sentence.start, sentence.end) for words in (table.REFUSAL, NOT_TO_KEEP))


def _to_remember(trigger: "re.Match[str]") -> bool:
    return trigger.lastgroup != "on" and not _prefers(trigger.group())


def _prefers(trigger: str) -> bool:
    return fold(trigger).endswith(table.PREFERENCE)


def without(text: str, spans: "Iterable[tuple[int, int]]") -> str:
    """The text without these parts."""
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at : max(start, at)])
        at = max(end, at)
    return "".join([*kept, text[at:]])


@lru_cache(maxsize=4)
def _shape(text: str) -> str:
    """As the tables are written: with the apostrophe of a keyboard."""
    return _straight(mask(text))


def _straight(text: str) -> str:
    return text.replace("’", "'")


def _cut(text: str, shape: str, signs: Signs) -> "Sequence[Sentence]":
    """Its sentences, of a long text those around the lines that may ask for something."""
    return sentences_near(text, shape, signs.lines) if signs.lines else sentences(text, shape)


def _telling(text: str, signs: Signs) -> "Iterator[tuple[Sentence, str]]":
    """The sentences of those lines of a long text that may ask for something, each in its line's shape: few
    of what was pasted, and to give all of it a shape and cut it takes longer."""
    for start, end in signs.lines.values():
        shape = _straight(mask(text[start:end]))
        for one in sentences(text[start:end], shape):
            yield one, shape


def _may(signs: Signs, sentence: Sentence, shape: str) -> bool:
    """Whether a sentence may ask for something."""
    if signs.lines and sentence.line not in signs.lines:
        return False
    return signs.may(shape[sentence.start : sentence.end])


def _refused(refusals: list[Refusal], start: int, end: int) -> bool:
    return any(refusal.start < end and start < refusal.end for refusal in refusals)


def _triggers(sentence: Sentence, shape: str) -> "Iterator[re.Match[str]]":
    """Triggers of a sentence that are the user's own, neither negated nor part of a question."""
    words = shape[sentence.start : sentence.end]
    if speech.asks(words) and not table.POLITELY.match(words):
        return
    for match in table.TRIGGERS.finditer(words):
        start = match.start(match.lastgroup or 0)
        before = words[max(0, start - 30) : start]
        if before.strip(" ,.:;!").lower() in table.COURTEOUS:
            yield match
            continue
        theirs = table.OWN_MEMORY.search(before) and match.lastgroup == "en"
        told = words[match.end() :].lstrip().startswith((":", "：")) or table.AGENT.search(words[:start])
        owned = theirs or (not told and table.THINGS_MEMORY.search(before))
        if not (owned or table.NEGATED.search(before) or table.REPORTED.search(before)):
            yield match


def _save(
    text: str, shape: str, cut: "Sequence[Sentence]", i: int, match: "re.Match[str]", remarks: bool
) -> Save | None:
    """The save of a trigger in sentence i: what follows it, else what stands before it."""
    sentence, kind = cut[i], match.lastgroup or ""
    begin, after = sentence.start + match.start(kind), sentence.start + match.end(kind)
    said, tail = match.group(kind), shape[after : sentence.end]
    if kind == "on":
        return _standing(text, sentence, begin, after)
    if _prefers(said):
        return _made(text, begin, sentence.end)
    pointed = table.PRONOUN.search(said) or table.HOLDS_THIS.search(said)
    if not pointed and of_a_program(shape[sentence.start : begin], tail):
        return None
    if _trails(tail):
        listed = _list_after(cut, i) if tail.rstrip().endswith((":", "：")) else None
        return _made(text, *listed, told=True) if listed else _before(text, cut, i, begin)
    if pointed and speech.passing(tail):
        return None
    if pointed and table.NO_OBJECT.match(tail) and not _colon(tail):
        return _before(text, cut, i, begin)
    start = after + _lead(tail)
    colon = _colon(shape[after:start])
    end = _end(cut, i, start, remarks) if colon else sentence.end
    told = colon or start - after > 2 or (pointed and shape[start:end].count(" ") > 2)
    thing = "forget" in said.lower() and not told and letters(shape[start:end]) < 24
    if not told and table.WORK.search(shape[start:end]):
        return None
    if _put_off(shape[start:end], said) or thing:  # "don't forget the changelog" asks for one thing
        return None
    task = table.TASK.match(shape[start:end])
    return _made(text, start + (task.end() if task else 0), end, bool(told))


def _trails(tail: str) -> bool:
    """Whether nothing but courtesy follows a trigger."""
    rest = tail.lower()
    while rest and (rest[0].isspace() or rest[0] in table.TAIL_SIGNS):
        rest = rest[1:]
    return (not rest or rest.startswith(table.TAIL_WORDS)) and table.TAIL.match(tail) is not None


def _standing(text: str, sentence: Sentence, begin: int, after: int) -> Save | None:
    """ "from now on …": the sentence itself, without the trigger where that only opens it."""
    opens = letters(text[sentence.start : begin]) < 4 and not _prefers(text[begin:after])
    start = after + _lead(text[after : sentence.end]) if opens else sentence.start
    return _made(text, start, sentence.end, told=opens and _colon(text[after:start]))


def _colon(lead: str) -> bool:
    return ":" in lead or "：" in lead


def _lead(tail: str) -> int:
    match = table.LEADING.match(tail)
    return match.end() if match else 0


def _put_off(body: str, trigger: str) -> bool:
    """A deferral, or a reminder of one task, is no save: "remember to look at it later"."""
    words = body.strip().lower()
    if speech.defers(words) and (table.TASK.match(body) or letters(words) < 24):
        return True
    if not table.TASK.match(body) or table.STATE_VERB.match(body) or speech.stands(words):
        return False
    if not table.OCCASION.search(body):
        return True
    return "forget" in trigger.lower() or table.ONE_OFF.search(words) is not None or speech.passing(words)


def _end(cut: "Sequence[Sentence]", i: int, start: int, remarks: bool) -> int:
    """Where a body behind a colon ends: it takes in the sentences of its line that tell why, up to one
    that says something else, which is a remark like any other (where `remarks` are told)."""
    end = cut[i].end
    for later in cut[i + 1 :]:
        if later.line != cut[i].line or speech.asks(later.text) or speech.orders(later.text):
            break
        if table.TRIGGERS.search(later.text):
            break
        if refusing(later.text).any and table.REFUSAL.search(later.text):
            break
        if speech.passing(later.text):
            break
        head = cut[i].text[max(start - cut[i].start, 0) :]
        if remarks and says(head, told=True) and _apart(head, later.text):
            break
        end = later.end
    return end


def _apart(head: str, said: str) -> bool:
    from siltstone.pipeline.claims import stands_apart  # too dear for a hook

    return stands_apart(head, said)


def _list_after(cut: "Sequence[Sentence]", i: int) -> tuple[int, int] | None:
    """The lines right below a trigger that ends with a colon; a list may stand behind an empty line."""
    line, last = cut[i].line, i
    for j in range(i + 1, len(cut)):
        gap = 2 if last == i and cut[j].listed else 1
        if cut[j].line > line + gap:
            break
        line, last = cut[j].line, j
    return None if last == i else (cut[i + 1].start, cut[last].end)


def _before(text: str, cut: "Sequence[Sentence]", i: int, begin: int) -> Save | None:
    """A bare trigger saves what stands before it in the message: the rest of its own sentence, and the
    sentence before where that rest is thin or points back ("CI doesn't check that, so remember it")."""
    start = cut[i].start
    joined = table.JOINS.search(text[max(start, begin - 40) : begin])
    end = begin - (len(joined.group()) if joined else 0)
    rest = text[start:end]
    if (letters(rest) < SHORT or table.BACK.search(rest)) and i > 0 and cut[i - 1].line >= cut[i].line - 1:
        first = i - 1
        while (
            first > 0 and letters(text[cut[first].start : end]) < SHORT and cut[first - 1].line == cut[i].line
        ):
            first -= 1
        start = cut[first].start
        end = end if letters(rest) >= 4 else cut[i - 1].end
    if table.OTHERS_WORDS.match(text[start:end]) or table.SOMEBODY_SAID.match(text[start:end]):
        return None
    return _made(text, start, end, bare=True) or Save(begin, begin, "", cut[i].text, bare=True)


def _made(text: str, start: int, end: int, told: bool = False, bare: bool = False) -> Save | None:
    """`told`: a colon, "that" or a list announces the body."""
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    body = body.strip().rstrip("?？")
    if not says(body, told) or speech.jokes(body) or (speech.defers(body) and letters(body) < PUT_OFF):
        return None
    around = text[max(0, start - 60) : start + len(body)]
    return Save(start, start + len(body), body, around, bare)
