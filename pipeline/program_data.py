"""What a program is to remember: "remember the user's choice in a cookie" asks for work, not to keep a fact.

Narrow, for a save that is missed is worse than one too many (docs/seeds.md A28): what follows the trigger, or
stands before it where the language puts it there, must be one thing of a program's (a choice, a tab, a
position) and no statement, with where it is kept, what it outlives, or whose it is. Behind a colon or "that"
stands what the user wants kept.
"""

from siltstone.pipeline.words import pattern
from siltstone.store.late import holds

_THING = (
    r"(?:choices?|selections?|preferences?|settings?|options?|theme|language|locale|(?:dark|light|view) mode"
    r"|tabs?|filters?|sort(?:ing)?(?: order)?|columns?|page|position|state|values?|inputs?|answers?|drafts?"
    r"|log-?in|e-?mail(?: address)?|username|cart|size|width|height|zoom(?: level)?|volume|view|query"
    r"|search(?:es)?|folder|path|files?|items?|rows?|layout|consent|currency|progress|score|level)"
)
_VERBS = (
    r"(?!(?:is|are|was|were|has|had|have|did|do|kept|held|put|wrote|got|went|ran|lay|can|will|must|may|should"
    r"|would|could|not|never|always|only|no|and|or|but|the|our|my|your|we|i|that)\s)"
)
_WORD = (
    rf"(?:{_VERBS}(?:(?:selected|preferred|saved|typed|entered|collapsed|expanded|opened|visited|picked"
    r"|dismissed|used)|[\w-]+(?:'s|s')|[\w-]*(?:[a-rt-z0-9]|ss|us)(?<!ed))\s+)"
)
"""Of an object: neither a verb nor the plural before one ("the users keep settings in …")."""
_OBJECT = rf"\s*(?:please\s+)?(?:the|a|an|each|every|which|what|their|its)\s+{_WORD}{{0,4}}?{_THING}"
_WHOSE = (
    r"\s*(?:please\s+)?(?:the|each|every|a)\s+(?:(?:user|visitor|customer|player|client|viewer|reader|shopper)"
    r"(?:'s|s'|s)|previous(?:ly)?|most recent(?:ly)?|selected|chosen|currently)\s+"
    rf"{_WORD}{{0,2}}?{_THING}"
)
_KEPT_IN = (
    r"\s+(?:in|into|to|inside|via|with|using|through)\s+(?:(?:an?|the|our|its|their)\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?:cookies?|local ?storage|session ?storage|session|indexed ?db|database|db|redis|urls?|query string)"
)
_OUTLIVES = (
    r"\s+(?:across|between|over|after|through|beyond)\s+(?:(?:an?|the|page|app|browser|all|multiple)\s+){0,3}"
    r"(?:reload(?:s|ing)?|refresh(?:es|ing)?|restart(?:s|ing)?|sessions?|visits?|page loads?|navigations?"
    r"|launch(?:es)?|re-?renders?|reboots?)"
)
_ENDS = (
    r"(?=\s*(?:$|[.!;)]|,\s*(?:and|so|when|then|please|not|instead)(?!\w))"
    r"|\s+(?:please|instead|too|as well|so|when|and (?:restore|show|open|reopen|select|apply|use|set"
    r"|load))(?!\w))"
)
_EUROPEAN = (
    r"\s*(?:bitte\s+)?(?:die|das|den|la|el|las|los|le|les|l'|a|o|as|os|il|lo)\s*(?:(?:letzte[nrs]?|última|último)\s+)?"
    r"(?:auswahl|wahl|einstellung(?:en)?|sprache|(?:scroll)?position|filter|sortierung|reiter|tab|elección"
    r"|selección|preferencias?|idioma|posición|pestaña|choix|sélection|préférences?|langue|onglet|escolha"
    r"|seleção|preferências?|posição|scelta|selezione|preferenz[ae]|lingua|posizione|scheda)"
    r"(?:\s+(?:des|der|del|de l'|de la|do|da|dell')\s*(?:nutzers?|benutzers?|users?|nutzerin|anwenders?"
    r"|usuari[oa]|utilisateur|usuário|utente))?"
    r"\s+(?:in einem|in einer|im|in der|en una?|en el|en la|dans un|dans le|dans la|em um|em uma|no|na|in un"
    r"|in una|nel|nella)\s+(?:cookies?|local ?storage|session ?storage|sitzung|session|datenbank|url|sesión"
    r"|base de datos|base de données|sessão|banco de dados|sessione)(?!\w)"
)
_WEB = (
    r"(?:cookies?|クッキー|쿠키|local\s?storage|ローカルストレージ|로컬\s?스토리지|session\s?storage"
    r"|セッション|세션|会话|會話|本地存储|本地儲存|url)"
)
_DB = r"(?:データベース|데이터베이스|数据库|資料庫|db|redis)"
_SHOWN = (
    r"(?:选择|選擇|选项|選項|设置|設定|语言|語言|主题|主題|标签页?|標籤頁?|页面|頁面|位置|筛选|排序|输入|状态|狀態"
    r"|選択|言語|テーマ|タブ|ページ|入力|状態|フィルター?|並び順|선택|설정|언어|테마|탭|페이지|입력|위치|상태|필터|정렬)"
)
_STOPS = r"\s*(?:$|[。.!！，,、])"
_NO_VERB = "[^，,。、:：是为為]"
ZH_AFTER = (
    rf"\s*(?:上次|上一次|最后一次|最近一次|最后|当前){_NO_VERB}{{0,8}}(?:选|選|打开|打開|使用|输入|浏览|搜索){_NO_VERB}{{0,4}}的"
    rf"{_NO_VERB}{{0,6}}{_SHOWN}{_STOPS}"
    rf"|{_NO_VERB}{{0,12}}{_SHOWN}(?:到|进|進)\s?(?:{_WEB}|{_DB})\s?(?:里|裡|中|上)?{_STOPS}"
    rf"|\s*(?:在|到|进|進)\s?{_WEB}\s?(?:里|裡|中|上)?{_STOPS}"
)
AFTER = f"{_OBJECT}(?:{_KEPT_IN}|{_OUTLIVES}){_ENDS}|{_WHOSE}{_ENDS}|{_EUROPEAN}"
_HINTS = (
    "cookie,storage,sess,sesi,sitzung,database,datenbank,base de d,banco de,db,redis,url,query,load,refresh"
    ",restart,visit,navigation,launch,render,reboot,user,customer,player,client,viewer,reader,shopper,previous"
    ",recent,selected,chosen,current"
)
"""One of these stands in whatever `AFTER` finds; it takes 40 ms to compile."""
_ASIAN_HINTS = (
    "cookie,クッキー,쿠키,storage,ストレージ,스토리지,セッション,세션,会话,會話,本地存储,本地儲存,url"
    ",选择,選擇,选项,選項,设置,設定,语言,語言,主题,主題,标签,標籤,页面,頁面,位置,筛选,排序,输入,状态,狀態"
    ",選択,言語,テーマ,タブ,ページ,入力,状態,フィルタ,並び順,선택,설정,언어,테마,탭,페이지,입력,위치,상태,필터,정렬"
    ",リロード,再読み込み,再起動,새로고침,재시작,刷新,重新加载,重新載入"
)
"""The same for `ZH_AFTER` and `BEFORE`."""
BEFORE = (
    rf"(?:{_WEB}|{_SHOWN}.{{0,8}}{_DB})\s?(?:に|の中に|에|에다)\s*$"
    r"|(?:リロード|再読み込み|再起動)(?:しても|後も)[、,]?\s*$|(?:새로고침|재시작)(?:해도|\s?후에도),?\s*$"
    rf"|在\s?{_WEB}\s?(?:里|裡|中|上)?$|(?:刷新|重新加载|重新載入)(?:页面|頁面)?(?:之?后|之?後)[仍還还也依然要能]{{0,4}}$"
    rf"|(?:ユーザー?の|利用者の|訪問者の|最後に|前回|直前に)[^。、]{{0,14}}{_SHOWN}を\s*$"
    rf"|(?:사용자의?|유저의?|방문자의?|마지막(?:으로|에)?|지난번)\s[^.,]{{0,14}}{_SHOWN}[을를]\s*$"
)


def of_a_program(before: str, after: str) -> bool:
    """Whether the words around a trigger, which stands between the two, name a program's data alone."""
    if hinted(after) and pattern(AFTER, after).match(after):
        return True
    if hinted_in_asia(after) and pattern(ZH_AFTER, after).match(after):
        return True
    return hinted_in_asia(before) and pattern(BEFORE, before).search(before) is not None


def hinted(after: str) -> bool:
    """Whether `AFTER` may match at all."""
    folded = after.lower()
    return holds(folded, _HINTS)


def hinted_in_asia(text: str) -> bool:
    """Whether `ZH_AFTER` or `BEFORE` may match at all."""
    folded = text.lower()
    return not text.isascii() and holds(folded, _ASIAN_HINTS)
