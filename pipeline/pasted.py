"""Other people's text in a typed message: logs, mails, chats, and whatever the user announces as such.

Spans of `text`, each `(start, end)`. "I got this mail from Bob:" makes what follows Bob's, up to where
the user plainly speaks again; so does a letter with a greeting and a signature. In doubt the words are
not the user's: a missed fact can be said again, a planted one is obeyed (invariant 6).
"""

from siltstone.pipeline import pasted_table as table
from siltstone.pipeline.paragraph import BREAK, may_greet
from siltstone.store.late import IGNORECASE, LatePattern, at_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LEAD = 300
"""Characters at the end of a line that may announce what follows."""

_SHORT = range(2, 121)
"""Characters of a line that may be a greeting."""
_BLOCKS = LatePattern(r"(\n[ \t]*\n)")
_SENTENCE = LatePattern(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_OPEN = LatePattern(r"\s*(?:[\"“„«「『]|```|~~~|>|<\w)")
"""What follows is marked off by itself: a quotation, a fence, a tag."""
_MACHINE_LINE = LatePattern(
    r"^\s*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z]{4,5}[:\s|\]]|\[(?:info|warn"
    r"|error|debug)|at \S+ ?\(|File \"|Traceback"
    r"|[+-]{3} |@@ |\+\s?\S|-\S|-\s{2,}\S|\$ |# |\w+@\w+|(?:def|class|import|from|const|let|var|function"
    r"|return|public|private|if|for|while|fn|use|package)\b"
    r"|[}\])]+[;,]?\s*$|.*[{;]\s*$|\s*\"[\w-]+\":|\s*[\w.-]+:\s|\s*[\w.]+\s*=|\||>>>|\.\.\."
    r"|E\s{2,}|\d+\s*[|:\t]|<[/\w!?])"
)
_MAIL_HEAD = LatePattern(
    r"^\s*(?:from|to|subject|sent|date|cc|von|betreff|on .{3,80} wrote|am .{3,80} schrieb)\b.{0,200}:",
    IGNORECASE,
)
_ROLE_HEAD = LatePattern(
    r"^\s*(?:\[?\d{1,2}:\d\d[^\]]{0,12}\]?\s*)?(?:user|human|system|assistant|ai|bot"
    r"|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\s*[:>]\s"
)


def pasted(text: str) -> list[tuple[int, int]]:
    """Every span that reads as pasted."""
    machine = _paragraphs(text)
    told = _announced(text, [start for start, _ in machine])
    return machine + told + _letters(text) + _lines(text) + _issue(text)


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Paragraphs of three lines or more that look like a log, code, a table, a mail or a chat."""
    spans: list[tuple[int, int]] = []
    at = 0
    for block in _BLOCKS.split(text):
        lines = [line for line in block.split("\n") if line.strip()]
        if len(lines) >= 3 and sum(map(_of_a_machine, lines)) * 3 >= len(lines) * 2:
            spans.append((at, at + len(block)))
        elif len(lines) >= 2:
            chat = sum(bool((":" in line or ">" in line) and _ROLE_HEAD.match(line[:120])) for line in lines)
            if chat >= 2:
                spans.append((at, at + len(block)))
            elif any(_MAIL_HEAD.match(line[:300]) for line in lines[:2]):
                spans.append((at, len(text)))
        at += len(block)
    return spans


def _of_a_machine(line: str) -> bool:
    """ "remember: …" has the form of a setting, and is a request."""
    return _MACHINE_LINE.match(line[:300]) is not None and table.OWN_SAVE.match(line.strip()) is None


def _lines(text: str) -> list[tuple[int, int]]:
    """Lines that are a log's, a diff's or a shell's wherever they stand, and remarks in code.

    "-" and "+" mark the items of a list too: a diff has a header, or both marks, or is spoken of.
    """
    spans = at_lines(table.LINE, text) + [found.span() for found in table.REMARK.finditer(text)]
    spans += [span for marks in table.BETWEEN for span in _between(text, *marks)]
    if at_lines(table.DIFF, text):
        spans += at_lines(table.DIFF_LINE, text)
    elif added := at_lines(table.ADDED, text):
        removed = at_lines(table.REMOVED, text)
        spans += [*added, *removed] if removed or table.OF_CHANGES.search(text) else []
    spans += _indented(text)
    typed = [start for start, _ in at_lines(table.PROMPT, text)]
    return [*spans, (typed[0], typed[-1])] if len(typed) > 1 else spans


def _indented(text: str) -> "Iterator[tuple[int, int]]":
    """Indented code behind a line that announces it, unless that announces a list of the user's own."""
    end = own = 0
    for found in table.INDENTED.finditer(text):
        start, lead = found.end(), text[text.rfind("\n", 0, found.start()) + 1 : found.start() + 1]
        if start >= end:
            end = start
            while text.startswith(("    ", "\t"), end):
                end = text.find("\n", end) + 1 or len(text)
        if found.start() < own or len(lead) > MAX_LEAD + 1:
            continue
        if table.OWN_SAVE.search(lead) or table.OWN_LIST.search(lead):
            own = end
        else:
            yield start, end


def _between(text: str, opening: str, closing: str) -> "Iterator[tuple[int, int]]":
    """Spans from a mark to the next closing one; what is never closed is no span."""
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            return
        yield start, end + len(closing)
        start = text.find(opening, end + len(closing))


def _issue(text: str) -> list[tuple[int, int]]:
    """What stands in the form of an issue, from its first heading on."""
    return [(start, _end(text, end, end)) for start, end in at_lines(table.ISSUE, text)[:1]]


def _announced(text: str, machine: list[int]) -> list[tuple[int, int]]:
    """What follows a line that announces somebody else's text."""
    spans: list[tuple[int, int]] = []
    at = reached = 0
    lines = text.split("\n")
    for line, next_one in zip(lines, [*lines[1:], ""], strict=True):
        start, at = at, at + len(line) + 1
        if start < reached:
            continue
        if ":" not in line and "：" not in line and next_one.strip():
            continue  # it announces nothing, as most lines of a paste
        begin = _behind_lead(line, text[at : at + 400])
        if begin is None:
            continue
        begin += start
        if _OPEN.match(text, begin) or _next_word(text, begin) in machine:
            continue
        reached = _end(text, begin, at)
        spans.append((begin, reached))
    return spans


def _behind_lead(line: str, after: str) -> int | None:
    """Where in the line somebody else's words begin: at its end for a lead-in, behind a task's colon."""
    lead = line[-MAX_LEAD:].replace("’", "'").rstrip()
    if not lead.endswith((":", "：")):
        follows = after.lstrip(" \t").startswith("\n") and after.strip()
        if follows and table.UNPOINTED.search(lead) and not table.OWN_SAVE.search(lead):
            return len(line)
        task = _task(line[:MAX_LEAD].replace("’", "'"))
        return task if task is not None and line[task:].strip() else None
    *before, last = _SENTENCE.split(lead)
    if before and table.SHORT_LEAD.match(last):
        last = f"{before[-1]} {last}"
    return len(line) if after.strip() and _announces(last.strip()) else None


def _announces(lead: str) -> bool:
    if _task(lead) is not None:
        return True
    if table.OWN_SAVE.search(lead):
        return False
    says = table.SAYS.search(lead)
    if says is not None and not table.SPEAKER_OWN.search(lead[: says.start()]):
        return True
    if says is not None or table.SHOWS.search(lead) is None:
        return False
    return table.OWN_LIST.search(lead) is None or table.TAKEN_FROM.search(lead) is not None


def _task(lead: str) -> int | None:
    """Where the text begins that the agent is to work on."""
    if ":" not in lead and "：" not in lead:
        return None
    task = table.TASK.search(lead)
    if task is None or table.TASK_OF_OWN.search(lead[: task.start()]):
        return None
    return None if table.TASK_OF_OWN.search(task.group()[:12]) else task.end()


def _next_word(text: str, at: int) -> int:
    """Where the paragraph begins that holds the next word."""
    while at < len(text) and text[at].isspace():
        at += 1
    breaks = text.rfind("\n\n", 0, at)
    return breaks + 2 if breaks >= 0 else 0


def _end(text: str, begin: int, next_line: int) -> int:
    """Where the user speaks again: behind the paragraph for words on the lead's own line."""
    if begin < next_line - 1 and text[begin : next_line - 1].strip():
        behind = BREAK.search(text, begin)
        return behind.start() if behind else len(text)
    signed = False
    at = begin
    for gap in BREAK.finditer(text, begin):
        signed = signed or _signs_off(text[at : gap.start()])
        at = gap.end()
        if table.ENDS.match(text, at) or (signed and table.RESUMES.match(text, at)):
            return at
    return len(text)


def _letters(text: str) -> list[tuple[int, int]]:
    """Letters, from the greeting on; one to many people is no word to the agent, signed or not."""
    spans: list[tuple[int, int]] = []
    reached = at = passed = 0
    signatures: list[int] | None = None
    for line in text.split("\n"):
        start, passed = passed, passed + len(line) + 1
        if start < reached or len(line) not in _SHORT or not may_greet(line):
            continue
        many = table.GREETS_MANY.match(line)
        if not (many or table.GREETS.match(line)):
            continue
        if signatures is None:
            signatures = [match.end() for match in table.SIGNS_OFF.finditer(text)]
        while at < len(signatures) and signatures[at] < passed - 1:
            at += 1
        end = _letter_end(text, signatures[at]) if at < len(signatures) else None
        if end is None and not many:
            continue
        reached = end if end is not None else len(text)
        spans.append((start, reached))
    return spans


def _letter_end(text: str, signed: int) -> int:
    """The end of a letter signed there: up to where the user plainly speaks again."""
    for gap in BREAK.finditer(text, signed):
        if table.ENDS.match(text, gap.end()) or table.RESUMES.match(text, gap.end()):
            return gap.end()
    return len(text)


def _signs_off(paragraph: str) -> bool:
    return table.SIGNS_OFF.search(paragraph) is not None
