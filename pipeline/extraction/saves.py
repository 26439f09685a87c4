"""What only resembles a request to remember, so that the ledger says why it was not kept.

What the user asks not to keep, "remember this" about an earlier message, an agent's candidate block
(docs/seeds.md A8, A9), and a page or a command's output that asks to be remembered. Proof and gate send most
of it away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.extraction.candidate_block import parse
from siltstone.pipeline.proof.origin import locate
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.candidates import asked_for, made, saved
from siltstone.pipeline.rules.extract import typed
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.statements import stands_alone
from siltstone.store.entry import Source

MAX_TEXT = 500
"""Characters of what is proposed of somebody else's words."""
MAX_IN_OUTPUT = 3
"""Requests that are taken out of one tool's output."""


def resembling(window: Window, keywords: tuple[str, ...] = ()) -> list[Candidate]:
    """What looks like a request and needs a verdict, in the order it was said."""
    found: list[Candidate] = []
    for i, shown in enumerate(window.shown):
        if shown.context:
            continue
        if shown.message.role == "user":
            text = shown.message.text
            found += [_candidate(text[start:end], shown, "explicit") for start, end in hear(text).refusals]
            found += _pointed(window.shown[:i], shown, keywords)
        elif shown.message.role == "assistant":
            found += _proposed(shown, window)
        elif shown.message.tool is not None:
            output = shown.message.tool.output
            requests = hear(output, typed=False).kept[:MAX_IN_OUTPUT]
            found += [_candidate(request.body(output), shown, "extraction") for request in requests]
    return found


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
        yield asked_for(typed_.message.text, typed_)
    elif earlier and earlier[-1].message.role == "assistant":
        yield replace(_candidate(earlier[-1].message.text, earlier[-1], "explicit"), type="project")
    else:
        yield saved(replace(pointing, reason="nothing-named"), shown)


def _proposed(shown: Shown, window: Window) -> Iterator[Candidate]:
    """Lines of a candidate block: the agent's, unless the user said the same in this session."""
    block = parse(shown.message.text)
    for line in (*block.lines, *block.refused):
        same = (other for other in typed(window) if other.session == shown.session)
        said = next((other for other in same if locate(other, line.text) == "user-said"), shown)
        yield replace(_candidate(line.text, said, "extraction"), type=line.type)


def _candidate(text: str, shown: Shown, source: Source) -> Candidate:
    body = text.strip()[:MAX_TEXT]
    return made("feedback", False, body, [body], shown, source)
