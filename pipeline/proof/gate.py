"""The gate: a table of small rules, each with a stable reason name (docs/seeds.md A10–A12 and "Source").

Hard reasons name what no memory may be. Soft ones say that a feedback shows no stable preference, or
a decision no future rule. Diagnostic ones reject nothing. To add a rule, add a function to `RULES`.
Explicit saves skip the gate, not redaction.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.proof import gate_table as table
from siltstone.pipeline.proof import injection_table as injection
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.words import asian

MAX_TEXT = 8_000
MAX_RUN = 100
"""Letters, digits and signs in a row of which the rules see no more: a pattern that tries a run from each of
its characters takes time in proportion to the run's square."""
MIN_WIDTH = 20
"""Columns a text needs (A10); a CJK letter takes two."""

_LONG_RUN = re.compile(rf"([!-~]{{{MAX_RUN}}}|\d{{{MAX_RUN}}})(?:[!-~]|\d)+")

Severity = Literal["hard", "soft", "diagnostic"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A reason, how much it weighs, and the test: (type, text) -> whether the reason holds."""

    reason: str
    severity: Severity
    holds: Callable[[str, str], bool]


def assess(type_: str, text: str, source: str) -> tuple[str, ...]:
    """Every reason against a memory, in the order of the table; none for explicit saves."""
    if source == "explicit":
        return ()
    text = readable(text)
    return tuple(rule.reason for rule in RULES if rule.holds(type_, text))


def readable(text: str) -> str:
    """The text as the rules see it: one line, its beginning, long runs of signs and of digits cut."""
    return _LONG_RUN.sub(r"\1", " ".join(text[:MAX_TEXT].split()))


def gate(type_: str, text: str, source: str) -> str | None:
    """The reason why a candidate is rejected; None when it passes."""
    reasons = [reason for reason in assess(type_, text, source) if SEVERITY[reason] != "diagnostic"]
    if reasons:
        return reasons[0]
    if source != "explicit" and len(text.strip()) + asian(text) < MIN_WIDTH:
        return "too_short"
    return None


def is_hard(reason: str) -> bool:
    """Whether the reason alone may take an entry away that is already stored."""
    return SEVERITY.get(reason) == "hard"


def _has(pattern: str, text: str) -> bool:
    """Whether a pattern stands in a text; it is compiled when it is first wanted."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def _normative(text: str) -> bool:
    """It says what is to be done whenever something happens, so it reports nothing."""
    return _has(table.STANDING, text) or _has(table.NORMATIVE, text)


def _empty(_type: str, text: str) -> bool:
    return not any(char.isalnum() for char in text)


def _prompt_injection(_type: str, text: str) -> bool:
    if injection.INJECTION.search(text) or injection.SECRETLY.search(text):
        return True
    bidden = injection.BIDDEN.search(text)
    return bidden is not None and not injection.FORBIDDEN.search(text)


def _negated_request(_type: str, text: str) -> bool:
    return bool(hear(text).refusals)


def _progress_snapshot(_type: str, text: str) -> bool:
    if _has(table.PROGRESS, text):
        return True
    return _has(table.RESULT, text) and not _normative(text)


def _raw_error(_type: str, text: str) -> bool:
    if table.ERROR_START.match(text) or table.FRAME.search(text):
        return True
    return table.ERROR_INSIDE.search(text) is not None and not _has(table.EXPLAINS, text)


def _commit_or_ci(_type: str, text: str) -> bool:
    if table.COMMIT_PREFIX.match(text):
        return True
    if _has(table.CI_RESULT, text) and not _normative(text):
        return True
    words = (word.strip("`'\"()[]{}.,:;!") for word in text.split())
    return any(_is_hash(word) for word in words) and not _has(table.PINNED, text)


def _is_hash(word: str) -> bool:
    """7–40 hex digits with a letter and a digit among them: "4832b38", not "defaced" or "1000000"."""
    return (
        table.HEX.fullmatch(word) is not None
        and any(char.isdigit() for char in word)
        and any(char.isalpha() for char in word)
    )


def _path_heavy(_type: str, text: str) -> bool:
    words = text.replace("：", "： ").split()
    words = [word.strip("`'\"()[],;") for word in words]
    paths = [word for word in words if is_path(word) and "://" not in word]
    if not paths:
        return False
    share = sum(map(len, paths)) / len(text.replace(" ", ""))
    if len(paths) == 1:
        others = [word for word in words if word not in paths]
        labelled = len(others) > 1 or any(word.endswith((":", "：")) for word in others)
        return share > 0.8 and not labelled
    many = len(paths) * 5 >= len(words) * 2
    return share > 0.65 or (many and (share > 0.5 or len(paths) > 2))


def _temporary_status(_type: str, text: str) -> bool:
    return _has(table.STATUS, text)


def _active_file(_type: str, text: str) -> bool:
    return _has(table.TOUCHED, text)


def _code(_type: str, text: str) -> bool:
    return table.CODE.match(text.strip("` ")) is not None


def _unresolved_question(_type: str, text: str) -> bool:
    return text.rstrip(" \"'”’」)`").endswith(("?", "？")) or _has(table.OPEN, text)


def _transient_bug(_type: str, text: str) -> bool:
    if _has(table.BUG, text):
        return True
    return _has(table.FLAKY, text) and not _normative(text)


def _deployment(_type: str, text: str) -> bool:
    return _has(table.DEPLOYED, text)


def _bad_feedback(type_: str, text: str) -> bool:
    if type_ != "feedback" or _has(table.PREFERS, text) or _normative(text) or _has(table.ORDERS, text):
        return False
    return _has(table.REPORT, text) or not _has(table.STATES, text)


def _bad_decision(type_: str, text: str) -> bool:
    if type_ != "decision" or _has(table.DECIDES, text):
        return False
    return _has(table.REPORT, text) and not _has(table.STANDING, text)


def _terse_label(_type: str, text: str) -> bool:
    return len(text.split()) <= 3 and not asian(text) and not text.rstrip().endswith((".", "!"))


RULES: tuple[Rule, ...] = (
    Rule("empty", "hard", _empty),
    Rule("prompt_injection", "hard", _prompt_injection),
    Rule("negated_request", "hard", _negated_request),
    Rule("raw_error", "hard", _raw_error),
    Rule("commit_or_ci_snapshot", "hard", _commit_or_ci),
    Rule("path_heavy", "hard", _path_heavy),
    Rule("progress_snapshot", "hard", _progress_snapshot),
    Rule("temporary_status", "hard", _temporary_status),
    Rule("active_file_snapshot", "hard", _active_file),
    Rule("code_or_api_signature", "hard", _code),
    Rule("unresolved_question", "hard", _unresolved_question),
    Rule("transient_bug_state", "hard", _transient_bug),
    Rule("deployment_snapshot", "hard", _deployment),
    Rule("bad_feedback", "soft", _bad_feedback),
    Rule("bad_decision", "soft", _bad_decision),
    Rule("terse_label", "diagnostic", _terse_label),
)
SEVERITY: dict[str, Severity] = {rule.reason: rule.severity for rule in RULES}
