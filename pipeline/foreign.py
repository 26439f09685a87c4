"""Which parts of a typed message the user did not write (invariant 6).

A hook asks for them while a request to remember is typed, so this loads little.
"""

from siltstone.pipeline import echo
from siltstone.pipeline.pasted import pasted
from siltstone.pipeline.pasted_table import REPORTS
from siltstone.pipeline.sentences import blanked, fences, quoted_lines, said_spans
from siltstone.pipeline.words import letters
from siltstone.store.late import IGNORECASE, LatePattern
from siltstone.store.light_cache import lru_cache

_PASTED = LatePattern(
    r"<(pasted[\w-]*|paste|document|file|files|context|attachment|log|logs|output|code|stdout"
    r"|stderr|email|quote"
    r"|selection|diff|pre|blockquote|samp|kbd|textarea|script|style|html|body|issue"
    r"|ticket|message|comment|page|webpage|post|snippet|transcript|chat|thread|tool_result|search_results)(?:\s[^<>\n]{0,200})?>",
    IGNORECASE,
)


def foreign_spans(text: str) -> list[tuple[int, int]]:
    """Spans of a typed message that the user did not write: code, `>` lines, pastes, others' words."""
    spans = fences(text) + quoted_lines(text) + echo.wrapped(text, _PASTED) + echo.spans(text)
    spans += pasted(text)
    for start, end in said_spans(text):
        long = letters(text[start:end]) >= 20
        if long and REPORTS.search(text[max(0, start - 60) : start].rstrip(" ,:;\n")):
            spans.append((start, end))
    return sorted(spans)


@lru_cache(maxsize=2)
def own_words(text: str) -> str:
    """The message with everything blanked that the user did not write; same length."""
    return blanked(text, foreign_spans(text))
