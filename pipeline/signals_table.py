"""The forms of references, identity, decisions and logins that `signals.py` looks for; several languages.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

from siltstone.pipeline.words import Late, late

URL = Late(r"(?:https?|ftp|ssh)://[^\s<>\"'`，。；、）]{4,500}")
POINTS = late(
    "(?:is|are|lives?|sits?|found|documented|described|tracked|kept|hosted|available|published"
    "|listed|specified)_(?:\\w+_){0,4}(?:at|in|on|under|here|via)",
    "(?:dashboard|docs?|documentation|wiki|designs?|figma|board|tracker|staging|production|prod"
    "|grafana|runbook|spec|specification|handbook|backlog|tickets?|issues|monitoring|logs|metrics"
    "|registry|api|swagger|storybook|preview|sandbox|status_page|repo|repository|mirror|archive"
    "|playbook|mockups?|environment|sentry|kibana|jenkins|ci|calendar|chat|channel|contract"
    "|style_?guide|guidelines|roadmap|admin|portal|console|server|instance|panel|template|glossary)",
    "(?:ist|sind|liegt|liegen|steht|stehen|findest_du|está|están|se_encuentra|est|sont|se_trouve"
    "|fica|ficam|si_trova|staat|находится)",
    "文档; 文檔; 地址; 仪表盘; 儀表板; 看板; 设计稿; 設計稿; 在; 是; 位于; 位於; ドキュメント"
    "; ダッシュボード; にあ; は; です; 문서; 대시보드; 에_있",
)
PLACE_ONCE = Late(r"/(?:pull|pulls|issues|merge_requests|commit|runs)/\w+|//(?:localhost|127\.|0\.0\.0\.0)")
IDENTITY = late(
    "i_work_(?:\\w+_){1,2}(?:days|hours)_(?:a|per)_\\w+; i_work_(?:nights|part-time|mornings"
    "|evenings|remotely|weekends|alone|from_home); i'm_(?:in"
    "|from|based_in|living_in|at_home_in|located_in|on_(?!it|my_way|the_train))_?(?-i:[A-Z])\\w+"
    "; i_(?:live|work|sit)_(?:in|from|at|near|out_of|for)_(?:the_)?(?-i:[A-Z])\\w+",
    "i'm_(?:a|an|the_only|the_sole|the_lead|the)_(?:[\\w-]+_){0,4}(?:developer|engineer|designer"
    "|maintainer|student|scientist|researcher|teacher|analyst|admin\\w*|author|owner|lead|manager"
    "|physicist|biologist|consultant|freelancer|contractor|beginner|user|person|programmer"
    "|founder|librarian|doctor|statistician|musician|journalist|nurse|chef|pilot|architect|lawyer|farmer)"
    "; i'm_an?_(?:[\\w-]+_){1,3}by_(?:training|trade|profession|day)"
    "; i_(?:don't_have|have_(?:no|only)|only_have)_(?:\\w+_){1,4}on_(?:this|my)_(?:machine|laptop"
    "|computer|box)",
    "(?<!on\\s)(?<!in\\s)(?<!at\\s)(?<!from\\s)(?<!with\\s)(?<!of\\s)my_(?:name|shell|editor"
    "|terminal|os|laptop|machine|keyboard|time_?zone|locale|language"
    "|mother_tongue|native_language|first_language|pronouns|github|handle|username|email|e-mail"
    "|phone|screen|monitor|distro|window_manager|browser|hours|working_hours|locale|font|job|role"
    "|title)_(?:\\w+_){0,2}(?:is|are|isn't|aren't|runs)(?!_(?:\\w+_)?(?:dead|broken|slow|full|empty"
    "|down|here|there|off"
    "|gone|back|stuck|busy|frozen|crash\\w*|shows?|ok|fine|(?!running)\\w+ing)(?!\\w))"
    "; call_me_(?-i:[A-Z])",
    "i_(?:only_|always_|mostly_|usually_)?(?:use|run|work_on|work_with|type_on"
    "|am_on)_(?:[\\w.-]+,?_){1,8}?(?:on_(?:all|every|each|both|my)|as_my|everywhere"
    "|for_everything); i_(?:don't|do_not|can't|cannot)_(?:speak|read_(?!the|it|that)|see_(?:red"
    "|green|colou?rs)|use_a_mouse|hear)",
    "i'm_(?:in|from|based_in|living_in)_(?!the_|a_|an_|my_|your_|our_|this_|that_|it_|here_|there_"
    "|favou?r|love|bed"
    "|trouble|charge|doubt|between|hurry|meetings?|town|general|time|today|line|calls?|class|on_|at_"
    ")[a-z]{3,20}(?=\\s*(?:$|[,.]|btw|by_the_way|but|and|so)); i'm_(?:living|working)_(?:in"
    "|from)_(?-i:[A-Z])\\w+"
    "; i'm_(?:new_to|not_(?:good_at|familiar_with|used_to))_\\w+; my_name_is_\\w+"
    "; i_(?:work|develop|code)_(?:only_)?on_(?:a_|an_)?(?:mac\\w*|linux|windows|ubuntu|chromebook)"
    "; i_only_work_on_(?:this|it)_on_\\w+; i_(?:use|run)_\\w+,_not_\\w+"
    "; i_(?:use|run)_(?:[\\w.-]+_){1,4}on_(?:linux|mac|macos|windows|ubuntu|debian|fedora|arch"
    "|android|my_\\w+)"
    "; i_(?:look_after|maintain|run|code|develop|program|study|teach|do)_(?:\\w+_){0,3}(?:from|in"
    "|near)_(?-i:[A-Z])\\w+"
    "; i'm_(?!OK|Done|Sure|Not|Just)(?-i:[A-Z])[a-z]+(?=\\s*(?:$|[,.;]|by_the_way|btw|and_i|from))",
    "i'm_(?:colou?r[ -]?blind|left-handed|deaf|blind|dyslexic); i_speak_\\w+"
    "; i'm_on_(?:a_)?(?:mac|macos|windows|linux|arch|ubuntu|debian|fedora|nixos|wsl|freebsd|vim"
    "|emacs|neovim)",
    "ich_(?:wohne|lebe|arbeite|sitze)_(?:\\w+_)?(?:in|aus|bei|von)_\\w+; ich_bin_(?:in|aus|der_einzige"
    "|die_einzige|entwickler\\w*)_?\\w*; ich_heiße; mein(?:e)?_(?:name|shell|editor|zeitzone"
    "|rechner|muttersprache)_(?:ist|sind)",
    "vivo_en; trabajo_(?:en|desde); soy_(?:de|el_único|la_única|desarrollador\\w*); me_llamo"
    "; mi_(?:nombre|editor|shell|zona_horaria|lengua)_(?:es|son); j'habite; je_travaille_(?:à"
    "|depuis|chez); je_suis_(?:à|de|le_seul|la_seule|développeu\\w+); je_m'appelle; mon_(?:nom"
    "|éditeur|shell|fuseau)_est; moro_em; trabalho_(?:em|de|no|na); meu_(?:nome|editor|shell"
    "|fuso)_é; abito_a; lavoro_(?:a|da|per); mi_chiamo; ik_woon_in; ik_werk_(?:in|vanuit|bij)"
    "; я_живу; я_работаю; меня_зовут",
    "我(?:(?:平时|平時|一般|通常|主要|一直)(?:都)?(?:用|在|使用)|住在|在(?!这|想|用|看|做|等|改"
    "|写|跑|试)|来自|來自|叫|是(?:一名|一个|一個|唯一|个|做)|的(?:时区|時區|名字|编辑器|編輯器"
    "|系统|系統|母语|母語|电脑|電腦|终端|終端|shell)(?:是|用)); 本人(?:在|是|用)",
    "(?:私|僕|俺)は.{1,30}(?:に住んで|で働いて|出身|です(?!か)|を使って); 東京在住"
    "; 私の(?:エディタ|シェル|タイムゾーン|名前)は; 저는_?.{1,30}(?:살고|살아|일하고|개발자"
    "|엔지니어|디자이너"
    "|사용합니다|써요); 제_(?:이름|에디터|셸|시간대)[은는]",
)
DECIDED = late(
    "(?:the_team|everybody|everyone|management|the_(?:client|customer|board))_(?:has_"
    "|have_)?(?:agreed_on|decided_(?:on|for"
    "|to_use|against)|settled_on|chosen|approved)",
    "(?:we|i)(?:'ve|_have)?_(?:decided|chosen|chose|agreed|settled|opted|committed)(?:_\\w+)?"
    "; (?:we|i)'(?:ll|re|d)_(?:go(?:ing)?_with|use|using|keep|keeping|stick(?:ing)?_(?:with|to)"
    "|stay(?:ing)?_with|take|taking); (?:we|i)_(?:go|will_go|are_going|went)_(?:with|for); (?:we"
    "|i)_(?:will_)?(?:stick_(?:with|to)|stay_with|keep)_; let's_(?:go_with|use|stick|keep|take"
    "|stay_with|do_it_with); (?:^|[,.]\\s)(?:agreed,?_)?(?!as_"
    "|\\w+_as_)[\\w.-]+(?:_[\\w.-]+)?_it_is(?=\\s*(?:$"
    "|[.,;!])); go_with; the_decision_is; decision_?:; it's_decided; final_decision",
    "wir_(?:haben_uns_(?:\\w+_){0,6}entschieden|nehmen|bleiben_bei|entscheiden_uns)"
    "; entschieden_(?:haben_wir|ist); hemos_decidido; decidimos; vamos_con; nos_quedamos_con"
    "; on_a_décidé; nous_avons_décidé; on_part_sur; on_garde; decidimos; vamos_(?:usar|de|com)"
    "; abbiamo_deciso; usiamo; we_kiezen; решили; выбрали",
    "决定(?:用|采用|使用|是|了)?; 決定(?:用|採用|使用|是|了)?; 就用; 采用; 採用; 选用; 選用; 定了"
    "; 我们用; 我們用; 選了; 选了; 敲定; にします; にしよう; に決め; に決定; を採用; でいきます"
    "; でいこう; (?:로|으로)_?(?:하자|합시다|결정|가자|갑시다); 쓰기로; 하기로_?했",
)
SECRETIVE = Late(
    r"\[REDACTED\]|(?<!\w)(?:basic[ -]auth|password|passwd|passwort|pwd|pw|pass(?:phrase|code)"
    r"|login|log ?in with|credentials?|zugangsdaten|token|api[ -]?key|secret|user(?:name)?"
    r"|contraseña|clave|mot de passe|senha|wachtwoord|пароль|pin)(?:\s+(?:is|ist|es|est|é|for)"
    r"|\s*[:=/])|密码|密碼|口令|パスワード|비밀번호",
)
STRONG_DECISION = Late(
    r"(?<!\w)(?:we(?:'re| are) going with|we went (?:with|for)|we(?:'ve| have)? (?:decided|chosen"
    r"|settled|agreed)"
    r"|let's go with|we(?:'ll| will) go with|it's decided|decision:|wir haben uns|hemos decidido"
    r"|decidimos|决定|決定|に決め)"
    r"(?!\W+(?:(?:the )?(?:first|second|third|last|other|latter|former)|that|it|this|option)(?!\w))",
)
MY_DOING = Late(
    r"[\s\W]{0,12}(?:i|ich|yo|je|eu|io|я)\s+(?:just\s+)?(?:\w+ed|don't|do not|didn't|can't"
    r"|cannot|could not|couldn't)(?!\w)",
)

WHEN = Late(
    r"(?<!\w)(?:(?:since|during|earlier|in|from) )?(?:the )?(?:this|last|past|next) (?:week|month"
    r"|year|quarter"
    r"|spring|summer"
    r"|autumn|fall|winter|weekend|morning|night|release|\w+day)(?!\w)|(?<!\w)(?:since )?(?:yesterday"
    r"|today)(?!\w)"
    r"|(?<!\w)(?:right |just )?now(?=\W*$)|(?:seit |letzte\w? )?(?:gestern|heute|diese woche|diesem monat)"
    r"|ayer|hoy|esta semana|este mes|hier|aujourd'hui|cette semaine|上周|上週|昨天|今天|这周|這週|目前"
    r"|先週|昨日|今日|今週",
)
"""When something changed, not for how long it holds."""
MOVED = late(
    "(?:we|they|the_\\w+|[\\w.-]{1,30})(?:'ve|_have|_has|'re|_are|_is|_was|_were|_got|_just|_now"
    "|_recently|_finally"
    "|_already){0,3}_(?:been_)?(?:switched|moved|migrated|changed_(?:to|from|over)|converted"
    "|upgraded|ported"
    "|transitioned|swapped|replaced|renamed|retired|deprecated|dropped|abandoned|ditched"
    "|stopped_using|gave_up"
    "|given_up|got_rid_of|(?:went|gone)_(?:back_|up_|down_)?(?:from|to)|goes_from|raised|lowered|cut"
    "|increased|reduced)",
    "no_longer; (?:not|\\w{2,6}n't)_(?:\\S{1,30}_){0,8}any_?(?:more|longer); used_to_be"
    "; is_(?:history|gone|dead|no_more); formerly"
    "; (?:is|are|use|uses|runs?|lives?|goes|with|costs?|comes?_from|now|be|it's)_(?:\\S{1,30}_){0,6}now"
    "; now_(?:is|are|uses?|runs?|lives?|goes_to|comes?_from|be)",
    "since_(?:\\w+_)?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year"
    "|spring|summer"
    "|autumn|january|february|march|april|may|june|july|august|september|october|november|december|version"
    "|v?\\d[\\d.]*|20\\d\\d); as_of_\\w+; instead_of_(?:\\S+_){0,3}(?:since|now)",
    "nicht_mehr; kein\\w*_(?:\\w+_){0,3}mehr; umgestiegen; umgestellt; gewechselt; umgezogen"
    "; migriert; ersetzt"
    "; abgelöst; abgeschafft; seit_(?:gestern|letzte\\w*|\\w+tag|kurzem|januar|februar|märz|april"
    "|mai|juni|juli"
    "|august|september|oktober|november|dezember|version|20\\d\\d); jetzt_(?:auf|mit|bei|in|über)"
    "; statt_\\w+_jetzt",
    "ya_no; hemos_(?:cambiado|migrado|pasado|dejado|reemplazado); cambiamos; migramos; pasamos_(?:a|de)"
    "; dejamos_de; ahora_(?:es|son|usamos|está|en|corre); desde_(?:el|la|hace|enero|febrero|marzo"
    "|abril|mayo"
    "|junio|julio|agosto|septiembre|octubre|noviembre|diciembre); ne_(?:\\w+_){1,4}plus"
    "; n'(?:\\w+_){1,4}plus"
    "; désormais; sommes_passés; avons_(?:migré|remplacé|abandonné); depuis_\\w+; não_(?:\\w+_){0,3}mais"
    "; migramos; mudamos; trocamos; agora_(?:é|usamos); non_(?:\\w+_){0,3}più; siamo_passati; niet_meer",
    "改用; 换成; 換成; 换到; 換到; 不再; 迁移到; 遷移到; 迁到; 已经(?:换|改|迁|升); 已經(?:換|改|遷"
    "|升); 现在用; 現在用"
    "; 从.{1,20}(?:换|改|迁|搬|升|移|切); に変更; に変わ; に変え; に切り替え; へ切り替え; に移行"
    "; へ移行; に移し"
    "; に移っ; をやめ; もう.{0,12}(?:ない|ません); 使わなくな; に置き換え; 廃止; 今は"
    "; アップグレード; からは"
    "; 더_?이상; 바꿨; 바뀌; 변경; 전환; 옮겼; 이전했; 교체; 이제는; 업그레이드",
)
"""A change of ours, told as done."""
FROM_TO = Late(
    r"(?<!\w)(?:from|von|de|da|van|с)\s+\S+(?:\s+\S+){0,3}?\s+(?:to|auf|zu|nach|a|à|para|naar|на)\s+\S"
    r"|(?<!\w)(?:switched|moved|migrated|replaced|dropped)\s+\S+(?:\s+\S+){0,3}?\s+(?:to|with|by|for"
    r"|in favou?r of)\s",
)
WE_STOPPED = Late(
    r"(?<!\w)we (?:don't|do not|no longer) (?:use|support|ship|build|host|offer|sell|deploy)"
    r" (?!(?:it|this|that|them|these|those)(?!\w))",
)
SMALL_CHANGE = Late(
    r"(?:moved|changed|switched|renamed|removed|replaced|updated|cut|dropped|raised|lowered)\s+(?:back\s+)?"
    r"(?:(?:the|my|this|that|your|a|an|to the|to my|to a)\s+)(?:\w+\s+){0,2}?(?:meeting|appointment"
    r"|call|demo"
    r"|deadline|file|text|button|function|method|class|variable|test|line|heading|title|label|column"
    r"|field|branch"
    r"|commit|comment|color|colour|icon|image|page|tab|row|word|sentence|typo|port|path|other \w+)s?(?!\w)"
    r"|(?<!\w)(?:error|errors|crash\w*|warning|bug|problem|issue)s?(?!\w)|^\W{0,8}(?:the "
    r"|our )?version is now|(?<!\w)(?:needed|necessary)(?!\w)",
)
"""Edits, appointments and repairs are no change of how things are."""
STUMBLED = Late(
    r"(?<!\w)i (?:just |have |'ve )?(?:found|saw|read|googled|stumbled|came across)|(?:maybe"
    r"|perhaps) it helps"
    r"|for inspiration|(?<!\w)(?:failing|failed|broken)(?!\w)",
)
UNDECIDED = Late(
    r"(?:decided|agreed|chose|chosen|settled)\s+(?:to|on|for)\s+(?:\w+day\s+(?:to\s+)?)?(?:postpone"
    r"|wait|stop|skip|leave|meet|take|talk|try"
    r"|do (?:it|that|this)|go (?:home|on)|that|it|this|them)(?!\w)|(?:nothing|not|never"
    r"|n't)\s+(?:\w+\s+){0,3}"
    r"(?:decided|agreed|chosen|settled)|(?<!\w)a break(?!\w)|sounds? (?:\w+ )?(?:good|best|fine|great"
    r"|right|ok)"
    r"|go ahead|(?:both|all|they|either)\s+\w*\s*(?:are|is) (?:fine|ok)",
)
"""Nothing was chosen, or only the next step."""
AGREES = Late(r"\W{0,8}(?:yes|yep|yeah|ok|okay|sure|please|fine|ja|sí|oui|sim|好|はい|네)(?!\w)")
