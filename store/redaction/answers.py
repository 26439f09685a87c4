"""An answer to a question after a password: "it's otter7boat" names no password itself."""

import re
from functools import cache

from siltstone.store.redaction.engine import MARK, redact
from siltstone.store.redaction.forms import DRAWN
from siltstone.store.redaction.vocabulary import LABELS

SHORT = 100
"""Characters of an answer; a longer one tells by itself what it speaks of, but for words alone in a line."""
_QUESTION = re.compile(r"[^.!?。！？\n]{0,400}(?:[?？]|[吗嗎](?=\W|$))")
_WORD = re.compile(r"[!-~]{8,}")
_ALONE = re.compile(rf"(?m)^{DRAWN}{{8,}}(?=[ \t\r]*$)")
_COLOURS = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_PROMPTS = re.compile(r"\bpass(?:phrase|code)|\bPIN\b|\bOTP\b", re.IGNORECASE)
"""What programs ask for as well."""
_MOST = 2
"""Lines of one word in a long answer; more are a list."""


def hide_answer(asked: str, answer: str) -> str:
    """An answer without the words in it that read as a password, where a question in `asked` names one."""
    short = len(answer) <= SHORT
    words = _WORD if short else _ALONE
    found = words.findall(answer)
    if not found or (not short and len(found) > _MOST):
        return answer
    named = _names().search("\n".join(_QUESTION.findall(asked)))
    return words.sub(_hidden, answer) if named else answer


def asks_for_password(printed: str) -> bool:
    """Whether what a program printed ends with a prompt for a password ("[sudo] password for ada: ")."""
    last = _COLOURS.sub("", printed).rstrip().rpartition("\n")[2]
    named = _names().search(last) or _PROMPTS.search(last)
    return last.endswith((":", "：", ">", "?", ")")) and named is not None


@cache
def _names() -> re.Pattern[str]:
    """What finds the name of a password."""
    labels = (one for one in LABELS.values() if one.means == "password")
    words = (rf"\b{re.escape(one.needle)}\b" if one.whole else re.escape(one.needle) for one in labels)
    return re.compile("|".join(words), re.IGNORECASE)


def _hidden(found: re.Match[str]) -> str:
    word = found[0].strip("`'\".,;:!?()[]<>")
    drawn = any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and "/" not in word
    return found[0].replace(word, MARK) if drawn and MARK in redact(f"password: {word}").text else found[0]
