"""The forms in which a state of things is told, and those of reports, faults and the moment.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

import re

from siltstone.pipeline.words import anyof, words


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(anyof(*phrases), re.I)


IS = _any(
    "is; are; can_(?:only_)?be"
    "; isn't; aren't; uses?; runs?_(?:\\w+_){0,2}(?:on|at|under|in|every|with|from"
    "|behind|as); lives?_(?:in|on|at|under); belongs?_(?:to|in|into|next|under|on|here); gets?"
    "; (?:is|are)_(?:kept|stored|hosted"
    "|written|built|called|named|deployed|served|cached|generated|owned|limited|deleted|sent"
    "|counted|billed|encrypted|signed|shipped|released|maintained); stays?; starts?_(?:at|from"
    "|with|on); ends?_(?:at|on|with|after|in); costs?; goes_(?:to|through|out|via|next_to|in|into"
    "|under|before|after); go_(?:to|through|out|via|next_to|in|into|under|before|after)"
    "; comes?_from; expires?; speaks?; talks?_to; supports?; accepts?; reads?; writes?; cuts?"
    "; allows?; sends?; takes?; measures?; needs?; means; counts?; has; have; works?_(?:on|with"
    "|without|from); we_(?:use|run|host|deploy|ship|release|keep|store|write|build|have|target"
    "|support|call|log|bill|charge|pay)",
    "tiene[n]?; lleva[n]?; hat; haben; "
    "ist; sind; läuft; laufen; nutzt; nutzen; liegt; gehört; heißt; bleibt; bleiben; kostet"
    "; wird_(?:gehostet|gespeichert|deployed|gelöscht); wir_(?:nutzen|verwenden|hosten|deployen"
    "|haben); es; son; está; están; usa; usamos; corre; cuesta; se_(?:guarda|aloja|despliega"
    "|llama|guardan); tenemos; est; sont; utilise; utilisons; tourne; coûte; appartient"
    "; on_utilise; é; são; roda; fica; custa; è; sono; gira; costa; is; zijn; draait; gebruikt"
    "; использует; используем; работает_на",
    "されて; "
    "是; 用的是; 使用; 采用; 採用; 跑在; 部署在; 放在; 存在; 托管在; 託管在; 位于; 位於; 属于"
    "; 屬於; 叫做; 保留; 为; 為; 支持; です; である; を使って; で動い; に置い; にある; あります"
    "; と呼; 保持; 입니다; 이다; 에서_?(?:실행|돌아); 을_?사용; 를_?사용; 사용합니다; 있습니다"
    "; 이에요; 예요",
)
SUBJECT = re.compile(
    r"(?:(?:the|our|my|we|all|every|each|both|hosting|production|prod|staging|deploys?|releases?"
    r"|builds?|tests?|prices?|dates?|times?|ids?|this (?:repo|repository|project|app|service|shop"
    r"|site|package|library)|der|die|das|unser\w*|mein\w*|wir|alle|el|la|los|las|nuestr\w+|le|les"
    r"|notre|nos|nous|on|o|a|os|as|noss\w+|il|lo|gli|i|nostr\w+|de|het|onze|we|наш\w*|мы)(?!\w)"
    r"|[A-Z][\w.-]+|[a-z][\w-]* (?:[\w-]+ ){0,6}(?:is|are|uses?|runs?|lives?|goes|go|comes?"
    r"|stays?|starts?|ends?|costs?|expires?|takes?|needs?|belongs?|has|have|means|counts?|reads?"
    r"|writes?|sends?|works?)(?!\w)|.{0,12}[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af])",
)
FAULT = _any(
    "can't_(?:print|log_?in|open|see|find|save|load|click|scroll|type|edit|download|upload|sign_in)"
    "; fail(?:s|ed|ing|ure)?; typos?; glitch; broken; (?:returns?|shows?|prints?|displays?|gives?"
    "|outputs?|renders?)_(?:\\w+_){0,5}instead_of; overlaps?; hidden; blank; 404; 500; breaks?"
    "; (?:an?|the|this|that|same|an_?other|no|get|gets|throws?|with)_errors?; error_in; bug; bugs"
    "; flaky; crash(?:es|ed|ing)?; wrong; off_by; missing; stalls?"
    "; stuck; hangs?; slow; red; regress\\w*; leak(?:s|ed|ing)?; complains?; throws?; timed_out"
    "; does_not_work; doesn't_work; not_working; weird; strange; conflict; duplicates?_\\w+_again"
    "; out_of_memory; full; down; empty; green; (?<=\\w\\s)passes; passing; stutters?; flickers?"
    "; freezes?; lags?; drifts; disappears?; vanishes; blinks?; jumps?; forgets; loses?; (?:get"
    "|gets|is|are)_lost; odd; ugly"
    "; why; todo; again",
    "(?:läuft|laufen|geht|gehen|klappt|funktioniert|funktionieren|startet)_(?:\\w+_)?nicht"
    "; ne_(?:marche|fonctionne)_pas; no_funcionan?; não_funciona; non_funziona; werkt_niet"
    "; не_работает; fehler; kaputt; falsch; langsam; hängt; schlägt_fehl; fallo; falla; roto"
    "; lento; erreur; cassé; lent; quebrado; erro; rotto; errore; kapot; fout; ошибка; сломан\\w*"
    "; падает; 报错; 報錯; 失败; 失敗; 错误; 錯誤; 坏了; 壞了; 不对; 不對; 慢; エラー; 失敗; 壊れ"
    "; 遅い; バグ; 오류; 실패; 에러; 느려; 버그",
)
PAST = _any(
    "was; were; did; had; got; went; came; saw; found; tried; ran; wrote; asked; told; noticed"
    "; i_(?:\\w+ed); just; already; finally; earlier; the_other_day; ich_habe; habe_ich"
    "; wir_haben_(?:\\w+_){1,6}ge\\w+; jetzt_(?:sind|ist|sieht|geht|läuft_es); war; waren; hatte; fue; era"
    "; estaba; était; avait; foi; estava; был; была; 刚; 剛; 了$; でした; ました; 였습니다; 했습니다"
)
REPORTED = re.compile(
    r"(?<!\bi\s)(?<!\bwe\s)(?<!\bI\s)\b(?:says?|said|wrote|writes|tells|told (?:me|us)|suggests?"
    r"|suggested|claims?|claimed|recommends?|recommended|thinks|meinte|sagt|sagte|schreibt|dice"
    r"|dijo|dit)\b(?! (?:it )?before)(?! so(?!\w))",
    re.I,
)
CONVENTION = re.compile(
    r"(?:for \w+(?: \w+)?,? )?(?:we|wir|on|nous|nosotros)\s+(?:always |never |only |all )?(?:use"
    r"|keep|store|write|call|indent|ship|deploy|release|test|name|format|version|cut|tag|log|bill"
    r"|charge|pay|count|round|sell|measure|sort|pin|squash|sign|encrypt|archive|back up|prefix"
    r"|print|host|build|follow|treat|target|support|spell|nutzen|verwenden|schreiben|nennen|utilisons"
    r"|usamos|utilise|garde)(?!\w)",
    re.I,
)
ASIDE = re.compile(
    r",\s+(?:so|because|and|which|since|as|please|also|so dass|weil|denn|porque|car|perché)(?!\w)|[，；]",
    re.I,
)
BECAUSE = _any(
    "because; since; so_that; otherwise; as_(?:the|it|we|they); that's_why; therefore; hence"
    "; due_to; the_reason; reason; so; which_is_why; or_else; weil; denn; damit; sonst; deshalb"
    "; da_(?:die|der|das|wir|sie); porque; ya_que; para_que; si_no; por_eso; parce_que; car"
    "; sinon; puisque; pour_que; pois; senão; por_isso; perché; altrimenti; così; omdat; want"
    "; anders; потому_что; так_как; иначе; чтобы",
    "因为; 因為; 所以; 否则; 否則; 不然; 以免; 由于; 由於; 为了; 為了; から; ので; ため; 때문"
    "; 왜냐; 니까; 위해",
)
PRONOUN_FIRST = re.compile(
    r"\W{0,8}(?:it|that|this|there|these|those|they|he|she|das|dies|es|esto|eso|ça|cela|isso|isto"
    r"|questo|dat|(?:die|der|das|den) (?:ist|sind|hat|haben|war|geht|kann|muss|liegt|steht)|это"
    r"|这个?|那个?|これ|それ|이거|그거)(?!\w)",
    re.I,
)
AT_HAND = re.compile(
    r"\W{0,8}(?:the|this|that|your|my|der|die|das|el|la|le) (?:[\w-]+ ){0,2}?(?:pr|ticket|issue|task"
    r"|diff|branch|commit|function|method|class|tests?|query|line|page|button|form|modal|header"
    r"|footer|sidebar|image|field|list|column|loop|component|dialog|screen|output|response"
    r"|process|container|variable|title|label|text|icon|import|file|patch|script|menu|link|rows?"
    r"|error|warning)(?!\w)",
    re.I,
)
"""Things of the moment: that they are so or so is no fact about the project."""
COMMA = re.compile(r",\s|，")
LEAD = re.compile(
    r"^[\s\W]{0,12}(?:(?:not bad|well done|almost|close|better),? but\s+)?(?:(?:since|from|as of"
    r"|with|in|for)\s+(?:version\s+|release\s+)?v?[\w.]+(?:\s+on)?,?\s+"
    r"(?=(?:the|our|we|all)\s))?(?:(?:and|so|but|also|by the way|btw|ok|yes|right|note that|mind that"
    r"|und|übrigens"
    r"|y|et|e)[\s,:]+){0,3}",
    re.I,
)
SCOPED = re.compile(r"(?<!\w)in this (?:code ?base|repo(?:sitory)?|project|house|team|company)(?!\w)", re.I)

REASON = re.compile(
    r"[,;]?\s+(?:because|since|otherwise|else|so that|so(?=\s+(?:the|we|it|they|no|there|that|please"
    r"|you|i|don't|never|all|only))|as (?=the|it"
    r"|we|they|our|i)|but|weil|denn|sonst|porque|ya que|car|sinon)(?!\w)|,\s+(?:that one|this one"
    r"|that|it|they|those|which)\s|[，,]\s*(?:因为|因為|所以|否则|否則|不然)",
    re.I,
)
"""Where a statement ends and its reason begins."""
POINTING = re.compile(
    r"(?<!\w)(?:this|these|those)(?! (?:repo|repository|project|app|application|team|code ?base|house"
    r"|service|firmware"
    r"|product|company|package|library|account|way|means|is|are|was|must|has|shop|site|module|client"
    r"|organi[sz]ation"
    r"|server|cluster|user|in|on|at|for|to|from|and|or|please|as|because|by|with|year|week|month"
    r"|quarter|morning|afternoon|evening|time|spring|summer|autumn|winter)(?!\w))\s+\w"
    r"|(?<!\w)that's why|[这這那][个個些条條行段页頁次](?!项目|仓库|库|系统|專案|倉庫)|第\s*\d+"
    r"|(?<!\w)that (?:function|file"
    r"|page|test|branch|commit|ticket|line|button"
    r"|class|method|query|one|column|field|pr|script|value|row|image|text|part|thing|bug|error"
    r"|change)(?!\w)"
    r"|(?<!\w)(?:this|that) one(?!\w)|(?<!\w)the (?:following|other|second|third|first|last|next"
    r"|above|remaining)"
    r"(?=\s+(?:one|two|three|four|few|file|approach|variant|option|part|test|paragraph|branch|line"
    r"|row|point|step|version"
    r"|sentence|commit|item|idea|case|column|section)s?(?!\w)|\s*(?:$|[,.;:!]))",
    re.I,
)
"""Points at something on the table."""
PRONOUN_OBJECT = re.compile(
    r"(?<!\w)(?:hate|like|want|avoid|use|do|change|touch|remove|need|prefer|allow|accept|consider|is"
    r"|are|on|in|for|from"
    r"|with)\s+(?:this|that|it|them|those|these|there)(?!\s+\w*(?:s|es)?\s*(?:repo|project"
    r"|app))(?=\s*(?:$|[,.;!]|in|on"
    r"|at|please|here|because|as|so)(?!\w))|使用它|用这个|用它",
    re.I,
)
CONDITION = re.compile(r"\W{0,8}(?:if|unless|once|wenn|falls|si|se|als|если|如果|もし|만약)(?!\w)", re.I)
META = re.compile(
    r"\W{0,8}(?:the|my|our|a|one|another|only)\s+(?:\w+\s+)?(?:problem|reason|solution|issue|idea"
    r"|thing|point|question"
    r"|difference|result|cause|plan|goal|fix|answer|trick|rest|thought|suspicion|guess|impression"
    r"|feeling|good news"
    r"|bad news|story|joke|fun fact|build|old \w+|new \w+|colleague|boss|ceo|intern|designer|tester"
    r"|friend|son|daughter"
    r"|colleague|wife|husband|cat|dog|laptop|phone|computer|screen|weekend|flight|train)(?:'s)?(?!\w)"
    r"|\W{0,8}(?:step|phase|part) \d"
    r"|\W{0,8}(?:each|all|both|some|most|none|one|two|three|half|\d+) of(?!\w)|\W{0,8}(?:both"
    r"|all (?:three|two|four|\d+))(?!\w)"
    r"|\W{0,8}(?:nobody|no one|someone|somebody|people)(?!\w)|\W{0,8}only (?:two|three|one|four|\d+"
    r"|the)(?!\w)",
    re.I,
)
"""Speaks about the talk, a person or a share of things, not about the project."""
IN_PROGRESS = re.compile(
    r"(?<!\w)(?:is|are|am|'s|'re|'m|been|still|keeps?|just|starts?"
    r"|stops?)\s+(?:\w+ly\s+)?(?!(?:running\s+(?:on|at|in|under|behind|from|with|as)|missing|using"
    r"|nothing|something|anything|everything|during|string|building|billing|pricing|hosting|staging"
    r"|routing|setting"
    r"|logging|rolling|living|multi\S*|spring)(?!\w))\w{2,}ing(?!\w)|(?<!\w)(?:colleague|vacation"
    r"|holidays?|meeting|appointment|ready|done|finished|(?<=is )through|(?<=are )through|in place|merged"
    r"|pushed|almost|nearly|already|soon|still|so far|yet|next|again|enough|intended|gone|back|too"
    r"|nice|better|worse"
    r"|cleaner|faster|nicer|bigger|smaller|slower|centered|confus\w+|interesting|awful|great|perfect"
    r"|horrible)(?!\w)"
    r"|(?<!\w)(?:has|have|had|'ve)\s+(?:been|already|just|reported|attached|prepared|ordered|mounted"
    r"|noticed|seen|sent"
    r"|written|found|left|changed|tried|tested|learned|had|lost|\w+ed)(?!\w)|(?<!\w)(?:wants?|likes?"
    r"|hopes?|thinks?"
    r"|believes?|asks?|talks?|looks?|feels?|seems?|sounds?|appears?|wonders?|agrees?|complains?)(?!\w)"
    r"|(?<!\w)now(?!\w)|了[。.!！]?\s*$|(?:中です|ています)[。.]?$(?<!されています)(?<!れています)",
    re.I,
)
LASTING = re.compile(
    r"\W{0,8}(?:(?:all|every|each|any)\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?!(?:of|three|two|four"
    r"|second|third|other|tests?|these|those|this|that"
    r"|them|other|rows?|lines?|\d+)(?!\w))\w+"
    r"|(?:the|our)\s+(?:nightly|daily|weekly|monthly|hourly|yearly)\s+\w+"
    r"|(?:the|our|this|a|an)\s+(?:[\w-]+\s+){0,2}?(?:customers?|clients?|users?|repo|repository"
    r"|project|product|service"
    r"|company|team|contract|vendor|provider|authority|hardware|devices?|sensors?|main branch"
    r"|default branch|api"
    r"|production|prod|staging|database|cluster|network|firewall|proxy|backend|frontend|cloud|region"
    r"|license|licence"
    r"|law|regulator|auditors?|policy|convention|protocol|format|schema|standard|naming|versioning"
    r"|deployment process"
    r"|release process|pipeline|platform|runtime|toolchain|architecture|domain|tenant|backup"
    r"|budget)s?(?!\w)"
    r"|(?!(?:the|this|that|these|those|my|your|some|more|two|three|\d+)\s)(?:[\w-]+\s)?(?:production"
    r"|prod|staging|comments|numbers|codes|prefixes|urls|flags|users|customers|clients|releases"
    r"|deployments|deploys|migrations|prices|amounts|dates"
    r"|timestamps|times|ids|secrets|credentials|backups|logs|commits|branches|tags|versions|endpoints"
    r"|tables|services"
    r"|modules|components|errors|exceptions|translations|texts|strings|names|files|images|payments"
    r"|orders|invoices"
    r"|taxes|tax rates|units|currencies|languages|permissions|sessions|jobs|queues|messages|events"
    r"|sensors|devices"
    r"|machines|nodes|servers|clients)(?!\w)"
    r"|(?:el|la|los|las|nuestr\w+)\s+(?:servidor|servicio|cliente|clientes|producción|precios"
    r"|usuarios|base de datos|red"
    r"|api|comentarios|fechas|equipo)|los precios|(?:der|die|das|unser\w*)\s+(?:server|kunde|kunden"
    r"|produktion|datenbank"
    r"|netz|dienst|api|preise|nutzer|firma|team)(?!\w)|(?:le|la|les|notre|nos)\s+(?:serveur|client"
    r"|clients|prod|base"
    r"|réseau|api|prix|utilisateurs|équipe)(?!\w)"
    r"|(?!(?:この|その|あの|これ|それ|今|这|那|此|這))[^、，。,\s]{2,14}(?:は|是|为|為|都|只|一律"
    r"|统一).{4,}(?:されています"
    r"|されます|できません|である|位|税|格式|时间|時間))",
    re.I,
)
"""Subjects that stand for how the project is, in the plural or by name of a part."""
OCCASION = re.compile(r"\W{0,8}(?:since|after|while|when|until|because|as soon as)\s", re.I)
NO_SUBJECT = (PRONOUN_FIRST, META, CONDITION, OCCASION)
"""A fact does not begin so."""
NO_STATE = (FAULT, PAST, POINTING, IN_PROGRESS)
"""A clause with one of these reports, or speaks of the moment."""
COUNTED = re.compile(r"[一二三四五六七八九十百千万两]+(?:位|天|年|个|小时|分钟|秒|元|次|月|周|行|字)")
"""A number in Chinese."""
CLAUSES = re.compile(r"[,;]\s+(?:(?:but|and|since|because|as)\s+)?")
PRONOUN_NEXT = re.compile(
    r"(?:since|from|as of|until|now|then|there|seit|desde|depuis)\s+(?:[^\s,]{1,20}\s+){0,3}?(?:on,?\s+)?"
    r"(?:it|its|it's|they|they're|es|sie|ça)(?!\w)",
    re.I,
)
"""A pronoun behind a date: "since April it's …"."""
ACTS = _any(
    "shares?; differs?; depends?_on; contains?; holds?; carr(?:y|ies); follows?; var(?:y|ies)"
    "; logs?_in(?:to)?; covers?; lasts?; begins?_(?:with|at|in|on); equals?; points?_to; remains?"
    "; rejects?; refuses?; requires?; expects?; sells?; bills?; charges?; prints?; exports?"
    "; imports?; serves?; owns?; manages?; maintains?; forwards?; blocks?; throttles?; overrides?"
    "; replicates?; listens?_on; connects?_to"
)
"""Verbs that state something of a lasting subject only."""
INSTANCE = re.compile(
    r"\W{0,8}(?:(?:the|our|my)\s+)?(?:[a-z-]+\s+){0,3}[a-z-]+\s+#?\d+\s+(?:is|are|has|does|was|shows"
    r"|needs|looks|of|took)(?!\w)",
    re.I,
)
"""One of many: "fader 12 does nothing", "run 31 is through"."""
ASIDE_MARK = re.compile(
    r"(?<!\w)(?:by the way|btw|fyi|for the record|note that|mind that|you should know|important"
    r"|übrigens|por cierto|au fait)(?!\w)"
    r"|顺便|順便|另外|ちなみに",
    re.I,
)
"""Marks a statement as told for its own sake."""
GERMAN = re.compile(
    r"(?<!\w)(?:der|die|das|den|dem|ein|eine|ist|sind|nicht|und|auf|mit|für|im|wir|ich)(?!\w)", re.I
)
HELP = re.compile(
    r"(?:^\W{0,8}|(?:can|could|would|will) you (?:please )?|please )(?:find out|check|look (?:at"
    r"|into|whether)|have a look"
    r"|see (?:if|whether|what|why)|reproduce|debug|investigate|explain|tell me|fix (?:it|this|that)"
    r"|help)(?!\w)"
    r"|any ideas?|where do i start|what (?:is|are) our options",
    re.I,
)
"""A call for help with what was just described."""
WISHES = re.compile(
    r"\W{0,8}(?:my|our|the|a|some|one of (?:my|our|the))\s+(?:[\w'-]+\s+){1,3}?(?:wants?|would like"
    r"|wishes|asks?|asked|hopes?|wonders?"
    r"|prefers to|would prefer|complain(?:s|ed)?)(?!\w)",
    re.I,
)
"""Somebody else would like something."""
GENERIC = words(
    "pr ci cd ui ux api url id pdf csv json xml html css db os ide faq todo ok qa mr sql http https cpu ram"
    " gpu i i'm 1st 2nd 3rd"
)
"""Handles that name nothing."""
