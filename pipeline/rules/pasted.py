"""What in a typed message the user did not write (invariant 6): code, quotations, logs, diffs, mails, chats,
agents' output, reviews, and whatever the user announces as somebody else's.

Lines are looked at one by one, then paragraph by paragraph, each a bounded number of times. In doubt the
words are not the user's: a missed fact can be said again, a planted one is obeyed.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.language import ASIAN, LATIN, compiled, pattern, spoken, straight
from siltstone.pipeline.rules.sentences import Span, blanked, joined

MAX_TEXT = 20_000
"""Characters of a message that are looked at; what is behind them was pasted."""
MAX_LINE, MAX_LEAD = 400, 160
"""Characters of a line that are looked at, and of what announces another's text at its end."""
IMPERSONAL = 240
"""Characters from which on a paragraph that speaks of code and of nobody is a tool's or a reviewer's."""
MIN_SAID = 12
"""Characters behind a colon that may be somebody's words."""

_TAG = re.compile(
    r"<(pasted[\w-]*|paste|document|file|files|context|attachment|log|logs|output|code|stdout|stderr|email|quote"
    r"|selection|diff|pre|blockquote|samp|kbd|textarea|script|style|html|body|issue|ticket|message|comment|page"
    r"|webpage|post|snippet|transcript|chat|thread|tool_result|search_results|p|li|td|h[1-6])(?:\s[^<>\n]{0,200})?>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(```|~~~)")
_MACHINE = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d"
    r"|\d{4}-\d\d-\d\d\s+\[?[A-Z]{4,8}\b"
    r"|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|CRITICAL)\]?\s*[:|\]]|\[[A-Z]{4,8}\]"
    r"|\[(?:info|warn(?:ing)?|error|debug|fatal|trace|critical)\]|(?:error|warning|fatal|panic)(?:\[\w+\])?: "
    r"|(?:[\w.]{1,80}[.:])?\w{0,60}(?:Error|Exception|Warning):"
    r"|at \S+ ?\(|at \S+:\d|File \"|Traceback|goroutine \d|E {2,}\S|\.{3} \+\d+ lines|={3,} "
    r"|--- (?:FAIL|PASS|SKIP)|=== (?:RUN|PAUSE|CONT)|ok  ?\t|(?:FAIL|PASS)\s*$"
    r"|[$❯➜»%] \S|[\w.-]{1,40}@[\w.-]{1,60}[: ][^\n$#%]{0,60}[$#%] |PS [A-Z]:\\"
    r"|[A-Z]\w+ing\b.*(?:\.{3}|…)\s*$"
    r"|[⏺⎿│├└┌┐╭╮╰╯─━═║┃✻✽⧉▐▛▘█▎●☐☒✓✗✔✘]"
    r"|diff --git |@@ -\d|\+\+\+ \S|--- [ab]/|index [0-9a-f]{7,}\.\.|(?:new|deleted) file mode"
    r"|On branch |Your branch is|Changes (?:not|to be)|(?:modified|new file|deleted):  |nothing to commit"
    r"|\S+\.\w{1,5}:\d+(?::\d+)?[: ]|\d+\s*[|│→]\s|\d+ +[-+] {2,}"
    r"|>>>|\"[\w-]+\":|\|.*\|\s*$|<[/!?]?\w|//|/\*|\*/"
    r"|(?:def|class|import|from|const|let|var|function|return|public|private|fn|use|package|func|type|struct)\b"
    r".*(?:[({;=]|import\b.*)\s*$|[}\])]+[;,]?\s*$|.{60,}\S {4,}$|.*[{;]\s*$)"
)
"""Begins or ends a line of a log, a shell, a diff, code, or an agent's screen."""
_PROMPT = re.compile(r"\s*(?:[\w.-]{1,40}@[\w.-]{1,60}:[^\n$#]{0,60})?[$❯➜%] \S")
_SETTING = re.compile(r"\s*[\w.-]+\s*[=:]\s*\S")
_DIFF = re.compile(r"(?m)^(?:diff --git |@@ -\d|\+\+\+ \S)")
_OF_CHANGES = re.compile(r"(?<!\w)(?:diff|patch|hunk|pull request|pr|commit|merge)s?(?!\w)", re.IGNORECASE)
_MAIL_HEAD = re.compile(
    r"\s*(?:(?:from|to|subject|sent|date|cc|von|betreff):|(?:on|am) .{3,80} (?:wrote|schrieb):)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"\s*(?:\[?\d{1,2}:\d\d[^\]]{0,12}\]?\s*)?[^\W\d][\w.'-]{0,20}(?: [A-Z][\w.'-]{0,20}){0,2}\s*[:>]\s+\S"
)
_LABEL = re.compile(
    r"^[^\w\n]*(?:remember|note|todo|fix|bug|q|a|ps|nb|tldr|why|because|goal|context)\s*:", re.I | re.M
)
"""A line that begins so has the form of a chat's, and is none."""
_STAMPED = re.compile(
    r"\s*[^\W\d][\w.'-]{1,20}(?: [\w.'-]{1,20}){0,2}\s{1,4}\[?\d{1,2}:\d\d(?:\s?[AP]M)?\]?\s*$", re.IGNORECASE
)
_FORM = re.compile(
    r"\s*(?:#{1,6}\s*|\*\*)?(?:steps to reproduce|to reproduce|reproduction(?: steps)?|how to reproduce"
    r"|expected (?:behaviou?r|results?)|actual (?:behaviou?r|results?)|describe the bug|bug description"
    r"|additional context|minimal reproduction|schritte zum reproduzieren"
    r"|重现步骤|复现步骤|再現手順|재현 방법)\s*:?(?:\*\*)?\s*$",
    re.IGNORECASE,
)
_REVIEW = re.compile(
    r"(?:^|\n)[^\w\n]*(?:(?:critical|high|medium|low|minor|major)(?: severity| priority)|severity\W"
    r"|consider \w+ing|(?:potential|possible) (?:issue|bug)"
    r"|\**(?:issue|problem|impact|recommendation|suggestion)\**:)"
    r"|(?<!\w)lines? \d+(?:[-–]\d+)?(?!\w)",
    re.IGNORECASE,
)
_CODE_WORD = re.compile(r"(?<!\w)(?:\w+\(\)|[a-z]+[A-Z]\w+|\w+_\w+|\w+/\w+|\w{2,}\.\w{2,})")
_REMARK = re.compile(r"<!--.*?-->|/\*.*?\*/|\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+\S")
_FURNITURE = re.compile(r"\s*(?:#{1,6} \S|\*\*[^*]+\*\*|\||=== )")
_ABOVE = re.compile(
    r"(?:which|what|are|is|do|does|should|can|could|would)\b.{0,60}"
    r"\b(?:these|those|the above|this (?:list|text|page|one))\b.{0,80}\?\s*$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"“[^”\n]{20,600}+”|„[^“”\n]{20,600}+[“”]|«[^»\n]{20,600}+»|「[^」\n]{10,600}+」|(?<![\w\"])\"[^\"\n]{20,600}+\"(?!\w)"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_MARKED_OFF = re.compile(r"\s*(?:[\"“„«「『]|```|~~~|>|<\w)")
"""A quotation, a fence or a tag: it tells by itself where it ends."""
_BLANK = re.compile(r"\n[ \t]*\n")
_COLON = re.compile(r"[:：](?!//)")


def foreign_spans(text: str) -> list[Span]:
    """Spans of a typed message that the user did not write, in order."""
    return list(_foreign(text))


def own_words(text: str) -> str:
    """The message with everything blanked that the user did not write; of the same length."""
    return blanked(text, _foreign(text))


def furnished(text: str) -> bool:
    """Whether a message has the look of a document, an answer or a form: headings, tables, bold labels, many
    items or lines. It may be the user's own, but its single sentences are not taken for statements."""
    lines = [line for line in text.split("\n") if line.strip()]
    items = sum(_ITEM.match(line) is not None for line in lines)
    return len(lines) > 8 or items > 3 or any(_FURNITURE.match(line) for line in lines)


@lru_cache(maxsize=8)
def _foreign(text: str) -> tuple[Span, ...]:
    whole, text = len(text), text[:MAX_TEXT]
    spans = [*echo.spans(text), *echo.wrapped(text, _TAG), *_quoted(text)]
    spans += (found.span() for found in _REMARK.finditer(text))
    if len(text) >= IMPERSONAL or any(sign in text for sign in ("\n", ":", "：", "#", "//")):
        spans += _Page(text).spans()
    return tuple(joined([*spans, (MAX_TEXT, whole)] if whole > MAX_TEXT else spans))


def fenced(lines: Sequence[str]) -> list[bool]:
    """Which lines are fenced code (an open fence reaches to the end) or quote somebody (">")."""
    found: list[bool] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        found.append(bool(fence or mark) or line.lstrip().startswith(">"))
        if mark and not fence:
            fence = mark[1]
        elif fence and line.strip().startswith(fence):
            fence = ""
    return found


def _quoted(text: str) -> Iterator[Span]:
    """Quotations of what somebody is told to have said."""
    for found in _SAID.finditer(text):
        lead = straight(text[max(0, found.start() - 60) : found.start()]).rstrip(" ,:;\n")
        if lead and _reports().search(lead):
            yield found.span()


class _Page:
    """The lines of a message, and which of them the user did not write."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.foreign = fenced(self.lines)
        self.parts: list[Span] = []
        """What is foreign beside whole lines."""

    def spans(self) -> list[Span]:
        self.machine = [
            not self.foreign[i] and _of_a_machine(one[:MAX_LINE]) for i, one in enumerate(self.lines)
        ]
        self._diff()
        self._remarks()
        self._announced()
        paragraphs = list(self._paragraphs())
        self._machines(paragraphs)
        self._letters(paragraphs)
        self._speakers(paragraphs)
        self._reviews(paragraphs)
        self._asked_about(paragraphs)
        lines = zip(self.starts, self.starts[1:], self.foreign, strict=False)
        return [*self.parts, *((start, end - 1) for start, end, theirs in lines if theirs)]

    def _mark(self, first: int, last: int) -> None:
        """Lines from first up to last, without it, are foreign."""
        self.foreign[first:last] = [True] * (last - first)

    def _paragraphs(self) -> Iterator[tuple[int, int]]:
        """Runs of lines without an empty one between: the first line, and the one behind the last."""
        first = None
        for i, line in enumerate([*self.lines, ""]):
            if line.strip():
                first = i if first is None else first
            elif first is not None:
                yield first, i
                first = None

    def _diff(self) -> None:
        """The mark of an item is that of a diff too: a diff has a header, or both marks, or is spoken of."""
        added = [i for i, line in enumerate(self.lines) if line.startswith("+")]
        removed = [
            i for i, line in enumerate(self.lines) if line.startswith("-") and not line.startswith("---")
        ]
        if _DIFF.search(self.text):
            for i, line in enumerate(self.lines):
                self.machine[i] = self.machine[i] or line.startswith(("+", "-", " "))
        elif added and (removed or _OF_CHANGES.search(self.text)):
            for i in (*added, *removed):
                self.machine[i] = True

    def _remarks(self) -> None:
        """Requests in the remarks of code, and code that is indented behind a line that announces it."""
        shown = False
        for i, line in enumerate(self.lines):
            if ("//" in line or "#" in line) and (found := _remark().search(line[:MAX_LINE])):
                self.parts.append((self.starts[i] + found.start(), self.starts[i + 1] - 1))
            indented = line.startswith(("    ", "\t"))
            if indented and not shown and i > 1 and not self.lines[i - 1].strip():
                lead = straight(self.lines[i - 2][-MAX_LINE:]).rstrip()
                shown = lead.endswith((":", "：")) and not _of_the_user(lead)
            shown = shown and (indented or not line.strip())
            self.foreign[i] = self.foreign[i] or (shown and indented)

    def _machines(self, paragraphs: list[tuple[int, int]]) -> None:
        """What reads as a machine's, from its first line in a paragraph to its last. The paragraphs behind
        one are its output still, up to one that begins as the user would."""
        prompts = [i for i, line in enumerate(self.lines) if _PROMPT.match(line[:MAX_LINE])]
        if len(prompts) > 1:
            self._mark(prompts[0], prompts[-1])
        pasting = False
        for first, last in paragraphs:
            marked = [i for i in range(first, last) if self.machine[i]]
            if marked:
                behind = marked[-1] + 1
                remark = len(marked) == 1 and marked[0] not in prompts
                own = remark and behind < last and _own().match(self.lines[behind])
                self._mark(marked[0], behind if own else last)
                pasting = pasting or len(marked) > 1
                continue
            settings = last - first > 2 and all(self._is_setting(i) for i in range(first, last))
            pasting = pasting and not _own().match(self.lines[first])
            if settings or pasting:
                self._mark(first, last)

    def _is_setting(self, i: int) -> bool:
        line = self.lines[i][:MAX_LINE]
        return _SETTING.match(line) is not None and _requests().match(line) is None

    def _announced(self) -> None:
        """What follows a line that announces somebody else's text."""
        reached = 0
        for i, line in enumerate(self.lines):
            if self.starts[i] < reached or self.foreign[i] or not line.strip():
                continue
            follows = any(below.strip() for below in self.lines[i + 1 : i + 4])
            apart = i == 0 or not "".join(self.lines[i + 1 : i + 2]).strip()
            at = _behind_lead(line, follows, apart)
            if at is None or _MARKED_OFF.match(self.text, self.starts[i] + at):
                continue
            begin = self.starts[i] + at
            reached = self._resumed(begin, same_line=bool(line[at:].strip()))
            self.parts.append((begin, reached))

    def _resumed(self, begin: int, same_line: bool = False) -> int:
        """Where the user speaks again: behind the paragraph of words on a lead's own line, else where they
        say so, or behind a signature."""
        signed, at = False, begin
        for gap in _BLANK.finditer(self.text, begin):
            if same_line:
                return gap.start()
            signed = signed or _signature().search(self.text, at, gap.start()) is not None
            at = gap.end()
            if _starts("ends").match(self.text, at) or (signed and _starts("resumes").match(self.text, at)):
                return at
        return len(self.text)

    def _letters(self, paragraphs: list[tuple[int, int]]) -> None:
        """Mails and letters, from their head or greeting on, and forms of issues."""
        for first, last in paragraphs:
            if self.foreign[first]:
                continue
            start, lines = self.starts[first], [line[:120] for line in self.lines[first:last]]
            if any(map(_FORM.match, lines)):
                self.parts.append((start, len(self.text)))
            elif last - first > 1 and any(map(_MAIL_HEAD.match, lines[:2])):
                self.parts.append((start, self._resumed(start)))
            else:
                greets = next((i for i, line in enumerate(lines, first) if self._greets(i, line)), None)
                if greets is None:
                    continue
                self.parts.append((self.starts[greets], self._resumed(self.starts[greets])))
            return

    def _greets(self, i: int, line: str) -> bool:
        """Whether a line greets many people, or one, and a signature follows."""
        if _greeting("greets_many").match(line):
            return True
        one = _greeting("greets").match(line) is not None
        return one and _signature().search(self.text, self.starts[i + 1] - 1) is not None

    def _speakers(self, paragraphs: list[tuple[int, int]]) -> None:
        """Chats: two lines or more that begin with who says them, or heads with a name and a time."""
        for first, last in paragraphs:
            lines = self.lines[first:last]
            named = [i for i, line in enumerate(lines, first) if _SPEAKER.match(line[:120])]
            if len(named) > 1 and not any(_LABEL.match(line) or _requests().match(line) for line in lines):
                self._mark(named[0], last)
            if stamped := [i for i, line in enumerate(lines, first) if _STAMPED.match(line[:80])]:
                self._mark(stamped[0], len(self.lines))
                return

    def _reviews(self, paragraphs: list[tuple[int, int]]) -> None:
        """Reviews, and what reads as a tool's findings: long prose on code that speaks of nobody."""
        for first, last in paragraphs:
            said = self.text[self.starts[first] : self.starts[last] - 1]
            if len(said) < 60 or pattern("persons").search(straight(said)):
                continue
            of_code = len(said) >= IMPERSONAL and len(_CODE_WORD.findall(said)) > 1
            if of_code or _REVIEW.search(said):
                self._mark(first, last)

    def _asked_about(self, paragraphs: list[tuple[int, int]]) -> None:
        """A list above a question that speaks of "these"."""
        if paragraphs and _ABOVE.match(self.lines[paragraphs[-1][1] - 1][:MAX_LINE]):
            items = [i for i, line in enumerate(self.lines) if _ITEM.match(line)]
            if len(items) > 1:
                self._mark(items[0], items[-1] + 1)


def _of_a_machine(line: str) -> bool:
    """ "remember: …" has the form of a setting, and is a request."""
    return _MACHINE.match(line) is not None and _requests().match(line.strip(" \t-*+#")) is None


def _behind_lead(line: str, follows: bool, apart: bool) -> int | None:
    """Where in a line somebody else's words begin: at its end, or behind a colon in it. `apart`: an empty
    line follows it, or it is the first."""
    lead = straight(line[-MAX_LINE:]).rstrip()
    if follows and lead.endswith((":", "：")):
        announces = _announces(_last_sentence(lead[:-1]))
    else:
        announces = follows and apart and len(lead) <= MAX_LEAD and _shows(lead)
    if announces and not _of_the_user(lead):
        return len(line)
    for colon in _COLON.finditer(line[:MAX_LINE]):
        before = straight(line[: colon.start()])
        said = line[colon.end() :].strip()
        if len(said) < MIN_SAID:
            break
        if said.startswith("http"):
            continue
        if _announces(_last_sentence(before)) and not _of_the_user(before):
            return colon.end()
    return None


def _of_the_user(lead: str) -> bool:
    """Whether a lead announces words of the user's own: a request, or a list of rules."""
    if _requests().search(lead):
        return True
    told = pattern("own_list").search(lead) is not None
    return told and _lead("tells", not lead.isascii()).search(lead.rstrip(":：")) is None


def _last_sentence(lead: str) -> str:
    """The last sentence of a lead; a short one ("Look:") with the one before it."""
    *before, last = _SENTENCE.split(lead.strip())
    return f"{before[-1]} {last}" if before and len(last.split()) < 4 else last


def _announces(lead: str) -> bool:
    """Whether what follows such words and a colon is somebody else's."""
    lead, asian = lead[-MAX_LEAD:], not lead.isascii()
    if _ended("own_rule").search(lead):
        return False
    says = _lead("tells", asian).search(lead)
    if says is not None:
        before = lead[: says.start()].rstrip()
        if not _ended("speaker").search(before):
            return True
        lead = before
    return any(_lead(kind, asian).search(lead) for kind in ("rework", "shows"))


@cache
def _lead(kind: str, asian: bool) -> re.Pattern[str]:
    """What announces a text, as near the end of a lead as it stands in one."""
    found: list[str] = []
    for language in spoken(*LATIN, *(ASIAN if asian else ())):
        latin = language.code in LATIN
        gap = r"(?:\s+\S{1,40}){0,8}$" if latin else r"[^:：。，]{0,16}$"
        if kind == "shows":
            near = r"(?:\s+\S{1,40}){0,2}?\s+" if latin else r"[^:：。，]{0,14}"
            whose = r"(?:\s+#?\d+)?(?:\s+(?:from|by|of|on|in|vom|von|de)\s.{1,60})?$"
            found.append(f"{language['shows']}{near}{language['texts']}{gap}")
            found.append(rf"^\W*(?:the\s+)?{language['texts']}{whose}")
        elif kind == "rework":
            found.append(f"(?:{language['rework']}|{language['work_on']}){gap}")
        else:
            found.append(f"{language[kind]}{gap}")
    return compiled("|".join(found))


@cache
def _reports() -> re.Pattern[str]:
    """Ends what stands before a quotation that is somebody's."""
    told, gap = pattern("tells", "texts").pattern, r"\W{0,3}(?:\w+\W+){0,4}$"
    return compiled(rf"(?:{told}|according to|quote|asks?|asked|zitat){gap}")


def _shows(lead: str) -> bool:
    """Whether what stands below such words is somebody else's, with no colon behind them."""
    return _shown().search(_last_sentence(lead.rstrip(" ?!.。？！"))) is not None


@cache
def _shown() -> re.Pattern[str]:
    """What announces a text with no colon, before a line break."""
    before = r"(?:^|[,.;]\s*|^(?:please|pls|hey|hi|ok|can you|could you)\W+)"
    return compiled(rf"{before}(?:{pattern('shown').pattern})$")


@cache
def _requests() -> re.Pattern[str]:
    """What asks to keep something: the user's own, whatever it looks like."""
    return pattern("keep", "keep_this", "standing")


@cache
def _remark() -> re.Pattern[str]:
    return compiled(rf"(?://|(?<=\S )#)\s+(?:please\s+|bitte\s+)?(?:{_requests().pattern})")


@cache
def _own() -> re.Pattern[str]:
    return compiled(rf"\W*(?:{pattern('own', 'resumes').pattern})")


@cache
def _starts(kind: str) -> re.Pattern[str]:
    return compiled(rf"\W{{0,6}}(?:{pattern(kind).pattern})")


@cache
def _ended(kind: str) -> re.Pattern[str]:
    return compiled(rf"(?:{pattern(kind).pattern})\s*$")


@cache
def _greeting(kind: str) -> re.Pattern[str]:
    agents = "claude|codex|gemini|copilot|gpt|chatgpt|opencode|agent|assistant|bot|ai|there"
    one = rf"\s+(?!(?:{agents})(?!\w))[\w.'-]+(?: [\w.'-]+){{0,2}}"
    rest = one if kind == "greets" else r"(?: \w+){0,3}"
    latin = "|".join(language[kind] for language in spoken(*LATIN))
    asian = "|".join(language[kind] for language in spoken(*ASIAN))
    return compiled(rf"[ \t]*(?:(?:{latin}){rest}|{asian})[ \t]*[,，、:：!！.。]?[ \t]*$")


@cache
def _signature() -> re.Pattern[str]:
    return compiled(rf"(?m)^[ \t]*(?:{pattern('signs_off').pattern})[ \t]*[,，!！.。]?[ \t]*$")
