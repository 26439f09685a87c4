"""Where quoted words come from (invariant 6).

user-said           typed by the user, outside fenced code, `>` lines, pasted blocks and others' words
tool-observed       the agent's command, its exit status, the output of one that reads nothing (commands.py)
assistant-inferred  the agent's own words
read-content        everything else: files, pages, search results, logs
"""

import re
import unicodedata
from dataclasses import dataclass

from siltstone.pipeline.candidate import MAX_QUOTE
from siltstone.pipeline.messages import ToolCall
from siltstone.pipeline.proof.commands import reads
from siltstone.pipeline.reading.window import Shown
from siltstone.pipeline.rules.pasted import foreign_spans
from siltstone.store.entry import Origin

_MARKS = {
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»「」『』＂〝〞", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_SPEAKS = re.compile(
    r"(?<!\w)(?:a\.?i\.?|llms?|chat-?bots?|copilot|claude|codex|gemini|opencode|gpt|agents?"
    r"|assistants?|automated readers?"
    r"|language models?|the user|your user|user (?:wants|prefers|has|asked|said|agreed|approved)"
    r"|remember|memori[sz]e|memory|ignore (?:all|any|the|previous)"
    r"|instructions?|system (?:prompt|notice|message|note)|from now on|going forward|please"
    r"|you (?:must|should|need to|have to|are|may|can)|"
    r"note to|important:|\[/?inst\]|always|never|do not|don't)(?!\w)|<\|?/?\s*(?:im_start|im_end"
    r"|system|user|assistant|memory|instructions?)"
    r"|^\s*(?:user|human|system|assistant|developer|ai)\s*[:>]|记住|記住|用户|用戶|助手|请|請"
    r"|覚えて|ユーザー|기억해|사용자",
    re.I | re.M,
)
"""A line of output that addresses somebody was written by somebody, not computed."""


@dataclass(frozen=True, slots=True)
class Located:
    """A quote found in a message as shown."""

    origin: Origin
    text: str
    """The words as they are in the message."""
    start: int
    """Their place in `Message.text`, or in a tool's output or input; -1: in its command or exit status."""


def locate(shown: Shown, quote: str) -> Origin | None:
    """The origin of the quote in this message; None when it is not there."""
    found = find(shown, quote)
    return found.origin if found else None


def find(shown: Shown, quote: str) -> Located | None:
    """The quote in this message, at its most trustworthy place; None when it is not there.

    NFKC, quote marks, dashes, white space and case are folded. An ellipsis at either end of the quote is
    ignored.
    """
    wanted = fold(quote)[0].strip().removeprefix("...").removesuffix("...").strip(" \"'")
    if not wanted or len(quote) > MAX_QUOTE:
        return None
    message = shown.message
    if message.tool is not None:
        return _in_tool(message.tool, wanted)
    folded, places = fold(message.text)
    if message.role == "user":
        foreign = foreign_spans(message.text)
        best = None
        for start, end in _spans(folded, places, wanted):
            inside = any(start < stop and begin < end for begin, stop in foreign)
            best = Located("read-content" if inside else "user-said", message.text[start:end], start)
            if not inside:
                return best
        return best
    origin: Origin = "assistant-inferred" if message.role == "assistant" else "read-content"
    return next((Located(origin, message.text[s:e], s) for s, e in _spans(folded, places, wanted)), None)


def fold(text: str) -> tuple[str, list[int]]:
    """The text in folded form, and for each of its characters the place in the original."""
    out: list[str] = []
    places: list[int] = []
    gap = True
    for place, char in enumerate(text):
        for piece in unicodedata.normalize("NFKC", _MARKS.get(char, char)).lower():
            piece = _MARKS.get(piece, piece)
            if piece.isspace() or unicodedata.category(piece) in ("Cf", "Cc"):
                if not gap:
                    out.append(" ")
                    places.append(place)
                gap = True
                continue
            out.append(piece)
            places.append(place)
            gap = False
    return "".join(out), places


def _spans(folded: str, places: list[int], wanted: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = folded.find(wanted)
    while at >= 0 and len(spans) < 50:
        spans.append((places[at], places[at + len(wanted) - 1] + 1))
        at = folded.find(wanted, at + 1)
    return spans


def _in_tool(tool: ToolCall, wanted: str) -> Located | None:
    if tool.command is not None:
        folded, places = fold(tool.command)
        for start, end in _spans(folded, places, wanted):
            return Located("tool-observed", tool.command[start:end], -1)
        if tool.exit is not None and re.fullmatch(
            rf"exit(?:ed)?(?: (?:code|status|with))*:? ?{tool.exit}", wanted
        ):
            return Located("tool-observed", wanted, -1)
    folded, places = fold(tool.output)
    spans = _spans(folded, places, wanted)
    if not spans:
        folded, places = fold(tool.input)
        # A prompt for a sub-agent, the text of a file: written by a machine for a machine.
        for start, end in _spans(folded, places, wanted):
            return Located("read-content", tool.input[start:end], start)
        return None
    start, end = spans[0]
    observed = tool.command is not None and not reads(tool.command)
    last = tool.output.find("\n", end)
    lines = tool.output[tool.output.rfind("\n", 0, start) + 1 : last if last >= 0 else len(tool.output)]
    if observed and len(spans) == 1 and not _SPEAKS.search(lines):
        return Located("tool-observed", tool.output[start:end], start)
    return Located("read-content", tool.output[start:end], start)
