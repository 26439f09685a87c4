"""What a run would send and cost, without sending anything (invariants 14 and 15)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import ceil

from siltstone.pipeline.compaction.groups import BUDGET, Group
from siltstone.pipeline.compaction.look_back import ANSWER_CHARS, PAGE_CHARS, TYPED_CHARS, Page
from siltstone.pipeline.compaction.look_back import prompt_of as look_back_prompt
from siltstone.pipeline.compaction.with_model import prompt_of as compaction_prompt
from siltstone.pipeline.extraction.extract import prompt_of as extraction_prompt
from siltstone.pipeline.extraction.session_summary import LINE, LINES
from siltstone.pipeline.extraction.session_summary import prompt_of as summary_prompt
from siltstone.pipeline.messages import Message
from siltstone.pipeline.model.port import Model, Turn, count_tokens
from siltstone.pipeline.progress import Tell
from siltstone.pipeline.reading.backlog import Backlog, Unread
from siltstone.pipeline.reading.window import Place, windows
from siltstone.pipeline.rules.extract import saves
from siltstone.pipeline.rules.pasted import own_words
from siltstone.prompts import Prompt, prompt

RELATED_TOKENS = 500
"""Tokens of the memories, and of what was proposed before, that a prompt shows of a store with memories."""
REPLY_TOKENS, MESSAGE_TOKENS = 10, 26
"""Of a reply: without memories, and for each message the user typed. One in three brings a memory."""
LOOK = 3
"""Tokens for each token of a memory when it is looked at once more: its text, and what it quotes."""
MEMORY_TOKENS = 80
"""Mean of a memory in a reply. Two of three become one in the store."""
ENTRY_TOKENS, PLAN_TOKENS = 90, 25
"""Means of a memory in a prompt of compaction, and of the reply for it."""
OVER_TOKENS = 3
"""Mean for a memory in the reply of a look back: few are over."""
SUMMARY_TOKENS = LINES * LINE // 4
"""A summary is cut to so many lines of so many characters."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a model would be sent for a reading, a compaction or summaries. Tokens are an upper estimate."""

    prompts: tuple[int, ...] = ()
    """Tokens of the prompts for each window, group or session."""
    completion: int = 0
    cost: float | None = 0.0
    """USD; None when the model has no known price."""
    sessions: Counter[str] = field(default_factory=Counter)
    """Of a reading, by scope; counted without a model too."""
    groups: tuple[Group, ...] = ()
    """Of a compaction."""
    fresh: Counter[str] = field(default_factory=Counter)
    """Memories that a reading will bring, by scope."""
    typed: Counter[str] = field(default_factory=Counter)
    """Characters that looking back at what is read will show, by scope."""

    @property
    def prompt(self) -> int:
        return sum(self.prompts)

    @property
    def tokens(self) -> int:
        """Of prompts and replies."""
        return self.prompt + self.completion


def estimate_reading(
    backlog: Backlog,
    lanes: dict[str, list[Unread]],
    model: Model | None,
    today: date,
    shown: bool,
    tell: Tell,
    keywords: tuple[str, ...] = (),
) -> Estimate:
    """Cut the backlog into windows and count them. `shown`: prompts will show stored memories. `keywords`:
    patterns of the user's own that ask to keep something."""
    sessions = Counter({scope: len(unread) for scope, unread in lanes.items()})
    if model is None:
        return Estimate(sessions=sessions)
    again = _tokens(prompt("reconsider", items=(), messages={}), model)
    prompts: list[int] = []
    replies: Counter[str] = Counter()
    saved: Counter[str] = Counter()
    shows: Counter[str] = Counter()
    begun = set[Place]()
    for scope, unread in lanes.items():
        for window in windows(scope, backlog.turns(unread)):
            tell("estimating", len(begun), sessions.total(), scope.removeprefix("projects/"))
            begun |= {mark.place for mark in window.marks}
            if window.typed:
                # What an earlier window brings is shown with the next.
                more = RELATED_TOKENS if shown or replies[scope] else 0
                first = _tokens(extraction_prompt(window, (), today), model) + more
                typed = [own_words(one.message.text) for one in window.shown if one.message.role == "user"]
                said = (2 * count_tokens([Turn("user", text)]) for text in typed)
                shows[scope] += sum(min(len(text), TYPED_CHARS) + ANSWER_CHARS // 2 for text in typed)
                saved[scope] += sum(not one.refused for one in saves(window, keywords))
                found = sum(min(one, MESSAGE_TOKENS) for one in said)
                prompts.append(first + again + LOOK * found)
                replies[scope] += 2 * REPLY_TOKENS + found
    fresh = Counter({scope: ceil(tokens * 2 / (3 * MEMORY_TOKENS)) for scope, tokens in replies.items()})
    made = _estimate(prompts, replies.total(), model)
    return replace(made, sessions=sessions, fresh=fresh + saved, typed=shows)


def estimate_compaction(groups: Sequence[Group], fresh: Sequence[int], model: Model, today: date) -> Estimate:
    """Count the prompts of these groups, except for the few words about open conflicts, and those for each
    number in `fresh`: memories of a scope that a reading is to bring."""
    prompts = [_tokens(compaction_prompt(group, (), today), model) for group in groups]
    fixed = _tokens(compaction_prompt(Group("", ()), (), today), model)
    most = BUDGET // (ENTRY_TOKENS * 4)
    prompts += [
        fixed + ENTRY_TOKENS * min(most, count - at) for count in fresh for at in range(0, count, most)
    ]
    entries = sum(len(group.entries) for group in groups) + sum(fresh)
    return replace(_estimate(prompts, PLAN_TOKENS * entries, model), groups=tuple(groups))


def estimate_looks(pages: Sequence[Page], fresh: Sequence[tuple[int, int]], model: Model) -> Estimate:
    """Count the prompts that look back at sessions: of these pages, and for each scope in `fresh`, by how
    many memories a reading is to bring and how many characters it adds."""
    prompts = [_tokens(look_back_prompt(page), model) for page in pages]
    fixed = _tokens(look_back_prompt(()), model)
    for count, chars in fresh:
        if more := ceil(chars / PAGE_CHARS):
            prompts += [fixed + (ENTRY_TOKENS * count + chars // 4) // more] * more
    items = sum(len(part.items) for page in pages for part in page) + sum(count for count, _ in fresh)
    return _estimate(prompts, OVER_TOKENS * items, model)


def estimate_summaries(sessions: Sequence[Sequence[Message]], model: Model, today: date) -> Estimate:
    """Count the prompts for the summaries of these sessions, which are cut to what a prompt shows."""
    prompts = [_tokens(summary_prompt(messages, today), model) for messages in sessions]
    return _estimate(prompts, SUMMARY_TOKENS * len(prompts), model)


def _tokens(prompt: Prompt, model: Model) -> int:
    return model.count((Turn("system", prompt.system), Turn("user", prompt.user)))


def _estimate(prompts: Sequence[int], completion: int, model: Model) -> Estimate:
    return Estimate(tuple(prompts), completion, model.price(sum(prompts), completion))
