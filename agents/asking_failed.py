"""Why a call of the user's own agent came back without a reply, by what the agent wrote and how it ended."""

import re

from siltstone.agents.asker import MOST, Asker, Told
from siltstone.agents.child import Ended
from siltstone.pipeline.retry import Unanswered, is_passing
from siltstone.pipeline.telling import said
from siltstone.store.errors import ModelError, Overflow, SiltError, Unavailable

_TOO_LARGE = re.compile(
    r"prompt is too long|context (?:window|length|limit)|input token count|ContextOverflow", re.IGNORECASE
)
_TOO_OLD = re.compile(
    r"(?:unknown|unexpected|unrecogni[sz]ed) (?:option|argument|feature|flag)|^\s*(?:usage: )?\w+ run \[",
    re.IGNORECASE | re.MULTILINE,
)
_NO_ACCESS = re.compile(
    r"not logged in|log ?in (?:again|to)|/login|set an auth method|no credentials"
    r"|(?:invalid|missing|incorrect) (?:\w+[ -])?api[ _-]?key|authentication|unauthori[sz]ed",
    re.IGNORECASE,
)
_SPENT = re.compile(r"usage limit|limit reached|hit your limit|daily quota|insufficient_quota", re.IGNORECASE)
_PASSING = re.compile(
    r"overloaded|high demand|rate.?limit|timed? ?out|disconnect|connection|econn|network|temporar|try again",
    re.IGNORECASE,
)
_TROUBLE = re.compile(r"error|fatal|failed|cannot|denied|unknown|not (?:found|running)", re.IGNORECASE)
_STATUS = re.compile(r"\bstatus:? (\d{3})\b")


def failure(name: str, asker: Asker, ended: Ended, told: Told | None) -> SiltError:
    """Our error for a call without a reply: Unanswered is asked again, the others are not.

    An account whose allowance is used up has it again in some hours, so that is Unavailable.
    """
    if ended.cut == "size":
        return Unavailable(f"{name} wrote over {MOST // 1024**2} MB and was ended; it will be asked again.")
    words = told.trouble if told and told.trouble else ended.err.strip() or ended.out.strip()
    telling = next((line for line in words.splitlines() if _TROUBLE.search(line)), words)
    heard = f" ({said(telling)})" if words.strip() else ""
    if ended.cut == "time" and not (told and told.trouble):  # else it hung when all had been told
        return Unanswered(f"{name} did not answer in time and was ended{heard}; try again later.")
    status = _status(told, words)
    if _TOO_LARGE.search(words) or status == 413:
        return Overflow(f"{name}: the window is too large for its model; less must be asked at a time.")
    if _SPENT.search(words):
        return Unavailable(f"{name} has used up what its account allows{heard}; try again later.")
    if status in (401, 403) or (status is None and _NO_ACCESS.search(words)):
        return ModelError(f"{name} gave no access{heard}; {asker.login}.")
    if _TOO_OLD.search(words):
        return ModelError(f"{name} does not know an option it is called with{heard}; update {asker.program}.")
    if is_passing(status) or (status is None and (ended.code < 0 or _PASSING.search(words))):
        died = f" and was ended by signal {-ended.code}" if ended.code < 0 else ""
        return Unanswered(f"{name} did not answer{died}{heard}; try again later.")
    if ended.code == 0:
        return ModelError(
            f"{name} ended without a reply that can be read{heard}; run {asker.program} yourself to see why, "
            "or update it."
        )
    return ModelError(
        f"{name} failed with status {ended.code}{heard}; run {asker.program} yourself to see why."
    )


def _status(told: Told | None, words: str) -> int | None:
    if told is not None and told.status is not None:
        return told.status
    found = _STATUS.search(words)
    return int(found[1]) if found else None
