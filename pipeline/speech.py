"""What a typed sentence does: ask, order one thing, put off, suppose, joke, or speak of today only.

None of these is a durable fact (docs/architecture.md: never transient state, progress, one-off
requests). Word lists by language, linear patterns, used by explicit saves and by the `rules` model.
"""

from siltstone.pipeline.words import Late, Parts, Phrases, late, split
from siltstone.store.late import fold
from siltstone.store.light_cache import lru_cache

_QUESTION = Phrases(
    "why; what(?!ever); how(?!ever); which; where(?!ver); who(?!ever); whose; what's; how's"
    "; where's; who's; any_idea"
    "; when_(?:did|do|does|will|is|was|are|were|should|can)",
    "(?:is|are|was|were)_(?:it|there|that|this|these|those|the|we|you|they)",
    "(?:does|did|can|could|should|would|will|shall|have|has)_(?:you|we|i|they|it|this|that|the|anyone)"
    "; do_(?:you|we|i|they|anyone)",
    "warum; wieso; wie; was_ist; welche[rsn]?; pourquoi; comment; est-ce; quel(?:le)?; por_qué"
    "; cómo; qué; cuál",
)
_ORDERS = (
    "add; adjust; amend; answer; reply; respond; explain; analy[sz]e; apply; bring; build; bump"
    "; call; change; check; clean; clone"
    "; close; commit; compare"
    "; compile; continue; convert; copy; create; cut; debug; delete; deploy; describe; do"
    "; document; download; draft; drop"
    "; edit; enable; explain; extend; extract; figure; fill; find; finish; fix; follow; format"
    "; generate; get; give; go"
    "; grep; have_a_look; help; hold_on; implement; improve; inline; inspect; install"
    "; investigate; join; kill; leave; let_me"
    "; let's; list; log; look; make; measure; merge; migrate; move; open; optimi[sz]e; patch"
    "; pick; play; port; prepare; print"
    "; proceed; profile; propose; publish; pull; push; put; read; rebase; rebuild; redo; regenerate"
    "; reindex; redeploy; retrain; re-?record; recreate; reload; refactor"
    "; reformat; release"
    "; remove; rename; replace; report; reproduce; rerun; resolve; restart; restore; retry"
    "; revert; review; rewrite; roll"
    "; run; save; scan; search; see; send; set; ship; show; simplify; skip; sort; split; squash"
    "; start; stash; stop; submit"
    "; summari[sz]e; swap; switch; tag; take; tell; test; tidy; track; translate; trim; try; turn"
    "; undo; uninstall; update"
    "; upgrade; upload; use; verify; wait; walk; watch; wire; work; wrap; write",
    "can_you; could_you; would_you; will_you; i_need_(?:you|a|an|the); i_want_you_to"
    "; i'd_like_you_to; you_can; you_may"
    "; we_need_to; we_should; let's; let_us; go_ahead; your_(?:task|job)_is; i'll; i_will"
    "; i'm_going_to; we'll_(?:see|look)",
)
_LEADS = split(
    (
        "ok; okay; yes; yeah; yep; no; nope; right; good; great; fine; nice; cool; thanks; thank you; perfect"
        "; alright; sure; well; now; then; next; also; and; but; so; first; please; pls; hey; hi; hello"
        "; morning; just; maybe; actually; argh; oh; ah; stop; lastly; finally; plus",
    )
)
_LONGEST_LEAD = max(map(len, _LEADS))
_PARTING = ",.:;!–—-"
"""What may part them from what follows, beside white space."""
_MOST_LEADS = 5
_ASK_OTHER = Phrases(
    "bitte_(?:mach|schau|prüf|füg|schreib|ändere|lösch|zeig|starte|behebe?|korrigier)\\w*"
    "; kannst_du; könntest_du; schau_mal; zeig_mir"
    "; peux-tu; pourrais-tu; regarde; montre-moi; ajoute; corrige; puedes; podrías; mira"
    "; muéstrame; añade; arregla; pode; poderia"
    "; puoi; potresti; guarda; mostrami; kun_je",
    "帮我; 幫我; 请(?:你)?(?:看|改|加|写|删|修|跑|检查|添加|实现|修复|更新|继续|把|给|用一下)"
    "; 請(?:你)?(?:看|改|加|寫|刪|修|跑|檢查); 看一下; 改一下"
    "; 把.{1,20}(?:改|换|換|删|刪|移|加到|放到); 加一个; 写一个; 跑一下; 试一下; 继续; 修一下; 修复"
    "; 能不能; 可以吗; 可不可以"
    "; (?:見|直し|追加し|作っ|書い|調べ|実行し|確認し|修正し|消し|教え|続け)て(?:ください|くれ"
    "|ほしい|もらえ|$)"
    "; (?:고쳐|추가해|만들어|작성해|확인해|실행해|봐|수정해|알려|계속해|보여)_?(?:줘|주세요|$)",
)
_DEFER = Phrases(
    "(?<!years\\s)(?<!months\\s)(?<!days\\s)later(?=\\s*(?:$|[.,;!?)]|on$|maybe|please|today))"
    "; (?<!for\\s)next_(?:time|week|month"
    "|quarter|year|sprint|release); not_now; not_today"
    "; tomorrow; some_other_time; another_(?:day|time)"
    "; some_day; someday; one_day; eventually; at_some_point; sometime; for_another_time; when_(?:i"
    "|we)_(?:have|get|find)_(?:the_)?time; on_the_list"
    "; (?:let's|we'll|i'll|to)_decide_(?:about_|on_)?(?:that|this|it)?; to_be_decided; tbd"
    "; not_on_the_table; not_decided; undecided"
    "; später; nächste[sn]?_(?:mal|woche|monat|quartal); morgen; irgendwann; nicht_jetzt"
    "; plus_tard; la_prochaine_fois; demain; un_jour"
    "; pas_maintenant; más_tarde; luego; mañana; la_próxima_vez; algún_día; ahora_no; mais_tarde"
    "; amanhã; depois; da_próxima_vez"
    "; più_tardi; domani; la_prossima_volta; un_giorno; straks; volgende_keer; потом; позже"
    "; завтра; в_следующий_раз; не_сейчас",
    "再说; 再說; 以后再; 以後再; 回头; 回頭; 稍后; 稍後; 晚点; 晚點; 明天; 下次; 下周; 下週"
    "; 下个月; 改天; 待定; 将来再; 有空再; 后面再; 後で; あとで"
    "; 今度; また今度; 明日; 来週; 次回; いつか; 나중에; 다음에; 내일; 다음_?주; 언젠가",
)
_TODAY = Phrases(
    "(?:is|are|starts?|opens?|begins?|leaves?|ends?)_in_(?:a|an|one|two|three|five|ten|half_an"
    "|\\d+)_(?:minutes?|hours?)"
    "; (?:don't|not|no)_(?:\\w+_){0,4}yet; for_now; right_now; now(?=\\s*[.!]?$)"
    "; by_(?:monday|tuesday"
    "|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|eod|the_end_of)"
    "; at_the_moment; just_now; today; tonight"
    "; this_(?:morning|afternoon"
    "|evening|week|month|sprint|time|once|run|session"
    "|branch|pr|commit|ticket|task|one)(?!_(?:after|and_every)); just_this; only_this"
    "; this_(?:\\w+_){0,3}(?:file|migration|script|change|test|"
    "function)_only; for_this_(?:\\w+_){0,2}(?:file|one|change|commit|pr|test|demo|branch|release"
    "|visit|migration|script|task)"
    "; only_for_(?:now|today|this|tomorrow); temporar(?:y|ily); for_the_moment"
    "; for_the_time_being; until_(?:monday|tuesday|wednesday|thursday|friday"
    "|saturday|sunday|tomorrow|tonight|next_week|then|i_say|the_demo); currently"
    "; still_(?:waiting|failing|broken|red|running|missing|open)"
    "; in_progress; once_only; one-off; throw-?_?away; as_an_exception; exceptionally"
    "; gone_on_\\w+day; (?:is|are)_(?:off|down|red|flaky|broken|stuck)"
    "; again_today; yesterday; a_(?:moment|minute|second)_ago; this_is_a_(?:test|demo)",
    "heute; diese_woche; gerade; im_moment; momentan; vorerst; vorläufig; nur_diesmal"
    "; nur_dieses_mal; ausnahmsweise; bis_(?:morgen|freitag|montag)"
    "; aujourd'hui; pour_l'instant; en_ce_moment; cette_semaine; cette_fois; provisoirement; hoy"
    "; por_ahora; de_momento; esta_semana; esta_vez"
    "; por_el_momento; solo_esta_vez; temporalmente; hoje; por_enquanto; no_momento; desta_vez"
    "; oggi; per_ora; per_il_momento; questa_volta"
    "; vandaag; voorlopig; deze_keer; сегодня; пока_что; на_этой_неделе; временно; сейчас",
    "这次; 這次; 今天; 这周; 這週; 本周; 暂时; 暫時; 临时; 臨時; 目前; 先这样; 眼下; 刚才; 剛才"
    "; 昨天; 仅此; 就这一次; 只改这; 今日; 今週; 今回だけ; 今回は; 一時的; とりあえず"
    "; 仮に; さっき; 昨日; 오늘; 이번_?주; 이번만; 이번에는; 일단; 임시; 방금; 어제; 지금은",
)
_SUPPOSE = Phrases(
    "if_(?:we|i|they|you|it)_(?:ever|were|had|could|sold|wanted|would); if_ever; would_(?:be|need"
    "|have|like_to_see); might; maybe; perhaps"
    "; could_(?:be|also|maybe); wonder(?:ing)?; thinking_(?:of|about); considering; not_sure"
    "; as_far_as_(?:i|we)_\\w+; i_guess; i_think_(?:we|it)_(?:might|could)"
    "; what_if; suppose; imagine; in_theory; hypothetically; possibly; probably; i_suspect"
    "; i_believe; seems_(?:to|like); looks_like; apparently"
    "; unless_we_ever; falls_wir; wenn_wir_(?:je|mal)\\w*; vielleicht; eventuell; könnte; würde"
    "; wohl; möglicherweise; peut-être; serait; pourrait"
    "; quizás; quizá; tal_vez; podría; sería; talvez; poderia; seria; forse; potrebbe; sarebbe"
    "; misschien; возможно; может_быть; наверное",
    "如果以后; 如果将来; 万一; 也许; 也許; 可能; 或许; 或許; 大概; 说不定; 假如; 要是; もし"
    "; かもしれ; たぶん; おそらく; 만약; 아마; 혹시; 것_?같",
)
_JOKE = Parts(
    (
        "haha,hehe,lol,rofl,lmao,kidding,j/k,jk,joking,joke",
        r"(?<!\w)(?:ha(?:ha)+h?|he(?:he)+|lol|rofl|lmao|just kidding|kidding|j/k|jk|joking|joke)(?!\w)",
    ),
    ("哈哈,呵呵,开玩笑,笑死,ｗｗ,www,ㅋㅋ,ㅎㅎ", r"哈哈|呵呵|开玩笑|笑死|ｗｗ|(?<![a-z])www$|ㅋㅋ|ㅎㅎ"),
    (
        ":),:-),:d,:-d,:p,:-p,;),;-),;d,;-d,;p,;-p,😂,🤣,😜,😉,😄,😅",
        r"(?:[;:]-?[)DP]|😂|🤣|😜|😉|😄|😅)(?!\w)",
    ),
    (
        "scherz,war nur,jaja,jeje,broma,plaisante,blague",
        r"(?<!\w)(?:scherz|war nur spaß|jaja|jeje|broma|je plaisante|blague)(?!\w)",
    ),
)
_STANDING = Phrases(
    "always; never(?!_mind); every_(?:time|commit|release|pr|change|test|file|single|new|deploy|build|repo"
    "|project|merge|push); each_(?:time|commit|release"
    "|pr|change|new|file|test|deploy); whenever; from_now_on; going_forward; in_(?:the_)?future"
    "; at_all_times; any_time; by_default; as_a_rule"
    "; in_general; generally; without_exception; for_(?:everything|all|any|good|every)"
    "; under_no_circumstances; must(?:n't)?; not_allowed; forbidden"
    "; anywhere; everywhere; anything_(?:that|you|i|we); anyone; everyone; nobody"
    "; nothing_(?:else|that); ever; no_exceptions?; the_rule_is; not_once",
    "immer; nie(?:mals)?; jede[rsmn]?; jedes_mal; grundsätzlich; generell; ab_sofort; ab_jetzt"
    "; künftig; in_zukunft; stets; muss; müssen; darf"
    "; dürfen; überall; prinzipiell; toujours; jamais; chaque; à_chaque_fois; désormais"
    "; dorénavant; par_défaut; doit; doivent; partout; interdit"
    "; siempre; nunca; jamás; cada; a_partir_de_ahora; por_defecto; debe[n]?; tiene[n]?_que"
    "; hay_que; en_todas_partes; prohibido; sempre"
    "; toda_vez; por_padrão; deve[m]?; mai; ogni; devono; altijd; nooit; elke; moet; moeten"
    "; voortaan; всегда; никогда; каждый_раз; должен"
    "; должны; нельзя; обязательно",
    "永远; 永遠; 总是; 總是; 一律; 必须; 必須; 务必; 務必; 从不; 從不; 绝不; 絕不; 不准; 不得"
    "; 禁止; 每次; 每个; 每個; 一直; 任何; 所有; 都要; 都用; 只能; 只用; 只允许; 不能"
    "; 不许; 以后都; 以後都; 今后; 默认; 預設; 统一; 必ず; 常に; 毎回; 決して; 絶対に; いつも"
    "; 禁止; すべて; 全て; 原則; 항상; 절대; 반드시; 매번; 언제나; 모든; 금지; 무조건; 꼭",
)


def asks(sentence: str) -> bool:
    """A question, with or without its mark."""
    text = sentence.strip().lower().rstrip("\"'”’」』) ")
    if text.endswith(("?", "？", "吗", "嗎", "呢", "ですか", "ますか", "나요", "까요", "吗。")):
        return True
    return _QUESTION.match(_after_lead(text)) is not None


def orders(sentence: str) -> bool:
    """A request for one piece of work: an imperative or "can you …", in whatever politeness."""
    rest = _after_lead(sentence.strip().lower())
    return _order(_head(rest)).match(rest) is not None or _ASK_OTHER.search(rest[:40]) is not None


def defers(sentence: str) -> bool:
    """Put off: later, next time, 再说."""
    return _DEFER.search(sentence.lower()) is not None


def passing(sentence: str) -> bool:
    """True today or in this place only: for now, this week, 暂时."""
    return _TODAY.search(sentence.lower()) is not None


def supposes(sentence: str) -> bool:
    """Supposed, doubted or weighed, not stated."""
    return _SUPPOSE.search(sentence.lower()) is not None


def jokes(sentence: str) -> bool:
    """Not meant."""
    return _JOKE.search(sentence) is not None


def stands(sentence: str) -> bool:
    """A word of standing: always, never, must, 必须: what is said holds beyond this request."""
    return _STANDING.search(sentence.lower()) is not None


def _after_lead(text: str) -> str:
    for _ in range(_MOST_LEADS):
        begun = fold(text[:_LONGEST_LEAD])
        ends = (len(lead) for lead in _LEADS if begun.startswith(lead))
        lead = next((end for end in ends if len(text) == end or _sets_apart(text[end])), 0)
        while 0 < lead < len(text) and _sets_apart(text[lead]):
            lead += 1
        text = text[lead:]
    return text


def _sets_apart(char: str) -> bool:
    return char.isspace() or char in _PARTING


def _head(text: str) -> str:
    """What two letters a text begins with, as orders are asked for."""
    head = fold(text[:2])[:2]
    return f"{head[0]}_" if head[1:].isspace() else head


@lru_cache(maxsize=256)
def _order(head: str) -> Late:
    """Orders that begin with two letters: to compile all takes a hook a tenth of its time."""
    return late(*(one for one in split(_ORDERS) if len(head) == 2 and one.startswith(head)))
