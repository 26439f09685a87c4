"""The gate: a table of small rules, each with a stable reason name (docs/seeds.md A10–A12 and "Source").

Most reasons name what no memory may be. The soft ones say that a feedback shows no stable preference, a
decision no future rule, or that little is said beside paths. To add a rule, add a function to `RULES` and its
words to `phrases.toml`.

Explicit saves skip the gate, not redaction, and not `only_secret` and `only_tags`.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.merging.likeness import CJK
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.rules.language import language_of
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import mask, sentences
from siltstone.pipeline.words import asian, letters
from siltstone.store.redaction import MARK

MAX_TEXT = 8_000
MAX_RUN = 100
"""Letters, digits and signs in a row of which the rules see no more: a pattern that tries a run from each of
its characters takes time in proportion to the run's square."""
MIN_WIDTH = 20
"""Columns a text needs (A10); a CJK letter takes two."""

MIN_LETTERS = 14
"""Letters of a clause that say something beside a redacted secret; a CJK letter counts for two."""

_LONG_RUN = re.compile(rf"([!-~]{{{MAX_RUN}}}|\d{{{MAX_RUN}}})(?:[!-~]|\d)+")
_CLAUSES = re.compile(r"[;；。，,\n]|[.!?](?=\s|$)|(?<!\w)(?:and|but|because|und|aber|weil)(?!\w)", re.I)
_COMMAND = re.compile(r"`([^`\s]{1,80})(\s[^`\n]{1,600})?`")
"""Inline code; its first word, and the others. A command may take paths."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_AROUND = "`'\"()[],;。，；、"
_BESIDE_CJK = re.compile(rf"(?<=[：{CJK}])(?=[!-~])|(?<=[!-~])(?=[{CJK}])")
"""Where a word of Chinese, Japanese or Korean stands right beside one of other letters."""
_TAG = re.compile(r"</?[a-z!?][\w:.-]{0,80}(?:\s[^<>]{0,300})?/?>", re.I)

FEW_PATHS = 3
"""A text may be about so many paths, if it says something of them."""
SAYS, TELLS_WHERE = 8, 3
"""It does with more words than that beside them, in a reference with more than that."""
SAYS_ERROR = 8
"""Words beside a quoted error with which it is told; each quotation is one."""
TOO_SHORT = "too_short"
TOO_LITTLE = frozenset({TOO_SHORT, "path_heavy"})
"""Reasons that may only be due to what was cut."""
SOFT = frozenset({"bad_feedback", "bad_decision", "path_heavy"})
"""Reasons that count against a memory as a whole, and do not take away one that is already stored."""


@lru_cache(maxsize=1_024)
def assess(type_: str, text: str, source: str) -> tuple[str, ...]:
    """Every reason against a memory, in the order of the table; none for explicit saves."""
    if source == "explicit":
        return ()
    text = readable(text)
    return tuple(reason for reason, holds in RULES.items() if holds(type_, text))


def readable(text: str) -> str:
    """The text as the rules see it: one line, its beginning, long runs of signs and of digits cut."""
    return _LONG_RUN.sub(r"\1", " ".join(text[:MAX_TEXT].split()))


def gate(type_: str, text: str, source: str) -> str | None:
    """The reason why a candidate is rejected; None when it passes."""
    if reasons := assess(type_, text, source):
        return reasons[0]
    # A description, the first line, mostly repeats the body, so the two together are no longer. A rule
    # ("Never run git push") is whole in few words.
    pieces = text.partition("\n") if source == "extraction" and not _rules(text) else (text,)
    long_enough = any(len(one.strip()) + asian(one) >= MIN_WIDTH for one in pieces)
    return None if long_enough or source == "explicit" else TOO_SHORT


def only_tags(text: str) -> bool:
    """Whether a text holds tags and no word beside them: "</siltstone-memory>" alone is no memory."""
    return "<" in text and not any(map(str.isalnum, _TAG.sub("", text)))


def only_secret(text: str) -> bool:
    """Whether a redacted secret was the point of a text: "the bot token is [REDACTED]" says nothing more."""
    return MARK in text and not any(_informs(clause) for clause in _CLAUSES.split(text))


def _informs(clause: str) -> bool:
    _, mark, after = clause.partition(MARK)
    if not mark:
        return letters(clause) >= MIN_LETTERS
    if any("/" in identifier or " " in identifier for identifier in identifiers(clause.replace(MARK, "x"))):
        return True  # an address or a command without its secret
    after = after.replace(MARK, "")
    return letters(after) >= MIN_LETTERS and pattern("no_predicate").match(after) is None


def _has(words: str, text: str) -> bool:
    """Whether a text has these words of `phrases.toml`."""
    return pattern(words).search(text) is not None


def _rules(text: str) -> bool:
    """It says what is to be done, or what somebody wants."""
    return any(_has(one, text) for one in ("prefers", "standing", "normative", "orders"))


def _lasts(type_: str, text: str) -> bool:
    """It says what is to be done, when something holds, or why: it reports no passing state."""
    words = ("standing", "normative", "remedy", *(("decides",) if type_ == "decision" else ()))
    return any(_has(one, text) for one in words)


def _reports(type_: str, text: str, *words: str) -> bool:
    """Whether some words are what a text states, and it says nothing beside them that lasts.

    They do not count in a quotation, nor in a clause that says when or why something holds.
    """
    found: list[bool] = []
    shape = mask(text, words=False)
    for one in sentences(shape):
        said = shape[one.start : one.end]
        main = pattern("aside").sub(lambda aside: f"{next(filter(None, aside.groups()))} ", said)
        stated = [word for word in words if _has(word, main)]
        for word in stated:
            said = pattern(word).sub(" ", said)
        if _lasts(type_, said):
            return False
        found.append(bool(stated))
    return any(found)


def injects(text: str) -> bool:
    """Whether a text gives orders to whoever reads a memory."""
    if _has("injection", text) or _has("secretly", text):
        return True
    return _has("bidden", text) and not _has("forbidden", text)


def _raw_error(_type: str, text: str) -> bool:
    if _has("frame", text) or (pattern("error_start").match(text) and not _has("remedy", text)):
        return True
    if not _has("error_inside", text) or _has("explains", text):
        return False
    # A quoted one is told, if enough is said of it.
    told = mask(text, words=False)
    return _has("error_inside", told) or len(_WORD.findall(told)) < SAYS_ERROR


def _commit_or_ci(type_: str, text: str) -> bool:
    if pattern("commit_prefix").match(text):
        return True
    if _reports(type_, text, "ci_result"):
        return True
    words = (word.strip("`'\"()[]{}.,:;!") for word in mask(text, words=False).split())
    # 7–40 hex digits with a letter and a digit among them: "4832b38", not "defaced" or "1000000".
    hexes = [word for word in words if pattern("hex").fullmatch(word)]
    hashes = (word for word in hexes if any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    return any(hashes) and not (_has("pinned", text) or _lasts(type_, text))


def _path_heavy(type_: str, text: str) -> bool:
    text = _COMMAND.sub(
        lambda found: "x" * len(found[0]) if found[2] and not is_path(found[1]) else found[0], text
    )
    # A description and a body may say the same.
    words = [*dict.fromkeys(word.strip(_AROUND).rstrip(".") for word in _BESIDE_CJK.sub(" ", text).split())]
    paths = [word for word in words if is_path(word) and "://" not in word]
    enough = TELLS_WHERE if type_ == "reference" else SAYS
    said = sum(max(1, asian(word) // 2) for word in words if word not in paths)
    if not paths or (len(paths) <= FEW_PATHS and said > enough):
        return False
    share = sum(map(len, paths)) / sum(map(len, words))
    if len(paths) == 1:
        others = [word for word in words if word not in paths]
        labelled = len(others) > 1 or any(word.endswith((":", "：")) for word in others)
        return share > 0.8 and not labelled
    many = len(paths) * 5 >= len(words) * 2
    return share > 0.65 or (many and (share > 0.5 or len(paths) > 2))


def _only_output(_type: str, text: str) -> bool:
    """It is nothing but commands and what they printed, and says nothing of them."""
    return "`" in text and not any(set(word) - {"x"} for word in _WORD.findall(mask(text)))


def _bad_feedback(type_: str, text: str) -> bool:
    if type_ != "feedback" or _rules(text):
        return False
    # The words that state something are known in English alone.
    language = language_of(text)
    english = language == "en" or (language is None and text.isascii())
    return _has("report", text) or (english and not _has("states", text))


def _bad_decision(type_: str, text: str) -> bool:
    if type_ != "decision" or _has("decides", text):
        return False
    return _has("report", text) and not _has("standing", text)


def _says(*words: str) -> Callable[[str, str], bool]:
    """The rule that a text reports what some words say."""
    return lambda type_, text: _reports(type_, text, *words)


RULES: Mapping[str, Callable[[str, str], bool]] = {
    "empty": lambda _type, text: not any(map(str.isalnum, text)),
    "prompt_injection": lambda _type, text: injects(text),
    "negated_request": lambda _type, text: bool(hear(text).refusals),
    "raw_error": _raw_error,
    "commit_or_ci_snapshot": _commit_or_ci,
    "path_heavy": _path_heavy,
    "only_output": _only_output,
    "progress_snapshot": _says("progress", "result"),
    # "For now" dates a decision; of anything else it says that it passes.
    "temporary_status": lambda type_, text: _reports(
        type_, text, "status", *(() if type_ == "decision" else ("passing",))
    ),
    "active_file_snapshot": _says("touched"),
    "code_or_api_signature": lambda _type, text: bool(pattern("code").match(text.strip("` "))),
    "unresolved_question": lambda _type, text: (
        text.rstrip(" \"'”’」)`").endswith(("?", "？")) or _has("open", text)
    ),
    "transient_bug_state": _says("bug", "flaky"),
    "deployment_snapshot": _says("deployed"),
    "bad_feedback": _bad_feedback,
    "bad_decision": _bad_decision,
}
