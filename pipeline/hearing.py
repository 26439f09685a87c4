"""What a running session's texts mean to the pipeline, asked one text at a time (`silt event`).

Each question first looks for the few words without which the answer is known. Only a text that has them
loads the rules: most events must not take longer than a blink (docs/benchmarks.md). That the words miss
nothing the rules would find is tested over the rules' own examples.
"""

import re
from collections.abc import Sequence

_ASKS = (
    r"(?i)remember|memor|forget|in mind|\bnote\b|for the record|future|prefer|going forward|from now"
    r"|from here|henceforth|(?:save|store|learn) this|[^\x00-\x7f]"
    r"|merk|denk|vergiss|vergessen|behalt|notier|ab sofort|ab jetzt|von nun|zukunft"
    r"|recu[eé]rd|olvid|\bten (?:en|pres)|toma nota|gu[aá]rda|partir|ahora|adelante|retiens|souviens|rappelle"
    r"|oublie|garde|prends|lembr|tenha|anot[ea]|daqui|agora|ricord|dimentic|tieni|prendi|d'ora"
    r"|onthoud|vergeet|noteer|vanaf|voortaan"
)
_BLOCK = r"(?i)candidate"
_PUT_IN = (
    r"(?i)<|workspace memory|hot session state|\[memory|recent session context|instructions|agents\.md"
    r"|claude\.md|gemini\.md|memory\.md|hook feedback|\[request interrupted|this session is being continued"
    r"|i ran the following"
)


def parts(command: str) -> Sequence[tuple[Sequence[str], str]]:
    """The programs of a command line, and whose words each prints (`commands.parts`)."""
    from siltstone.pipeline import commands

    return commands.parts(command)


def programs(command: str) -> Sequence[tuple[Sequence[str], bool]]:
    """The programs of a command line, and whether a status of 0 vouches for each (`commands.programs`)."""
    from siltstone.pipeline import commands

    return commands.programs(command)


def own(text: str) -> str:
    """The text without parts that a machine put in (`echo.strip`)."""
    if not re.search(_PUT_IN, text):
        return text
    from siltstone.pipeline import echo

    return echo.strip(text)


def may_ask(text: str) -> bool:
    """Whether a typed text may ask to keep something: what it says is for the rules, which load slowly."""
    return re.search(_ASKS, text) is not None


def announced(kind: str, text: str) -> Sequence[tuple[str, str]]:
    """Type and text of the memories a message asks to keep: typed saves, or a summary's candidate block.

    `kind` is "user" for what was typed. Nothing of it is proven yet: `silt run` decides what is kept.
    """
    if kind == "user":
        return _saves(text) if may_ask(text) else ()
    return _candidates(text) if re.search(_BLOCK, text) else ()


def _saves(text: str) -> list[tuple[str, str]]:
    from siltstone.pipeline.explicit import find_saves

    return [("feedback", save.body) for save in find_saves(text) if save.body]


def _candidates(text: str) -> list[tuple[str, str]]:
    from siltstone.pipeline import candidate_block

    return [(line.type, line.text) for line in candidate_block.parse(text).lines]
