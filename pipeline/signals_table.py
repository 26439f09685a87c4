"""The forms of speech that `signals.py` looks for, by what they say; several languages in each.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

import re

from siltstone.pipeline.words import anyof


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(anyof(*phrases), re.I)


URL = re.compile(r"(?:https?|ftp|ssh)://[^\s<>\"'`，。；、）]{4,500}", re.I)
POINTS = _any(
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
LOOK_ONCE = _any(
    "(?:look_at|see|check|open|fetch|read|visit|curl|try|download|clone|follow|have_a_look_at"
    "|summari[sz]e|fix|review|debug|reproduce)_(?:\\w+_){0,3}(?=https?://)",
    "(?:pull|pulls|issues|merge_requests|commit|actions/runs)/\\d+; localhost; 127\\.0\\.0\\.1",
)
PLACE_ONCE = re.compile(
    r"/(?:pull|pulls|issues|merge_requests|commit|runs)/\w+|//(?:localhost|127\.|0\.0\.0\.0)", re.I
)
IDENTITY = _any(
    "i_work_(?:nights|part-time|mornings|evenings|remotely|weekends|alone|from_home); i'm_(?:in"
    "|from|based_in|living_in|at_home_in|located_in|on_(?!it|my_way|the_train))_?(?-i:[A-Z])\\w+"
    "; i_(?:live|work|sit)_(?:in|from|at|near|out_of|for)_(?:the_)?(?-i:[A-Z])\\w+",
    "i'm_(?:a|an|the_only|the_sole|the_lead|the)_(?:[\\w-]+_){0,4}(?:developer|engineer|designer"
    "|maintainer|student|scientist|researcher|teacher|analyst|admin\\w*|author|owner|lead|manager"
    "|physicist|biologist|consultant|freelancer|contractor|beginner|user|person|programmer"
    "|founder|librarian|doctor|statistician|musician|journalist)",
    "my_(?:name|shell|editor|terminal|os|laptop|machine|keyboard|time_?zone|locale|language"
    "|mother_tongue|native_language|first_language|pronouns|github|handle|username|email|e-mail"
    "|phone|screen|monitor|distro|window_manager|browser|hours|working_hours|locale|font|job|role"
    "|title)_(?:\\w+_){0,2}(?:is|are|isn't|aren't|runs); call_me_(?-i:[A-Z])",
    "i_(?:only_|always_|mostly_|usually_)?(?:use|run|work_on|work_with|type_on"
    "|am_on)_(?:[\\w.-]+,?_){1,8}?(?:on_(?:all|every|each|both|my)|as_my|everywhere"
    "|for_everything); i_(?:don't|do_not|can't|cannot)_(?:speak|read_(?!the|it|that)|see_(?:red"
    "|green|colou?rs)|use_a_mouse|hear)",
    "i'm_(?:colou?r[ -]?blind|left-handed|deaf|blind|dyslexic); i_speak_\\w+"
    "; i'm_on_(?:a_)?(?:mac|macos|windows|linux|arch|ubuntu|debian|fedora|nixos|wsl|freebsd|vim"
    "|emacs|neovim)",
    "ich_(?:wohne|lebe|arbeite|sitze)_(?:in|aus|bei|von)_\\w+; ich_bin_(?:in|aus|der_einzige"
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
    "; 私の(?:エディタ|シェル|タイムゾーン|名前)は; 저는_?.{1,30}(?:살고|살아|일하고|입니다"
    "|이에요|예요|사용합니다|써요); 제_(?:이름|에디터|셸|시간대)[은는]",
)
DECIDED = _any(
    "(?:we|i)(?:'ve|_have)?_(?:decided|chosen|chose|agreed|settled|opted|committed)(?:_\\w+)?"
    "; (?:we|i)'(?:ll|re|d)_(?:go(?:ing)?_with|use|using|keep|keeping|stick(?:ing)?_(?:with|to)"
    "|stay(?:ing)?_with|take|taking); (?:we|i)_(?:go|will_go|are_going|went)_with; (?:we"
    "|i)_(?:will_)?(?:stick_(?:with|to)|stay_with|keep)_; let's_(?:go_with|use|stick|keep|take"
    "|stay_with|do_it_with); go_with; the_decision_is; decision_?:; it's_decided; final_decision",
    "wir_(?:haben_uns_(?:\\w+_){0,6}entschieden|nehmen|bleiben_bei|entscheiden_uns)"
    "; entschieden_(?:haben_wir|ist); hemos_decidido; decidimos; vamos_con; nos_quedamos_con"
    "; on_a_décidé; nous_avons_décidé; on_part_sur; on_garde; decidimos; vamos_(?:usar|de|com)"
    "; abbiamo_deciso; usiamo; we_kiezen; решили; выбрали",
    "决定(?:用|采用|使用|是|了)?; 決定(?:用|採用|使用|是|了)?; 就用; 采用; 採用; 选用; 選用; 定了"
    "; 我们用; 我們用; 選了; 选了; 敲定; にします; にしよう; に決め; に決定; を採用; でいきます"
    "; でいこう; (?:로|으로)_?(?:하자|합시다|결정|가자|갑시다); 쓰기로; 하기로_?했",
)
BAN = _any(
    "(?<!has\\s)(?<!have\\s)(?<!is\\s)(?<!are\\s)(?<!had\\s)(?<!was\\s)(?<!with\\s)(?:no"
    "|zero)_(?!(?:need|use|good|point|help|idea|problem|worries|rush|matter|wonder|doubt|thanks"
    "|way|longer|one|more_than|hurry|luck|change|chance|clue"
    "|difference)(?!\\w))(?:more_)?(?:[\\w`'./()-]+,?_){1,5}?(?:please|at_all|in|outside|for|on"
    "|at|without|here|anywhere|ever|either|only|into|inside|from|to|with|under|between)",
    "never(?!_(?:mind|seen|had|been|worked|heard|happened|tried|used|done|got|noticed)); (?:^"
    "|[,.:!—–-]\\s|please_|so_|and_|but_)(?:please_)?(?:don't|do_not)_(?:ever_"
    "|you_ever_)?(?!(?:worry|know|see|think|understand|need|care|get|have|forget|panic|bother"
    "|mind|let|wait)(?!\\w))\\w+_\\w+; stop_\\w+ing; avoid_\\w+; hands_off; not_allowed"
    "; forbidden; off_limits; under_no_circumstances; i_don't_want; i_do_not_want; i_hate"
    "; i_don't_like; (?:nobody|no_one)_\\w+; ^\\W*no_(?!(?:problem|luck|idea|worries|need|rush"
    "|matter|doubt|thanks|way|chance|wonder|more"
    "|longer)(?!\\w))[\\w`.-]+(?:_[\\w`.-]+){0,2},_(?:the|we|it|they|our|i|users?|that)_\\w+",
    "no_\\w+ing; none_of_(?:my|our|the)",
    "nicht_(?:\\w+_){0,3}(?:verwenden|benutzen|anfassen|pushen|committen|ändern|nutzen|schreiben"
    "|mergen|machen); kein(?:e|en|er|em)?_\\w+; niemals; nie_\\w+; auf_keinen_fall; hör_auf"
    "; verboten; nunca_\\w+; jamás; no_(?:uses|toques|hagas|pongas|añadas|cambies|escribas"
    "|ejecutes|subas|borres|quiero); prohibido; deja_de; (?:^|[,.:]\\s)(?:ne_|n')\\w+_(?:jamais"
    "|pas); jamais_\\w+; interdit; arrête_de; pas_de_\\w+; plus_de_\\w+; nunca_\\w+; não_(?:use"
    "|toque|faça|coloque|adicione|altere|rode|quero); proibido; pare_de; mai_\\w+; non_(?:usare"
    "|toccare|fare|mettere|modificare|voglio); vietato; smetti_di; nooit_\\w+; geen_\\w+; никогда"
    "; нельзя; не_(?:надо|используй|трогай|пиши|добавляй|меняй|делай)",
    "不要; 别(?!的|人|忘|处)\\S; 別(?!的|人|忘)\\S; 不准; 不许; 不許; 禁止; 绝不; 絕不; 绝对不"
    "; 絕對不; 从不; 從不; 千万别; 不能; 不得; 不用(?!谢|謝|了); 勿; しないで; 使わないで; やめて"
    "; 禁止; してはいけ; しては(?:だめ|ダメ|ならない); 決して; 不可; 要りません; 지_?(?:마|말); 금지; 절대",
)
ALWAYS = _any(
    "always(?!_(?:the|a|an|this|that|at|on|in|there|been|was)(?!\\w)); in_(?:all|every|each"
    "|any)_(?:of_)?(?:my_|our_)*(?:repos?|repositories|projects?); every_(?:time_(?!i_|it_|we_)"
    "|commit|release|pr|change|new|test|file|deploy|build|merge|push|function|endpoint|query"
    "|table|page|component|module|branch|message); each_(?:commit|release|pr|new|change|test)"
    "; whenever; from_now_on; going_forward; in_(?:the_)?future; by_default; as_a_rule"
    "; without_exception; for_everything; for_all_\\w+; only_ever; (?:the_)?rule_(?:here_)?is"
    "; i_(?:\\w+_)?(?:prefer|insist|expect_(?:you|every|all|no)|like_(?:it_when|my|when|short"
    "|small)|want_(?:you_to_(?:always|never)|every|all|no)(?!\\w)); ^\\W*prefer_\\w+",
    "before_(?:every|each|any|you_(?:commit|push|release|merge|deploy))_?\\w*; only_(?:when|if"
    "|after|with|through|via|from|in|on)_\\w+; \\w+_only(?=\\s*(?:$|[,.;!]|please|in|for|here))"
    "; goes_through",
    "i_(?:said|told_you|asked|mentioned)_(?:\\w+_){0,3}(?:before|already|twice|again|last_time"
    "|that); as_i_said; how_(?:many|often)_(?:times|do_i); once_again; like_i_said"
    "; for_the_(?:second|third|last|nth|hundredth)_time",
    "immer; jedes_mal; jede[rsmn]?_(?:commit|release|pr|test)\\w*; grundsätzlich; generell"
    "; ab_sofort; ab_jetzt; künftig; nur_(?:noch_)?(?:mit|über|auf|per|in|von)_\\w+; ich_(?:will"
    "|möchte|bevorzuge|mag); siempre; cada_vez; a_partir_de_ahora; solo_(?:con|en|por|desde)_\\w+"
    "; prefiero; quiero_que; toujours; à_chaque_fois; chaque_(?:commit|fois|release|pr)"
    "; désormais; dorénavant; uniquement; je_(?:préfère|veux); sempre; toda_vez"
    "; de_agora_em_diante; prefiro; quero_que; só_(?:com|em|por)_\\w+; ogni_volta; preferisco"
    "; voglio_che; altijd; elke_keer; voortaan; всегда; каждый_раз; только_\\w+",
    "总是; 總是; 每次; 每个; 每個; 一律; 务必; 務必; 永远; 永遠; 统一; 統一"
    "; 以后.{0,20}[都请要一]; 以後.{0,20}[都請要一]; 今后; 默认用; 只用; 只能用; 我喜欢; 我喜歡"
    "; 我希望; 我更喜欢; 我偏好; 必ず; 常に; 毎回; 毎週; 毎月; 毎日; 每周; 每週; 每月; 매주; 매월"
    "; 매일; いつも; 今後; これから(?:は|も); だけを?使; てほしい; 好き; 항상; 매번; 반드시"
    "; 앞으로; 만_?(?:써|사용|합니다|해|하); 좋아해; 선호",
)
MUST = _any(
    "must(?:n't)?; ha(?:s|ve)_to; need(?:s)?_to_(?:be|stay|work|run|keep|support|remain|fit|have"
    "|go|come|match); cannot; can't_(?:be|use|have|run|reach|change|upgrade|exceed|go); can_not"
    "; may_not; shall; (?:is|are)_not_allowed; only_(?:accepts?|allows?|supports?|reads?|knows?"
    "|works?|takes?|has|have|runs?); won't_(?:change|upgrade|accept|work|run|be|allow|support"
    "|move|go); will_not_(?:change|upgrade|accept|work|run|be|allow|support|move); (?:no"
    "|at)_(?:more|less|least|most)_than?; at_(?:most|least)_\\d; max(?:imum)?_(?:of_)?\\d"
    "; min(?:imum)?_(?:of_)?\\d; up_to_\\d; (?:has|have)_no_(?:\\w+_){1,4}at_all; no_later_than"
    "; by_law; required_by; obliged; requires?_\\w+; mandatory; limit(?:ed)?_(?:is|to|of)",
    "muss; müssen; darf_(?:nicht|nur|kein\\w*); dürfen; höchstens; mindestens; maximal"
    "; hat_kein\\w*; debe[n]?; tiene[n]?_que; no_puede[n]?; hay_que; como_máximo; al_menos"
    "; obligatorio; doit; doivent; ne_peut_pas; au_plus; au_moins; obligatoire; il_faut; deve[m]?"
    "; tem_que; não_pode[m]?; no_máximo; obrigatório; devono; non_può; al_massimo; obbligatorio"
    "; moet; moeten; mag_niet; maximaal; должен; должна; должны; не_может; максимум; минимум",
    "所有.{1,15}(?:是|为|為|用|都|以); 必须; 必須; 需要(?!你|我)\\S; 不能; 只能; 只允许; 只允許"
    "; 只接受; 只支持; 不支持; 最多; 最少; 至少; 不超过; 不超過; 上限; 下限; 限制; 没有; 沒有"
    "; 要求; 得用; なければなら; ないといけ; べき; しか; 以内; まで; 必要が; できない; できません"
    "; 上限; 해야; 이어야; 만_?(?:지원|가능|받); 최대; 최소; 없습니다; 할_?수_?없",
)
IS = _any(
    "is; are; can_(?:only_)?be; isn't; aren't; uses?; runs?_(?:on|at|under|in|every|with|from"
    "|behind|as); lives?_(?:in|on|at|under); belongs?_to; (?:is|are)_(?:kept|stored|hosted"
    "|written|built|called|named|deployed|served|cached|generated|owned|limited|deleted|sent"
    "|counted|billed|encrypted|signed|shipped|released|maintained); stays?; starts?_(?:at|from"
    "|with|on); ends?_(?:at|on|with|after|in); costs?; goes_(?:to|through|out|via|next_to|in|into"
    "|under|before|after); go_(?:to|through|out|via|next_to|in|into|under|before|after)"
    "; comes?_from; expires?; speaks?; talks?_to; supports?; accepts?; reads?; writes?; cuts?"
    "; allows?; sends?; takes?; measures?; needs?; means; counts?; has; have; works?_(?:on|with"
    "|without|from); we_(?:use|run|host|deploy|ship|release|keep|store|write|build|have|target"
    "|support|call|log|bill|charge|pay)",
    "ist; sind; läuft; laufen; nutzt; nutzen; liegt; gehört; heißt; bleibt; bleiben; kostet"
    "; wird_(?:gehostet|gespeichert|deployed|gelöscht); wir_(?:nutzen|verwenden|hosten|deployen"
    "|haben); es; son; está; están; usa; usamos; corre; cuesta; se_(?:guarda|aloja|despliega"
    "|llama|guardan); tenemos; est; sont; utilise; utilisons; tourne; coûte; appartient"
    "; on_utilise; é; são; roda; fica; custa; è; sono; gira; costa; is; zijn; draait; gebruikt"
    "; использует; используем; работает_на",
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
    r"|[A-Z][\w.-]+|[a-z][\w-]* (?:[a-z][\w-]* ){0,3}(?:is|are|uses?|runs?|lives?|goes|go|comes?"
    r"|stays?|starts?|ends?|costs?|expires?|takes?|needs?|belongs?|has|have|means|counts?|reads?"
    r"|writes?|sends?|works?)(?!\w)|.{0,12}[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af])",
)
FAULT = _any(
    "fail(?:s|ed|ing|ure)?; typos?; glitch; broken; (?:returns?|shows?|prints?|displays?|gives?"
    "|outputs?|renders?)_(?:\\w+_){0,5}instead_of; overlaps?; hidden; blank; 404; 500; breaks?"
    "; error; errors; bug; bugs; flaky; crash(?:es|ed|ing)?; wrong; off_by; missing; stalls?"
    "; stuck; hangs?; slow; red; regress\\w*; leak(?:s|ed|ing)?; complains?; throws?; timed_out"
    "; does_not_work; doesn't_work; not_working; weird; strange; conflict; duplicates?_\\w+_again"
    "; out_of_memory; full; down; empty; green; passes; passing; odd; ugly; why; todo; again",
    "(?:läuft|laufen|geht|gehen|klappt|funktioniert|funktionieren|startet)_(?:\\w+_)?nicht"
    "; ne_(?:marche|fonctionne)_pas; no_funcionan?; não_funciona; non_funziona; werkt_niet"
    "; не_работает; fehler; kaputt; falsch; langsam; hängt; schlägt_fehl; fallo; falla; roto"
    "; lento; erreur; cassé; lent; quebrado; erro; rotto; errore; kapot; fout; ошибка; сломан\\w*"
    "; падает; 报错; 報錯; 失败; 失敗; 错误; 錯誤; 坏了; 壞了; 不对; 不對; 慢; エラー; 失敗; 壊れ"
    "; 遅い; バグ; 오류; 실패; 에러; 느려; 버그",
)
PAST = _any(
    "was; were; did; had; got; went; came; saw; found; tried; ran; wrote; asked; told; noticed"
    "; i_(?:\\w+ed); just; already; finally; earlier; the_other_day; war; waren; hatte; fue; era"
    "; estaba; était; avait; foi; estava; был; была; 刚; 剛; 了$; でした; ました; 였습니다; 했습니다"
)
YOU = re.compile(
    r"(?<!\w)(?:you|your|yourself|du|dir|deine?|tu|te|vous|votre|tú|usted|você|jij|ты|вы)(?!\w)"
    r"|[你您]|あなた",
    re.I,
)
USE = _any(
    "use; it_is; it's; call; run; name; write; spell; say; make_it; should_be; nimm; nutze"
    "; verwende; benutz\\w*; es_ist; usa; utiliza; es; utilise; c'est; use; usa; è; gebruik"
    "; используй; 用; 改用; 应该是; 應該是; 是; を使; です; 써; 사용"
)
CONTRAST = _any(
    "not; never; instead; instead_of; rather_than; but_not; no_longer; sondern; nicht; statt"
    "; anstatt; nie; no; en_lugar_de; en_vez_de; sino; nunca; pas; jamais; au_lieu_de; plutôt_que"
    "; não; em_vez_de; non; invece_di; mai; niet; geen; in_plaats_van; не; а_не; вместо",
    "不是; 不要; 不用; 而不是; 别用; 別用; 不; ではなく; じゃなく; 使わない; 말고; 아니라; 대신",
)
WRONG = re.compile(
    r"^[\s\W]*(?:no(?! longer| more)|nope|nah|wrong|stop|argh|wait|careful|not (?:like )?(?:that"
    r"|this)|nein|falsch|halt|non|faux|não|errado|nee|нет|不|不对|不對|错了|錯了|不是|いや|いいえ"
    r"|違(?:う|い)|아니|그게 아니)(?!\w)",
    re.I,
)
MINDFUL = _any(
    "mind_that; note_that; be_aware_that; keep_in_mind; you_should_know; for_your_information"
    "; fyi; by_the_way; btw; beachte; übrigens; ojo; por_cierto; au_fait; à_noter; a_propósito"
    "; a_proposito; trouwens; кстати; 注意; 顺便; 順便; 对了; 對了; ちなみに; なお; 참고로; 그런데"
)


COMPLAINT = _any(
    "(?:no_need|needn't|don't_need|doesn't_need|not_necessary); fix_(?:this|that|it"
    "|them)(?:_please)?(?=\\s*(?:$|[.,!])); but_(?:i|it|we|they)_(?:only_|still_|just_)?(?:see"
    "|get|got|have|shows?); should_(?:be|have|say|show|look|go)",
)
THIS_ONE = re.compile(
    r"(?:don't|do not|stop|never|nicht|不要|别|別)\W+(?:\w+\W+){0,2}(?:this|that|it|them|these"
    r"|those|here|anything(?: else)?|das|dies)\s*(?:$|[.,;!]|please|now)|(?:再|先|现在)",
    re.I,
)
"""A ban on the thing at hand, not on a kind of thing."""
HERE = _any(
    "we; this_repo(?:sitory)?; this_project; in_here; wir; nosotros; nous; on; nós; noi",
    "我们; 我們; この; うちは; 우리",
)
WHENEVER = _any(
    "when(?:ever)?_(?:i|you|we)_(?!(?:get|have|find|are|can)(?!\\w))\\w+; wenn_(?:ich|du|wir)",
    "cuando; quand; quando; 的时候; 的時候; ときは; 할_?때",
)
LANGUAGE = _any(
    "in_(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|mandarin"
    "|japanese|korean|turkish|swedish|danish|norwegian|finnish|czech|greek|arabic|hindi"
    "|british_english|american_english); auf_(?:deutsch|englisch|französisch); en_(?:español"
    "|inglés|français|anglais|francés); 用(?:中文|英文|英语|日语|繁體中文); 日本語で; 英語で"
    "; 한국어로; 영어로"
)
TOOL_FOR = re.compile(
    r"(?<!\w)(?:use|run|call|nimm|usa|utilise|usar|用)\s+(?:only\s+)?`[^`\n]{2,80}`\s+(?:for|when"
    r"|to|instead|in|on|für|para|pour)(?!\s+(?:this|that|now|it|me)\b)",
    re.I,
)
REPORTED = re.compile(
    r"(?<!\bi\s)(?<!\bwe\s)(?<!\bI\s)\b(?:says?|said|wrote|writes|tells|told (?:me|us)|suggests?"
    r"|suggested|claims?|claimed|recommends?|recommended|thinks|meinte|sagt|sagte|schreibt|dice"
    r"|dijo|dit)\b(?! (?:it )?before)",
    re.I,
)
CONVENTION = re.compile(
    r"(?:for \w+(?: \w+)?,? )?(?:we|wir|on|nous|nosotros)\s+(?:always |never |only |all )?(?:use"
    r"|keep|store|write|call|indent|ship|deploy|release|test|name|format|version|cut|tag|log|bill"
    r"|charge|pay|count|round|sell|measure|sort|pin|squash|sign|encrypt|archive|back up|prefix"
    r"|print|host|build|follow|target|support|spell|nutzen|verwenden|schreiben|nennen|utilisons"
    r"|usamos|utilise|garde)(?!\w)",
    re.I,
)
TO_AGENT = re.compile(rf"(?<!\w)(?:i|please|bitte)(?!\w)|{YOU.pattern}", re.I)
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
SECRETIVE = re.compile(
    r"\[REDACTED\]|(?<!\w)(?:basic[ -]auth|password|passwd|passwort|pwd|pw|pass(?:phrase|code)"
    r"|login|log ?in with|credentials?|zugangsdaten|token|api[ -]?key|secret|user(?:name)?"
    r"|contraseña|clave|mot de passe|senha|wachtwoord|пароль|pin)(?:\s+(?:is|ist|es|est|é|for)"
    r"|\s*[:=/])|密码|密碼|口令|パスワード|비밀번호",
    re.I,
)
REQUEST_END = re.compile(r"(?:ください|下さい|てほしい|て欲しい|써줘|해줘|주세요|써|하자)[\s.。!！]*$")
"""Japanese and Korean ask at the end of the sentence."""
DESCRIBES = re.compile(
    r"(?<!\w)(?:it|that|this|which|he|she|(?:the|my) [\w-]+(?: [\w-]+)?)(?:'s| is| are"
    r"| was)? (?:always|never)(?!\w)|^\W*(?:always|never) (?:the|a|an|seen|had|been)(?!\w)"
    r"|every time (?:i|it|we)(?!\w)",
    re.I,
)
"""What always happens is a report; what is always to be done is a rule."""
GUESSES = re.compile(
    r"(?<!\w)(?:must|has to|have to) (?:have|be (?:something|some|the reason|the cause|a bug"
    r"|an? error|wrong))(?!\w)|(?<!\w)there must(?!\w)",
    re.I,
)
PRONOUN_FIRST = re.compile(
    r"\W*(?:it|that|this|there|these|those|they|he|she|das|dies|es|esto|eso|ça|cela|isso|isto"
    r"|questo|dat|это|这个?|那个?|これ|それ|이거|그거)(?!\w)",
    re.I,
)
DEFINITE = re.compile(
    r"(?:don't|do not)\s+(?:ever\s+|you ever\s+)?\w+\s+(?:the|this|that|these|those|it|them|my"
    r"|your|any of|him|her)"
    r"(?!\w)",
    re.I,
)
"""A ban on one definite thing is a request, unless it is named or a reason is given."""
OURS_TO_DO = re.compile(
    r"(?<!\w)(?:we|i|you|wir|ich|tenemos|nous)(?:'ll|'ve)? (?:still |also |really |just )?(?:must"
    r"|have to|need to|müssen|muss)(?!\w)",
    re.I,
)
AT_HAND = re.compile(
    r"\W*(?:the|this|that|your|my|der|die|das|el|la|le) (?:[\w-]+ ){0,2}?(?:pr|ticket|issue|task"
    r"|diff|branch|commit|function|method|class|tests?|query|line|page|button|form|modal|header"
    r"|footer|sidebar|image|field|list|column|loop|component|dialog|screen|output|response"
    r"|process|container|variable|title|label|text|icon|import|file|patch|script|menu|link|rows?"
    r"|error|warning)(?!\w)",
    re.I,
)
"""Things of the moment: that they are so or so is no fact about the project."""
STRONG_DECISION = re.compile(
    r"(?<!\w)(?:we(?:'re| are) going with|we(?:'ve| have)? (?:decided|chosen|settled|agreed)"
    r"|let's go with|we(?:'ll| will) go with|it's decided|decision:|wir haben uns|hemos decidido"
    r"|decidimos|决定|決定|に決め)"
    r"(?!\W+(?:(?:the )?(?:first|second|third|last|other|latter|former)|that|it|this|option)(?!\w))",
    re.I,
)
REPEATED = re.compile(r"(?:how (?:often|many times)|i (?:said|told you)|as i said|again)[^:]{0,40}:\s+", re.I)
LABELLED = re.compile(r"[:：]\s*(?:https?|ftp|ssh)://")
DECLARED_CONTRAST = re.compile(
    r",\s+(?:and )?(?:not|never|nicht|nie|no|pas|não|non|niet|а не)\s|，(?:不是|而不是|不)"
)
MY_DOING = re.compile(r"[\s\W]*(?:i|ich|yo|je|eu|io|я)\s+(?:just\s+)?\w+ed(?!\w)", re.I)
COMMA = re.compile(r",\s|，")
LEAD = re.compile(
    r"^[\s\W]*(?:(?:and|so|but|also|by the way|btw|ok|yes|right|note that|mind that|und|übrigens"
    r"|y|et|e)[\s,:]+){0,3}",
    re.I,
)
CONVENTION_IN = re.compile(
    r"(?:(?<!\w)(?:we|wir|on|nous|nosotros)\s+\w+|(?<!\w)(?:in this repo|in this project"
    r"|here)(?!\w)|我们|我們|うちでは|우리는)",
    re.I,
)
NOW_LAST = re.compile(r"\s+now\W*$", re.I)
WHEN_FIRST = re.compile(
    r"\W*(?:when(?:ever)?|if) you (?!(?:get|have|find|are|can|want|like|wonder|need)(?!\w))\w+", re.I
)
SCOPED = re.compile(r"(?<!\w)in this (?:code ?base|repo(?:sitory)?|project|house|team|company)(?!\w)", re.I)
