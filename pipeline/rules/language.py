"""The words of each language (`languages/*.toml`), and the patterns made of them.

A key of a file is a list of phrases, parted by bars and line breaks, in which a space stands for any white
space. Of languages that put spaces between words a phrase stands as a whole word. `languages/en.toml` says
what each key is for.
"""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path

from siltstone.pipeline.words import asian

FOLDER = Path(__file__).parent / "languages"
LATIN = ("en", "de", "es", "fr")
ASIAN = ("zh", "ja", "ko")
NOTHING = "(?!)"


class Language:
    def __init__(self, code: str) -> None:
        told = tomllib.loads((FOLDER / f"{code}.toml").read_text("utf-8"))
        self.code = code
        self.hints = _phrases(told.pop("hints", ""))
        self.days: dict[str, int] = told.pop("days", {})
        """Words for a day, and how many days it lies after the day on which they are said."""
        self.final: bool = told.pop("final", False)
        """Whether what is to be kept may stand before the request, with nothing between."""
        self.says_no: str = told.pop("says_no", "").replace("\n", "")
        """What says no beside its `negations`, as a regular expression for folded text; "" for nothing."""
        self.no_no: str = told.pop("no_no", "").replace("\n", "")
        """What has words that say no, and says none; "" for nothing."""
        self.phrases: dict[str, str] = told
        """Each other key as the file has it."""

    def __getitem__(self, key: str) -> str:
        """The pattern of a key: a source without numbered groups; one that finds nothing for an empty key."""
        return _source(self.code, key)


def languages(text: str) -> tuple[Language, ...]:
    """The languages that a text may be in, by its script."""
    return spoken(*LATIN, *ASIAN) if asian(text) else spoken(*LATIN)


def hinted(text: str) -> tuple[Language, ...]:
    """The languages in which a text may ask to keep something, or not to."""
    folded = straight(text).lower()
    return tuple(one for one in languages(text) if any(hint in folded for hint in one.hints))


@cache
def others() -> tuple[str, ...]:
    """The languages in which no request to keep something is known."""
    return tuple(sorted({file.stem for file in FOLDER.glob("*.toml")} - {*LATIN, *ASIAN}))


@lru_cache(maxsize=4_096)
def language_of(text: str) -> str | None:
    """The language that a text is written in, by its script or its small words; None where unclear."""
    if asian(text):
        kinds = {"ko": "[\uac00-\ud7af]", "ja": "[\u3040-\u30ff]", "zh": "[\u4e00-\u9fff]"}
        return next((code for code, letter in kinds.items() if re.search(letter, text)), None)
    spaced = spoken(*LATIN, *others())
    counts = sorted((len(pattern("small", of=(one,)).findall(text)), one.code) for one in spaced)
    (second, _), (most, code) = counts[-2:]
    return code if most > max(second, 1) else None


@cache
def phrases_of(key: str, *codes: str) -> frozenset[str]:
    """The phrases of a key in these languages, as the files have them."""
    return frozenset(one for language in spoken(*codes) for one in _phrases(language.phrases.get(key, "")))


def _phrases(told: str) -> list[str]:
    return [phrase for line in told.split("\n") for phrase in line.split("|") if phrase]


@cache
def spoken(*codes: str) -> tuple[Language, ...]:
    return tuple(map(_language, codes))


@cache
def pattern(
    *keys: str, before: str = "", after: str = "", of: tuple[Language, ...] | None = None
) -> re.Pattern[str]:
    """What finds a phrase of one of the keys, between two patterns: in any language, or in those named."""
    sources = (one[key] for one in (spoken(*LATIN, *ASIAN) if of is None else of) for key in keys)
    phrases = "|".join(source for source in sources if source != NOTHING) or NOTHING
    return compiled(f"{before}(?:{phrases}){after}" if before or after else phrases)


@cache
def compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def straight(text: str) -> str:
    """The text as the files are written: with the apostrophe of a keyboard; of the same length."""
    return text.replace("’", "'")


_language = cache(Language)


@cache
def _source(code: str, key: str) -> str:
    lines = "|".join(filter(None, _language(code).phrases.get(key, "").split("\n")))
    if not lines:
        return NOTHING
    lines = re.sub(r"<([a-z]+)>", lambda found: f"({_source(code, found[1])})", lines)
    lines = re.sub(r"(?<!\\)\((?!\?)", "(?:", lines)
    # White space is of one character where Python wants a fixed width, and where the file counts it.
    lines = re.sub(r"\(\?<[!=][^)]*\)", lambda found: found[0].replace(" ", r"\s"), lines)
    lines = re.sub(r" (?=[?*+{])", r"\\s", lines).replace(" ", r"\s+")
    before, after = (r"(?:(?=\W)|(?<!\w))", r"(?:(?<=\W)|(?!\w))") if code not in ASIAN else ("", "")
    return f"{before}(?:{lines}){after}"
