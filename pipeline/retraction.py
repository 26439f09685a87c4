"""Typed words that take back what was asked to be kept before: "actually no, don't remember that".

What they ask not to keep is found by the rules of `explicit.py`; here is whether they may mean a memory at
all, and whether they name nothing and so point back. A hook loads this: light imports only.
"""

from siltstone.pipeline.explicit import Refusal, find_refusals
from siltstone.pipeline.hearing import SAID_FIRST
from siltstone.pipeline.words import Late, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

POINTING = words(
    "actually no nope not nah wait oh ah hm hmm sorry oops ok okay well please pls hey yes yeah on second "
    "thought thoughts hold hang moment never nevermind mind scratch do don't dont need needn't you have "
    "to should shouldn't must mustn't ever really bother remember memorize memorise save store keep note "
    "record learn write log down forget about that this it these those one thing last what i i've just "
    "said told asked mentioned saved any of the in your my memory anymore more after all again either "
    "then now for me kindly instead rather i'd want would like prefer if didn't did and but so thanks "
    "thank too also previous earlier everything nein doch ach eigentlich bitte merk merke merken merkt "
    "sich dir euch sie das dies es die nicht nie mehr niemals vergiss vergesst vergessen wieder lieber "
    "besser gerade eben was ich gesagt habe hab halt stopp warte du musst brauchst zu speichern speicher "
    "speichere notieren notier notiere behalten behalte behalt sollst soll ja aber und bloß einfach davon "
    "letzte letztes jetzt also mal vorhin alles entschuldigung lo la te eso esto recuerdes recuerde "
    "guardes guarde anotes memorices olvida olvídalo olvide mejor por favor espera perdón ya más al final "
    "que dije hace falta es necesario recordar recordarlo guardar guardarlo non ne le ça cela ceci "
    "retiens retenez mémorise garde souviens pas finalement en fait plus oublie oubliez attends pardon "
    "s'il plaît vous besoin de retenir ce j'ai dit t'en n'en rappelle mémoriser noter não isso disso "
    "lembre guarde memorize esqueça afinal questo ricordare memorizzare dimentica dimenticalo onthoud dit "
    "dat niet toch vergeet не это запоминай запоминайте сохраняй записывай забудь нет всё-таки пожалуйста"
)
"""Words that ask not to keep something, point at it, or open such a request: they name nothing."""
_ZH = (
    "不要别別用需必无無须須准记記住得下来來录錄忆憶忘掉了吧它这這那个個条條件事点點刚剛才我说說"
    "的话話请請算还還是等其实實啊呢先再把保存抱歉哦噢嗯你帮幫上面句之前"
)
_JA = "ぁ-ゖー覚憶記忘今言前下話無用必要大丈夫事メモ"
_KO = (
    r"아니(?:야|요|에요)?|잠깐만?|역시|그냥|미안(?:해)?|제발|방금|아까|말한|다시|[그이저](?:거|건|것)(?:은|을|도)?|거|것[은을]?"
    r"|(?:기억|메모|저장|기록)(?:하지|할|은|는)?|해|두지|필요|없(?:어|어요|습니다)|마|마세요|말(?:아|고)?|말아(?:줘|주세요|요)|안|해도"
    r"|않아도|돼|돼요|됩니다|잊어(?:줘|버려|주세요)?|줘|주세요"
)
_NAMELESS = Late(rf"[{_ZH}{_JA}]+|(?<!\w)(?:{_KO})(?!\w)")
_WORD = Late(r"[\w'-]*\w")
_OF_MEMORY = Late(
    r"remember|memor|mémor|forget|merk|vergiss|vergess|behalt|recuerd|recordar|olvid|retien|reten|souv|rappel|oubli"
    r"|lembr|esque|ricord|dimentic|onthoud|vergeet|запом|забудь|[记記忆憶忘]|覚え|おぼえ|メモ|기억|메모|잊"
)


def refuses(text: str) -> bool:
    """Whether a typed text asks that something be not remembered, or forgotten; what is not to be saved or
    logged may be a program's, where it is named."""
    asked = _plain(text)
    refusals = find_refusals(asked)
    return _names_nothing(asked, refusals) or any(
        _OF_MEMORY.search(asked[one.start : one.end]) for one in refusals
    )


def points_back(text: str) -> bool:
    """Whether a typed text begins with asking not to keep what was said before it: it names nothing."""
    asked = _plain(text)
    return _names_nothing(asked, find_refusals(asked))


def _names_nothing(asked: str, refusals: "Sequence[Refusal]") -> bool:
    """Whether there is a refusal, and up to the end of the first no word that names anything."""
    if not refusals:
        return False
    said = _NAMELESS.sub(" ", asked[: refusals[0].end].lower())
    return all(word in POINTING for word in _WORD.findall(said))


def _plain(text: str) -> str:
    return text[:SAID_FIRST].replace("’", "'")
