"""The forms of what does not last: faults, reports, things at hand, talk about the talk; several languages.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

import re

from siltstone.pipeline.words import Late, late

FAULT = late(
    "can't_(?:print|log_?in|open|see|find|save|load|click|scroll|type|edit|download|upload|sign_in)"
    "; fail(?:s|ed|ing|ure)?; typos?; glitch; broken; (?:returns?|shows?|prints?|displays?|gives?"
    "|outputs?|renders?)_(?:\\w+_){0,5}instead_of; overlaps?; hidden; blank; 404; 500; breaks?"
    "; (?:an?|the|this|that|same|an_?other|no|get|gets|throws?|with)_errors?; error_in; bug; bugs"
    "; flaky; crash(?:es|ed|ing)?; wrong; off_by; missing; stalls?"
    "; stuck; hangs?; slow; (?:is|are|all|still|went|goes)_red(?!_and); regress\\w*; leak(?:s|ed"
    "|ing)?; complains?; throws?; timed_out"
    "; does_not_work; doesn't_work; not_working; weird; strange; conflict; duplicates?_\\w+_again"
    "; out_of_memory; full; (?:is|are|went|goes|shut|comes?)_(?:\\w+_)?down; empty; green"
    "; (?<=\\w\\s)passes; passing; stutters?; flickers?"
    "; freezes?; lags?; drifts; disappears?; vanishes; blinks?; jumps?; forgets; loses?; (?:get"
    "|gets|is|are)_lost; odd; ugly"
    "; why; todo; again",
    "(?:läuft|laufen|geht|gehen|klappt|funktioniert|funktionieren|startet)_(?:\\w+_)?nicht"
    "; ne_(?:marche|fonctionne)_pas; no_funcionan?; não_funciona; non_funziona; werkt_niet"
    "; не_работает; fehler; kaputt; falsch; langsam; hängt; schlägt_fehl; fallo; falla; roto"
    "; lento; erreur; cassé; lent; quebrado; erro; rotto; errore; kapot; fout; ошибка; сломан\\w*"
    "; падает; 报错; 報錯; 失败; 失敗; 错误; 錯誤; [算写显弄搞]错; 没有?生效; 不生效; 不见了; 丢了"
    "; 查一下; 坏了; 壞了; 不对; 不對; 慢; エラー; 失敗; 壊れ"
    "; 遅い; バグ; 오류; 실패; 에러; 느려; 버그",
)
PAST = late(
    "was; were; did; had; got; went; came; saw; found; tried; ran; wrote; asked; told; noticed"
    "; i_(?:\\w+ed); just; already; finally; earlier; the_other_day; ich_habe; habe_ich"
    "; wir_haben_(?:\\w+_){1,6}ge\\w+; jetzt_(?:sind|ist|sieht|geht|läuft_es); war; waren; hatte; fue; era"
    "; estaba; était; avait; foi; estava; был; была; 刚; 剛; 了$; でした; ました; 였습니다; 했습니다"
)
REPORTED = Late(
    r"(?<!\bi\s)(?<!\bwe\s)(?<!\byou\s)\b(?:says|(?<=they )say|(?<=people )say|(?<=docs )say|said"
    r"|wrote|writes|they (?:write|say)"
    r"|tells|told (?:me|us)|suggests?"
    r"|suggested|claims?|claimed|recommends?|recommended|(?:commented|mentioned|noted|complained"
    r"|insisted|asked)"
    r" (?:that|whether|if)|thinks|meinte|sagt|sagte|schreibt|dice"
    r"|dijo|dit)\b(?! (?:it )?before)(?! so(?!\w))"
    r"|(?<![我们們])[说說](?!明|不|法|起|到|好|白|服)|と(?:言|書|いう|いっ|聞)|라고\s?(?:했|말|해요|합|하)",
)
PRONOUN_FIRST = Late(
    r"\W{0,8}(?:it|that|this|there|these|those|they|he|she|das|dies|es|esto|eso|ça|cela|isso|isto"
    r"|questo|dat|(?:die|der|das|den) (?:ist|sind|hat|haben|war|geht|kann|muss|liegt|steht)|это"
    r"|这个?|那个?|これ|それ|이거|그거)(?!\w)",
)
AT_HAND = Late(
    r"\W{0,8}(?:the|this|that|your|my|der|die|das|el|la|le) (?:[\w-]+ ){0,2}?(?:pr|ticket|issue|task"
    r"|diff|branch|commit|function|method|class|tests?|query|line|page|button|form|modal|header"
    r"|footer|sidebar|image|field|list|column|loop|component|dialog|screen|output|response"
    r"|process|container|variable|title|label|text|icon|import|file|patch|script|menu|link|rows?"
    r"|error|warning)(?!\w)"
    r"(?! (?!(?:that|which|still|always|also|now|again|here|there|only|in|on|of|for)(?!\w))[a-z]+"
    r" (?:is|are|runs?|uses?|lives?)(?!\w))",
)
"""Things of the moment ("the test", not "the test runner is"): no fact about the project."""
POINTING = Late(
    r"(?<!\w)(?:this|these|those)(?! (?:repo|repository|project|app|application|team|code ?base|house"
    r"|service|firmware"
    r"|product|company|package|library|account|way|means|is|are|was|must|has|shop|site|module|client"
    r"|organi[sz]ation"
    r"|server|cluster|user|in|on|at|for|to|from|and|or|please|as|because|by|with|year|week|month"
    r"|quarter|morning|afternoon|evening|time|spring|summer|autumn|winter)(?!\w))\s+\w"
    r"|(?<!\w)that's why|(?<!\w)(?:on|at|in|by) my (?:desk|table|machine|laptop|phone|screen|branch"
    r"|side|end)(?!\w)|[这這那][个個些条條行段页頁次](?!项目|仓库|库|系统|專案|倉庫)|第\s*\d+"
    r"|(?<!\w)that (?:function|file"
    r"|page|test|branch|commit|ticket|line|button"
    r"|class|method|query|one|column|field|pr|script|value|row|image|text|part|thing|bug|error"
    r"|change)(?!\w)"
    r"|(?<!\w)(?:this|that) one(?!\w)|(?<!\w)the (?:following|other|second|third|first|last|next"
    r"|above|remaining)"
    r"(?=\s+(?:one|two|three|four|few|file|approach|variant|option|part|test|paragraph|branch|line"
    r"|row|point|step|version"
    r"|sentence|commit|item|idea|case|column|section)s?(?!\w)|\s*(?:$|[,.;:!]))",
)
"""Points at something on the table."""
PRONOUN_OBJECT = Late(
    r"(?<!\w)(?:hate|like|want|avoid|use|do|change|touch|remove|need|prefer|allow|accept|consider|is"
    r"|are|on|in|for|from"
    r"|with)\s+(?:this|that|it|them|those|these|there)(?!\s+\w*(?:s|es)?\s*(?:repo|project"
    r"|app))(?=\s*(?:$|[,.;!]|in|on"
    r"|at|please|here|because|as|so)(?!\w))|使用它|用这个|用它",
)
CONDITION = Late(r"\W{0,8}(?:if|unless|once|wenn|falls|si|se|als|если|如果|もし|만약)(?!\w)")
META = Late(
    r"\W{0,8}(?:so )?(?:in short|tl;dr|in other words|to sum up|long story short)(?!\w)"
    r"|\W{0,8}(?:the|our)\s+(?:\w+\s+)?(?:deadline|demo|meeting|appointment|call|presentation"
    r"|workshop|launch"
    r"|go-live|review|milestone|sprint|release) (?:is|was|will|starts|on|at|has)(?!\w)"
    r"|\W{0,8}(?:the|my|our|a|one|another|only)\s+(?:\w+\s+)?(?:problem|reason|solution|issue|idea"
    r"|thing|point|question"
    r"|difference|result|cause|plan|goal|fix|answer|trick|rest|thought|suspicion|guess|impression"
    r"|feeling|good news"
    r"|bad news|story|joke|fun fact|build|(?:old|new|first|second|third|other|left|right|same"
    r"|whole|latter|former) \w+|colleague|boss|ceo|intern|designer|tester"
    r"|friend|son|daughter"
    r"|colleague|wife|husband|cat|dog|laptop|phone|computer|screen|weekend|flight|train)(?:'s)?(?!\w)"
    r"|\W{0,8}(?:step|phase|part) \d"
    r"|\W{0,8}(?:each|all|both|some|most|none|one|two|three|half|\d+) of(?!\w)|\W{0,8}(?:both"
    r"|all (?:three|two|four|\d+))(?!\w)"
    r"|\W{0,8}(?:nobody|no one|someone|somebody|people)(?!\w)|\W{0,8}only (?:two|three|one|four|\d+"
    r"|the)(?!\w)",
)
"""Speaks about the talk, a person or a share of things, not about the project."""
IN_PROGRESS = Late(
    r"(?<!\w)(?:is|are|am|'s|'re|'m|been|still|keeps?|just|starts?"
    r"|stops?)\s+(?:\w+ly\s+)?(?!(?:running\s+(?:on|at|in|under|behind|from|with|as)|missing|using"
    r"|nothing|something|anything|everything|during|string|building|billing|pricing|hosting|staging"
    r"|routing|setting"
    r"|logging|rolling|living|multi\S*|spring)(?!\w))\w{2,}ing(?!\w)|(?<!\w)(?:colleague|vacation"
    r"|holidays?|meeting|appointment|ready|done|finished|(?<=is )through|(?<=are )through|in place|merged"
    r"|pushed|almost|nearly|already|soon|still|so far|yet|next|again|enough|intended|gone|back|too"
    r"|nice|better|worse"
    r"|(?<=has )the old|(?<=has )the new|fine|good|ok|okay|cleaner|faster|nicer|bigger|smaller"
    r"|slower|centered|confus\w+|interesting|awful|great|perfect"
    r"|horrible)(?!\w)"
    r"|(?<!\w)(?:has|have|had|'ve)\s+(?:been|already|just|reported|attached|prepared|ordered|mounted"
    r"|noticed|seen|sent"
    r"|written|found|left|changed|tried|tested|learned|had|lost|\w+ed)(?!\w)|(?<!\w)(?:wants?|likes?"
    r"|hopes?|thinks?"
    r"|believes?|asks?|talks?|looks?|feels?|seems?|sounds?|appears?|wonders?|agrees?|complains?)(?!\w)"
    r"|(?<!\w)now(?!\w)|了[。.!！]?\s*$|(?:中です|ています)[。.]?$(?<!されています)(?<!れています)",
)
NO_SUBJECT = (PRONOUN_FIRST, META, CONDITION)
"""A fact does not begin so."""
NO_STATE = (IN_PROGRESS, FAULT, PAST, POINTING)
"""A clause with one of these reports, or speaks of the moment (a custom may have the first)."""
QUOTED = re.compile(r"[\"“„«「『'‘][^\n]{6,600}[\"”“»」』'’][.,;!]?")
"""Nothing but somebody's words in quotation marks."""
ASIDE_MARK = Late(
    r"(?<!\w)(?:by the way|btw|fyi|for the record|note that|mind that|you should know|important"
    r"|übrigens|por cierto|au fait)(?!\w)"
    r"|顺便|順便|另外|ちなみに",
)
"""Marks a statement as told for its own sake."""
_OTHER = (
    r"(?:(?:old|previous|former|earlier|prior|different|first) (?:\w+ )?(?:project|company|repo"
    r"|repository|code ?base"
    r"|team|app|product)|(?:old|previous|former|last|first|earlier|other) (?:job|employer|gig|workplace"
    r"|startup)"
    r"|other (?:project|company|repo|repository|code ?base|team))"
)
ELSEWHERE = Late(
    rf"(?<!\w)(?:in|on|at|for) (?:the|my|our|an?|his|her|their|that) {_OTHER}(?!\w)|(?<!\w)(?:in|on"
    rf"|at|for) another"
    rf" (?:project|company|repo|repository|job|team)(?!\w)|^\W{{0,8}}(?:the|my|our|his|her"
    rf"|their) {_OTHER}(?!\w)"
    r"|(?:im|in|bei|beim)(?: \w+)? (?:alt|letzt|vorig|früher|vorherig|ander)e[mnrs] (?:projekt|job"
    r"|firma|repo|team"
    r"|arbeitgeber|stelle)|(?:en|no|dans|in|nel) (?:el|la|mi|mon|l'|meu|mio)? ?(?:proyecto|trabajo"
    r"|projet|projeto|progetto)"
    r" (?:anterior|viejo|précédent|antigo|precedente)"
    r"|(?:以前|之前|上一?个|上一?個|上家|前一?个|前一?個|旧|舊|老|别的|別的|其他|另一?个"
    r"|另一?個)的?(?:那个|那個)?(?:项目|項目|专案|專案|公司|工作|仓库|倉庫"
    r"|团队|團隊)(?!都)"
    r"|(?:前の|以前の|前職|別の|昔の|旧)(?:プロジェクト|会社|職場|リポジトリ|チーム|では|の)"
    r"|(?:이전|예전|지난|전|다른)\s?(?:프로젝트|회사|직장|저장소|팀)",
)
"""Told of another project: "at my last job", "in the old project"."""
HERE = Late(
    r"(?<!\w)(?:here|now|no longer|anymore|any more|this (?:repo|repository|project|app|code ?base|one"
    r"|time)|we moved"
    r"|hier|jetzt|aquí|ici)(?!\w)|这里|這裡|现在|現在|本项目|这个项目|ここ|今は|このプロジェクト"
    r"|여기|이제|이 프로젝트",
)
"""… but this one is spoken of as well."""
DISBELIEF = Late(
    r"\W{0,8}(?:(?:and|but) )?(?:it|that|this|which) (?:can't be|cannot be|isn't right|shouldn't|should not"
    r"|makes no sense)(?!\w)",
)
"""What stands before it is not how things should be."""
HELP = Late(
    r"(?:^\W{0,8}|(?:can|could|would|will) you (?:please )?|please )(?:find out|check|look (?:at"
    r"|into|whether)|have a look"
    r"|see (?:if|whether|what|why)|reproduce|debug|investigate|explain|tell me|fix (?:it|this|that)"
    r"|help)(?!\w)"
    r"|any ideas?|where do i start|what (?:is|are) our options",
)
"""A call for help with what was just described."""
WISHES = Late(
    r"\W{0,8}(?:my|our|the|a|some|one of (?:my|our|the))\s+(?:[\w'-]+\s+){1,3}?(?:wants?|would like"
    r"|wishes|asks?|asked|hopes?|wonders?"
    r"|prefers to|would prefer|complain(?:s|ed)?)(?!\w)",
)
"""Somebody else would like something."""
