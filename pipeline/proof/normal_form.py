"""A text in the form in which a claim and what was said are compared: numbers, times and compounds by value.

"five lines" is "5 lines", "6am" is "06:00", 三十天 is 30 天, "Postgres-16" is "Postgres 16". Invisible
characters, and letters that only look like Latin ones, count as what they look like.
"""

import re
import unicodedata
from functools import lru_cache

from siltstone.pipeline.identifiers import numbers
from siltstone.pipeline.merging.likeness import AS_LETTERS, CJK, content, fold, stem
from siltstone.pipeline.words import word_lists

MIN_STEM, MIN_SHARED = 4, 0.75
"""Two words are forms of one when so many first letters, and such a share of the shorter, are the same."""
MIN_TYPED, MIN_SWAPPED = 6, 5
"""Letters of a word that is known when it is misspelt: one may be left out, or two may be swapped."""
_LISTS = word_lists(__file__, "words")
_VALUES = {word: value for value, words in word_lists(__file__, "numbers").items() for word in words}
_VALUE = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_VALUES, key=len, reverse=True))})(?!\w)")
_ASIAN = re.compile("[\u30a0-\u30fa\u3400-\u9fff\uac00-\ud7af]")
_ASIAN_RUNS = re.compile("|".join(sorted(_LISTS["runs"], key=len, reverse=True)))
_NO_MEANING = "".join(sorted(_LISTS["letters"]))
_KANA = "\u3041-\u309f"
ASIAN_WORD = rf"[{_NO_MEANING}]|[{_KANA}]+|(?:(?![{_NO_MEANING}{_KANA}])[{CJK}])+"
"""Of Chinese, Japanese and Korean a letter that carries no meaning, an ending, or what stands between."""
_HIRAGANA = re.compile(f"[{_KANA}]+")
_ALIKE = "аеорсухіјѕԁԛԝոᴀΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
_LOOKALIKES = str.maketrans(_ALIKE, "aeopcyxijsdqwnaABEZHIKMNOPTYXo")
_DISGUISED = re.compile(rf"(?<!\w)(?=\w*[{_ALIKE}])(?:\w*[A-Za-z]\w*|[{_ALIKE}]+)(?!\w)")
"""A word with letters that look like Latin ones, and with no others but Latin ones: no Russian word."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_TENS = re.compile(r"(?<!\d)([2-9]0)[- ]([1-9])(?!\d)")
_CJK_VALUES = {**{char: n for n, char in enumerate("零一二三四五六七八九")}, "〇": 0, "两": 2, "兩": 2}
_CJK_VALUE = re.compile(
    r"[〇零一二两兩三四五六七八九十百]+(?=[个個天日次年月周週行分秒点點時时小条條名种種份倍回件])"
)
_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:.h](\d\d))?\s?(?:(?P<half>[ap])\.?m(?!\w)\.?|(?:o'clock|uhr|heures)(?!\w)|[点點時时시])"
)
_TIME = re.compile(r"(?<![\d:])0?(\d{1,2}):(\d\d)(?!:?\d)")
_JOINTS = re.compile(
    r"(?<=[^\W\d_])[-_/.:](?=\w)|(?<=\w)[-_/.:](?=[^\W\d_])|(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)"
)
_EMPHASIS = re.compile(r"(?<!\w)_+(?=\w)|(?<=[^\W_])_+(?!\w)")
_ACCENT = re.compile("[\u0300-\u0307\u0309-\u036f]|(?<![aouAOU])\u0308")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,:/-]*[a-zµ%]{0,3}(?![a-z])|[€$£¥]")


@lru_cache(maxsize=4_096)
def words_of(text: str) -> frozenset[str]:
    """The words that carry meaning, without numbers; of Chinese, Japanese and Korean the letters, of hiragana
    two at a time."""
    text = _NUMBER.sub(" ", _valued(text)).replace("'s", "")
    text = _ASIAN_RUNS.sub(" ", text)
    found = {word for word in content(_ASIAN.sub(" ", text)) if len(word) > 1}
    return frozenset(found | set(_ASIAN.findall(text)) - _LISTS["letters"])


@lru_cache(maxsize=4_096)
def _valued(text: str) -> str:
    """The text in small letters, compounds parted, with numbers and times of day in digits."""
    text = fold(_JOINTS.sub(" ", plain(text)))
    text = _CJK_VALUE.sub(lambda found: f" {_cjk_value(found[0])} ", text)
    text = _TENS.sub(lambda f: str(int(f[1]) + int(f[2])), _VALUE.sub(lambda f: _VALUES[f[0]], text))
    return _TIME.sub(r"\1:\2", _CLOCK.sub(_time, text))


def plain(text: str) -> str:
    """The text without _emphasis_, invisible characters, and letters that only look like Latin ones."""
    text = _EMPHASIS.sub("", unicodedata.normalize("NFKC", text))
    if text.isascii():
        return text
    return _DISGUISED.sub(lambda word: word[0].translate(_LOOKALIKES), _INVISIBLE.sub("", text))


def spoken(text: str) -> str:
    """The words of a text one after the other, without signs: what is said again can be found in it."""
    return " ".join(_WORD.findall(plain(text).lower()))


def as_one_word(name: str) -> str:
    """A path, an address or a name of code as one word, its digits as letters: no number of it is told."""
    return re.sub(r"[\W_]", "", name.lower()).translate(AS_LETTERS)


def _time(found: re.Match[str]) -> str:
    hour = int(found[1]) % 12 + (12 if found["half"] == "p" else 0) if found["half"] else int(found[1])
    return f"{hour}:{found[2] or '00'} "


def _cjk_value(text: str) -> int:
    whole = digit = 0
    for char in text:
        if (unit := {"十": 10, "百": 100}.get(char)) is not None:
            whole, digit = whole + (digit or 1) * unit, 0
        else:
            digit = _CJK_VALUES[char]
    return whole + digit


def numbers_of(text: str) -> frozenset[str]:
    """Its numbers with their units."""
    return numbers(_valued(text))


def is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike, or one is the plural of an acronym ("PRs")."""
    if one == f"{other}s" or other == f"{one}s":
        return True
    short = min(len(one), len(other))
    need = max(MIN_STEM, int(MIN_SHARED * short + 0.99))
    return short >= need and one[:need] == other[:need]


def is_misspelt(one: str, other: str) -> bool:
    """Whether two words are one, typed in haste: without accents ("francais"), with letters left out or put
    in ("intial"), or swapped ("lenght"). A letter in the place of another makes another word."""
    if one == _without_accents(other) or other == _without_accents(one):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return len(one) >= MIN_SWAPPED and one[0] == other[0] and _is_swapped(one, other)
    if len(short) < MIN_TYPED or short[0] != long[0] or len(long) - len(short) > len(long) // MIN_TYPED:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _without_accents(word: str) -> str:
    """A word without its accents, and then without its ending; ä, ö and ü are letters of their own."""
    return word if word.isascii() else stem(_ACCENT.sub("", unicodedata.normalize("NFD", word)))


def _is_swapped(one: str, other: str) -> bool:
    at = 0
    while at < len(one):
        if one[at] == other[at]:
            at += 1
        elif one[at : at + 2] == other[at : at + 2][::-1]:
            at += 2
        else:
            return False
    return True


def is_ending(word: str) -> bool:
    """Whether it is written in hiragana, as endings and particles are: it says nothing of its own."""
    return _HIRAGANA.fullmatch(word) is not None


def without_unit(number: str) -> str:
    return number.strip("€$£¥").rstrip("abcdefghijklmnopqrstuvwxyzµ%")
