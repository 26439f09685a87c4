"""Words that tell whether a typed text may ask to keep something, or not to: what it asks for is for the
rules (`explicit.py`), which load slowly.

That the words miss nothing the rules would find is tested over the rules' own examples.
"""

from siltstone.store.late import LatePattern, fold, held
from siltstone.store.light_cache import lru_cache
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterator, Mapping, Sequence

LONG = 2_000
"""Characters of a text that was pasted, or most of it."""
_ASKS = (
    "remember,memoriz,memoris,memoríz,mémoris,forget,in mind,for the record,future,i prefer,strongly prefer"
    ",always prefer,my preference,going forward,from now,from here,henceforth,save this,store this,learn this"
    ",merk,denk,vergiss,vergessen,behalt,notier,ab sofort,ab jetzt,von nun,zukunft,künftig"
    ",recuerd,recuérd,acuérd,olvid,ten en cuenta,ten presente,toma nota,guarda esto,guárd,apúnt,anót"
    ",partir de,avenir,ahora,désormais,dorénavant,retiens,souviens,rappelle,oublie,prends note"
    ",lembr,esqueça,guarde isso,anote isso,tenha em,daqui,agora,ricord,dimentic,tieni a,tieni pres"
    ",prendi nota,d'ora,onthoud,vergeet,noteer,vanaf,voortaan"
    ",запомн,забуд,виду,учти,отныне,впредь,момента"
    ",记,記,忘,从现在,從現在,从今,從今,今后,今後,以后,以後,偏好,覚え,憶え,おぼえ,メモし,記憶し,記録し,これから"
    ",기억,잊지,명심,메모,지금부터,앞으로,이제부터"
)
"""A word of each trigger of `explicit_table.py`, folded, with single spaces: letter by letter a long message
is gone through in a tenth of the time that a pattern takes. None is a part of what anybody says all day
("another", "memory", "often enough"), for a text that has one loads the rules."""
_MAY_ASK = "note,later,garde,memor"
_INTO_MEMORY = r" (?:th|it|what|to|in)(?s:.{0,300}?)(?:notes|later|memor)"
_VERBS = ("save", "store", "add", "commit", "put", "write", "record", "keep", "log")
_ASKS_SO = LatePattern(
    r"note(?<![a-z]note)(?![a-z])|garde(?<![a-z]garde)(?![a-z])|"
    + "|".join(f"{verb}{_INTO_MEMORY}" for verb in _VERBS)
)
"""What `_MAY_ASK` has to stand in, for these words are common. Each alternative begins with letters, so that
Python looks for these alone."""
_REFUSES = (
    "off the record,not for record,not for the record,not for memory,not for the memory,forget,remember no"
    ",remember please no,merk,speicher,notier,aufschreib,behalt,vergiss,vergess"
    ",recuerd,recordar,acuerd,acordar,olvid,olvíd,guardar,guardes,memoriz,memoric,anotar,anotes"
    ",apuntar,apuntes,retien,retenir,retenez,mémoris,ne garde,ne note,souv,rappel,oubli,noter"
    ",lembr,ão guarde,ão se guarde,ão anote,ão se anote,esqueça,esqueca,ricord,dimentic,salvare"
    ",onthoud,vergeet,запомин,забудь,сохраня,записыв"
    ",没说,沒說,没說,沒说,忘,잊어"
)
_NEGATES = (
    "not,n't,dont,never,need,no ,none,unnecess,pointless,avoid,refrain,stop,skip,quit,rather,prefer"
    ",better,worth"
)
_REFUSES_SO, _PERHAPS = (
    LatePattern(
        r"(?:not|n't|dont|never|need|unnecessary|pointless|avoid|refrain|stop|skip|quit|rather|prefer|better"
        r"|worth|no (?:circumstances|means|account|case|way|reason|point|use|sense)) "
        rf"(?:{between} ){{0,8}}?(?:remember|memori[sz]|(?:save|saving|store|storing|note|noting|record|keep"
        r"|keeping|bear|learn|log|write|make|making|take)(?![a-z]))"
    )
    for between in (r"[\w']+", r"\S+")
)
"""Words of each request not to keep something, as `_ASKS`; the common ones stand behind a negation. In a text
in which something is quoted, anything may stand between."""
_NOT = (
    *(
        "不要",
        "不用",
        "不需",
        "不必",
        "不准",
        "不许",
        "不許",
        "不应",
        "不應",
        "不该",
        "不該",
        "不希望",
        "不想",
        "不值",
    ),
    *(
        "用不",
        "犯不",
        "无需",
        "無需",
        "毋需",
        "没必要",
        "沒必要",
        "没有必要",
        "沒有必要",
        "禁止",
        "勿",
        "别",
        "別",
    ),
)
_KEEP = ("记", "記", "忆", "憶", "保存", "存入", "存到", "写入", "寫入", "备忘", "備忘")
"""In Chinese the one stands before the other."""
_KEEP_FIRST = (
    *("覚え", "憶え", "おぼえ", "記憶", "暗記", "メモ", "記録し", "保存し"),
    *("기억", "메모", "저장", "기록", "외우", "외울"),
)
_NOT_THEN = LatePattern(
    rf"(?:{'|'.join(_KEEP_FIRST)})[^。.!?！？]{{0,16}}?(?:な|ありません|必要|不要|んで|ちゃ|ては|마|말|안|않|없)"
)
"""In Japanese and Korean behind it."""


class Signs:
    """What tells of a text, and of each piece of it, whether it may ask for something: only of the words that
    the text has is a piece asked for."""

    __slots__ = ("_common", "_shape", "_words", "any", "lines")

    def __init__(
        self, text: str, words: str, common: str, shape: LatePattern, perhaps: LatePattern | None = None
    ) -> None:
        perhaps = perhaps or shape
        told, long = folded(text), len(text) > LONG
        self._words, self._common, self._shape = told.held(words), told.held(common), shape
        self.any = self._in(told.line, perhaps if long else shape)
        """Whether the text may."""
        self.lines: Mapping[int, tuple[int, int]] = {}
        """Of a long text, by its number, where each line begins and ends that may."""
        if self.any and long:
            numbers = told.lines_with(self._needed())
            self.lines = dict(self._said(text, numbers, perhaps))
            self.any = bool(self.lines)

    def may(self, piece: str) -> bool:
        """Whether a piece of the text may."""
        return self.any and self._in(_flat(piece), self._shape)

    def _said(
        self, text: str, numbers: set[int], perhaps: LatePattern
    ) -> "Iterator[tuple[int, tuple[int, int]]]":
        """Those lines that may where they are no code and nothing is quoted: few of what was pasted."""
        start = passed = 0
        code: Sequence[tuple[int, int]] | None = None
        for number, line in enumerate(text.split("\n")):
            if number in numbers and self._in(_flat(line), perhaps):
                from siltstone.pipeline.sentences import fences, mask

                code = fences(text) if code is None else code
                while passed < len(code) and code[passed][1] <= start:
                    passed += 1
                fenced = passed < len(code) and code[passed][0] <= start
                if not fenced and self.may(mask(line)):
                    yield number, (start, start + len(line))
            start += len(line) + 1

    def _needed(self) -> "Sequence[str]":
        """Of these each piece of the text has one that may."""
        return [*self._words, *self._common]

    def _in(self, line: str, shape: LatePattern) -> bool:
        if any(word in line for word in self._words):
            return True
        return any(word in line for word in self._common) and shape.search(line) is not None


class _Refusing(Signs):
    __slots__ = ()

    def _needed(self) -> "Sequence[str]":
        return [*super()._needed(), *_KEEP, *_KEEP_FIRST]

    def _in(self, line: str, shape: LatePattern) -> bool:
        return super()._in(line, shape) or (not line.isascii() and _in_asia(line))


@lru_cache(maxsize=4)
def asking(text: str) -> Signs:
    """What tells whether a typed text asks to keep something."""
    return Signs(text, _ASKS, _MAY_ASK, _ASKS_SO)


@lru_cache(maxsize=4)
def refusing(text: str) -> Signs:
    """What tells whether a typed text asks not to keep something."""
    return _Refusing(text, _REFUSES, _NEGATES, _REFUSES_SO, _PERHAPS)


class Folded(NamedTuple):
    """A text in which words are looked for."""

    text: str
    """As it is, in small letters (`fold`), with the apostrophe of a keyboard."""
    line: str
    """On one line, with single spaces."""
    once: str
    """Of a long text each of its words once: to look for letters in these takes half as long. Of a short one
    the line."""
    letters: frozenset[str]
    """Its letters, blanks and signs, where any of them is outside of ASCII."""

    def held(self, words: str) -> "Sequence[str]":
        """Those of the words (folded, parted by commas) that stand in it."""
        if self.once is self.line:
            return held(self.line, words)
        may = filter(self._may_hold, words.split(","))
        return [word for word in may if _root(word) in self.once and (" " not in word or word in self.line)]

    def lines_with(self, words: "Sequence[str]") -> set[int]:
        """The numbers of the lines that have letters of one of the words. They are looked for in all of the
        text at once: to ask line by line takes a paste longer than what it is asked for."""
        numbers: set[int] = set()
        for root in set(map(_root, filter(self._may_hold, words))):
            number = at = 0
            while (found := self.text.find(root, at)) >= 0:
                number += self.text.count("\n", at, found)
                numbers.add(number)
                number += 1
                at = self.text.find("\n", found) + 1 or len(self.text)
        return numbers

    def _may_hold(self, word: str) -> bool:
        """Whether it has the letters of a word outside of ASCII: most texts have few such letters, and each
        such word takes longer to look for."""
        return word.isascii() or self.letters.issuperset(word)


@lru_cache(maxsize=2)
def folded(text: str) -> Folded:
    """A text to look for words in."""
    low = _low(text)
    words = low.split()
    line = " ".join(words)
    once = "\n".join({*words}) if len(text) > LONG else line
    return Folded(low, line, once, frozenset("" if once.isascii() else f"{once} "))


def _flat(piece: str) -> str:
    return " ".join(_low(piece).split())


def _low(text: str) -> str:
    return fold(text) if text.isascii() else fold(text).replace("’", "'")


def _root(word: str) -> str:
    """Letters that stand together, by which a word is looked for first."""
    return max(word.split(), key=len) if " " in word else word


def _in_asia(line: str) -> bool:
    """What negates stands on the side of what asks to keep on which its language puts it."""
    before = line[: max(map(line.rfind, _KEEP), default=-1) + 1]
    if any(word in before for word in _NOT):
        return True
    return any(word in line for word in _KEEP_FIRST) and _NOT_THEN.search(line) is not None
