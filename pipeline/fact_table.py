"""The forms in which a lasting state of things is told; several languages.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

import re

from siltstone.pipeline.words import Late, late, words

IS = late(
    "is; are; can_(?:only_)?(?:be|have|hold|keep|store)"
    "; isn't; aren't; uses?; runs?_(?:\\w+_){0,2}(?:on|at|under|in|every|with|from"
    "|behind|as); lives?_(?:in|on|at|under); belongs?_(?:to|in|into|next|under|on|here); gets?"
    "; (?:is|are)_(?:kept|stored|hosted"
    "|written|built|called|named|deployed|served|cached|generated|owned|limited|deleted|sent"
    "|counted|billed|encrypted|signed|shipped|released|maintained); stays?; starts?_(?:at|from"
    "|with|on); ends?_(?:at|on|with|after|in); costs?; goes_(?:to|through|out|via|next_to|in|into"
    "|under|before|after); go_(?:to|through|out|via|next_to|in|into|under|before|after)"
    "; comes?_from; expires?; speaks?; talks?_to; supports?; accepts?; reads?; writes?; cuts?"
    "; allows?; sends?; takes?; follows?; measures?; needs?; means; counts?; has; have; works?_(?:on|with"
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
    "; 屬於; 叫做; 保留; 为; 為; 支持; です; である; を使って; で動い; に置い; にある; あります; ありません"
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
CONVENTION = Late(
    r"(?:for \w+(?: \w+)?,? )?(?:we (?:always |never |only |all )?(?!(?:are|were|have|had|need|want"
    r"|could|should"
    r"|must|may|might|can|cannot|can't|don't|didn't|do|will|won't|would|did|get|got|know|see|think"
    r"|hope|guess"
    r"|wait|agree|talk|go|went|start|stop|try|look|meet|move|lost|lose|forgot|forget|saw|said|found"
    r"|made|ran"
    r"|broke|came|still|just|also|already|now|then|all|both|never|\w+ed|\w+'\w+)(?!\w))[a-z]+"
    r"|(?:wir|on|nous|nosotros)\s+(?:immer |nie )?(?:nutzen|verwenden|schreiben|nennen|utilisons"
    r"|usamos|utilise"
    r"|garde))(?!\w)|(?:うち|弊社|当社|私たち|우리|저희|我们|我們)(?:では|は|는|都|一律|只|统一)",
)
ASIDE = Late(
    r",\s+(?:so|because|and|which|since|as|please|also|so dass|weil|denn|porque|car|perché)(?!\w)|[，；]",
)
BECAUSE = late(
    "because; since; so_that; otherwise; as_(?:the|it|we|they); that's_why; therefore; hence"
    "; due_to; the_reason; reason; so; which_is_why; or_else; weil; denn; damit; sonst; deshalb"
    "; da_(?:die|der|das|wir|sie); porque; ya_que; para_que; si_no; por_eso; parce_que; car"
    "; sinon; puisque; pour_que; pois; senão; por_isso; perché; altrimenti; così; omdat; want"
    "; anders; потому_что; так_как; иначе; чтобы",
    "因为; 因為; 所以; 否则; 否則; 不然; 以免; 由于; 由於; 为了; 為了; から; ので; ため; 때문"
    "; 왜냐; 니까; 위해",
)
COMMA = re.compile(r",\s|，")
LEAD = Late(
    r"^[\s\W]{0,12}(?:(?:not bad|well done|almost|close|better),? but\s+)?(?:(?:since|from|as of|after"
    r"|with|in|for)\s+(?:version\s+|release\s+|the\s+|our\s+)?v?[\w.]+(?:\s+on)?,?\s+"
    r"(?=(?:the|our|we|all)\s))?(?:(?:and|so|but|also|by the way|btw|ok|yes|right|note that|mind that"
    r"|und|übrigens"
    r"|y|et|e)[\s,:]+){0,3}(?:(?:ちなみに|それと|あと|另外|顺便说一下|对了|참고로|그리고)[、，,\s]*)?",
)
SCOPED = Late(
    r"(?<!\w)(?:in this (?:code ?base|repo(?:sitory)?|project|house|team|company)|everywhere)(?!\w)"
)
REASON = Late(
    r"[,;]?\s+(?:because|since|otherwise|else|so that|so(?=\s+(?:the|we|it|they|no|there|that|please"
    r"|you|i|don't|never|all|only))|as (?=the|it"
    r"|we|they|our|i)|but|weil|denn|sonst|porque|ya que|car|sinon)(?!\w)|,\s+(?:that one|this one"
    r"|that|it|they|those|which)\s|[，,]\s*(?:因为|因為|所以|否则|否則|不然)",
)
"""Where a statement ends and its reason begins."""
LASTING = Late(
    r"\W{0,8}(?:(?:all|every|each|any)\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?!(?:of|three|two|four"
    r"|second|third|other|tests?|these|those|this|that"
    r"|them|other|rows?|lines?|\d+)(?!\w))\w+"
    r"|everything (?:that|which|we|in|on)|(?:the|our)\s+(?:nightly|daily|weekly|monthly|hourly"
    r"|yearly)\s+\w+"
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
    r"|(?:production|prod|staging)(?!\w)"
    r"|(?:우리|저희)(?:는|가|은)? .{4,80}?니다|[^,\s]{2,12}(?: [^,\s]{1,12})?[은는] (?:모두|항상"
    r"|전부) .{2,}니다"
    r"|(?:el|la|los|las|nuestr\w+)\s+(?:servidor|servicio|cliente|clientes|producción|precios"
    r"|usuarios|base de datos|red"
    r"|api|comentarios|fechas|equipo)|los precios|(?:der|die|das|unser\w*)\s+(?:server|kunde|kunden"
    r"|produktion|datenbank"
    r"|netz|dienst|api|preise|nutzer|firma|team)(?!\w)|(?:le|la|les|notre|nos)\s+(?:serveur|client"
    r"|clients|prod|base"
    r"|réseau|api|prix|utilisateurs|équipe)(?!\w)"
    r"|(?!(?:この|その|あの|これ|それ|今|这|那|此|這))[^、，。,\s]{2,14}(?:は|是|为|為|都|只|一律"
    r"|统一).{4,80}?(?:されています"
    r"|されます|できません|(?:表示|保存|管理|計算|統一|記録|送信|出力|実行|使用|利用|処理"
    r"|生成)します|である|位|税|格式|时间|時間))",
)
"""Subjects that stand for how the project is, in the plural or by name of a part."""
GENERAL = Late(
    r"\W{0,8}(?!(?:the|an?|this|that|these|those|my|your|his|its|it|there|some|more|most|many|few|both"
    r"|two|three|things|news|thanks|always|sometimes|perhaps|besides|what|which|who)(?!\w))"
    r"(?:(?:[\w-]+ ){0,2}?[\w-]*[a-rtv-z]s (?:(?:in|of|for|on) [\w-]+ )?(?:always |only |never )?"
    r"(?:are|run|go|come|live|use|follow|belong|stay|have|need|start|end|expire|cost|take|include|contain"
    r"|carry|begin)(?!\w)"
    r"|(?:[\w-]+ ){1,4}?(?:is|are) (?:always |only |never |all )?(?:\w+ed|kept|written|built|sent|run|done"
    r"|cut|set|drawn|shown|sold|paid|read) (?:on|in|by|as|with|from|at|via|through|to|per|under"
    r"|behind)(?!\w))",
)
"""A statement about a kind of thing, without an article: "unit tests run on …", "money is stored as …"."""
RECURS = Late(
    r"(?<!\w)(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days|every (?:\d+ (?:seconds|minutes|hours"
    r"|days)|day|night|week|month|morning"
    r"|evening|hour"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|nightly|twice a (?:day|week|month|year))(?!\w)",
)
COUNTED = re.compile(
    r"(?:[一二三四五六七八九十百千万两]+|\d+ ?)(?:位|天|年|个|小时|分钟|秒|元|次|月|周|行|字"
    r"|時間|分|日|週|回|件|円|個|년|개월|일|시간|분|초|원|명|개)"
)
"""A number with its unit."""
CLAUSES = re.compile(r"[,;]\s+(?:(?:but|and|since|because|as)\s+)?")
ACTS = late(
    "shares?; differs?; depends?_on; contains?; holds?; carr(?:y|ies); follows?; var(?:y|ies)"
    "; logs?_in(?:to)?; covers?; lasts?; begins?_(?:with|at|in|on); equals?; points?_to; remains?"
    "; rejects?; refuses?; requires?; expects?; sells?; bills?; charges?; prints?; exports?"
    "; imports?; serves?; owns?; manages?; maintains?; forwards?; blocks?; throttles?; overrides?"
    "; replicates?; listens?_on; connects?_to; 합니다; します"
)
"""Verbs that state something of a lasting subject only."""
GERMAN = Late(r"(?<!\w)(?:der|die|das|den|dem|ein|eine|ist|sind|nicht|und|auf|mit|für|im|wir|ich)(?!\w)")
GENERIC = words(
    "pr ci cd ui ux api url id pdf csv json xml html css db os ide faq todo ok qa mr sql http https cpu ram"
    " gpu i i'm 1st 2nd 3rd"
)
"""Handles that name nothing."""
