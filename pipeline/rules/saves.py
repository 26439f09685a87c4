"""Requests to remember: what a typed message asks to keep (docs/seeds.md A28, E8).

The one detector of them, for hooks and batches alike. A request counts where it begins a clause, in the
user's own words (`pasted.py`), outside code and quotations, and is no question. What is asked for and not
kept carries a reason, so that the user can be told. What the user asks not to keep is found here too, and
how they take back what they asked for.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from siltstone.pipeline.rules.language import Language, compiled, hinted, pattern, spoken, straight
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.sentences import Span, mask, sentences
from siltstone.pipeline.rules.statements import amends, kind_of
from siltstone.pipeline.words import asian, letters

MAX_TEXT = 20_000
"""Characters of a message that are looked at: what is longer was pasted."""
LONG, EDGE = 1_500, 500
"""Of a message of more than LONG characters only requests that begin within EDGE of either end are kept."""
THIN = 20
"""Letters below which a clause does not stand by itself: the sentence before it is taken in."""
LEAD = 200
"""Characters before a request that are looked at."""
MAX_WHY = 200
"""Characters of the sentences behind a colon that may belong to what it announces."""

_BREAK = re.compile(r"[,，、;；:：(（\n]\s*|\s[–—-]\s")
_WORD = re.compile(r"[^\W_][\w.+#'/-]*")
_OPENS = re.compile(r"[\s,，、]*[:：]?[\s,，、]*")
_SPACE = re.compile(r"\s*")
_SIGNS = " \n\t,，、;；:：(（—–-"
_OF_MEMORY = re.compile(r"覚|憶|おぼえ|メモ|忘|기억|메모|잊|외우|외울")
_QUESTION = ("?", "？", "吗", "嗎", "か")
_NAMES = re.compile(
    r"[^:：,，;；]{0,40}[:：]\s*\w|,?\s*(?:that|dass|daß|que|qu'|was)(?!\w)\s*\w|(?=\S*[\u3400-\u9fff])\w"
)
_LETTER = re.compile(r"[^\W\d_]")
SAID_FIRST = 1_000
"""Characters of a message: a retraction begins it."""


class Request(NamedTuple):
    """A request to keep something: `text[start:end]`, verbatim."""

    start: int
    end: int
    asked: Span
    """The sentence that asks for it."""
    before: Span | None = None
    """A sentence without which nobody could tell what is meant; it is kept too."""
    wide: bool = False
    """It is asked for all of the user's projects."""
    reason: str = ""
    """Why it is not kept (`REASONS`); "" where it is."""

    def body(self, text: str) -> str:
        spans = [self.before, (self.start, self.end)] if self.before else [(self.start, self.end)]
        return " ".join(text[start:end].strip().rstrip("?？") for start, end in spans)

    def spans(self) -> list[Span]:
        """Its parts of the message, the words that ask included."""
        return [self.asked, (self.start, self.end), *([self.before] if self.before else [])]


REASONS = {
    "nothing-named": "it does not say what to remember",
    "points-back": "it refers to an earlier message, which is checked when the session is read",
    "no-statement": "it names a thing, but says nothing about it",
    "one-task": "it reads like a reminder for one task",
    "for-now": "it holds only for the moment",
    "others-words": "somebody else says it",
    "inside-a-long-text": "it is in the middle of a long text",
}
"""Why a request is heard and not kept, in words for the user."""


class Heard(NamedTuple):
    requests: tuple[Request, ...] = ()
    refusals: tuple[Span, ...] = ()
    """Where it asks not to keep something, the request included."""
    retracts: bool = False
    """It begins with a refusal that names nothing, and so points at what was said before."""

    @property
    def kept(self) -> tuple[Request, ...]:
        return tuple(one for one in self.requests if not one.reason)


@lru_cache(maxsize=256)
def hear(text: str, keywords: tuple[str, ...] = (), typed: bool = True) -> Heard:
    """The requests of a typed message, in its order; with `typed` false those of any text, a page's too.

    `keywords` are regular expressions of the user's own (E19); each asks as "remember" does.
    """
    text, patterns = text[:MAX_TEXT], tuple(map(compiled, keywords))
    if not _may_ask(text, patterns):
        return Heard()
    shape = straight(mask(own_words(text) if typed else text))
    if not _may_ask(shape, patterns):
        return Heard()
    return _Listener(shape, hinted(shape) or spoken("en"), patterns).heard()


def _may_ask(text: str, keywords: Sequence[re.Pattern[str]]) -> bool:
    return bool(hinted(text)) or any(one.search(text) for one in keywords)


def takes_back(text: str) -> bool:
    """Whether a typed text may take back what was asked to be kept before: it says so, or gives another
    value."""
    heard = hear(text)
    named = any(pattern("memory").search(text[start:end]) for start, end in heard.refusals)
    return heard.retracts or named or amends(text)


def wide(text: str) -> bool:
    """Whether a sentence says that it holds in all of the user's projects.

    "Everywhere" may mean everywhere in one code base ("pence everywhere"): it counts where it stands apart.
    """
    text, aside = straight(text), r"(?:^|[,;:(，、；：]|\sand)\s*(?:do (?:that|this|it) )?"
    apart = pattern("wide_apart", before=aside, after=r"\s*(?:$|[,.;:)!，。；：！])")
    return pattern("wide").search(text) is not None or apart.search(text) is not None


def says_something(text: str, announced: bool = False) -> bool:
    """Whether a text has a word that tells something; two, unless a colon or the like announces it."""
    if asian(text):
        return not any(compiled(one["chatter"]).fullmatch(text) for one in spoken("zh", "ja", "ko"))
    telling = [word for word in _WORD.findall(text) if not pattern("chatter", "small").fullmatch(word)]
    return bool(telling) and (announced or len(telling) > 1 or letters(text) >= 8)


_ASKS = "|".join(f"(?P<{key}>{{{key}}})" for key in ("purpose", "keep_this", "keep", "standing", "prefer"))
_BEFORE = r"[\s*_#>\"'(]*(?:(?:{before})[\s,:;.!，、：；。！*_–—-]*)*"
"""Words that may stand before a trigger in its clause."""
_POLITE = r"\W*(?:(?:{before})[\s,]*)*?(?:{polite})"
"""Makes a question of a request."""
_TAIL = r"(?:[\s,，、.。!！~～–—-]*(?:{tail}))*[\s,，、.。!！~～]*$"
"""Words that may stand between a trigger and the end of its sentence."""
_OBJECT = (
    r"(?:[\s,，]*(?:{tail}))*?\s*(?:(?P<following>{following})|(?P<this>{this}))?"
    r"(?:[\s,，]*(?:{tail}|(?P<wide>{wide}|{wide_apart})))*\s*[*_]*"
    r"(?:(?P<end>[\s.!。！…~～)）]*$)|(?P<colon>[:：]|[–—-]+\s)|(?P<comma>[,，、;；])"
    r"|(?P<joiner>{joiner})(?=[\s,:：]))[\s,，:：*_]*(?:(?:{joiner})(?=[\s,:：])[\s,:：]*)?"
)
"""What follows a trigger, up to what it announces."""


@cache
def _in(word: Language, form: str) -> re.Pattern[str]:
    """One of these forms, in the words of a language."""
    return compiled(form.format_map(word))


class _Trigger(NamedTuple):
    """Where in a sentence a word asks for something."""

    kind: str
    start: int
    end: int
    language: Language
    """English for a keyword of the user's own."""
    fresh: bool = True
    """It begins a clause."""


class _Listener:
    """A message as it is gone through: the user's own words, and their sentences."""

    def __init__(
        self, shape: str, languages: Sequence[Language], keywords: Sequence[re.Pattern[str]]
    ) -> None:
        self.shape, self.languages, self.keywords = shape, languages, keywords
        self.cut = sentences(shape)
        self.said = [shape[one.start : one.end] for one in self.cut]
        """Their words."""

    def heard(self) -> Heard:
        refused = [span for i in range(len(self.cut)) if (span := self._refusal(i))]
        requests: list[Request] = []
        length = len(self.shape.strip())
        for i, one in enumerate(self.cut):
            taken = requests and one.start < requests[-1].end
            if taken or any(start <= one.start < end for start, end in refused):
                continue
            made = (self._request(i, trigger) for trigger in self._triggers(i))
            if found := next(filter(None, made), None):
                inside = length > LONG and EDGE < one.start < len(self.shape.rstrip()) - EDGE
                reason = found.reason or ("inside-a-long-text" if inside else "")
                requests.append(found._replace(reason=reason))
        # "actually no, don't remember that": up to the end of the refusal it names nothing.
        keys = ("refuse", "before", "aside", "keep_this", "this", "tail", "polite")
        empty = (compiled("|".join(language[key] for key in keys)) for language in self.languages)
        begins = self.shape[: min(refused[0][1], SAID_FIRST)] if refused else ""
        retracts = bool(refused) and any(not _LETTER.search(one.sub(" ", begins)) for one in empty)
        return Heard(tuple(requests), tuple(refused), retracts)

    def _refusal(self, i: int) -> Span | None:
        """Where sentence i asks not to keep something; with the sentence before it where it points at it.

        What a sentence says behind a request is a rule to be kept: "remember: never save this".
        """
        one, words = self.cut[i], self.said[i]
        asks = min((one.start for one in self._triggers(i) if one.kind != "standing"), default=len(words))
        for language in self.languages:
            found = compiled(language["refuse"]).search(words)
            if found is None or found.start() > asks:
                continue
            if found.end() < asks < len(words) and not _OF_MEMORY.search(found[0]):
                return None
            tail = words[found.end() :]
            names = _NAMES.match(tail) or (
                found[0].lower().endswith("that") and pattern("person", before=r"\s+").match(tail)
            )
            points = not names and letters(words[: found.start()]) < THIN and i > 0
            return (self.cut[i - 1] if points else one).start, one.end
        return None

    def _triggers(self, i: int) -> Iterator[_Trigger]:
        """Where sentence i asks for something."""
        words = self.said[i]
        own = [match for keyword in self.keywords for match in keyword.finditer(words)]
        found = [(one, match) for one in self.languages for match in _in(one, _ASKS).finditer(words)]
        if not (own or found) or self._asks(words):
            return
        for match in own:
            yield _Trigger("keep", match.start(), match.end(), spoken("en")[0])
        for language, match in found:
            kind, lead = match.lastgroup or "", words[max(match.start() - LEAD, 0) : match.start()]
            fresh = _in(language, _BEFORE).fullmatch(lead[_last_break(lead) :]) is not None
            last = language.final and _in(language, _TAIL).match(words, match.end()) is not None
            if fresh or last or kind in ("standing", "purpose"):
                yield _Trigger(kind, match.start(), match.end(), language, fresh)

    def _request(self, i: int, trigger: _Trigger) -> Request | None:
        """What a trigger in sentence i asks to keep; None where it asks for nothing."""
        one, words = self.cut[i], self.said[i]
        if self._has("reported", words[: trigger.start]):
            return self._not_kept(i, "others-words")
        if self._has("heed", words) and self._is_task(i - 1, one.line):
            return self._not_kept(i, "one-task")
        if trigger.kind == "prefer":
            named = trigger.fresh and not pattern("unnamed").match(words, _skip(_SPACE, words, trigger.end))
            return self._checked(i, one.start + trigger.start, one.end) if named else None
        if trigger.kind == "standing":
            if compiled(trigger.language["part"] + r"\W*$").search(words[: trigger.start]):
                return None
            start = one.start + (_skip(_OPENS, words, trigger.end) if trigger.fresh else 0)
            return self._checked(i, start, one.end)
        found = _in(trigger.language, _OBJECT).match(words, trigger.end)
        if found is None:
            return self._bare(i, trigger) if trigger.kind == "keep" else None
        mark, for_all = found.lastgroup, bool(found["wide"])
        rest = one.start + found.end()
        points = trigger.kind != "keep" or bool(found["this"])
        if found["following"] or (mark in ("colon", "joiner") and rest >= one.end):
            return self._ahead(i, for_all)
        if mark == "end" or (mark == "comma" and points and self._before(i, trigger)):
            return self._pointing(i, trigger, for_all)
        end = self._why(i, rest) if mark == "colon" else one.end
        return self._checked(i, rest, end, wide=for_all, announced=True)

    def _bare(self, i: int, trigger: _Trigger) -> Request | None:
        """What follows a trigger with nothing between: a statement, a rule put as a task, or a mere thing."""
        one, words = self.cut[i], self.said[i]
        word = trigger.language
        start = _skip(pattern("please", after=r"[\s,]*"), words, _skip(_SPACE, words, trigger.end))
        task = compiled(word["task"]).match(words, start)
        said = pattern("subordinate").split(words[start:], maxsplit=1)[0]
        thing = compiled(word["thing"]).match(said)
        said = said[thing.end() :] if thing else said
        if task is not None:
            start = _skip(_SPACE, words, task.end())
            lasts = compiled(word["lasting"]).match(words, start)
            lasts = lasts or compiled(word["occasion"]).search(words, start)
            if lasts is None or self._has("later", words[start:]):
                return self._not_kept(i, "one-task")
        elif compiled(word["states"]).search(said) is None and ":" not in said:
            return self._not_kept(i, "no-statement")
        if words.rstrip().endswith((":", "：")):  # "for future reference this is the command:"
            ahead = self._ahead(i, False)
            return None if ahead is None else ahead._replace(start=one.start + start)
        return self._checked(i, one.start + start, one.end)

    def _pointing(self, i: int, trigger: _Trigger, for_all: bool) -> Request | None:
        """A request that points: at what stands before it, or where nothing does, at what follows."""
        span = self._before(i, trigger)
        if span is None:
            return self._ahead(i, for_all)
        said = self.shape[slice(*span)]
        if self._has("reported", said):
            return self._not_kept(i, "others-words")
        if self._has("todo", said) or self._is_polite(said):
            return self._not_kept(i, "one-task")
        # Without a comma it tells what for something is to be done, more often: "note it so you remember it".
        says = self._has("states", said) if trigger.fresh else kind_of(said)
        if trigger.kind == "purpose" and not says:
            return self._not_kept(i, "no-statement")
        return self._checked(i, *span, wide=for_all, announced=True)

    def _before(self, i: int, trigger: _Trigger) -> Span | None:
        """What stands before a request in its message: the rest of its own sentence, and the sentence before
        where that rest is thin, or short and points back ("CI doesn't check that, so remember it")."""
        one, words = self.cut[i], self.said[i]
        lead = words[: trigger.start]
        own = lead if not trigger.fresh else lead[: _last_break(lead)]
        joins = pattern("joins", after=r"[\s,，、;；:：—–-]*$").search(own)
        own = (own[: joins.start()] if joins else own).rstrip(_SIGNS)
        start, end = one.start, one.start + len(own)
        joined = trigger.fresh or trigger.kind == "purpose"
        if not joined and not pattern("stated", after=r"\s*$").search(lead):
            return None
        if letters(own) >= (3 * THIN if pattern("pronoun").search(own) else THIN):
            return start, end
        first = i
        for j in range(i - 1, -1, -1):
            if self.cut[first].line - self.cut[j].line > 1 or self._asks(self.said[j]):
                break
            first = j
            if letters(self.shape[self.cut[first].start : end]) >= THIN:
                break
        if first == i:
            return (start, end) if says_something(own) else None
        return self.cut[first].start, end if letters(own) >= 4 else self.cut[i - 1].end

    def _ahead(self, i: int, for_all: bool) -> Request | None:
        """What stands behind a request that announces it: a list, or a sentence."""
        if i + 1 >= len(self.cut) or self.cut[i + 1].line > self.cut[i].line + 2:
            return self._not_kept(i, "points-back")
        last = i + 1
        if self.cut[last].line == self.cut[i].line:
            end = self._why(last, self.cut[last].start)
            return self._checked(i, self.cut[last].start, end, wide=for_all, announced=True)
        while last + 1 < len(self.cut) and self.cut[last + 1].line <= self.cut[last].line + 1:
            if not self.cut[i + 1].listed and self.cut[last + 1].line > self.cut[i + 1].line:
                break
            last += 1
        return self._checked(i, self.cut[i + 1].start, self.cut[last].end, wide=for_all, announced=True)

    def _why(self, i: int, start: int) -> int:
        """Where a text ends that begins in sentence i: behind the sentences of its line that go on so."""
        end = self.cut[i].end
        for j in range(i + 1, len(self.cut)):
            words = self.said[j]
            goes_on = self.cut[j].line == self.cut[i].line and self.cut[j].end - start <= MAX_WHY
            if not goes_on or self._asks(words) or not pattern("goes_on").match(words):
                break
            if next(self._triggers(j), None) or self._refusal(j):
                break
            end = self.cut[j].end
        return end

    def _checked(
        self, i: int, start: int, end: int, wide: bool = False, announced: bool = False
    ) -> Request | None:
        """A request, with the reason why it is not kept where there is one."""
        said = self.shape[start:end]
        bare = said.strip(" .,!;:。，！…")
        later = any(compiled(one["later"]).fullmatch(bare) for one in self.languages)
        if later or not says_something(said, announced):
            return self._not_kept(i, "nothing-named")
        if self._has("jokes", said):
            return None
        if self._has("passing", said):
            return self._not_kept(i, "for-now")
        before = None
        one, last = self.cut[i], self.cut[max(i - 1, 0)]
        if pattern("pronoun").match(said) and i > 0 and one.line - last.line <= 1 and start >= one.start:
            before = last.start, last.end
        return Request(start, end, (one.start, one.end), before, wide)

    def _not_kept(self, i: int, reason: str) -> Request:
        span = self.cut[i].start, self.cut[i].end
        return Request(*span, asked=span, reason=reason)

    def _asks(self, words: str) -> bool:
        """Whether a sentence is a question, and none that asks for the request itself."""
        return words.endswith(_QUESTION) and not self._is_polite(words)

    def _is_polite(self, words: str) -> bool:
        """Whether they ask the agent to do something: "could you …"."""
        return any(_in(language, _POLITE).match(words) for language in self.languages)

    def _is_task(self, i: int, line: int) -> bool:
        """Whether sentence i stands on a line and asks the agent to do something, and to keep nothing."""
        asked = i >= 0 and self.cut[i].line == line and self._is_polite(self.said[i])
        return asked and next(self._triggers(i), None) is None

    def _has(self, key: str, words: str) -> bool:
        return any(compiled(one[key]).search(words) for one in self.languages)


def _skip(what: re.Pattern[str], words: str, at: int) -> int:
    """The place behind what stands there."""
    found = what.match(words, at)
    return found.end() if found else at


def _last_break(lead: str) -> int:
    """Where the last clause of a text begins."""
    return max((found.end() for found in _BREAK.finditer(lead)), default=0)
