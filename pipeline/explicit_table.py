"""The word lists of explicit saves and their negations, by language (docs/seeds.md A28, E8, "Source").

English, Chinese, Japanese and Korean are the four languages the seeds name; the other European ones
follow the same pattern. `_` in a phrase stands for a gap between words.
"""

from siltstone.pipeline.words import Late, Parts, Phrases, Several
from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_THIS = r"(?:this|that|it|these|those|the_following|what_i_(?:just_)?said)"
_TO = r"(?:in|to|into|for)_(?:your_|the_|my_|long-term_|project_)*"
_PUT = rf"(?:save|store|add|commit|put|write|record|keep|log)_{_THIS}_{_TO}"
_NOT_SAVING = (
    r"when|how|who|where|why|whether|him|her|them|me|us|you|doing|seeing|reading|writing|last"
    r"|back|correctly|right|rightly"
    r"|anything|nothing|something|the_(?:last|time|day|days|old|bug|discussion|good)|our|token"
    r"|cookie|checkbox|password|feature"
)
_EN = (
    rf"remember(?!-)(?:_{_THIS})?(?!_(?:{_NOT_SAVING})(?!\w)); memori[sz]e(?:_{_THIS})?",
    rf"{_PUT}memor(?:y|ies); {_PUT}notes; {_PUT}later; {_PUT}future\w*; (?:save|note|learn"
    rf"|store)_this(?=\s*(?:$|[,.:;!—–-]))",
    r"(?:save|store|add|commit|put|write|record)_(?:to|in|into)_(?:your_|the_|long-term_|project_)*memory",
    rf"(?:keep|bear)_{_THIS}_in_mind; (?:keep|bear)_in_mind; (?:make|take)_(?:a_)?note"
    rf"; note_(?:this|that|it)_down; note_down; for_the_record",
    rf"(?:do_not|don't|dont|never)_(?:you_)?(?:ever_)?forget(?:_{_THIS})?(?!_(?:{_NOT_SAVING})(?!\w))"
    rf"; for_future_reference; note_to_self",
    r"my_preference_is; i_(?:strongly_|always_)?prefer(?!_(?:the_)?(?:first|second|third|last"
    r"|latter|former|option|[a-d1-9](?!\w)))",
)
_OTHERS = (
    "(?:bitte_)?merk(?:e|t)?_(?:dir|euch)(?:_(?:das|dies|es)(?!_\\w+_(?!bitte)))?; merken_sie_sich"
    "; bitte_merken"
    "; denk(?:e)?_(?:bitte_)?dran; denk(?:e)?_(?:bitte_)?daran; vergiss_(?:bitte_)?nicht"
    "; nicht_vergessen; behalte?_(?:\\w+_)?im_(?:kopf"
    "|hinterkopf); notier(?:e)?_dir; zum_merken; merke(?=\\s*:)",
    "recu[eé]rda(?:lo)?(?:_(?:eso|esto))?(?!_(?:cuando|cómo)); acuérdate; no_(?:te_)?olvides"
    "; ten_(?:en_cuenta"
    "|presente); memoriza; apúntate; (?:apúnta|anóta|guárda|memoríza|recuérda)(?:te)?lo;  toma_nota"
    "; guarda_esto",
    "retiens-le; note-le; souviens-toi; rappelle-toi; retiens(?:_bien)?(?:_(?:ça|cela))?"
    "; n'oublie_(?:pas|jamais)"
    "; garde_(?:\\w+_)?(?:en_tête"
    "|à_l'esprit)"
    "; mémorise; prends_note",
    "lembre(?:-se)?(?:_d?isso)?; lembra(?:-te)?(?:_d?isso)?; não_(?:se_|te_)?esqueça[s]?; memoriza"
    "; guarde_isso"
    "; anote_isso; tenha_em_mente",
    "ricorda(?:ti)?(?:_questo)?; non_dimenticare; tieni_(?:a_mente|presente); memorizza"
    "; prendi_nota; onthoud"
    "; vergeet_niet; noteer",
    "запомни(?:те)?; не_забудь(?:те)?; имей(?:те)?_в_виду; учти(?:те)?",
)
_ZH = (
    r"(?<![还還不没沒])(?<!(?<![帮幫给給替])[我你他])(?:记住(?!密码|我|登录|用户)|記住(?!密碼|我"
    r"|登入)|记得(?!吗|嗎|上次"
    r"|以前|之前)|記得(?!嗎|上次|以前|之前)|牢记|牢記|谨记|謹記)了?(?:这一?点|這一?點|这个|這個"
    r"|这件事|這件事|这条|這條)?"
    r"|(?<!不[要用必])(?:记下来?|記下來?|记一下|記一下|备忘|備忘)|(?:别|別|不要|勿|不能"
    r"|千万别)忘(?:了|记|記)?"
    r"|(?:把(?:这|這).{0,6})?(?:存入|存到|保存到|写入|寫入|加入|记到|記到)(?:长期|長期"
    r"|你的)?(?:记忆|記憶)(?:里|裡|中)?"
)
_JA = (
    r"(?:(?:覚えて|憶えて|おぼえて)(?:おいて|いて)?|覚えといて)(?:ください|下さい|ほしい|くれ)?[ねよな]?(?!\w)"
    r"|忘れないで(?:ください|下さい|ね)?|(?:メモ|記憶|記録)して(?:おいて)?(?:ください|下さい)?[ねよな]?(?!\w)"
)
_KO = (
    r"기억해(?:_?(?:줘|주세요|둬|두세요|줄래))?(?![서요야]|\s?(?:두는|두기|주는))|잊지_?마(?:세요|라)?|명심해(?:_?(?:줘"
    r"|주세요))?|메모해(?:_?(?:줘|주세요|둬))?"
    r"|기억하고_있어(?:_?줘)?"
).replace("_", r"\s?")
_LATER_ON = (
    "from_now_on; going_forward; from_here_on(?:_out|_in)?; henceforth; ab_sofort; ab_jetzt"
    "; von_nun_an; in_zukunft; künftig"
    "; a_partir_de_ahora; de_ahora_en_adelante; désormais; dorénavant; à_partir_de_maintenant"
    "; à_l'avenir; de_agora_em_diante"
    "; a_partir_de_agora; daqui_em_diante; d'ora_in_poi; vanaf_nu; voortaan; отныне; впредь"
    "; с_этого_момента",
    "从现在开始; 從現在開始; 从现在起; 從現在起; 从今以后; 從今以後; 从今往后; 今后; 今後は"
    "; 以后请; 以後請; 以后都; 以後都; 以后一律; 以後一律; 我的偏好是; 我偏好"
    "; これからは; 지금부터(?:는)?; 앞으로(?:는)?; 이제부터(?:는)?",
)  # fmt: skip
_BEGIN = (
    r"(?:(?:^|[\s*_,，、;；:：.。!！?？—–-])(?:(?:and|also|so|but|ok|okay|yes|yeah|no|right|well"
    r"|btw|by the way|oh|hey|now|then"
    r"|please|pls|plz|kindly|just|always|again|note|important|fyi|und|bitte|y|por favor|et"
    r"|s'il te plaît|e|per favore)[\s,:;.!]+){0,5}"
    r"|(?:i want you to|i'd like you to|i need you to|you (?:should|must|need to|have to)"
    r"|make sure (?:you |to )+|be sure to"
    r"|(?:can|could|will|would) you(?: please)?|please do|let's|try to)\s+"
    r"|[请請帮幫我你麻烦煩也都要得务務必一定並并且那就给給大家先还還有另外]{1,8})"
)
CJK = Parts(
    ("记,記,忘", f"(?P<zh>{_ZH})"),
    ("覚え,憶え,おぼえ,忘れ,メモし,記憶し,記録し", f"(?P<ja>{_JA})"),
    ("기억,잊지,명심,메모", f"(?P<ko>{_KO})"),
)
SPACED, STANDING = Phrases(*_EN, *_OTHERS), Phrases(*_LATER_ON)


class _Triggers(Several):
    """What asks to keep something, in a group that is named for its kind: of English and its like "en", of
    what is to hold from now on "on"."""

    __slots__ = ()

    def sources(self, folded: str) -> "Iterable[str]":
        yield from (f"{_BEGIN}(?P<en>{source})" for source in SPACED.sources(folded))
        yield from CJK.sources(folded)
        yield from (f"(?P<on>{source})" for source in STANDING.sources(folded))


TRIGGERS = _Triggers()

COURTEOUS = frozenset(("", "please", "pls", "plz", "also", "and", "bitte", "por favor", "ok", "请", "請"))
"""What before a trigger neither negates it nor tells who else remembers: none of the patterns finds it."""
_NEG = (
    r"do not|don't|dont|never|not|no need to|needn't|need not|shouldn't|should not|mustn't"
    r"|must not|won't|without"
    r"|can't|cannot|couldn't|didn't|doesn't|nicht|kein\w*|nie|no|ne|pas|pas besoin de|nunca|não|non|niet|не"
)
NEGATED = Late(
    rf"(?:(?<!\w)(?:{_NEG})(?:\s+(?:please|ever|you|to|need|have|bother|want|ask|asked|it|any"
    rf"|really|bitte|hace|falta|que|di))*[\s,]*"
    r"|(?:不要|不用|不需要|不必|无需|無需|不准|别|別|勿|先别|先別|没必要|沒必要|不想让你"
    r"|不想讓你)[请請再去帮幫我你]{0,4}"
    r"|(?:覚え|憶え|記憶し|メモし|記録し)ない(?:で|よう)\S{0,6}\s*|(?:기억하지|메모하지"
    r"|저장하지)\s?(?:마|말)\S{0,4}\s*)$",
)
_NOT_TOLD = r"(?<!\w)(?<!\bi\s)(?<!\bwe\s)(?<!\bthey\s)"
REFUSAL = Parts(
    (
        "remember,memoris,memoriz,save,store,note,record,keep,learn,log,write,not for,forget",
        _NOT_TOLD + r"(?:(?:do not|don't|dont|never|please don't|no need to|needn't|need not|you (?:don't"
        r"|do not) (?:need|have) to|not to|shouldn't|must not|mustn't)"
        r"\s+(?:please\s+|ever\s+|bother\s+to\s+|you\s+)*(?:remember|memori[sz]e|save|store|note"
        r"|record|keep|learn|log|write)"
        r"(?P<en>\s+(?:this|that|it|any of (?:this|that)|these|those|what i (?:just )?said"
        r"|the following)(?!\s+(?:file|function|test|class|as)\b)|(?=\s*[:：]|\s+(?:please\s+)?(?:remember"
        r"|save|note)(?!\w)))"
        r"(?:\s+(?:down|in (?:your |the )?(?:memory|mind)|to (?:your |the )?memory|anywhere))?"
        r"|off the record|not for (?:the )?(?:memory|record)"
        r"|(?<!not )(?<!n't )(?<!dont )(?<!ever )(?<!n't you )forget (?:that|this|it|what i said"
        r"|i said that)(?=\s*(?:$|[,.;!—–-])))",
    ),
    (
        "nicht",
        _NOT_TOLD + r"(?:(?:das|dies|es)\s+(?:bitte\s+)?nicht\s+(?:merken|speichern|notieren)"
        r"|merk(?:e)? dir (?:das|dies|es)?\s*(?:bitte\s+)?nicht"
        r"|(?:musst du|brauchst du) dir nicht (?:zu )?merken|nicht merken)",
    ),
    (
        "recuerd,recordar,guarde,memoriz,memoric,anote,retien,retenir,mémoris,garde,note,souvenir,lembre"
        ",ricord,salvar,onthoud,запомин,сохран,записыв",
        _NOT_TOLD + r"(?:no (?:lo |la |hace falta que lo |hace falta que |tienes que )?(?:recuerdes|recordar"
        r"|recordarlo|memorices|(?:guardes|anotes)(?= esto| eso|\s*:))(?: esto| eso)?"
        r"|ne (?:retiens|mémorise|(?:note|garde)(?= pas(?: ça| cela| ceci|\s*:))) pas(?: ça| cela| ceci)?"
        r"|pas besoin de (?:le |t'en |s'en )?(?:retenir|souvenir|mémoriser|noter)"
        r"|não (?:se )?(?:lembre|memorize|guarde|anote)(?: isso| disso)?|non (?:ricordare|memorizzare"
        r"|salvare)(?: questo)?"
        r"|onthoud (?:dit|dat) niet|не (?:запоминай|сохраняй|записывай)(?:те)?(?: это)?)",
    ),
    (
        "记,記,录,錄,保存,存入,存到,写入,寫入",
        r"(?:不要|不用|不需要|不必|无需|無需|(?<![特分個个区區级級类類性识識告])[别別]|勿|没必要|沒必要|不准)"
        r"(?:请|再|去|帮我|幫我"
        r"|把(?:这|這)\S{0,4})?(?:记住|記住|记得|記得|记下来|記下來|记下|記下|记录|記錄|记忆|記憶"
        r"|保存|存入|存到|写入|寫入|[记記](?![录錄错錯混反]))(?:这个|這個|这一?点|這一?點|这些|這些"
        r"|它|这条|這條|这件事|了)?",
    ),
    (
        "覚え,憶え,記憶し,メモし,記録し,保存し,記憶する必要,メモする必要",
        r"(?:覚え|憶え|記憶し|メモし|記録し|保存し)(?:ないで|なくて(?:も)?(?:いい|良い|大丈夫)"
        r"|る?必要は(?:ない|ありません))(?:ください|下さい|ね)?|(?:覚える|記憶する"
        r"|メモする)必要は(?:ない|ありません)",
    ),
    (
        "하지,할",
        r"(?:기억하지|메모하지|저장하지|기록하지)\s?(?:마|말아)(?:세요|줘|주세요|라)?|(?:기억|메모"
        r"|저장)할\s?필요(?:는|가)?\s?없[^\s:：]{0,3}",
    ),
)
WHAT = Late(
    r"[^:：,，;；]{0,30}[:：]|,?\s*(?:that|dass|daß|que|qu'|che|dat|что|was)(?!\w)|(?=[\u3400-\u9fff])"
)
"""What is not to be kept follows."""
CLAUSE = Late(
    r"\s+(?:i|we|you|he|she|they|there|the|our|my|your|his|her|their|its|an?|this|these|those|it)(?!\w)"
)
"""The same behind "that", which else speaks of what was said before."""
TAIL = Late(
    r"^[\s,，、.。!！:：~～—–-]*(?:(?:please|thanks|thank you|too|as well|somewhere|always|ok"
    r"|okay|bitte|por favor|for (?:the )?(?:future|next time|later|me|good)"
    r"|in (?:the )?future|from now on|ください|下さい|ね|了|吧|哦|喔|啊|谢谢|謝謝|줘"
    r"|주세요)[\s,，.。!！]*)*$",
)
TAIL_SIGNS = ",，、.。!！:：~～—–-"
TAIL_WORDS = (
    "please", "thank", "too", "as well", "somewhere", "always", "ok", "bitte", "por favor", "for ", "in ",
    "from now on", "ください", "下さい", "ね", "了", "吧", "哦", "喔", "啊", "谢谢", "謝謝", "줘", "주세요",
)  # fmt: skip
"""One of them stands first in what `TAIL` finds, but for white space and signs, or nothing does."""
LEADING = Late(
    r"^(?:[*_]{1,3}(?=\s*[:：]))?[\s,，、:：;；—–\-~～.。]*(?:[*_]{1,3}(?=\s)\s*)?"
    r"(?:(?:please|for (?:all (?:of )?)?(?:my|our) \w+"
    r"|for (?:the )?(?:future|next time|later)"
    r"|always(?=\s*[:,]))(?!\w)[\s,:]*)?"
    r"(?:(?:please|bitte|that|daß|dass|que|che|dat|что|de(?=\s+ne\s))(?!\w)[\s,:]*)?",
)
JOINS = Late(
    r"[\s,，、;；:：—–-]*(?:(?<!\w)(?:so|and|please|but|also|und|bitte|y|et|e)|所以|[请請要]|务必|務必"
    r"|ということを|ことを"
    r"|ってことを|のを|と|は|を)?[\s,，、;；:：—–-]*$",
)
BACK = Late(
    r"(?<!\w)(?:this|that|it|these|those|das|dies|es|esto|eso|ça|cela)(?!\w)|[这這那]|これ|それ|이것|그것",
)
_POINTING = "this,that,it,these,those,following,i "
HOLDS_THIS = Parts((_POINTING, rf"(?<!\w){_THIS.replace('_', ' ')}(?!\w)"))
PRONOUN = Parts(
    (
        f"{_POINTING},dran,daran,lo,le,eso,esto,das,dies,ça,cela,isso,questo",
        rf"(?<!\w)(?:{_THIS.replace('_', ' ')}|dran|daran|\w{{4,12}}telo|\w{{4,12}}[aá]lo|retiens-le"
        r"|note-le|eso|esto|das|dies|ça|cela|d?isso|questo)$",
    ),
    ("这,這", r"[这這][一个個件条條点點事]*$"),
)
TASK = Late(r"^\s*to\s")
WORK = Late(
    r"[,;]\s*(?:so|then|and|now)\s+(?:please\s+|can you\s+|could you\s+)?(?:fix|check|look|debug|repair"
    r"|undo|revert|retry|try"
    r"|redo|rerun|handle|change|update|investigate)\s+(?:it|this|that|them|into|at|again|why)(?!\w)[^.]*$",
)
""" "Remember, the user clicked twice, so fix it" reminds the agent of what it works on."""
STATE_VERB = Late(
    r"^\s*to\s+(?:always|never|only|not|use|call|write|keep|avoid|prefer|respond|answer|reply|say"
    r"|spell|name|stick)\b",
)
ONE_OFF = Late(
    r"(?<!\w)(?:when (?:you'?re|you are|it'?s|this is) (?:done|finished|ready)|after (?:this"
    r"|that)|before you (?:commit|push|finish|go|stop)"
    r"|once (?:this|that|it|you)|the (?:rest|remaining|last)|as well|too|this time)(?!\w)",
)
EVERYWHERE = Phrases(
        "everywhere; globally; across_(?:all_)?(?:my_|our_|the_)?(?:repos?|repositories|projects)"
        "; (?:in_|for_|to_|of_)?(?:all|every|each|any|none)_(?:of_)?"
        "(?:my_|our_|the_|other_)*(?:repos?|repositories|projects?|repository|codebases?"
        "|workspaces?|machines?|computers?); every_one_of_my_\\w+; no_matter_(?:which"
        "|what)_(?:repo|project)\\w*"
        "; (?:en|in|em|dans)_(?:ning[uú]n|keine[mr]|nenhum|aucune?|nessun\\w*)_(?:\\w+_)?(?:repo\\w*"
        "|proye\\w+|projet\\w*|projekt\\w*|progett\\w*|dépôt); (?:also_)?(?:in"
        "|for)_my_other_(?:repo\\w*|projects?); überall; in_(?:allen|jedem)_(?:meinen_"
        "|unseren_)?(?:repos?|projekt\\w*|repositories)"
        "; en_(?:todos|cualquier)_(?:mis_|los_|nuestros_)*(?:proyectos?|repos?\\w*)"
        "; en_todas_partes; en_todos_lados"
        "; partout; dans_tous_(?:mes_|les_|nos_)*(?:projets|dépôts|repos); em_(?:todos_os_|todos_"
        "|qualquer_)(?:meus_)?(?:projetos?|repos?\\w*); ovunque; in_tutti_i_(?:miei_)?(?:progetti|repo)"
        "; overal; in_al_(?:mijn_)?(?:projecten|repos?); везде; во_всех_(?:проектах|репозиториях)",
        "(?:所有|全部|每个|每個|任何|一切)的?(?:我的)?(?:项目|項目|仓库|倉庫|專案|repo); 到处"
        "; 到處; 不管哪个项目; 全局; 全域; 哪个项目都; (?:すべて|全て|全部|どの"
        "|全)の?(?:プロジェクト|リポジトリ|レポ)"
        "; どこでも; (?:모든|어느|어떤)_?(?:프로젝트|저장소|레포)\\w*; 어디서나; 어디서든",
    )  # fmt: skip
REPORTED = Late(
    r"(?<!\bi\s)(?<!\bwe\s)(?:says?|said|writes?|wrote|reads|quote|according to|asks|asked"
    r"|told me|tells?|states?|sagte?|meinte?|schreibt|schrieb|dijo|dice|escribió|dit|écrit|disse|scrisse"
    r"|сказал)\W*(?:to\s+)?"
    r"(?:(?:please|pls|kindly|bitte|por favor)\s+)*$"
    r"|[^我们們][说說][：:]\s*[请請]?$|(?:写|寫|说|說)道[：:]\s*[请請]?$"
    r"|(?<!\w)(?:asks?|asked|told|tells?|wants?|wanted|reminds?|reminded|begged|ordered) (?:me|us|him|her"
    r"|them|everyone"
    r"|everybody|people|users?) to\s+$",
)
"""Somebody else's words follow."""
PREFERENCE = ("prefer", "preference is", "偏好", "偏好是")
"""How triggers end that are part of what is saved."""
POLITELY = Late(r"(?:.{0,40}[,;:.]\s*)?(?:please\s+)?(?:can|could|will|would) you(?!\w)")
"""A question that asks for the save itself."""
NO_OBJECT = LatePattern(r"\s*[,，;；](?!\s*(?:dass|daß|that|que|che|dat|что)(?!\w))|\s+(?:too|for|as)(?!\w)")
"""Nothing to be saved follows the pronoun."""

OWN_MEMORY = Late(
    r"(?<!\w)(?:i|we|they|he|she|it|who|people)(?:'ll|'d|'ve)?(?:\s+(?:will|would|can|could|do|did"
    r"|must|have to|had to"
    r"|need to|always|still|also|only|hardly|barely|vaguely))*\s+$",
)
"""Somebody remembers, and asks nobody to."""
THINGS_MEMORY = Late(
    r"(?<!\w)(?:(?<!you )(?:should|must|can|could|will|would|might|may|shall)(?: (?:also|always|still))?"
    r"|(?:fails?|failed|able|has|have|had|needs?|wants?|tries|trained|how|used|supposed|meant|designed"
    r"|button|option|way|feature|ability|function)(?<!you need)(?<!you have)(?<!what you want) to"
    r"|(?:let|lets|make|makes|made)(?! sure)(?: [\w'-]+){1,3}|an?|the)\s+$"
    r"|(?<!\w)(?:el|la|los|las|le|les|il|lo|une?|una|os?|as?|notre|nuestr[ao]|noss[ao]) "
    r"(?:(?!(?:es|son|está|est|sont|è|é|são) )[\w'-]+ ){1,3}$"
    r"|[^\s，。,.!！你您们們请請大家定必万萬](?:应该|應該|应当|應當|要|会|會|能|可以|需要|自动|自動)\s*$",
)
"""A thing is to remember something: "the app should remember the scroll position"."""
AGENT = Late(r"(?<!\w)(?:agents?|assistants?|ais?|llms?|claude|codex|gemini|copilot|opencode)(?!\w)")
"""Who is spoken to, also in the third person."""
OTHERS_WORDS = Late(
    r"^\W*(?!(?:i|we)\s)(?:[\w'’-]+[\s,]+){1,10}?(?:says?|said|writes?|wrote|suggests?|suggested"
    r"|claims?|asks?|asked|meinte?"
    r"|sagte?|schreibt|dice|dijo|dit|disse|сказал)(?:\s+(?:me|us|that|to me|to us))?\s*[:,]",
)
"""What is to be saved was said by somebody else."""
OCCASION = Late(
    r"(?<!\w)(?:before|after|when|whenever|if|unless|because|since|otherwise|so that|each|every|with"
    r"|without|until)(?!\w)|`|,\s"
    r"(?:the|it|we|our|they)(?!\w)",
)
"""What makes a task a rule: the occasion, or the reason."""
_EVERYWHERE = "everywhere,globally,überall,partout,ovunque,overal,en todas partes"
ALONE = Parts(
    (_EVERYWHERE, r"(?<!\w)(?:everywhere|globally|überall|partout|ovunque|overal|en todas partes)(?!\w)"),
)
STRESSED = Parts(
    (
        _EVERYWHERE,
        r"(?:^|[,;(]|\sand)\s*(?:do (?:that|this|it) )?(?:everywhere|globally|überall|partout|ovunque"
        r"|overal|en todas partes)\s*(?:$|[,.;:)!])",
    ),
)
SOMEBODY_SAID = Late(
    r"\W{0,8}(?:(?:and|ah|oh|but|so) )*(?:(?!I |We |The |Our |It |This |That |Our )(?-i:[A-Z])[\w'’-]+"
    r"|(?:my|our|the) (?:\w+ )?(?:friend|boss|colleague|neighbour|neighbor|student|client|customer"
    r"|lawyer|manager|mother"
    r"|father|brother|sister|son|daughter|wife|husband))(?: [\w'’-]+){0,5}? (?:says?|said|wrote|told"
    r"|thinks?|keeps saying"
    r"|meinte?|sagte?|dice|dijo|dit)(?!\w)",
)
