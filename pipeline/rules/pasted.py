"""What in a typed message the user did not write (invariant 6): code, quotations, logs, diffs, mails, chats,
agents' output, reviews, and whatever the user announces as somebody else's.

Lines are looked at one by one, then paragraph by paragraph, each a bounded number of times. In doubt the
words are not the user's: a missed fact can be said again, a planted one is obeyed.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, groupby
from typing import Literal, get_args

from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.language import (
    ASIAN,
    LATIN,
    Language,
    compiled,
    hinted,
    language_of,
    languages,
    others,
    pattern,
    spoken,
    straight,
)
from siltstone.pipeline.rules.sentences import Sentence, Span, joined, mask, sentences, without
from siltstone.pipeline.words import ASIAN_SIGNS, patterns
from siltstone.store.ranking import COMMON
from siltstone.store.redaction import MARK
from siltstone.store.words import stemmed

ENGLISH = 0.15
"""Share of plain English words in a text that is English."""
MAX_TEXT = 20_000
"""Characters of a message that are looked at; what is behind them was pasted."""
MAX_LINE, MAX_LEAD = 400, 160
"""Characters of a line that are looked at, and of what announces another's text at its end."""
BRIEF_HEAD = 300
"""Characters in which a brief says what the agent is."""
IMPERSONAL = 240
"""Characters from which on a paragraph that speaks of code and of nobody is a tool's or a reviewer's."""
MIN_SAID = 12
"""Characters behind a colon that may be somebody's words."""

_PATTERNS = patterns(__file__)
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+] |\d{1,3}[.)] )[ \t]*)?(```|~~~)")
_CLOSES = re.compile(r"\S(?:(?:(?!```|~~~).)*\S)?(?:```|~~~)")
"""Closes a fence on its own line: "```make all```"."""
_PROMPT = re.compile(
    r"\s*(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,40}@[\w.-]{1,60}:[^\n$#]{0,60}[$❯➜%] |[$❯%] |➜ {1,2})\S"
)
_DIFF = re.compile(r"(?m)^(?:diff --git |@@ -\d|\+\+\+ \S)")
_OF_CHANGES = re.compile(r"(?<!\w)(?:diff|patch|hunk|pull request|pr|commit|merge)s?(?!\w)", re.IGNORECASE)
_STAMPED = re.compile(
    r"\s*[^\W\d][\w.'-]{1,20}(?: [\w.'-]{1,20}){0,2}\s{1,4}\[?\d{1,2}:\d\d(?:\s?[AP]M)?\]?\s*$", re.IGNORECASE
)
_CODE_WORD = re.compile(
    r"(?<!\w)(?:\w+\(\)|[a-zA-Z][a-z0-9]+[A-Z]\w+|\w+_\w+|\w+/\w+|\w{2,}\.\w{2,})", re.ASCII
)
_MARKED_CODE = re.compile(r"`[^`\s]{2,40}`")
_ADDRESS = re.compile(r"\[[^\n()]{1,120}\]\(file://[^\s()]{1,400}\)|\(?https?://[^\s()]{1,400}\)?")
"""Of the web, or of a file that the user points at in an editor."""
_REMARK = re.compile(r"<!--.*?-->|/\*.*?\*/|\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL)
_REMARK_BEGINS = re.compile(r"(?://|(?<=\S )#)\s+(?:please\s+|bitte\s+)?", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+\S")
_FURNITURE = re.compile(r"\s*(?:#{1,6} \S|\*\*[^*]+\*\*|\||=== )")
_SAID = re.compile(
    r"“[^”\n]{20,600}+”|„[^“”\n]{20,600}+[“”]|«[^»\n]{20,600}+»|「[^」\n]{10,600}+」|(?<![\w\"])\"[^\"\n]{20,600}+\"(?!\w)"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_MARKED_OFF = re.compile(r"\s*(?:[\"“„«「『]|```|~~~|>|<\w)")
"""A quotation, a fence or a tag: it tells by itself where it ends."""
_BLOCK = re.compile(r"\s*<([a-z]+_[a-z_]+)>\n.*\n</\1>", re.DOTALL)
"""A paragraph between tags that are no HTML, at the beginning: what an app put before the user's words."""
_HEAD = re.compile(r"\s*---\r?\n((?:(?:[\w-]+:|[ \t])[^\n]*\n)+)---\r?\n")
_OF_COMMANDS = re.compile(r"(?m)^(?:agent|allowed-tools|argument-hint|description|mode|model|tools):")
_GIVEN = re.compile(
    r"\s*#{1,3} User Input\s+```\w*\r?\n(.*?)\n```\s+(?=You \*\*MUST\*\*|#{1,3} \S)", re.DOTALL
)
"""In the file of a command, what the user gave with it, before the text that every such file goes on with."""
_NO_HEAD = re.compile(r"\n+#{1,3} \S[^\n]*\n(?:[^\n]*\n){20}")
"""Such a file without its head: nobody begins so much with an empty line."""
_PART = "prompt|role|rôle|rolle|agent|brief|instructions|提示词|角色|任务"
_BRIEF_BEGINS = rf"\A(?:#[^\n]*(?:{_PART})[^\n]*\n+)?[\s#*_=-]{{0,8}}"
"""What may stand before the agent's part: a heading that says so."""
_GLUED = re.compile(
    rf"[^{ASIAN_SIGNS}]* {{2,}}[^\n{ASIAN_SIGNS}]*[A-Za-z\d]"
    rf"(?={pattern('first', of=spoken(*ASIAN)).pattern})"
)
"""What has no letter of Chinese, Japanese or Korean, up to an "I" in one of these right behind a column."""
_COLON = re.compile(r"[:：](?!//)")
_OPENED = r"(?:^|[,.;]\s*|^(?:please|pls|hey|hi|ok|can you|could you)\W+)"


def own_words(text: str) -> str:
    """The message with everything blanked that the user did not write; of the same length."""
    return without(text, foreign_spans(text), lambda part: re.sub(r"[^\n]", " ", part))


def pieces_of(text: str) -> Sequence[tuple[bool, str]]:
    """The message in pieces, each with whether the user wrote it. What is blank between two pieces of others
    belongs to them."""
    pieces: list[tuple[bool, str]] = []
    at = 0
    for start, end in (*foreign_spans(text), (len(text), len(text))):
        blank = not text[at:start].strip()
        for own, piece in ((not blank or not pieces, text[at:start]), (False, text[start:end])):
            if piece and pieces and pieces[-1][0] == own:
                pieces[-1] = (own, pieces[-1][1] + piece)
            elif piece:
                pieces.append((own, piece))
        at = end
    return pieces


def furnished(text: str) -> bool:
    """Whether a message has the look of a document, an answer or a form: headings, tables, bold labels, many
    items or lines. It may be the user's own, but its single sentences are not taken for statements."""
    lines = [line for line in text.split("\n") if line.strip()]
    items = sum(_ITEM.match(line) is not None for line in lines)
    return len(lines) > 8 or items > 3 or any(_FURNITURE.match(line) for line in lines)


def fenced(lines: Sequence[str]) -> list[bool]:
    """Which lines are fenced code (an open fence reaches to the end) or quote somebody (">")."""
    fences = [*_fences(lines)]
    inside = zip(lines, ["", *fences], fences, strict=False)
    return [bool(before or behind) or line.lstrip().startswith(">") for line, before, behind in inside]


def open_fence(text: str) -> str:
    """The mark of the fence that is open at the end of a text; "" for none."""
    return [*_fences(text.split("\n"))][-1] if any(mark in text for mark in ("```", "~~~")) else ""


def _fences(lines: Sequence[str]) -> Iterator[str]:
    """The mark of the fence that is open behind each line; "" for none."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence and not _CLOSES.match(line, mark.end()):
            fence = mark[1]
        elif fence and line.strip().startswith(fence):
            fence = ""
        yield fence


@lru_cache(maxsize=256)
def foreign_spans(text: str) -> tuple[Span, ...]:
    """Spans of a typed message that the user did not write, in order."""
    whole = len(text)
    text = text[:MAX_TEXT].replace(MARK, "x" * len(MARK))  # no mark of a line of a log
    if (file := _command_file(text)) is not None:
        return (*file, (len(text), whole)) if whole > len(text) else file
    spans = [*echo.spans(text), *echo.wrapped(text, _PATTERNS["tag"])]
    spans += (found.span() for found in _REMARK.finditer(text))
    for found in _SAID.finditer(text):
        lead = straight(text[max(0, found.start() - 60) : found.start()]).rstrip(" ,:;\n")
        of = languages(lead)
        of_others = pattern("tells", "reported", "handed", after=r"(?:\W+\w+){0,4}$", of=of).search(lead)
        if of_others or pattern("texts", after="$", of=of).search(lead):
            spans.append(found.span())
    if len(text) >= IMPERSONAL or any(sign in text for sign in ("\n", ":", "：", "#", "//")):
        spans += _Page(text).spans()
    return tuple(joined([*spans, (MAX_TEXT, whole)] if whole > MAX_TEXT else spans))


def _command_file(text: str) -> tuple[Span, ...] | None:
    """What the user did not give with a command, in a text that is its file, which the agent put in the place
    of what was typed; None for another text."""
    head = _HEAD.match(text)
    begins = head.end() if head and _OF_COMMANDS.search(head[1]) else 0
    if given := _GIVEN.match(text, begins):
        start, end = given.span(1)
        within = ((start + begin, start + stop) for begin, stop in foreign_spans(given[1]))
        return (0, start), *within, (end, len(text))
    return ((0, len(text)),) if begins or _NO_HEAD.match(text) else None


Until = Literal["", "own", "signed", "end"]
"""How far somebody else's words go on behind their paragraph: not at all, up to one that begins as the user
would, up to where the text plainly ends or the user speaks behind a signature, or to the message's end."""


class _Page:
    """The lines and paragraphs of a message, gone through once from the first to the last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self.paragraphs = [*self._paragraphs()]
        self.quoted = fenced(self.lines)
        self.requests = pattern("keep", "keep_this", "standing", of=hinted(text))
        """What asks to keep something: the user's own, whatever it looks like."""
        self.prompts = [i for i, line in enumerate(self.lines) if _PROMPT.match(line[:MAX_LINE])]
        self.machine = self._machine_lines()
        self.last_signature = max((found.start() for found in _signature().finditer(text)), default=-1)

    @cached_property
    def persons(self) -> list[re.Pattern[str]]:
        """What tells in the message's language that a line speaks of the user or to the agent."""
        return _persons(straight(self.text))

    @cached_property
    def brief(self) -> bool:
        """Whether the message begins with the agent's part ("You are a …"): prose of it that speaks of nobody
        is the user's too."""
        head = straight(self.text[:BRIEF_HEAD])
        begins = pattern("assigns", before=_BRIEF_BEGINS, of=languages(head)).search(head)
        return begins is not None and not self.quoted[0]

    def spans(self) -> Iterator[Span]:
        """What is somebody else's, in no order."""
        items = [i for i, line in enumerate(self.lines) if _ITEM.match(line)]
        if len(items) > 1 and _PATTERNS["above"].match(self.text.rstrip().rpartition("\n")[2][:MAX_LINE]):
            yield self.starts[items[0]], self._end(items[-1])
        for i, line in enumerate(self.lines):
            if self.quoted[i]:
                yield self.starts[i], self._end(i)
                continue
            for remark in _REMARK_BEGINS.finditer(line[:MAX_LINE]):
                if self.requests.match(line[:MAX_LINE], remark.end()):
                    yield self.starts[i] + remark.start(), self._end(i)
                    break
        yield from self._answer()
        until: Until = ""
        signed = shows_code = own_lead = screen = reviewed = False
        flush = not self.text[:1].isspace()
        heading = 0  # where the paragraph before begins
        for first, last in self.paragraphs:
            start, end = self.starts[first], self._end(last)
            if _PATTERNS["severity"].fullmatch(self.text, heading, end):
                yield heading, end
            heading = start
            # The user may speak again in a paragraph that begins as they would.
            keys = {"own": ("own", "resumes"), "signed": ("ends", "resumes") if signed else ("ends",)}
            if until in keys and _starts(*keys[until]).match(self.text, start):
                until, signed = "", False
            shows_code = shows_code and self.lines[first].startswith(("    ", "\t"))
            # What is copied from a screen keeps its margin.
            screen = screen and flush and all(line.startswith("  ") for line in self.lines[first : last + 1])
            if until or shows_code or screen:
                yield start, end
            else:
                found = list(self._of_others(first, last))
                if not (own_lead and _ITEM.match(self.lines[first])):
                    reviews = [*self._reviews(start, end, behind_one=reviewed)]
                    reviewed = not found and any(stop == end for _, stop, _ in reviews)
                    found += reviews
                until = max((goes_on for _, _, goes_on in found), key=get_args(Until).index, default="")
                screen = any(stop == end for _, stop, _ in found)
                yield from ((begin, stop) for begin, stop, _ in found)
            signed = signed or _signature().search(self.text, start, end) is not None
            lead = straight(self.lines[last][-MAX_LINE:]).rstrip()
            leads = lead.endswith((":", "："))
            shows_code = shows_code or (leads and not self._of_the_user(lead))
            proposes = pattern("proposes").search(lead) is not None
            own_lead = leads and (proposes or any(who.search(lead) for who in self.persons))

    def _answer(self) -> Iterator[Span]:
        """What an assistant wrote: from the first paragraph with bold words to an offer and its list, or to
        the last such paragraph where headings have pictures. What asks to keep something stays."""
        offers, pictured = self._with("offer"), self._with("pictured")
        bold = self._with("bold") if offers or len(pictured) > 1 else []
        if not bold:
            return
        ends = bold[-1:] if len(pictured) > 1 else []
        for n in offers:
            listed = any(_ITEM.match(self.lines[first]) for first, _ in self.paragraphs[n + 1 : n + 2])
            ends.append(n + 1 if listed else n)
        for first, last in self.paragraphs[bold[0] : max(ends) + 1]:
            if not self.requests.match(self.lines[first][:MAX_LINE].lstrip()):
                yield self.starts[first], self._end(last)

    def _with(self, key: str) -> list[int]:
        """The paragraphs of which a line, that is no code and no quotation, has a pattern; by number."""
        return [
            number
            for number, (first, last) in enumerate(self.paragraphs)
            for i in range(first, last + 1)
            if not self.quoted[i] and _PATTERNS[key].match(self.lines[i][:MAX_LINE])
        ]

    def _paragraphs(self) -> Iterator[tuple[int, int]]:
        """The first and the last line of each run of lines without an empty one between."""
        for filled, run in groupby(enumerate(self.lines), lambda line: bool(line[1].strip())):
            numbers = [i for i, _ in run]
            if filled:
                yield numbers[0], numbers[-1]

    def _end(self, line: int) -> int:
        return self.starts[line + 1] - 1

    def _machine_lines(self) -> list[bool]:
        """Which lines read as a log's, a shell's, a diff's, as code or as an agent's screen.

        "remember: …" has the form of a setting, and is a request. The mark of an item is that of a diff too:
        a diff has a header, or both marks, or is spoken of.
        """
        found = [
            not quoted
            and _PATTERNS["machine"].match(line[:MAX_LINE]) is not None
            and self.requests.match(line.strip(" \t-*+#")[:MAX_LINE]) is None
            for line, quoted in zip(self.lines, self.quoted, strict=True)
        ]
        if len(self.prompts) > 1:
            found[self.prompts[0] : self.prompts[-1]] = [True] * (self.prompts[-1] - self.prompts[0])
        marks = {line[:1] for line in self.lines if not line.startswith("---")}
        header = _DIFF.search(self.text)
        if header or ("+" in marks and ("-" in marks or _OF_CHANGES.search(self.text))):
            of_diff = ("+", "-", " ") if header else ("+", "-")
            found = [one or line.startswith(of_diff) for one, line in zip(found, self.lines, strict=True)]
        return found

    def _of_others(self, first: int, last: int) -> Iterator[tuple[int, int, Until]]:
        """Where in a paragraph somebody else's words begin and end, and how far they go on behind it."""
        start, end, numbers = self.starts[first], self._end(last), range(first, last + 1)
        heads = [line[:120] for line in self.lines[first : last + 1]]
        for i in numbers:
            at = None if self.quoted[i] else self._announced(i)
            if at is not None and not _MARKED_OFF.match(self.text, at):
                if self._only_reminds(i, at):
                    yield at, self._end(i), ""
                    continue
                yield at, end, "" if self.text[at : self._end(i)].strip() else "signed"
                break
        if any(map(_PATTERNS["form"].match, heads)):
            yield start, end, "end"
        if last > first and any(map(_PATTERNS["mail_head"].match, heads[:2])):
            yield start, end, "signed"
        for i, head in zip(numbers, heads, strict=True):
            if _STAMPED.match(head[:80]):
                yield self.starts[i], end, "end"
            signed_below = self.starts[i] < self.last_signature
            if _greeting("greets_many").match(head) or (signed_below and _greeting("greets").match(head)):
                yield self.starts[i], end, "signed"
        labelled = [i for i, head in zip(numbers, heads, strict=True) if _PATTERNS["labelled"].match(head)]
        if len(labelled) > 1 and not any(
            _PATTERNS["label"].match(head) or self.requests.match(head) for head in heads
        ):
            yield self.starts[labelled[0]], end, ""
        if marked := [i for i in numbers if self.machine[i]]:
            if glued := _GLUED.match(self.text, self.starts[marked[-1]], end):
                yield self.starts[marked[0]], glued.end(), ""
                return
            one = marked[0] if len(marked) == 1 and marked[0] not in self.prompts else last
            own = one < last and _starts("own", "resumes").match(self.lines[one + 1])
            tree = self.brief and all(self.lines[i].lstrip().startswith(("│", "├", "└")) for i in marked)
            ends = tree or len(marked) == 1 or _BLOCK.fullmatch(self.text, 0, end) is not None
            yield self.starts[marked[0]], self._end(one) if own else end, "" if ends else "own"

    def _reviews(self, start: int, end: int, *, behind_one: bool) -> Iterator[tuple[int, int, Until]]:
        """The sentences of a paragraph that speak of nobody and are a review's, or read as a tool's findings:
        long prose on code. The user may stand before or behind them. Behind a review, what leads on to the
        next paragraph belongs to it."""
        said = straight(self.text[start:end])
        leads_on = behind_one and said.rstrip().endswith((":", "："))
        if leads_on and not any(who.search(said) for who in (*self.persons, self.requests)):
            yield start, end, ""
            return
        if _PATTERNS["severity"].fullmatch(said):
            yield start, end, "own"
        if _PATTERNS["advises"].search(said) and _CODE_WORD.search(said):
            said = re.sub(r"\b[Oo]ur\b", "the", said)
        # A sentence of it may be one.
        if self.brief or not _is_review(_SENTENCE.sub("\n", said)) or _is_in_no_known_language(said):
            return
        persons = _persons(said)

        def personal(one: Sentence) -> bool:
            return any(who.search(said, one.start, one.end) for who in persons)

        for speaks, run in groupby(sentences(mask(said)), personal):
            part = list(run)
            if not speaks and _is_review(said[part[0].start : part[-1].end]):
                yield start + part[0].start, start + part[-1].end, ""

    def _announced(self, i: int) -> int | None:
        """Where in the text the words of somebody else begin that a line announces: at its end, or behind a
        colon in it."""
        line, start = self.lines[i], self.starts[i]
        lead = straight(line[-MAX_LINE:]).rstrip()
        if any(below.strip() for below in self.lines[i + 1 : i + 6]):
            apart = i == 0 or not self.lines[i + 1].strip()
            bare = lead.rstrip(":：")
            ends = bare != lead  # in a colon
            short = (ends or apart) and len(bare) <= MAX_LEAD
            said = _last_sentence(bare.rstrip(" ?!.。？！")) if short else ""
            shows = short and pattern("shown", before=_OPENED, after="$", of=languages(said)).search(said)
            if (shows and not self._of_the_user(lead)) or (ends and self._announces(bare)):
                return start + len(line)
        for colon in _COLON.finditer(mask(line[:MAX_LINE])):
            said = line[colon.end() :].strip()
            if len(said) < MIN_SAID:
                break
            if not said.startswith("http") and self._announces(straight(line[: colon.start()])):
                return start + colon.end()
        return None

    def _only_reminds(self, i: int, at: int) -> bool:
        """Whether line i only reminds the agent of what it said, in words behind a colon that ends at `at`,
        and the next line begins as the user would."""
        lead = straight(self.text[self.starts[i] : at]).rstrip(" \t:：")
        said = self.text[at : self._end(i)].strip()
        behind = self.lines[i + 1] if said and i + 1 < len(self.lines) else ""
        own = _starts("own", "resumes").match(behind) is not None
        return own and pattern("reminds", before=r"\W*").fullmatch(lead) is not None

    def _of_the_user(self, lead: str) -> bool:
        """Whether a lead announces words of the user's own: a request, or a list of rules."""
        if self.requests.search(lead):
            return True
        lists = pattern("own_list").search(lead) is not None
        return lists and not _lead("tells", languages(lead)).search(lead.rstrip(":："))

    def _announces(self, lead: str) -> bool:
        """Whether what follows such words and a colon is somebody else's."""
        bare = lead.strip(" #*")
        if pattern("own_answers").fullmatch(bare) and straight(self.text).lstrip(" #*\n").startswith(bare):
            return False
        said = _last_sentence(lead)[-MAX_LEAD:]
        says = _lead("tells", languages(said)).search(said)
        before = said[: says.start()].rstrip() if says else said
        own = pattern("speaker", after=r"\s*$").search(before)
        if (says is None or own) and not _lead("shows", languages(before)).search(before):
            return False
        return not pattern("own_rule", after=r"\s*$").search(said) and not self._of_the_user(lead)


def _is_review(text: str) -> bool:
    """Whether a text is long prose on code, or has the words of a review."""
    prose = _ADDRESS.sub("", text)
    names = len(_CODE_WORD.findall(prose)) if len(prose) >= IMPERSONAL else 0
    # A name in backquotes counts beside another one: alone they stand in the user's own rules too.
    plain = _MARKED_CODE.sub(" ", prose) if names == 1 else prose
    of_code = names > 1 or (plain != prose and _CODE_WORD.search(plain) is not None)
    reviews = _PATTERNS["review"].search(text) or _PATTERNS["advises"].search(text)
    return of_code or (len(text) >= 60 and reviews is not None)


def _is_in_no_known_language(text: str) -> bool:
    """Whether a text is in a language of which no words are known, so that nobody can say of whom it speaks.
    A terse English one has few small words, but plain ones."""
    words = re.findall(r"[a-z]{2,}", text.lower())
    return language_of(text) is None and sum(stemmed(one) in COMMON for one in words) < ENGLISH * len(words)


def _persons(text: str) -> list[re.Pattern[str]]:
    """What tells that a text speaks of the user or to the agent, in its language and in English and Chinese:
    words of one language are others in another ("dir", "du")."""
    language = language_of(text)
    known = pattern("persons", of=spoken(*dict.fromkeys(filter(None, ("en", "zh", language)))))
    return [known, pattern("clear", of=spoken(*others()))] if language in (None, "es") else [known]


def _last_sentence(lead: str) -> str:
    """The last sentence of a lead; a short one ("Look:") with the one before it."""
    *before, last = _SENTENCE.split(lead.strip())
    return f"{before[-1]} {last}" if before and len(last.split()) < 4 else last


@cache
def _lead(kind: Literal["tells", "shows"], of: Sequence[Language]) -> re.Pattern[str]:
    """What announces a text, as near the end of a lead as it stands in one of these languages."""
    found: list[str] = []
    for language in of:
        latin = language.code in LATIN
        gap = r"(?:\s+\S{1,40}){0,8}$" if latin else r"[^:：。，]{0,16}$"
        if kind == "tells":
            found.append(f"{language[kind]}{gap}")
            continue
        near = r"(?:\s+\S{1,40}){0,2}?\s+" if latin else r"[^:：。，]{0,14}"
        whose = r"(?:\s+#?\d+)?(?:\s+(?:from|by|of|on|in|vom|von|de)\s.{1,60})?$"
        found.append(
            f"(?:{language['shows']}{near}{language['texts']}|{language['rework']}|{language['work_on']}){gap}"
        )
        found.append(rf"^\W*(?:the\s+)?{language['texts']}{whose}")
    return compiled("|".join(found))


def _starts(*keys: str) -> re.Pattern[str]:
    return pattern(*keys, before=r"\W{0,6}")


@cache
def _greeting(kind: str) -> re.Pattern[str]:
    one = rf"\s+(?!{_PATTERNS['agent'].pattern}(?!\w))[\w.'-]+(?: [\w.'-]+){{0,2}}"
    rest = one if kind == "greets" else r"(?: \w+){0,3}"
    latin = "|".join(language[kind] for language in spoken(*LATIN))
    asian = "|".join(language[kind] for language in spoken(*ASIAN))
    return compiled(rf"[ \t]*(?:(?:{latin}){rest}|{asian})[ \t]*[,，、:：!！.。]?[ \t]*$")


def _signature() -> re.Pattern[str]:
    return pattern("signs_off", before=r"(?m:^)[ \t]*", after=r"[ \t]*[,，!！.。]?[ \t]*(?m:$)")
