"""Words of change: what lets a newer statement replace an older one (invariant 11).

A table per language. Without such a word, and without a denial of the old value, two statements
that differ are a conflict, and both stay.
"""

import re
from functools import cache

from siltstone.pipeline.handles import handles
from siltstone.pipeline.words import anyof, asian, words

MAX_QUOTE = 4_000

_MOVED = (
    "switched|moved|migrated|changed|converted|upgraded|downgraded|ported|transitioned|swapped"
    "|replaced|renamed"
    "|retired|deprecated|decommissioned|abandoned|ditched|scrapped|superseded|discontinued"
)
_SET = "updated|raised|lowered|reduced|increased|decreased|bumped|cut|shortened|extended|doubled|halved|set"

CHANGE: dict[str, str] = {
    "en": anyof(
        "no_longer; not_(?:\\w+_){0,4}any_?more; n't_(?:\\w+_){0,4}any_?more; instead_of"
        "; used_to_(?!it); formerly",
        f"(?:we|i|they|has|have|had|was|were|been|is|are|been|got|just|now|recently|[a-z]+'s|'ve)_(?:\\w+_)?(?:{_MOVED})",
        f"(?:{_MOVED})_(?:\\w+_){{0,6}}?(?:to|from|by|with|over|onto|into)",
        f"(?:{_SET}|went|gr[eo]wn?|shr[au]nk|rose|fell)_(?:from_\\S+_)?(?:back_|up_|down_)?to_\\S*\\d\\S*",
        "(?:goes|going)_(?:from_\\S+_|back_|up_|down_)to_\\S*\\d\\S*",
        f"(?!set)(?:{_SET})_(?:[a-z-]+_){{1,5}}(?:from_\\S+_)?to_\\S*\\d\\S*",
        f"(?:has|have|was|were|been|is_now)_(?:now_)?(?:{_SET})",
        "(?:is|are|has|was|were|been|got)_(?:now_)?(?:completed|finished|shipped|removed|dropped"
        "|deleted|gone|fixed"
        "|resolved|enabled|disabled|launched)",
        "(?:we|i)_(?:have_|'ve_)?(?:dropped|stopped|removed|gave_up|got_rid_of|are_done_with|are_off)",
        "(?:is|are|it's|runs|uses?|costs|takes)_(?:\\S{1,30}_){1,3}now(?=\\s*(?:$|[,.;!])); "
        "(?:is|are|it's|runs|run|uses|use|lives|live|goes|go|we're|i'm|works|costs|takes|has)_now",
        "now_(?:is|are|uses|runs|lives|goes|on|at|in)",
        "since_(?:last_|this_)?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week"
        "|month|year|january"
        "|february|march|april|may|june|july|august|september|october|november|december|yesterday|today)",
        "as_of_(?:today|now|last|this|next|version|v?\\d|january|february|march|april|may|june|july|august"
        "|september|october|november|december); (?:starting|effective)_(?:today|now|from"
        "|next|this|\\d)",
        "(?:change|changes)_of_(?:plan|mind)s?; changed_(?:my|our|their)_minds?; scratch_that"
        "; forget_what_i_said",
        "the_old_\\w+_is_(?:gone|dead|history); out_of_date; obsolete; outdated; in_place_of"
        "; replace[sd]; supersede[sd]",
    ),
    "de": anyof(
        "nicht_mehr; kein\\w*_(?:\\w+_){0,3}mehr; nun_(?:auf|mit|bei|in); jetzt_(?:auf|mit|bei|in"
        "|ist|sind|über)"
        "; ab_sofort; ab_jetzt; seit_(?:gestern|heute|letzte\\w*|montag|dienstag|mittwoch"
        "|donnerstag|freitag|kurzem)",
        "statt; anstatt; anstelle; stattdessen; umgestiegen; umgestellt; gewechselt; umgezogen; migriert"
        "; ersetzt; abgelöst; abgeschafft; früher; ehemals; geändert; erhöht; gesenkt; verschoben"
        "; umbenannt; wechseln_auf",
    ),
    "fr": anyof(
        "ne_(?:\\w+_){1,4}plus; n'(?:\\w+_){1,4}plus; au_lieu_de?; à_la_place; désormais"
        "; dorénavant; remplac\\w+_par"
        "; sommes_passés; est_passée?; avons_migré; migré_vers; abandonné; auparavant; anciennement"
        "; depuis_(?:lundi|mardi"
        "|mercredi|jeudi|vendredi|hier|la_semaine_dernière)"
    ),
    "es": anyof(
        "ya_no; en_lugar_de; en_vez_de; a_partir_de_ahora; hemos_(?:cambiado|migrado|pasado|dejado"
        "|reemplazado)"
        "; cambiamos_(?:a|de); migramos_(?:a|de); nos_mudamos; pasamos_(?:a|de); dejamos_de"
        "; reemplazamos; antes_(?:era"
        "|usábamos); ahora_(?:es|son|usamos|está|en|corre); desde_(?:el_lunes|ayer|la_semana_pasada|hace)"
    ),
    "pt": anyof(
        "já_não; não_(?:\\w+_){1,3}mais; em_vez_de; no_lugar_de; a_partir_de_agora; mudamos_(?:para"
        "|de); migramos"
        "; trocamos; substituímos; agora_(?:é|são|usamos|está|roda); deixamos_de"
    ),
    "it": anyof(
        "non_(?:\\w+_){1,4}più; invece_(?:di|che); al_posto_di; d'ora_in_poi; siamo_passati"
        "; abbiamo_(?:cambiato|migrato"
        "|sostituito|spostato|smesso); adesso_(?:è|usiamo); ora_(?:è|usiamo|gira)"
    ),
    "nl": anyof(
        "niet_meer; geen_(?:\\w+_){0,3}meer; niet_langer; in_plaats_van; vanaf_nu; overgestapt"
        "; overgezet; verhuisd"
        "; vervangen_door; gewijzigd; voortaan"
    ),
    "ru": anyof(
        "больше_не; уже_не; вместо; перешли; переехали; перенесли; заменили; сменили; теперь"
        "; раньше; отказались_от"
    ),
    "zh": anyof(
        "改用; 改成; 改为; 改為; 改到; 改回; 换成; 換成; 换到; 換到; 换为; 换了; 換了; 不再; 已不"
        "; 切换到; 切換到; 切到; 迁移到; 遷移到"
        "; 迁到; 遷到; 搬到; 移到; 转到; 轉到; 升级到; 升級到; 升到; 降到; 降级; 提高到; 减少到"
        "; 增加到; 调整为; 調整為; 调到; 更新为; 更新為"
        "; 替换; 替換; 取代; 代替; 而不是; 弃用; 棄用; 废弃; 廢棄; 淘汰; 停用; 原来是; 原來是"
        "; 以前是; 之前是; 之前用; 以前用; 现在是; 現在是"
        "; 现在用; 現在用; 现在在; 現在在; 现已; 現已; 已经换; 已經換; 已改; 变成; 變成; 变更; 變更"
        "; 改了; 从.{1,20}(?:换|改|迁|搬|升|移|切)"
        "; 上周起; 上周一起; 今后用"
    ),
    "ja": anyof(
        "ではなく; じゃなく; に変更; に変わ; に変え; に切り替え; へ切り替え; に移行; へ移行; に移し"
        "; に移っ; へ移っ; に引っ越; をやめ"
        "; もう.{0,12}(?:ない|ません|ていない); なくなっ; 使わなくな; の代わり; に置き換え; 廃止"
        "; 以前は; これまでは; 今は; 現在は; 先週から"
        "; 今週から; からは; に上げ; に下げ; に引き上げ; に引き下げ; 更新した; アップグレード"
    ),
    "ko": anyof(
        "더_?이상; 대신; 바꿨; 바뀌; 바꾸었; 변경; 전환; 옮겼; 옮겨; 이전했; 교체; 폐지; 예전에는"
        "; 이전에는; 이제는; 이제_; 지난주부터"
        "; 이번_?주부터; 부터는; 으로_올렸; 으로_낮췄; 업그레이드"
    ),
}
"""Pattern of words of change by language."""

_DENIAL = anyof(
    "not; never; no; don't; dont; do_not; isn't; aren't; wasn't; doesn't; won't; cannot; can't"
    "; without; stop_using"
    "; avoid; drop; forget; instead_of; rather_than; no_longer; nicht; kein\\w*; nie; statt"
    "; anstatt; ohne; pas; jamais"
    "; plus_de; au_lieu_de; sans; nunca; ya_no; en_lugar_de; en_vez_de; sin; não; em_vez_de; sem"
    "; non; mai; niente"
    "; invece_di; niet; geen; nooit; не; нет; вместо; без",
    "不是; 不用; 不要; 不再; 不能; 别用; 別用; 别再; 而不是; 禁止; 没有; 沒有; 不走; 不在; 不叫"
    "; 不使用; 말고; 아니라; 대신; 안_",
)
_DENIED_AFTER = anyof(
    "ではなく; じゃなく; ではない; ではありません; じゃない; は使わ; を使わ; をやめ; は違; 말고"
    "; 이_?아니; 가_?아니; 대신; 안_?써; 쓰지"
    "; is_(?:gone|dead|wrong|out|history|over|not|no_longer); isn't; are_(?:gone|wrong|not"
    "|no_longer); 不对; 不對; 错了; 錯了"
    "; 不用了; 没了; 已停; 已弃用"
)
_WORD = re.compile(r"[^\W_][\w.+#-]{0,60}")
_COMMON = words(
    "a an and are as at be by can der die das de del do el en every everywhere for from has have in "
    "is it its la le les must not of on only or our que set should that the this to un una und use "
    "used uses we will with ist sind wird und always never any all each no please repo project code "
    "file files new old now they them there was were"
)


def says_change(quote: str) -> bool:
    """Whether the quote itself carries a word of change in any language of the table."""
    quote = quote[:MAX_QUOTE].replace("’", "'")
    return any(_compiled(language).search(quote) for language in CHANGE)


def denies(quote: str, old: str) -> bool:
    """Whether the quote negates a value of the old text: "use pnpm, not npm" denies "npm is used".

    Agreement is no denial: "never npm" does not deny "never use npm".
    """
    quote, old = quote[:MAX_QUOTE].replace("’", "'"), old[:MAX_QUOTE].replace("’", "'")
    kept = _denied(old)
    said = _denied(quote)
    return any(value in said and value not in kept for value in _values(old))


def _denied(text: str) -> frozenset[str]:
    """Values of the text that stand right behind a word of denial (before one in Japanese, Korean)."""
    text = text.lower()
    found: set[str] = set()
    for match in _pattern(_DENIAL).finditer(text):
        ahead = re.split(r"[,.;:!?，。；：！？、()\n]", text[match.end() : match.end() + 60], maxsplit=1)[0]
        found |= _values(ahead, first=4)
    for match in _pattern(_DENIED_AFTER).finditer(text):
        behind = re.split(r"[,.;:!?，。；：！？、()\n]", text[max(0, match.start() - 40) : match.start()])[-1]
        found |= _values(behind, last=2)
    return frozenset(found)


def _values(text: str, first: int | None = None, last: int | None = None) -> set[str]:
    """Words that may name a value, in a common form, and the handles of the text."""
    named = [word.lower().rstrip(".-") for word in _WORD.findall(text)]
    named = [
        word for word in named if word not in _COMMON and (len(word) > 1 or word.isdigit() or asian(word))
    ]
    named = named[:first] if first else named[-last:] if last else named
    found = {_stem(word) for word in named}
    for word in named:
        if asian(word):  # CJK runs hold the Latin names and the two-letter words
            found |= set(re.findall(r"[a-z0-9][a-z0-9.+#-]+", word))
            found |= {word[i : i + 2] for i in range(len(word) - 1) if asian(word[i : i + 2]) == 2}
    return found if first or last else found | set(handles(text))


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word


@cache
def _compiled(language: str) -> re.Pattern[str]:
    return _pattern(CHANGE[language])


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.I)
