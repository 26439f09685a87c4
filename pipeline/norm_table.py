"""The words of a rule (bans, obligations, contrasts …) and of what only looks like one; several languages.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

from siltstone.pipeline.words import Late, late

BAN = late(
    "(?<!has\\s)(?<!have\\s)(?<!is\\s)(?<!are\\s)(?<!had\\s)(?<!was\\s)(?<!with\\s)(?:(?-i:[Nn]o)"
    "|^\\W{0,8}no|(?<=[.,;:!] )no|zero)_(?!(?:need|use|good|point|help|idea|problem|worries|rush"
    "|matter|wonder|doubt|thanks"
    "|way|longer|one|more_than|hurry|luck|change|chance|clue"
    "|difference|errors?|warnings?|failures?|problems?|issues?|changes|results?|output|data|answer"
    "|reply|entries|matches|trace|sign|news|time|reason|duplicates|diff|tests_for_(?:this"
    "|that))(?!\\w))(?:more_)?(?:[\\w`'./()-]+,?_){1,5}?(?:please|at_all|in|outside|for|on"
    "|at|without|here|anywhere|ever|either|only|into|inside|from|to|with|under|between)",
    "never(?!_(?:mind|seen|had|been|worked|heard|happened|tried|used|done|got|noticed)); (?:^\\W{0,8}"
    "|(?<=[,.;:!—–-] )|please_|so_|and_|but_)(?:please_)?(?:don't|do_not)_(?:ever_"
    "|you_ever_)?(?!(?:worry|know|see|think|understand|need|care|get|have|forget|panic|bother"
    "|mind|let|wait)(?!\\w))\\w+_\\w+; stop_\\w+ing; avoid_\\w+; leave_(?!(?:it|that|this|them|the"
    "|me)_)(?:[\\w./-]+_){1,3}alone; hands_off; not_allowed"
    "; forbidden; off_limits; under_no_circumstances; i_don't_want; i_do_not_want; i_hate"
    "; i_don't_like; (?:nobody|no_one)_(?!(?:is|was|has|had|uses|used|knows|knew|reads|read|cares"
    "|works|noticed|saw|answers)(?!\\w))\\w+; ^\\W*no_(?!(?:problem|luck|idea|worries|need|rush"
    "|matter|doubt|thanks|way|chance|wonder|more"
    "|longer)(?!\\w))[\\w`.-]+(?:_[\\w`.-]+){0,2},_(?:the|we|it|they|our|i|users?|that)_\\w+",
    "nothing_(?:[^\\s,]+_){0,7}?(?:should|may|must|shall|gets?|is_allowed|goes|is_ever|can_be)"
    "; so_(?:no|nothing)_(?!(?:need|problem|worries|rush|matter|doubt|chance|idea|reason|one)(?!\\w))\\w+"
    "; we_(?:don't|do_not)_(?!(?:have|know|need|see|get|care|think|remember|understand"
    "|like)(?!\\w))\\w+_(?:[\\w-]+_){0,4}"
    "(?:here|in_this|in_our|at_all|because|since)(?!\\w)"
    "; no_(?:[\\w-]+_){1,2}(?:may|must|should|shall|can_be); no_\\w+ing; none_of_(?:my|our|the)",
    "nicht_(?:\\w+_){0,3}(?:verwenden|benutzen|anfassen|pushen|committen|ändern|nutzen|schreiben"
    "|mergen|machen); kein(?:e|en|er|em)?_\\w+; niemals; nie_\\w+; auf_keinen_fall; hör_auf"
    "; verboten; nunca_\\w+; jamás; no_(?:uses|toques|hagas|pongas|añadas|cambies|escribas"
    "|ejecutes|subas|borres|quiero); prohibido; deja_de; (?:^|(?<=[,.:] ))(?:ne_|n')\\w+_(?:jamais"
    "|pas); jamais_\\w+; interdit; arrête_de; pas_de_\\w+; plus_de_\\w+; nunca_\\w+; não_(?:use"
    "|toque|faça|coloque|adicione|altere|rode|quero); proibido; pare_de; mai_\\w+; non_(?:usare"
    "|toccare|fare|mettere|modificare|voglio); vietato; smetti_di; nooit_\\w+; geen_\\w+; никогда"
    "; нельзя; не_(?:надо|используй|трогай|пиши|добавляй|меняй|делай)",
    "不要; 别(?!的|人|忘|处)\\S; 別(?!的|人|忘)\\S; 不准; 不许; 不許; 禁止; 绝不; 絕不; 绝对不"
    "; 絕對不; 从不; 從不; 千万别; 不能; 不得; 不用(?!谢|謝|了); 勿"
    "; (?<!心配し)(?<!気にし)ないで(?:ください|下さい|くれ|ね|ほしい); しないで; 使わないで; やめて"
    "; 禁止; してはいけ; しては(?:だめ|ダメ|ならない); 決して; 不可; 要りません; 지_?(?:마|말); 금지; 절대",
)
ALWAYS = late(
    "always(?!_(?:the|a|an|this|that|at|on|in|there|been|was)(?!\\w)); in_(?:all|every|each"
    "|any)_(?:of_)?(?:my_|our_)*(?:repos?|repositories|projects?); every_time_(?!i_|it_|we_)"
    "; whenever; from_now_on; going_forward; in_(?:the_)?future; by_default; as_a_rule"
    "; without_exception; only_ever; (?:the_)?rule_(?:here_)?is"
    "; i_(?:\\w+_)?(?:prefer(?!_(?:the_)?(?:first|second|third|last|latter|former|other|option"
    "|variant|version|old|new)(?!\\w))|insist|expect_(?:you|every|all|no)|like_(?:it_when|my|when|short"
    "|small)|want_(?:you_to_(?:always|never)|every|all|no)(?!\\w)); ^\\W*prefer_(?!(?:the|this|that"
    "|your|my|it)(?!\\w))\\w+",
    "before_(?:every|each|any(?!thing)|you_(?:commit|push|release|merge|deploy|open_a|make_a"
    "|close_a))_?\\w*; only_(?:when|if"
    "|after|with|through|via|from|in|on)_\\w+; \\w+_only(?=\\s*(?:$|[,.;!]|please|in|for|here))"
    "; goes_through",
    "i_(?:said|told_you|asked|mentioned)_(?:\\w+_){0,3}(?:before|already|twice|again|last_time"
    "|that); as_i_said; how_(?:many|often)_(?:times|do_i); once_again; like_i_said"
    "; for_the_(?:second|third|last|nth|hundredth)_time",
    "immer(?!_(?:noch|wieder|nur|mehr)); jedes_mal; jede[rsmn]?_(?:commit|release|pr|test)\\w*"
    "; grundsätzlich; generell"
    "; ab_sofort; ab_jetzt; künftig; nur_(?:noch_)?(?:mit|über|auf|per|in|von)_\\w+; ich_(?:will"
    "|möchte|bevorzuge|mag); siempre; cada_vez; a_partir_de_ahora; solo_(?:con|en|por|desde)_\\w+"
    "; prefiero; quiero_que; toujours; à_chaque_fois; chaque_(?:commit|fois|release|pr)"
    "; désormais; dorénavant; uniquement; je_(?:préfère|veux); sempre; toda_vez"
    "; de_agora_em_diante; prefiro; quero_que; só_(?:com|em|por)_\\w+; ogni_volta; preferisco"
    "; voglio_che; altijd; elke_keer; voortaan; всегда; каждый_раз; только_\\w+",
    "总是; 總是; 每次; 每个; 每個; 一律; 务必; 務必; 永远; 永遠; 统一; 統一"
    "; 以后.{0,20}[都请要一]; 以後.{0,20}[都請要一]; 今后; 默认用; 只用; 只能用; 我喜欢; 我喜歡"
    "; 我希望; 我更喜欢; 我偏好; 必ず; 常に; 毎回; 毎週; 毎月; 毎日; 每周; 每週; 每月; 매주; 매월"
    "; 매일; いつも; 今後; これから(?:は|も); だけ[をに]?使; てほしい; 好き; 항상; 매번; 반드시"
    "; 앞으로; 만_?(?:써|사용|합니다|해|하); 좋아해; 선호",
)
MUST = late(
    "sees?_only; only_sees?; may_only; must(?:n't)?; ha(?:s|ve)_to; need(?:s)?_to_(?:be|stay|work"
    "|run|keep|support|remain|fit|have"
    "|go|come|match); cannot; can't_(?:be|use|have|run|reach|change|upgrade|exceed|go); can_not"
    "; may_not; shall; (?:is|are)_not_allowed; only_(?:accepts?|allows?|supports?|reads?|knows?"
    "|works?|takes?|has|have|runs?); won't_(?:change|upgrade|accept|work|run|be|allow|support"
    "|move|go); will_not_(?:change|upgrade|accept|work|run|be|allow|support|move); (?:no"
    "|at)_(?:more|less|least|most)_than?; at_(?:most|least)_\\d; max(?:imum)?_(?:of_)?\\d"
    "; min(?:imum)?_(?:of_)?\\d; up_to_\\d; (?:has|have)_no_(?:\\w+_){1,4}at_all; no_later_than"
    "; by_law; at_the_(?:latest|earliest); not_(?:more|less|longer|later|higher|lower)(?=\\W*$"
    "|_than); required_by; obliged; requires?_\\w+; mandatory"
    "; limit(?:ed)?_(?:is|to|of)",
    "muss; müssen; darf_(?:nicht|nur|kein\\w*); dürfen; höchstens; mindestens; maximal"
    "; hat_kein\\w*; debe[n]?; tiene[n]?_que; no_puede[n]?; hay_que; como_máximo; al_menos"
    "; obligatorio; doit; doivent; ne_peut_pas; au_plus; au_moins; obligatoire; il_faut; deve[m]?"
    "; tem_que; não_pode[m]?; no_máximo; obrigatório; devono; non_può; al_massimo; obbligatorio"
    "; moet; moeten; mag_niet; maximaal; должен; должна; должны; не_может; максимум; минимум",
    "所有.{1,15}(?:是|为|為|用|都|以); 必须; 必須; 需要(?!你|我)\\S; 不能; 只能; 只允许; 只允許"
    "; 只接受; 只支持; 不支持; 最多; 最少; 至少; 不超过; 不超過; 以上に; 以下に; 以内に; 上限; 下限"
    "; 限制"
    "; 要求; 得用; なければなら; ないといけ; べき; しか; 以内; まで; 必要が; できない; できません"
    "; 上限; 해야; 이어야; 만_?(?:지원|가능|받); 최대; 최소; 없습니다; 할_?수_?없",
)
YOU = Late(
    r"(?<!\w)(?:you|your|yourself|du|dir|deine?|tu|te|vous|votre|tú|usted|você|jij|ты|вы)(?!\w)"
    r"|[你您]|あなた",
)
USE = late(
    "use; it_is; it's; call; run; name; write; spell; say; make_it; should_be; nimm; nutze"
    "; verwende; benutz\\w*; es_ist; usa; utiliza; es; utilise; c'est; use; usa; è; gebruik"
    "; используй; 用; 改用; 应该是; 應該是; 是; を使; です; 써; 사용"
)
CONTRAST = late(
    "not; never; instead; instead_of; rather_than; but_not; no_longer; sondern; nicht; statt"
    "; anstatt; nie; no; en_lugar_de; en_vez_de; sino; nunca; pas; jamais; au_lieu_de; plutôt_que"
    "; não; em_vez_de; non; invece_di; mai; niet; geen; in_plaats_van; не; а_не; вместо",
    "不是; 不要; 不用; 而不是; 别用; 別用; 不; ではなく; じゃなく; 使わない; 말고; 아니라; 대신",
)
WRONG = Late(
    r"^[\s\W]{0,12}(?:no(?! longer| more)|nope|nah|wrong|incorrect"
    r"|(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true))|das ist falsch"
    r"|das stimmt nicht|stop|argh|wait|careful|not (?:like )?(?:that"
    r"|this)|nein|falsch|halt|non|faux|não|errado|nee|нет|不|不对|不對|错了|錯了|不是|いや|いいえ"
    r"|違(?:う|い)|아니|그게 아니)(?!\w)",
)
_PLAIN = (
    r"(?!(?:the|an?|this|that|these|those|it|my|your|his|her|still|now|just|only|too|very|so|really|yet"
    r"|sure)\s)"
    r"[\w./+#`'-]{1,40}"
)
CORRECTED = Late(
    r"(?<!\w)(?:use|take|name it|call it|write|make it|it's|it is|they're|they are|we (?:use|run|have"
    r"|want|write)"
    r"|should be|must be|(?:the|our) (?:[\w-]+ ){1,3}?(?:is|are))\s+"
    rf"{_PLAIN}(?:\s[\w./+#`'-]{{1,40}})?,?\s+(?:and\s+)?(?:not|never|instead of|rather than)\s+{_PLAIN}"
    rf"|(?<!\w){_PLAIN},?\s+(?:statt|anstatt|anstelle von|au lieu de|en vez de|en lugar de)\s+{_PLAIN}"
    rf"|(?<!\w)(?:nimm|nutze|verwende|benutze?|es ist|usa|utilise)\s+{_PLAIN},\s+(?:nicht|no"
    rf"|pas)\s+{_PLAIN}"
    r"|(?:用|应该是|應該是|是)[^，,。]{1,16}[，,]?(?:而不是|不是|不要用|别用|別用|不用)\S"
    r"|[^、。]{1,20}(?:ではなくて?|じゃなくて?)、?[^、。]{1,20}(?:使|にして|です|だよ)"
    r"|[^.,]{1,20}(?:말고|아니라|대신)\s?[^.,]{1,20}(?:써|사용|이야|예요|입니다|해)",
)
""" "tabs, not spaces", said of what the agent did: neither needs to be a name."""
COMPLAINT = late(
    "(?:no_need|needn't|don't_need|doesn't_need|not_necessary); fix_(?:this|that|it"
    "|them)(?:_please)?(?=\\s*(?:$|[.,!])); but_(?:i|it|we|they)_(?:only_|still_|just_)?(?:see"
    "|get|got|have|shows?); should_(?:be|have|say|show|look|go)",
)
THIS_ONE = Late(
    r"(?:don't|do not|stop|never|nicht|不要|别|別)\W+(?:\w+\W+){0,2}(?:this|that|it|them|these"
    r"|those|here|anything(?: else)?|das|dies)\s*(?:$|[.,;!]|please|now)|(?:再|先|现在)",
)
"""A ban on the thing at hand, not on a kind of thing."""
TO_AGENT = Late(rf"(?<!\w)(?:i|please|bitte)(?!\w)|{YOU.source}")
DESCRIBES = Late(
    r"(?<!\w)(?:i|you) (?:always|never) (?:get|forget|mix|confuse|end|lose|see|have|had|find|think"
    r"|thought|wonder"
    r"|wanted|know|knew|understand|understood|saw|did|make|made|need|needed)(?!\w)|(?<!\w)(?:it|that"
    r"|this|which|he|she|(?:the|my) [\w-]+(?: (?!should|must|may|can|shall|will|has"
    r"|have)[\w-]+)?)(?:'s| is| are"
    r"| was)? (?:always|never)(?!\w)(?!\s+(?:\w+ed|shown|written|kept|sent|built|set|drawn|given"
    r"|taken|sold)(?!\w))|^\W{0,8}(?:always|never) (?:the|a|an|seen|had|been)(?!\w)"
    r"|(?<!\w)(?:it|i|we|he|she|they) (?:always|never) (?!need)\w+ed(?!\w)"
    r"|(?<!\w)(?:was|were|has|have|had|got) (?:always|never)(?!\w)"
    r"|(?<!\w)as far as (?:i|we)(?!\w)|(?<!\w)is (?:always|never) \w+ (?:if|when|until) (?:the|an?"
    r"|it)(?!\w)"
    r"|every time (?:i|it|we)(?!\w)",
)
"""What always happens is a report; what is always to be done is a rule."""
GUESSES = Late(
    r"(?<!\w)(?:must|has to|have to) (?:have|be (?:something|some|the reason|the cause|a bug"
    r"|an? error|wrong))(?!\w)|(?<!\w)there must(?!\w)",
)
DEFINITE = Late(
    r"(?:don't|do not)\s+(?:ever\s+|you ever\s+)?\w+\s+(?:the|this|that|these|those|it|them|my"
    r"|your|any of|him|her)"
    r"(?!\w)",
)
"""A ban on one definite thing is a request, unless it is named or a reason is given."""
REPEATED = Late(r"(?:how (?:often|many times)|i (?:said|told you)|as i said|again)[^:]{0,40}:\s+")
SAID_BEFORE = Late(
    r"\W{0,8}(?:as )?(?:i|i've|i have|we)\s+(?:already\s+)?(?:told|said|asked|mentioned|explained"
    r"|wrote)(?!\w)(?:\s+\w+){0,4}"
    r"\W{0,8}$|\W{0,8}(?:how (?:often|many times)|for the (?:second|third|\w+th) time)[^,:]{0,40}$",
)
AT_A_TIME = Late(
    r"\W{0,8}(?:if (?:you|it|that|this|we|there|i)|once|after (?:that|this)|as soon as"
    r"|as a first step|for (?:the|this)"
    r" (?:demo|screenshot|test|moment|first)|when (?:you're|you are|i|it|this|that)(?! (?:ask|write"
    r"|say|change|add)"
    r")|in (?:this|that) (?:case|pr|file|commit|test|branch)|in line \d)(?!\w)",
)
"""Bound to one occasion."""
MEANT = Late(r"(?<!\w)(?:i meant|i was talking about|ich meinte|quise decir|je voulais dire)(?!\w)")
CANNOT_FIRST = Late(r"\W{0,8}(?:can't|cannot|can not)(?!\w)")
MY_DUTY = Late(
    r"\W{0,8}(?:i|ich|yo|je|eu|io)(?:'ve|'ll)?\s+(?:have to|must|need to|should|got to|muss"
    r"|tengo que|dois)(?!\w)",
)
"""What I have to do is no rule of the project."""
THEN = Late(r"(?<!\w)then\W*$")
"""Drawn from what was just said."""
