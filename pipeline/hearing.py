"""What a running session's texts mean to the pipeline, asked one text at a time (`silt event`).

Each question first looks for the few words without which the answer is known. Only a text that has them
loads the rules: most events must not take longer than a blink (docs/benchmarks.md). That the words miss
nothing the rules would find is tested over the rules' own examples.
"""

from siltstone.store.late import LatePattern, fold, held, holds
from siltstone.store.light_cache import lru_cache
from siltstone.store.plain import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Sequence

    from siltstone.pipeline.explicit import Save

_ASKS = (
    "remember,memoriz,memoris,memoríz,mémoris,forget,in mind,for the record,future,i prefer,strongly prefer"
    ",always prefer,my preference,going forward,from now,from here,henceforth,save this,store this,learn this"
    ",merk,denk,vergiss,vergessen,behalt,notier,ab sofort,ab jetzt,von nun,zukunft,künftig"
    ",recuerd,recuérd,acuérd,olvid,ten en cuenta,ten presente,toma nota,guarda esto,guárd,apúnt,anót"
    ",partir de,avenir,ahora,désormais,dorénavant,retiens,souviens,rappelle,oublie,prends note"
    ",lembr,esqueça,guarde isso,anote isso,tenha em,daqui,agora,ricord,dimentic,tieni a,tieni pres"
    ",prendi nota,d'ora,d’ora,onthoud,vergeet,noteer,vanaf,voortaan"
    ",запомн,забуд,виду,учти,отныне,впредь,момента"
    ",记,記,忘,从现在,從現在,从今,從今,今后,今後,以后,以後,偏好,覚え,憶え,おぼえ,メモし,記憶し,記録し,これから"
    ",기억,잊지,명심,메모,지금부터,앞으로,이제부터"
)
"""A word of each trigger of `explicit_table.py`, folded, with single spaces: letter by letter a long message
is gone through in a tenth of the time that a pattern takes. None is a part of what anybody says all day
("another", "memory", "often enough"), for a text that has one loads the rules."""
_MAY_ASK = "note,later,garde,memor"
_ASKS_SO = LatePattern(
    r"note(?<![a-z]note)(?![a-z])|garde(?<![a-z]garde)(?![a-z])"
    r"|(?:save|store|add|commit|put|write|record|keep|log) (?:th|it|what|to|in)(?s:.{0,300}?)"
    r"(?:notes|later|memor)"
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
    "not,n't,n’t,dont,never,need,no ,none,unnecess,pointless,avoid,refrain,stop,skip,quit,rather,prefer"
    ",better,worth"
)
_REFUSES_SO = LatePattern(
    r"(?:not|n['’]t|dont|never|need|unnecessary|pointless|avoid|refrain|stop|skip|quit|rather|prefer"
    r"|better|worth|no (?:circumstances|means|account|case|way|reason|point|use|sense)) (?:[\w'’]+ ){0,8}?"
    r"(?:remember|memori[sz]|sav(?:e|ing)|stor(?:e|ing)|not(?:e|ing)|record|keep|bear|learn|log|write|mak|take)"
)
"""Words of each request not to keep something, as `_ASKS`; the common ones stand behind a negation."""
_NOT, _KEEP = "不无無毋别別勿没沒禁犯", "记記忆憶存写寫录錄备備"
"""In Chinese the one stands before the other."""
_KEEP_FIRST = ("記", "憶", "存", "録", "覚", "おぼえ", "メモ", "기억", "메모", "저장", "기록", "외우", "외울")
_NOT_THEN = ("な", "ありません", "必要", "不要", "んで", "ちゃ", "ては", "마", "말", "안", "않", "없")
"""In Japanese and Korean behind it."""
SAID_FIRST = 1_000
"""Characters of a prompt: who takes something back says so first."""
_BLOCK = "candidate"
_PUT_IN = (
    "<,workspace memory,hot session state,[memory,recent session context,instructions,agents.md,claude.md,"
    "gemini.md,memory.md,hook feedback,[request interrupted,this session is being continued,"
    "i ran the following"
)


def parts(command: str) -> "Sequence[tuple[Sequence[str], str]]":
    """The programs of a command line, and whose words each prints (`commands.parts`)."""
    from siltstone.pipeline import commands

    return commands.parts(command)


def programs(command: str) -> "Sequence[tuple[Sequence[str], bool]]":
    """The programs of a command line, and whether a status of 0 vouches for each (`commands.programs`)."""
    from siltstone.pipeline import commands

    return commands.programs(command)


@lru_cache(maxsize=2)
def own(text: str) -> str:
    """The text without parts that a machine put in (`echo.strip`)."""
    folded = text.casefold()
    if not holds(folded, _PUT_IN):
        return text
    from siltstone.pipeline import echo

    return echo.strip(text)


class Signs:
    """What tells of a text, and of each piece of it, whether it may ask for something: only of the words that
    the text has is a piece asked for."""

    __slots__ = ("_common", "_shape", "_words", "any")

    def __init__(self, text: str, words: str, common: str, shape: LatePattern) -> None:
        low = _folded(text)
        self._words, self._common = held(low, words), held(low, common)
        self._shape = shape
        self.any = self._in(low)
        """Whether the text may."""

    def may(self, piece: str) -> bool:
        """Whether a piece of the text may."""
        return self.any and self._in(_folded(piece))

    def _in(self, low: str) -> bool:
        if any(word in low for word in self._words):
            return True
        return any(word in low for word in self._common) and self._shape.search(low) is not None


class _Refusing(Signs):
    __slots__ = ()

    def _in(self, low: str) -> bool:
        return super()._in(low) or (not low.isascii() and _in_asia(low))


@lru_cache(maxsize=4)
def asking(text: str) -> Signs:
    """What tells whether a typed text asks to keep something: what it says is for the rules, which load
    slowly."""
    return Signs(text, _ASKS, _MAY_ASK, _ASKS_SO)


@lru_cache(maxsize=4)
def refusing(text: str) -> Signs:
    """What tells whether a typed text asks not to keep something."""
    return _Refusing(text, _REFUSES, _NEGATES, _REFUSES_SO)


def _folded(text: str) -> str:
    return " ".join(fold(text).split())


def _in_asia(text: str) -> bool:
    """What negates stands in the text on the side of what asks to keep on which its language puts it."""
    last = max(map(text.rfind, _KEEP))
    if any(sign in text[: max(last, 0)] for sign in _NOT):
        return True
    first = min((at for word in _KEEP_FIRST if (at := text.find(word)) >= 0), default=len(text))
    return any(word in text[first:] for word in _NOT_THEN)


def kept(text: str) -> str:
    """A typed text without what it asks not to keep, the request included."""
    if not refusing(text).any:
        return text
    from siltstone.pipeline.explicit import find_refusals, without

    return without(text, [(refusal.start, refusal.end) for refusal in find_refusals(text)])


def takes_back(text: str) -> bool:
    """Whether a typed text may take back what was asked to be kept before (`taken_back.py`)."""
    if not refusing(text[:SAID_FIRST]).any:
        return False
    from siltstone.pipeline.explicit import find_refusals

    if not find_refusals(text):  # they are known by now, and the words that point back load slowly
        return False
    from siltstone.pipeline.retraction import refuses

    return refuses(text)


def wanted(text: str) -> str:
    """A typed text without what it asks to keep: what is left asks for work, or is ""."""
    if not asking(text).any:
        return text
    from siltstone.pipeline.explicit import without

    saves = _found(text)
    spans = [span for save in saves if save.body for span in (save.asked, (save.start, save.end))]
    left = without(text, spans)
    return left if any(map(str.isalnum, left)) else ""


def announced(kind: str, text: str) -> "Sequence[tuple[str, str]]":
    """Type and text of the memories a message asks to keep: typed saves, or a summary's candidate block.

    `kind` is "user" for what was typed. Nothing of it is proven yet: `silt run` decides what is kept, and
    where in its line a request ends.
    """
    if kind == "user":
        return _saves(text) if asking(text).any else ()
    return _candidates(text) if _BLOCK in text.casefold() else ()


def _saves(text: str) -> list[tuple[str, str]]:
    saves = _found(text)
    if saves and _may_hold_others(text, saves[0].start):
        from siltstone.pipeline.foreign import own_words

        saves = _found(own_words(text))
    return [("feedback", save.body) for save in saves if save.body and not _hollow(save.body)]


@lru_cache(maxsize=4)
def _found(text: str) -> "Sequence[Save]":
    """What a text asks to keep: a hook asks for it three times."""
    from siltstone.pipeline.explicit import find_saves

    return find_saves(text, remarks=False)


def _hollow(body: str) -> bool:
    if MARK not in body:
        return False
    from siltstone.pipeline.hollow import hollow

    return hollow(body)


def _may_hold_others(text: str, body: int) -> bool:
    """Whether words of others may stand in a text that asks for what begins at `body`: to tell takes a hook a
    twentieth of a second."""
    if "\n" in text or any(mark in text for mark in ("<", "//", "/*", " #", "```", '"', "'''")):
        return True
    before = text[:body].rstrip().rstrip(":：")
    return ":" in before or "：" in before


def _candidates(text: str) -> list[tuple[str, str]]:
    from siltstone.pipeline import candidate_block

    return [(line.type, line.text) for line in candidate_block.parse(text).lines]
