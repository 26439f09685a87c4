"""Which lines of output report an error: sessions count them, pruning keeps them (docs/seeds.md A34, B6)."""

import re

_LONGEST = 4_000
"""Characters of a line that are searched."""

_ERROR = re.compile(
    r"(?m)\bTS\d{3,5}\b|\bERR!|^npm error\b|^\s*Traceback\b|\bpanic:|\bpanicked at\b"
    r"|^\s*(?:Uncaught |Caused by: |Exception in thread \"[^\"]{0,80}\" )?"
    r"(?:[\w.]{0,80}\.)?(?:\w{0,60}Error|\w{0,60}Exception)\b\s{0,3}(?:\[\w{1,40}\]\s{0,3})?:"
    r"|\berror\s{0,2}(?:\[\w{1,12}\])?\s{0,2}:|\berror TS\d"
)
"""An error, whatever command printed it."""
_HINT = re.compile(
    r"a(?:bort|lready in use|ssert)|b(?:ad (?:gateway|interpreter|request|substitution)|ail out|roken)"
    r"|c(?:an't|annot|aused by|onflict|ore dumped|orrupt|ould not|ouldn't|rash|ritical)"
    r"|d(?:eadlock|enied|id not|oes(?: not|n't) exist)"
    r"|e(?:acces|addrinuse|rr!|rreur|rror|xception|xit code|xit status|xited (?:with|[1-9])|xpected)"
    r"|f(?:ail|atal|ehl(?:er|ge)|orbidden)|http/[\d.]+\"? 5\d\d|i(?:llegal|nsufficient|nvalid)"
    r"|k(?:eyboardinterrupt|illed)|m(?:ismatch|issing)"
    r"|n(?:o space left|o such|on-?zero|ot (?:assignable|found|ok|recogni[sz]ed|used|valid))"
    r"|o(?:om |ut of memory|verflow)|panic|r(?:efused|ejected|eset by peer)"
    r"|s(?:egfault|egmentation|evere|ig(?:abrt|bus|kill|term|segv)|omething went wrong)"
    r"|t(?:erminated|imed? ?out|raceback|s\d{4})"
    r"|u(?:nable to|nauthori[sz]ed|navailable|ndefined|nhandled|nknown|nrecogni[sz]ed|nresolved|nsupported)"
    r"|violat|w(?:arning|ould reformat|rong)|: (?:[a-z]{1,4}\d{3,4}\b|\*\*\* )|\.go:\d+:\d+: "
    r"|[✗✘✖✕×❌●]|[1-9]\d{0,3}\) |错误|失败|錯誤|失敗|异常|異常|エラー|例外|오류|실패|échec|ошибк"
)
"""Signs of an error in a line in small letters. Pruning rather keeps too much.

Each alternative begins with fixed letters and none with a word boundary, so that `re` can search for first
letters alone, which is eight times as fast. One-letter alternatives stand together for the same reason.
"""
_COMPLAINT = re.compile(r"(?i)\b(?:errors?|fail(?:s|ed|ing|ures?)?|not ok)\b")
_NONE = re.compile(
    r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|fail(?:ed|ing|s)?|warnings?)\b"
    r"|\b(?:errors?|fail(?:ed|ing|s|ures?)?):? 0\b"
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
"""Colours and titles that a program sends to a terminal."""


def hints_at_error(line: str) -> bool:
    """Whether a line of output may report an error of any kind."""
    return line.startswith("E  ") or _HINT.search(line.lower()) is not None


def is_error(line: str) -> bool:
    """Whether a line is an error in a form that programs print, whatever the command."""
    return _ERROR.search(line[:_LONGEST]) is not None


def is_complaint(line: str) -> bool:
    """Whether a line of a check or build reports an error: "1 failed, 0 errors" does, "0 errors" not."""
    line = line[:_LONGEST]
    return is_error(line) or _COMPLAINT.search(_NONE.sub("", line)) is not None
