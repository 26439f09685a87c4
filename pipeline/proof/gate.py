"""The gate: a table of small rules, each with a stable reason name (docs/seeds.md A10–A12 and "Source").

Hard reasons name what no memory may be. Soft ones say that a feedback shows no stable preference, or
a decision no future rule. Diagnostic ones reject nothing. To add a rule, add a function to `RULES` and its
words to `gate.toml`.
Explicit saves skip the gate, not redaction.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.words import anyof, asian

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


def _has(words: str, text: str) -> bool:
    """Whether a text has these words of `gate.toml`."""
    return _pattern(words).search(text) is not None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """Words of `gate.toml` as one pattern, compiled when it is first wanted."""
    for kind, flags in (("exact", re.NOFLAG), ("patterns", re.IGNORECASE)):
        if words in _words()[kind]:
            own = _source(words, kind)
            more = f"|{_source(words, 'phrases')}" if words in _words()["phrases"] else ""
            return re.compile(own + more, flags)
    return re.compile(_source(words, "phrases"), re.IGNORECASE)


def _source(words: str, kind: str) -> str:
    text: str = _words()[kind][words]
    if kind != "phrases":
        text = text.replace("\n", "")
    text = re.sub(r"<([a-z]+)>", _part, text)
    return anyof(text) if kind == "phrases" else text


def _part(named: re.Match[str]) -> str:
    """What stands in the place of `<name>`, itself where there is no such part (`<system>` is a tag)."""
    part = _words()["parts"].get(named[1])
    return named[0] if part is None else "(" + re.sub(r"<([a-z]+)>", _part, part.replace("\n", "")) + ")"


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("gate.toml").read_text("utf-8"))


def _normative(text: str) -> bool:
    """It says what is to be done whenever something happens, so it reports nothing."""
    return _has("standing", text) or _has("normative", text)


def _empty(_type: str, text: str) -> bool:
    return not any(char.isalnum() for char in text)


def _prompt_injection(_type: str, text: str) -> bool:
    if _pattern("injection").search(text) or _pattern("secretly").search(text):
        return True
    bidden = _pattern("bidden").search(text)
    return bidden is not None and not _pattern("forbidden").search(text)


def _negated_request(_type: str, text: str) -> bool:
    return bool(hear(text).refusals)


def _progress_snapshot(_type: str, text: str) -> bool:
    if _has("progress", text):
        return True
    return _has("result", text) and not _normative(text)


def _raw_error(_type: str, text: str) -> bool:
    if _pattern("error_start").match(text) or _pattern("frame").search(text):
        return True
    return _has("error_inside", text) and not _has("explains", text)


def _commit_or_ci(_type: str, text: str) -> bool:
    if _pattern("commit_prefix").match(text):
        return True
    if _has("ci_result", text) and not _normative(text):
        return True
    words = (word.strip("`'\"()[]{}.,:;!") for word in text.split())
    return any(_is_hash(word) for word in words) and not _has("pinned", text)


def _is_hash(word: str) -> bool:
    """7–40 hex digits with a letter and a digit among them: "4832b38", not "defaced" or "1000000"."""
    return (
        _pattern("hex").fullmatch(word) is not None
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
    return _has("status", text)


def _active_file(_type: str, text: str) -> bool:
    return _has("touched", text)


def _code(_type: str, text: str) -> bool:
    return _pattern("code").match(text.strip("` ")) is not None


def _unresolved_question(_type: str, text: str) -> bool:
    return text.rstrip(" \"'”’」)`").endswith(("?", "？")) or _has("open", text)


def _transient_bug(_type: str, text: str) -> bool:
    if _has("bug", text):
        return True
    return _has("flaky", text) and not _normative(text)


def _deployment(_type: str, text: str) -> bool:
    return _has("deployed", text)


def _bad_feedback(type_: str, text: str) -> bool:
    if type_ != "feedback" or _has("prefers", text) or _normative(text) or _has("orders", text):
        return False
    return _has("report", text) or not _has("states", text)


def _bad_decision(type_: str, text: str) -> bool:
    if type_ != "decision" or _has("decides", text):
        return False
    return _has("report", text) and not _has("standing", text)


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
