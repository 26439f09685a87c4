"""Which lines tell an error: what sessions count and pruning never cuts (docs/seeds.md A34, B6, "Source")."""

from siltstone.store.late import LatePattern

_LONGEST = 4_000
"""Characters of a line that are looked at."""

RAW = LatePattern(
    r"(?m)\bTS\d{3,5}\b|\bERR!|^npm error\b|^\s*Traceback\b|\bpanic:|\bpanicked at\b"
    r"|^\s*(?:Uncaught |Caused by: |Exception in thread \"[^\"]{0,80}\" )?"
    r"(?:[\w.]{0,80}\.)?(?:\w{0,60}Error|\w{0,60}Exception)\b\s{0,3}(?:\[\w{1,40}\]\s{0,3})?:"
    r"|\berror\s{0,2}(?:\[\w{1,12}\])?\s{0,2}:|\berror TS\d"
)
"""An error whatever the command that printed it."""
LOUD = LatePattern(
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
"""What a line in small letters holds that may tell an error: pruning rather keeps too much.

Every alternative begins with its own letters, and none asks for a boundary before it: so `re` looks for
their first letters alone, eight times as fast. Those of one letter stand together: it is compared once.
"""
_COMPLAINT = LatePattern(r"(?i)\b(?:errors?|fail(?:s|ed|ing|ures?)?|not ok)\b")
_NONE = LatePattern(
    r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|fail(?:ed|ing|s)?|warnings?)\b"
    r"|\b(?:errors?|fail(?:ed|ing|s|ures?)?):? 0\b"
)
ESCAPES = LatePattern(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
"""Colours and titles a program sends to a terminal."""


def tells(line: str) -> bool:
    """Whether a line of tool output tells an error, in any way."""
    return line.startswith("E  ") or LOUD.search(line.lower()) is not None


def tells_raw(line: str) -> bool:
    """Whether a line is an error as programs print them, whatever the command."""
    return RAW.search(line[:_LONGEST]) is not None


def complains(line: str) -> bool:
    """Whether a line of a check or a build tells an error; "0 errors" does not, "1 failed, 0 errors" does."""
    some = line[:_LONGEST]
    return tells_raw(some) or _COMPLAINT.search(_NONE.sub("", some)) is not None
