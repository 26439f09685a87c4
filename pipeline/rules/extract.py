"""The embedded extractor: what the user asks to keep and plainly states, and what only resembles that."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from siltstone.pipeline.candidate import Action, Candidate, RelatedEntry
from siltstone.pipeline.extraction.candidate_block import parse
from siltstone.pipeline.merging.contradictions import names_old_value, opposed
from siltstone.pipeline.merging.likeness import content, repeats
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.candidates import kind, made, saved, stated
from siltstone.pipeline.rules.change import denies, says_change
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.statements import amends, corrects, stands_alone, statements
from siltstone.store.entry import Source

MAX_TEXT = 500
"""Characters of what is proposed of somebody else's words."""
MAX_IN_OUTPUT = 3
"""Requests that are taken out of one tool's output."""
TAKEN_BACK, CORRECTED = "taken-back", "corrected"
ABOUT = 0.5
"""Share of words that makes two texts speak about one thing."""


def extract(
    window: Window, related: Sequence[RelatedEntry] = (), keywords: tuple[str, ...] = ()
) -> list[Candidate]:
    """What the user asks to keep and what they state, in the order it was said.

    `related` are the entries shown beside the window: a candidate that says one of them again confirms it,
    one that replaces it by a word of change supersedes it, one that plainly contradicts it says so.
    """
    found = [
        aimed(candidate, related)
        for shown in typed(window)
        for candidate in (*_asked(shown, keywords), *_standing(window, shown, keywords))
    ]
    return _once(found)


def saves(window: Window, keywords: tuple[str, ...] = ()) -> list[Candidate]:
    """What the user asks to keep. Where it is heard and not kept, `Candidate.refused` says why.

    A request that points at an earlier message is left to `resembling`, which looks for that message.
    """
    return [one for shown in typed(window) for one in _asked(shown, keywords)]


def typed(window: Window) -> Iterator[Shown]:
    """What the user typed, each message once."""
    return (shown for shown in window.shown if shown.message.role == "user" and not shown.context)


def resembling(window: Window, keywords: tuple[str, ...] = ()) -> list[Candidate]:
    """What only resembles a request to remember, in the order it was said, so that the ledger says why it was
    not kept; proof and gate send most of it away.

    What the user asks not to keep, "remember this" about an earlier message, an agent's candidate block
    (docs/seeds.md A8, A9), and, once, what a page or a command's output asks to be remembered.
    """
    found: list[Candidate] = []
    for i, shown in enumerate(window.shown):
        if shown.context:
            continue
        if shown.message.role == "user":
            text = shown.message.text
            found += [
                _candidate(text[start:end], shown, "explicit") for start, end in hear(text, keywords).refusals
            ]
            found += _pointed(window.shown[:i], shown, keywords)
        elif shown.message.role == "assistant":
            # Lines of a candidate block: the agent's, unless the user said the same in this session.
            same = [one for one in typed(window) if one.session == shown.session]
            for line in parse(shown.message.text):
                told = (find(one, line.text) for one in same)
                said = next((one.shown for one in told if one and one.origin == "user-said"), shown)
                found.append(replace(_candidate(line.text, said, "extraction"), type=line.type))
        elif shown.message.tool is not None:
            output = shown.message.tool.output
            requests = hear(output, typed=False).kept[:MAX_IN_OUTPUT]
            asked = dict.fromkeys(request.body(output) for request in requests)
            new = (body for body in asked if all(one.body != body for one in found))
            found += [_candidate(body, shown, "extraction") for body in new]
    return found


def _asked(shown: Shown, keywords: tuple[str, ...]) -> Iterator[Candidate]:
    requests = hear(shown.message.text, keywords).requests
    return (saved(one, shown) for one in requests if one.reason != "points-back")


def _standing(window: Window, shown: Shown, keywords: tuple[str, ...]) -> list[Candidate]:
    """What a message states outside of what it asks to keep, or not to keep.

    Where the next thing that the user typed takes it back or corrects it, the candidate says so; what was
    asked to be kept stays, and is named to the user (`taken_back.py`).
    """
    heard = hear(shown.message.text, keywords)
    taken = [*heard.refusals, *(span for one in heard.requests for span in one.spans())]
    found = [
        stated(one, shown)
        for one in statements(shown.message.text)
        if not any(start < one.end and one.start < end for start, end in taken)
    ]
    after = next((one for one in typed(window) if one.n > shown.n and one.session == shown.session), None)
    if after is None or not found:
        return found
    text = after.message.text
    refused = (
        TAKEN_BACK if hear(text, keywords).retracts else CORRECTED if corrects(text) or amends(text) else ""
    )
    return [replace(one, refused=refused) for one in found]


def _once(found: list[Candidate]) -> list[Candidate]:
    """The same thing said several times: each time in its fullest wording, with the quotes of all. The merge
    keeps the first and counts the others as absorbed (invariant 4)."""
    groups: list[list[int]] = []
    for i, candidate in enumerate(found):
        group = next((one for one in groups if any(_again(candidate, found[j]) for j in one)), [])
        if not group:
            groups.append(group)
        group.append(i)
    said = list(found)
    for group in groups:
        fullest = max((found[i] for i in group), key=lambda one: len(one.body))
        quotes = tuple(dict.fromkeys(quote for i in group for quote in found[i].quotes))
        for i in group:
            said[i] = replace(fullest, quotes=quotes)
    return said


def _again(one: Candidate, other: Candidate) -> bool:
    """Two candidates of one kind, the longer of which says all that the other does."""
    longer, shorter = sorted((one.body, other.body), key=len, reverse=True)
    kinds = [(each.type, each.scope, each.source, each.refused) for each in (one, other)]
    same = kinds[0] == kinds[1] and says_change(longer) == says_change(shorter)
    return same and repeats(shorter, longer) and not opposed(longer, shorter)


def aimed(candidate: Candidate, related: Sequence[RelatedEntry]) -> Candidate:
    """Turns a create into what it does to an entry that was shown: confirm, supersede or contradict it."""
    said, changes = candidate.body, says_change(candidate.body)
    best: tuple[float, Action, int] | None = None
    for entry in related:
        mine, yours, old = content(said), content(entry.body or entry.description), entry.claim
        alike = len(mine & yours) / max(min(len(mine), len(yours)), 1)
        clash, denied = opposed(said, old), denies(said, old)
        replaces = (changes or denied) and (clash or names_old_value(said, old))
        action: Action
        if replaces or (denied and changes and alike >= ABOUT):
            action = "supersede"
        elif clash:
            action = "contradict"
        elif not changes and repeats(said, old):
            action = "confirm"
        else:
            continue
        if best is None or alike > best[0]:
            best = (alike, action, entry.number)
    return candidate if best is None else replace(candidate, action=best[1], target=best[2])


def _pointed(before: Sequence[Shown], shown: Shown, keywords: tuple[str, ...]) -> Iterator[Candidate]:
    """ "Remember that" alone speaks of what stands before it in its session: of what the user stated, else of
    the agent's answer, which waits in the inbox."""
    requests = hear(shown.message.text, keywords).requests
    pointing = next((one for one in requests if one.reason == "points-back"), None)
    if pointing is None:
        return
    earlier = [one for one in before if one.session == shown.session and one.message.tool is None]
    typed_ = next((one for one in reversed(earlier) if one.message.role == "user"), None)
    if typed_ is not None and stands_alone(typed_.message.text):
        text = typed_.message.text
        yield made(*kind(text), text, [text], typed_, "explicit")
    elif earlier and earlier[-1].message.role == "assistant":
        yield replace(_candidate(earlier[-1].message.text, earlier[-1], "explicit"), type="project")
    else:
        yield saved(pointing._replace(reason="nothing-named"), shown)


def _candidate(text: str, shown: Shown, source: Source) -> Candidate:
    body = text.strip()[:MAX_TEXT]
    return made("feedback", False, body, [body], shown, source)
