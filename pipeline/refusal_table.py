"""Ways to ask not to keep something, by language, beside those of `explicit_table.REFUSAL` (A28).

`_` stands for a gap between words. What negates stands before the verb ("no need to remember") or behind it
("merk dir bloß nicht"); not to forget is to remember, and so is to remember not to do something.
"""

from siltstone.pipeline.words import Late, Parts, anyof

_IT = r"(?:this|that|it|these|those|the_following|what_i_(?:just_)?said)"
_MIND = rf"(?:keep|bear)_(?:{_IT}_)?in_mind"
_NOTE = r"(?:make|take)_(?:a_|any_)?notes?"
_PUT = (
    rf"(?:save|store|note|record|write|keep|log|learn)_{_IT}"
    r"(?=\s*(?:$|[,.:;!—–-])|_(?:down|to|in|into)(?!\w))"
)
_KEEP = rf"(?:remember|memori[sz]e|{_MIND}|{_NOTE}|{_PUT})"
_KEEPING = (
    rf"(?:remembering|memori[sz]ing|keeping_(?:{_IT}_)?in_mind|making_a_note|(?:saving|noting|storing)_{_IT})"
)
_OF_THIS = rf"(?=_(?:{_IT}|what|anything|everything)(?!\w)|\s*[:：])"
_FRESH = r"(?:(?<!\w )|(?<=please )|(?<=just )|(?<=now )|(?<=can )|(?<=may )|(?<=should )|(?<=better ))"
"""A clause begins, or what a request begins with stands before."""
_NO = r"(?:do_not|don't|dont|never|no_need_to|needn't|not_to|shouldn't|should_not|mustn't|must_not)"
_ENGLISH = (
    rf"(?:under_no_circumstances|by_no_means|on_no_account|in_no_case|in_no_way)_(?:ever_|please_|you_){{0,2}}{_KEEP}",
    rf"no_(?:reason|point|need|use|sense)_(?:for_you_)?(?:to|in)_(?:ever_|even_|also_)?(?:{_KEEP}|{_KEEPING})",
    rf"(?:not|isn't)_(?:really_)?(?:necessary|needed|required|important|useful)_(?:for_you_)?to_{_KEEP}",
    rf"(?:unnecessary|pointless)_(?:for_you_)?to_{_KEEP}; (?:not|isn't|hardly)_worth_{_KEEPING}",
    rf"don't_you_dare_(?:to_)?(?:ever_)?{_KEEP}; (?:don't|do_not)_(?:even_)?think_(?:of|about)_{_KEEPING}",
    rf"(?:don't|do_not|dont|wouldn't|would_not)_(?:really_)?(?:want|need|like|expect)_(?:for_)?you_to_{_KEEP}",
    rf"(?:don't|do_not|dont)_(?:think|believe)_(?:that_)?you_(?:should|need_to|have_to|must|ought_to)_{_KEEP}",
    rf"(?:rather|prefer|prefer_that|prefer_it_if|better_if)_you_(?:didn't|did_not|don't|do_not|not|never)_{_KEEP}",
    rf"(?:wouldn't|would_not)_{_KEEP}{_OF_THIS}",
    rf"you_(?:not_to|to_not|better_not)_{_KEEP}{_OF_THIS}; better_not_{_KEEP}{_OF_THIS}",
    rf"(?:avoid|refrain_from|stop|skip|quit|no_need_for|don't_bother|do_not_bother|don't_bother_with)_{_KEEPING}{_OF_THIS}",
    rf"{_NO}_(?:please_|bother_to_|ever_|you_){{0,2}}(?:{_MIND}|{_NOTE}); (?:don't|do_not)_(?:have"
    rf"|need)_to_(?:{_MIND}|{_NOTE})",
    rf"remember_(?:please_)?(?:none|nothing)_(?:of|about"
    rf"|from)_{_IT}; remember_not(?:_{_IT})?(?=\s*[:：]); remember_not_this",
    r"(?<!not\s)(?<!n't\s)(?<!dont\s)(?<!never\s)(?<!ever\s)(?<!i\s)(?<!we\s)(?<!they\s)forget_(?:about_|that_)?"
    r"(?:(?:i|we)_(?:ever_|just_|even_)*(?:said|told|mentioned|asked)|(?:what|everything|all)_(?:i|we)_(?:just_)?(?:said|told))",
    rf"{_FRESH}forget(?:_(?:this|that|it|the_following))?(?=\s*[:：])"
    rf"; {_FRESH}forget(?=_that_(?:i|we|the|our|my|there|they|he|she)_)",
)
_NICHT = r"(?:nicht|nie|niemals|keinesfalls|keineswegs|auf_keinen_fall|unter_keinen_umständen|nichts)"
_SMALL = (
    r"(?:(?:das|dies|es|bitte|ja|bloß|bloss|aber|also|hier|jetzt|doch|lieber|besser|davon"
    r"|diese[nrs]?_\w+)_){0,4}"
)
_STOPS = r"(?=\s*(?:[,:;.!]|$)|_(?:dass|daß|das|dies|diese[nrs]?|meine?[nrms]?|was|wie|davon)(?!\w))"
_GERMAN = (
    rf"merke?t?_(?:es_|das_|dies_)?(?:dir|euch)_{_SMALL}{_NICHT}{_STOPS}"
    rf"; merken_sie_sich_{_SMALL}{_NICHT}{_STOPS}",
    rf"{_NICHT}_(?:zu_|mehr_|davon_)*merken",
    r"(?:nicht_(?:nötig|notwendig|erforderlich|wichtig)|unnötig|überflüssig|kein(?:en)?_grund|keine_notwendigkeit)"
    r"(?:,?_\w+){0,5}?_zu_merken",
    r"(?:speicher|notier)e?_(?:dir_)?(?:das|dies|es)_(?:bitte_|ja_|bloß_|lieber_)*nicht(?=\s*(?:$|[,.:;!]))",
    r"bitte_nicht_(?:speichern|notieren|aufschreiben|behalten)(?=\s*[:：])"
    r"; nicht_im_(?:kopf|hinterkopf|gedächtnis)_(?:zu_)?behalten; behalte?_(?:das|dies|es)_(?:bitte_)?nicht",
    r"(?:vergiss|vergesst)(?:_(?:bitte|das|dies|es|einfach|wieder|alles|besser|lieber))*"
    r"(?=\s*(?:$|[.:;!—–-])|,(?!\s*nicht)|_(?:was|dass|daß)_)",
)
_SE = r"(?:te_|t'en_|t'|s'en_|se_|le_|la_|les_|l'|vous_en_|vous_)*"
_TO_KEEP = r"(?:retenir|souvenir|mémoriser|noter|rappeler)"
_FRENCH = (
    rf"(?:ne_|n'){_SE}(?:retiens|retenez|souviens|souvenez|rappelle|rappelez|mémorise)_(?:surtout_|donc_)?"
    rf"(?:pas|jamais|rien); (?<!je\s)(?<!j'en\s)(?:retiens|mémorise)_(?:surtout_)?(?:pas|jamais|rien)",
    rf"(?:inutile|pas_(?:besoin|la_peine|nécessaire|utile|obligé)|évite|arrête)_(?:de_|d'){_SE}{_TO_KEEP}",
    rf"(?:faut|dois|devez|as|avez)_pas_(?:à_|besoin_de_)?{_SE}{_TO_KEEP}"
    rf"; (?:veux|voudrais)_pas_que_tu_{_SE}(?:retiennes|souviennes|rappelles|mémorises)",
    r"(?<![\w'])(?<!il\s)(?<!elle\s)(?<!on\s)(?<!qui\s)oubliez?_(?:ça|cela|ceci|que|ce_que)(?!_pas)",
)
_RECORDAR = (
    r"(?:recordar(?:lo|la)?|recuerdes|acordar(?:te|se)|acuerdes|memorizar(?:lo)?|memorices|(?:guardar|anotar"
    r"|apuntar)(?:lo|_esto|_eso)|(?:guardes|anotes|apuntes)_(?:esto|eso))"
)
_SPANISH = (
    r"(?:no|nunca|jamás)_(?:te_|lo_|la_|me_)*(?:recuerdes|acuerdes|memorices); no_(?:lo_|te_lo_)(?:guardes"
    r"|anotes|apuntes)",
    r"no_(?:hace_falta|es_necesario|es_preciso|necesitas|tienes_(?:que|por_qué)|hay_que|debes|deberías"
    rf"|(?:vale|merece)_la_pena|hay_necesidad_de|quiero|necesito)_(?:que_)?(?:te_|lo_|la_)*{_RECORDAR}",
    r"(?<!no\s)(?<!te\s)(?<!se\s)(?:olvida|olvide|olvidad)_(?:que|esto|eso|lo_que)"
    r"; (?<!no\s)olvídalo; (?<!no\s)olvídate_de_(?:que|esto|eso|lo)",
)
_MORE = (
    r"não_(?:precisa|precisas|é_(?:preciso|necessário))_(?:que_)?(?:de_)?(?:se_|te_)?(?:lembrar|memorizar)(?:-se)?"
    r"; (?<!não\s)(?<!se\s)esque[çc]a_(?:isso|que|o_que)",
    r"non_(?:c'è_bisogno|serve|occorre|devi|è_necessario)_(?:di_)?(?:che_)?(?:ricord|memorizz)\w+"
    r"; (?<!non\s)dimentica_(?:questo|che|quello)",
    r"niet_(?:te_)?onthouden; (?<!niet\s)vergeet_(?:dit|dat|wat)(?!_niet)",
    r"не_(?:нужно|надо|стоит|обязательно)_(?:это_)?запоминать; (?<!не\s)забудь(?:те)?_(?:это|об_этом|что)",
)
_BU = (
    r"(?:不要|不用|不需要|不必|无需|無需|毋需|(?<![特分个個区區级級类類性识識告])[别別]|勿|没必要|沒必要|没有必要"
    r"|沒有必要|用不着|用不著|不准|不许|不許|不应该|不應該|不该|不該|不希望你|不想让你|不想讓你|禁止|犯不着|不值得)"
)
_CHINESE = (
    rf"{_BU}(?:请|請|你|再|去|来|來|特意|专门|特别|刻意|帮我|幫我|替我|给我|给|把.{{1,8}}?){{0,3}}"
    r"(?:记住|記住|记得|記得|记下|記下|记着|記著|牢记|牢記|记忆|記憶|备忘|備忘|[记記](?![录錄错錯混反]))",
    r"(?<![别別要勿能会會易常没沒未不曾些点點我你他她它们們])(?:忘掉|忘了|忘记|忘記)(?:吧|它|[这這那]|我(?:刚才|剛才|刚刚|之前"
    r"|上面)?[说說]|\s*[：:])"
    r"; [当當]我[没沒][说說]",
)
_JAPANESE = (
    r"(?:覚え|憶え|おぼえ)(?:て(?:おか|い)?)?(?:ないで|なくて(?:も)?(?:いい|良い|よい|大丈夫|結構|構わ|かまわ|OK)"
    r"|んで(?:も)?(?:いい|ええ))",
    r"(?:覚え|憶え|おぼえ)(?:ておく|る)(?:な(?![らどりのん])|までも(?:ない|ありません)"
    r"|必要(?:は|が|も|なんて)?(?:ない|無い|なし|なく|ありません|ございません))",
    r"(?:覚え|憶え|おぼえ)(?:ちゃ|ては)(?:だめ|ダメ|駄目|いけ)",
    r"(?:メモ|記憶|暗記)(?:は|の)?(?:し(?:て(?:おか|い)?)?(?:ないで|なくて(?:も)?(?:いい|良い|よい|大丈夫|結構|構わ))"
    r"|する(?:な(?![らどりのん])|必要(?:は|が|も)?(?:ない|なし|ありません))|(?:する)?必要(?:は|が)?(?:ない|なし|ありません)|不要)",
    r"忘れて(?=\s*(?:$|[。、！!：:,.]|ください|下さい|くれ|ね|も?(?:いい|良い|よい|構わ|結構|大丈夫)))",
)
_KOREAN = (
    r"기억(?:해\s?(?:두|놓)|하고\s?있|하)지\s?(?:마|말|않아도|않으셔도|않았으면)",
    r"기억(?:은|는)?\s?안\s?(?:해|하셔)(?:도|\s?줘도); 기억(?:하|해\s?두)(?:시)?면\s?안; 기억해(?:서는"
    r"|선)\s?안",
    r"(?:기억|메모)(?:할|하실|해\s?둘)\s?(?:필요|이유|것|거)(?:는|가|까지|까지는|도|조차)?\s?없",
    r"외우지\s?(?:마|말|않아도); 외울\s?필요(?:는|가)?\s?없; 메모\s?안\s?해도",
    r"잊어(?:버려|줘|주세요|도\s?(?:돼|되|괜찮)|버리세요|버려도)(?![렸졌])",
)
BY_WORDS = {
    "remember,memoris,memoriz,mind,note,noting,sav,stor,record,writ,keep,log,learn,forget": _ENGLISH,
    "nicht,nie,kein,unnötig,überflüssig,vergiss,vergess": _GERMAN,
    "retien,retenir,retenez,souv,rappel,mémoris,noter,oubli": _FRENCH,
    "recuerd,recordar,acuerd,acordar,memoriz,memoric,guardar,guardes,anotar,anotes,apuntar,apuntes"
    ",olvid,olvíd": _SPANISH,
    "lembrar,memoriz,esqueça,esqueca,ricord,dimentica,onthouden,vergeet,запоминать,забудь": _MORE,
    "记,記,忆,憶,备忘,備忘,忘,没说,沒說,没說,沒说": _CHINESE,
    "覚え,憶え,おぼえ,メモ,記憶,暗記,忘れて": _JAPANESE,
    "기억,메모,외우,외울,잊어": _KOREAN,
}
"""Of each language, behind words of which a text has one where a phrase of it is found."""
NOT_TO_KEEP = Parts(*((words, anyof(*phrases)) for words, phrases in BY_WORDS.items()))
"""The user asks that something be not kept."""

OF_MEMORY = Late(
    r"remember|memor|mémor|(?<!\w)mind(?!\w)|forget|(?<!\w)notes?(?!\w)|merk|vergiss|vergess|behalt|recuerd|recordar"
    r"|acuerd|acord|olvid|retien|reten|souv|rappel|oubli|lembr|esqueça|ricord|dimentic|onthoud|vergeet|запом|забудь"
    r"|[记記](?![录錄])|[忆憶忘]|覚え|おぼえ|メモ|기억|메모|외우|외울|잊"
)
"""Of the agent's memory; to save, to log or to write may be what a program does."""
INTO_MEMORY = Late(r"\s*(?:\w+\s+){0,3}?(?:memor|notes(?!\w)|記憶|记忆|기억)")
"""… unless it is into the memory."""
INTO_ELSE = Late(
    r"\s+(?:in|into|to|on|onto|as|with|under)\s+(?!(?:your|the|my|this)?\s*(?:store|silt|notebook|profile))\w"
)
"""Where a program puts something."""
