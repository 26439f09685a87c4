"""What a session's texts say by themselves: decisions, things to do, dependencies, paths (docs/seeds.md B13).

Small tables on purpose: what is found here helps the running session and is gone with it. What may become
a memory is found by `pipeline/` alone.
"""

from siltstone.store.late import LatePattern, fold, held
from siltstone.store.plain import cleaned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 200
_LOOKED_AT = 20_000
_MOST = 8

_DECISION = LatePattern(
    r"(?i)\bdecision:|\b(?:going|go) with\b"
    r"|\b(?:we|i|let's|lets|let us)(?:'ve| have| will|'ll)? (?:decided|chose|agreed|settled on|use"
    r"|switch(?:ed)? to|stick(?:ing)? (?:with|to))\b"
    r"|决定|決定|我们用|我們用|にします|にしましょう|하기로|사용하기로"
)
_DECIDES = (
    "decision:,going with,go with,decided,chose,agreed,settled on, use,switch,stick,决定,決定,我们用,我們用"
    ",にします,にしましょう,하기로"
)
"""A word of each, folded: few messages have one, and to compile a pattern takes longer than all else here."""
_WORK = LatePattern(
    r"(?im)^[ \t]*(?:[-*] +\[ \]|(?:[-*] +)?to-?do\b:?|next(?: step)?:|待办:?|待辦:?)[ \t]*(?P<what>\S.*)$"
    r"|\b(?:don't forget to|we still (?:need|have) to|remaining:)[ \t]*(?P<rest>\S.*)$"
)
_WANTS = "[ ],todo,to-do,next,待办,待辦,don't forget to,we still,remaining:"
_MISSING = LatePattern(
    r"(?:[Cc]annot find (?:module|package)|No module named|Could not resolve|unresolved import)"
    r"\W{1,4}(?P<name>[\w@./+-]{2,80})"
)
_INSTALL = LatePattern(
    r"\b(?:npm (?:i|install|add)|pnpm (?:add|install|i)|yarn add|bun add|pip3? install|uv (?:add|pip install)"
    r"|poetry add|cargo add|go get|gem install|composer require|brew install|apt(?:-get)? install)"
    r"(?P<names>(?: +[\w@./^~=<>!:\[\],+-]{1,80}){1,12})"
)
_PATH = LatePattern(
    r"(?<![\w:/.@-])(?=[\w@+/~-]*+\.[\w@.+/~-])"  # most words have no full stop, which is told at once
    r"(?:[./~]{0,3}/?(?:[\w@.+-]{1,60}+/){1,12})?[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,5}(?![\w/])"
)
_EXTENSION = LatePattern(
    r"(?i)\.(?:py|pyi|ts|tsx|js|jsx|mjs|cjs|vue|svelte|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|scala|clj|exs?"
    r"|erl|hs|ml|sh|bash|zsh|fish|ps1|sql|graphql|proto|jsonc?|ya?ml|toml|ini|cfg|conf|xml|html|s?css|sass|less"
    r"|mdx?|rst|txt|lock|gradle|tf|ipynb|csv|j2)$"
)
SENTENCE = LatePattern(r"\s(?:(?<=[.!?。!?]\s)\s*|(?<=\n)\n*)")


def decisions(text: str) -> list[str]:
    """Sentences that state a decision; questions are none."""
    text = text[:_LOOKED_AT]
    words = held(fold(text), _DECIDES)
    if not words:
        return []
    return _few(
        sentence
        for sentence in SENTENCE.split(text)
        if any(word in fold(sentence) for word in words)
        and _DECISION.search(sentence)
        and not sentence.rstrip().endswith(("?", "？"))
    )


def work(text: str) -> list[str]:
    """Things still to be done."""
    text = text[:_LOOKED_AT]
    words = held(fold(text), _WANTS)
    if not words:
        return []
    rows = (row for row in text.split("\n") if any(word in fold(row) for word in words))
    return _few(match["what"] or match["rest"] for row in rows for match in _WORK.finditer(row))


def dependencies(command: str, output: str) -> list[str]:
    """Packages a command installs, and those its output misses."""
    names = [
        word
        for match in _INSTALL.finditer(command[:_LOOKED_AT])
        for word in match["names"].split()
        if not word.startswith(("-", ".", "/")) and not word.endswith(".txt")
    ]
    names += [match["name"] for match in _MISSING.finditer(output[-_LOOKED_AT:])]
    return _few(names)


def paths(text: str) -> list[str]:
    """Paths a text names, the first few."""
    text = text[: _LOOKED_AT // 3]
    if not any(ending[:1].isalpha() for ending in text.split(".")[1:]):
        return []
    found = (match.group() for match in _PATH.finditer(text))
    return _few(path for path in found if _EXTENSION.search(path))


def _few(texts: "Iterable[str]") -> list[str]:
    """The first few, each once, on one line, without secrets."""
    kept: dict[str, None] = {}
    for text in texts:
        said = cleaned(" ".join(text.split())[:LONGEST])
        if said.strip():
            kept.setdefault(said.strip())
        if len(kept) >= _MOST:
            break
    return list(kept)
