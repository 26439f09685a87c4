"""What is found by rule in every window, whichever extractor asks: explicit saves, and what resembles them.

Explicit saves are kept at once, without a model (docs/architecture.md; docs/seeds.md A28, E8). What only
resembles one is proposed too, so that the ledger says why it was not kept: a save that was negated, a
bare "remember this" with nothing before it, an agent's candidate block (A8, A9), and a page or a
command's output that asks to be remembered.
"""

from collections.abc import Iterator

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.candidate_block import parse
from siltstone.pipeline.explicit import find_refusals, find_saves
from siltstone.pipeline.foreign import own_words
from siltstone.pipeline.origin import locate
from siltstone.pipeline.rules import made, saved
from siltstone.pipeline.window import Shown, Window
from siltstone.store.entry import Source, Type

MAX_TEXT = 500
MAX_IN_OUTPUT = 3
"""Requests to be remembered that are taken out of one tool's output, for the ledger."""


def saves(window: Window) -> list[Candidate]:
    """What the user asked to remember, in the order it was said."""
    return [candidate for shown in _typed(window) for candidate in _asked(shown)]


def resembling(window: Window) -> list[Candidate]:
    """What looks like a save and needs a verdict: proof and gate send most of it away."""
    found: list[Candidate] = []
    answer: Shown | None = None
    for shown in window.shown:
        if shown.context:
            continue
        if shown.message.role == "user":
            found += _negated(shown)
            found += _bare(shown, answer)
        elif shown.message.role == "assistant":
            answer = shown
            found += _proposed(shown, window)
        else:
            found += _in_output(shown)
    return found


def _typed(window: Window) -> Iterator[Shown]:
    return (shown for shown in window.shown if shown.message.role == "user" and not shown.context)


def _asked(shown: Shown) -> Iterator[Candidate]:
    text = shown.message.text
    return (saved(save, shown) for save in find_saves(own_words(text)) if save.body)


def _negated(shown: Shown) -> Iterator[Candidate]:
    text = shown.message.text
    for refusal in find_refusals(own_words(text)):
        yield _candidate("feedback", text[refusal.start : refusal.end], shown, "explicit")


def _bare(shown: Shown, answer: Shown | None) -> Iterator[Candidate]:
    """ "remember this" alone speaks of the answer before it: the agent's words, so it waits in the inbox."""
    if answer is None:
        return
    if any(save.bare and not save.body for save in find_saves(own_words(shown.message.text))):
        yield _candidate("project", answer.message.text, answer, "explicit")


def _proposed(shown: Shown, window: Window) -> Iterator[Candidate]:
    """Lines of a candidate block: the agent's, unless the user said the same in this session."""
    block = parse(shown.message.text)
    for line in (*block.lines, *block.refused):
        same = (other for other in _typed(window) if other.session == shown.session)
        said = next((other for other in same if locate(other, line.text) == "user-said"), shown)
        yield _candidate(line.type, line.text, said, "extraction")


def _in_output(shown: Shown) -> Iterator[Candidate]:
    output = shown.message.tool.output if shown.message.tool else ""
    for save in find_saves(output)[:MAX_IN_OUTPUT]:
        if save.body:
            yield _candidate("feedback", save.body, shown, "extraction")


def _candidate(type_: Type, text: str, shown: Shown, source: Source) -> Candidate:
    body = text.strip()[:MAX_TEXT]
    return made(type_, False, body, body, shown, source)
