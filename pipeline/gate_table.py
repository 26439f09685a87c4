"""The patterns of the gate's rules (docs/seeds.md A10–A12 and "Source"); linear, bounded."""

import re

from siltstone.pipeline.words import anyof


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(anyof(*phrases), re.I)


_UNIT = (
    r"(?:waves?|phases?|milestones?|stages?|steps?|sprints?|parts?|tasks?|plans?|prs?"
    r"|pull_requests?|iterations?"
    r"|stor(?:y|ies)|tickets?|epics?|items?|rounds?|slices?|阶段|階段|里程碑|フェーズ|단계)"
)
_NUMBERED = rf"{_UNIT}_?#?\d[\d,\s–-]{{0,12}}(?:(?:and|&|to)_\d+)?"
_OVER = (
    r"(?:completed?|done|finished|implemented|merged|shipped|closed|landed|deferred|passed"
    r"|ready(?!_for_use)"
    r"|started|underway)"
)

PROGRESS = _any(
    rf"{_NUMBERED}(?:_[\w'-]+){{0,6}}?_{_OVER}",
    rf"(?:completed?|finished|done_with|wrapped_up|implemented|merged|shipped)_(?:the_)?{_NUMBERED}",
    r"\d+_(?:\w+_){0,2}(?:tests?|suites?|specs?|checks|cases|assertions)_(?:are_|all_|now_"
    r"|have_)*(?:pass(?:ed|ing|es)?|fail(?:ed|ing|s)?|green|ok|red)",
    r"(?:previous|last|this|current)_session_(?!is_|must|should|state)",
    r"next_steps?_(?:is|are|will_be|remain)",
    r"(?:synced|uploaded|copied|downloaded|transferred|processed|migrated|changed|moved|deleted"
    r"|created|modified|updated|wrote|generated)"
    r"_(?:a_total_of_|about_|all_)?\d+_(?:\w+_){0,2}(?:files?|records?|rows?|entries|items"
    r"|documents|pages|images)",
    rf"{_UNIT}_?\d[\d,\s–-]{{0,12}}(?:已|都|全部|均)?(?:完成|结束|結束|做完|搞定)",
    r"(?:已经?|已經|全部|都)(?:完成|实现|實現|实作|實作|做完|修复|修復|合并|合併|上线|上線|通过"
    r"|通過); 完成了; 上次会话; 上次會話; 下一步(?:是|要|：|:)"
    r"; (?:同步|上传|上傳|复制|複製|拷贝|拷貝|下载|下載)了?[：:]?\s*\d+\s*[个個份]"
    r"; \d+\s*[个個项項]?(?:测试|測試|用例).{0,6}(?:通过|通過|失败|失敗)",
    r"(?:完了|対応|実装|修正|テスト)(?:しました|済み|した$); 次のステップは; (?:완료|구현"
    r"|수정)(?:했|됨|되었); 다음_?단계는",
)
RESULT = _any(
    r"all_(?:\w+_)?(?:tests|checks|suites|specs)_(?:are_|now_|have_)*(?:pass(?:ed|ing)?|green|ok"
    r"|succeed(?:ed)?)",
    r"(?:was|were|is|are|has_been|have_been)_(?:now_|all_|successfully_|fully_)*(?:completed"
    r"|finished|implemented)(?:_successfully)?",
    r"completed_successfully; successfully_(?:completed|implemented|merged|deployed|installed"
    r"|migrated|rolled)",
    r"currently_(?:running|working|debugging|implementing|testing|investigating|fixing|reviewing"
    r"|waiting|on_|at_|in_the_middle)",
    r"(?:ready|about)_to_(?:start|begin|merge|continue)",
)
NORMATIVE = _any(
    "must; should; shall; only_(?:when|if|after); when(?:ever)?; until; unless; before_(?:a|an"
    "|any|each|every|the|you|it|merging|committing|releasing)"
    "; require[sd]?; needs?_to; has_to; have_to; if; policy; rule",
    "必须; 必須; 应该; 應該; 才能; 之前; 需要; べき; まで; 해야",
)
ERROR_START = re.compile(
    r"\s*(?:\[\w+\]\s*)?(?:(?:[A-Z]\w{0,60})?(?:Error|Exception|Warning)(?:\[\w+\])?\s*[:(]"
    r"|Traceback|panic:|thread '.{1,60}' panicked|fatal:"
    r"|(?:npm|yarn|pnpm) ERR|ERR!|ERR_\w+|error(?:\[\w+\]|\s+TS\d{4})?\s*:|error TS\d|TS\d{4}\s*:"
    r"|Uncaught |Unhandled |Segmentation fault|E\s{2,}\w"
    r"|Caused by:|\w+: command not found|Command failed)",
)
ERROR_INSIDE = re.compile(
    r"(?<!\w)(?:(?:Type|Reference|Syntax|Range|Value|Key|Attribute|Import|ModuleNotFound|Runtime"
    r"|Assertion|Index|Name|OS|IO|EOF)Error"
    r"|[A-Z]\w{2,40}Exception|TS\d{4}|npm ERR!|ENOENT|ECONNREFUSED|EACCES)\s*:\s"
)
EXPLAINS = _any(
    "because; caused_by; comes_from; means; fix(?:ed)?_(?:by|with|it|is); solved_by; happens_when"
    "; occurs_when; if; when; due_to; to_fix; solution; work_around"
    "; root_cause; must; need[s]?; install; set; 因为; 因為; 原因; 需要; 解决; 解決; 原因は; ため; 때문",
)
FRAME = re.compile(
    r"(?:^|\s)at [\w.$<>/@ ]{1,120} ?\([^()\n]{1,300}:\d{1,7}(?::\d{1,7})?\)|^at \S+:\d+"
    r"|File \"[^\"\n]{1,300}\", line \d|^\s*#\d+ 0x|"
    r"(?:^|\s)at [\w.$]+\([\w.]+\.(?:java|kt|scala):\d+\)"
)
COMMIT_PREFIX = re.compile(
    r"(?:[0-9a-f]{7,40} )?(?:fix|feat|chore|docs|refactor|test|tests|perf|build|ci|style|revert"
    r"|wip|hotfix|bump|release)"
    r"(?:\([^()\n]{1,40}\))?!?: (?!https?:|[/.~])[a-z`\w]"
)
CI_RESULT = _any(
    r"(?:ci|build|pipeline|workflow|job|action|check)s?(?:_run)?(?:_#?\d+)?_(?:is_|are_|was_|has_"
    r"|just_|now_|run_)*(?:passed|failed|succeeded|green|red|successful|broken)",
    r"(?:run|build|job|pipeline)_(?:id_|number_)?#?\d{3,}; pr_#?\d+_(?:is|was|has_been)_(?:merged"
    r"|open|closed|approved); (?:on|at|as|in)_commit_[0-9a-f]{7,40}",
    r"(?:构建|構建|流水线|流水線)(?:已)?(?:通过|通過|失败|失敗)",
)
HEX = re.compile(r"[0-9a-f]{7,40}")
PINNED = _any(
    "pin(?:ned|s)?; locked_(?:to|at); stays?_(?:at|on); submodule; checksum; sha256; colou?r; id_is; uuid"
)
STATUS = re.compile(
    r"^\s*(?:\[ \]|(?:todo|wip|pending|in progress|work in progress|blocked|paused|on hold|status"
    r"|current status|current state|now)\s*[:：—–-]"
    r"|now (?:running|working|fixing|debugging|implementing|waiting|testing|building|deploying)"
    r"|(?:todo|wip)(?!\w)|pending (?!\w+ (?:is|are|remain|must|should|go))"
    r"|待办|待辦|进行中|進行中|作業中|진행 ?중)|"
    + anyof(
        "before_continuing; (?:is|are|still|currently)_(?:in_progress|pending|wip|on_hold"
        "|under_way|underway); right_now; for_the_moment; at_the_moment; for_now; still_to_do"
        "; waiting_for_(?:review|approval|ci|feedback|the); work_in_progress; 正在进行; 正在進行"
        "; 暂时先; 暫時先; 目前正在; 進行中です; 진행_?중"
    ),
    re.I,
)  # fmt: skip
TOUCHED = re.compile(
    r"\s*(?:(?:i|we|the assistant|the agent|just|recently|currently|have|has|was"
    r"|is)\s+){0,3}(?:modified|modifying|edited|editing|created|updated|updating|changed|touched"
    r"|opened|viewed|viewing"
    r"|reading|wrote|deleted|renamed|refactored|working on"
    r"|looking at)\s+(?:the\s+)?(?:files?\s+)?`?(?:[\w@.~-]{0,80}/)*[\w@.-]{1,80}\.[a-z][a-z0-9]{0,6}`?(?!\w)"
    r"|\s*(?:active|open|changed|modified|recent|touched)[ _]files?\s*[:：]",
    re.I,
)
CODE = re.compile(
    r"(?:(?:export|public|private|protected|async|static|pub|abstract|override"
    r"|default)\s+){0,4}(?:(?:function|def|fn|func|sub)\s+[\w$.]{1,80}\s*[(<\[]"
    r"|(?:class|interface|struct|enum|trait|impl|namespace)\s+[\w$<>:]{1,80}[^.!?]{0,80}[{:(]\s*$"
    r"|(?:const|let|var|val|type)\s+[\w$]{1,80}[^=]{0,60}=|import\s+.{1,120}from\s+['\"]"
    r"|from\s+[\w.]{1,80}\s+import\s"
    r"|#include|@\w+\(|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\s.{1,200}\s(?:FROM|INTO"
    r"|SET|TABLE|WHERE)\s)"
    r"|[\w$.]{1,80}\([^()\n]{0,200}\)\s*(?::\s*[\w<>\[\]|.]+\s*$|->|=>|\{)"
    r"|[\w$.\[\]'\"]{1,80}\s*(?:=|\+=|:=)\s*[\w$.]{1,80}\([^\n]{0,200}\)\s*;?$"
    r"|\s*[{\[(<].{0,400}[}\])>];?\s*$|.{1,200}[;{]\s*$"
)
OPEN = re.compile(
    r"^\s*(?:todo|tbd|open question|question|open issue|unresolved|undecided|to decide"
    r"|to be decided|should (?:we|i)|whether (?:to|we)|decide (?:if|whether)|need to (?:decide"
    r"|figure out|find out))(?!\w)"
    r"|(?<!\w)(?:(?:not|n't) (?:yet )?(?:been )?decided|still (?:undecided|open|unclear"
    r"|to be decided)|remains? (?:open|unclear|to be (?:seen|decided))|to be determined|tbd"
    r"|need to decide)(?!\w)"
    r"|待决定|待決定|待定|尚未决定|尚未決定|要不要|是否要|还没决定|還沒決定|未定|要検討|미정",
    re.I,
)
BUG = _any(
    "still_(?:failing|fails|broken|red|crashing|crashes|hanging|reproducible); (?:tests?|build|ci"
    "|suite|it|this|that|which)_(?:is|are)_(?:still_|now_|currently_)?(?:failing|broken|red|crashing)"
    "; temporary_(?:workaround|fix|hack|patch); work-?around_(?:for_now|until); keeps?_(?:failing"
    "|crashing); not_(?:yet_)?(?:fixed|resolved|working)_yet; (?:not|n't)_(?:been_)?(?:fixed"
    "|resolved)_yet; yet_to_be_fixed; currently_(?:broken|failing)"
    "; (?:had|has|have|with)_(?:a_|an_|some_)?(?:flaky|failing|broken|intermittent)",
    "待修; 待修复; 待修復; 尚未修; 还没修; 還沒修; 暂时绕过; 暫時繞過; 暫時; 暂时; 临时方案"
    "; 臨時方案; 仍然失败; 仍然失敗; 还在报错; 還在報錯; まだ(?:直って|失敗|動か); 未修正"
    "; 暫定対応; 아직_?(?:실패|고쳐지지|수정되지); 임시_?(?:방편|해결)",
)
FLAKY = _any(
    "flaky; intermittent(?:ly)?; fails_sometimes; fails_randomly; (?:is|are)_(?:broken|failing); debugging",
)
DEPLOYED = re.compile(
    r"(?<!\w)(?:rev|revision|build|deploy|deployment|release|dpl|run"
    r"|artifact)[-_](?=[A-Za-z0-9]{0,40}\d)[A-Za-z0-9]{8,40}(?!\w)"
    + "|"
    + anyof(
        "(?:latest|current|currently|newest|last|most_recent)_(?:\\w+_){0,3}(?:deployed"
        "|deployment|revision|release|build|rollout|image|rev)(?:_\\w+){0,3}_?(?:is|was|:|=)_?`?[\\w.-]*\\d"
        "; (?:deployed|released|rolled_out|published|pushed|shipped)_(?:to_\\w+_)?(?:successfully"
        "|just_now|today|yesterday|at_\\d); successfully_(?:deployed|released|rolled_out|published)"
        "; (?:deployment|rollout|release)_(?:succeeded|completed|finished|was_successful|is_live)"
        "; 最新部署; 当前部署版本; 當前部署版本; 已部署; デプロイ済み; 배포_?완료"
    ),
    re.I,
)  # fmt: skip
INJECTION = re.compile(
    r"(?<!\w)(?:ignore|disregard|forget|override|overwrite|bypass|discard|violate)\s+(?:(?:all"
    r"|any|every|the|your|my|of|these|those|its|previous|prior|above|earlier|existing|current"
    r"|system|security|safety|preceding|other)\s+){1,5}"
    r"(?:instructions?|prompts?|rules?|messages?|directives?|guidelines?|guardrails?|policies"
    r"|policy|constraints?|context|checks?|permissions?)(?!\w)"
    r"|(?:ignore|override|overwrite|reveal|print|leak|disregard)\s+(?:the\s+"
    r"|your\s+)?system\s*(?:prompt|rules?|message|instructions?)"
    r"|(?:delete|remove|wipe|erase|destroy|format)\s+(?:the\s+|all\s+|your\s+)*(?:root|home"
    r"|entire|whole|filesystem|file system|hard ?drive|disk|everything|all files"
    r"|repository)(?:\s+(?:directory|folder|dir|files?|system|drive|repo|repository))?(?!\w)"
    r"|rm\s+-\w*r\w*f?\w*\s+(?:/|~|\*)|you are now (?:a|an|in|the)\s|do anything now|jailbreak"
    r"|developer mode|follow (?:this|these|my) (?:memory|memories|instructions?)(?: instead| only)?"
    r"|(?:new|updated|real) (?:system )?instructions?\s*:|<\|?/?(?:im_start|im_end|system|inst)\b"
    r"|\[/?inst\]|exfiltrat\w+|(?:curl|wget)\s[^|\n]{1,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh(?!\w)"
    r"|(?:send|post|upload|forward)\s+(?:all\s+|the\s+|your\s+|any\s+)*(?:secrets?|credentials?"
    r"|tokens?|api keys?|passwords?|env(?:ironment)? variables?)\s+to|without (?:asking|telling"
    r"|informing) the user|do not (?:tell|inform|mention\s+\w+ to) the user"
    r"|(?:忽略|无视|無視|忘记|忘記|覆盖|覆蓋|绕过|繞過)(?:掉)?(?:之前|以前|以上|先前|所有|全部"
    r"|系统|系統|上面|安全)(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|指示|规则|規則|提示|限制|命令"
    r"|设定|設定)"
    r"|(?:以前|これまで|上記|すべて|全て)の?(?:すべての|全ての)?(?:指示|命令|ルール)を(?:無視"
    r"|忘れ)|(?:이전|위의?|모든)\s?(?:모든\s?)?(?:지시|명령|규칙)\S{0,3}\s?무시",
    re.I,
)  # fmt: skip
_ACTS = (
    "reviewed|updated|implemented|completed|fixed|added|discussed|asked|ran|created|checked"
    "|tested|investigated|refactored|finished|analy[sz]ed|explored|read|looked|wrote"
    "|debugged|verified|committed|pushed|merged|cleaned|removed|renamed|explained|summari[sz]ed"
    "|planned|started|continued|worked|applied|confirmed|reported|mentioned|requested"
)
REPORT = re.compile(
    rf"^\s*(?:(?:the|this|that|our|last|previous)\s+)?(?:(?:assistant|agent|session|user|team"
    rf"|reviewer|model|we|i|it|he|she|they|conversation|meeting)\s+(?:has\s+|have\s+|had\s+"
    rf"|just\s+|then\s+|already\s+)*)?(?:{_ACTS})(?!\w)"
    r"|(?:讨论了|討論了|检查了|檢查了|更新了|实现了|實現了|修复了|修復了|添加了|新增了|审查了"
    r"|審查了|を確認した|を更新した|を実装した|を修正した|을 확인했|를 수정했)",
    re.I,
)
PREFERS = _any(
    "prefer[s]?; preferred; preference; wants?; likes?; dislikes?; hates?; expects?; insists?"
    "; requires?; always; never; avoid; use[sd]?; keep; no; not; n't; don't; do_not; only; rather_than"
    "; instead; please; should; must; needs?; without; stop; favou?rs?; would_rather"
    "; in_(?:english|chinese|german|french|spanish|japanese|korean|traditional|british|american)",
    "偏好; 喜欢; 喜歡; 希望; 想要; 要求; 不要; 不用; 别; 別; 应; 應; 必须; 必須; 要; 需; 使用; 用"
    "; 避免; 统一; 統一; 只; 请; 請; 总是; 總是; 从不; 從不; 禁止; 優先; 优先; 好む; ほしい"
    "; 欲しい; 使う; 使わない; べき; しない; ください"
    "; 원한다; 선호; 말고; 대신; 써$; 사용; 해야"
    "; 하지_?마; 말_?것; 싫어; bevorzug\\w*; statt; nimm; nutze; verwende"
    "; ohne; usa; en_lugar_de; en_vez_de; sin; utilise; pas; sans"
    "; au_lieu_de; não; sem; em_vez_de; non; invece_di; senza; gebruik; niet; geen; не; вместо; nicht"
    "; kein\\w*; immer"
    "; nie; prefiere; siempre; nunca; préfère; toujours; jamais",
)
STATES = _any(
    "is; are; isn't; aren't; stays?; goes; go; belongs?; ends?; begins?; starts?; follows?; each"
    "; every; all; any; comes?; gets?; means; works?; runs?; has; have; before; after; with; in; for",
    "[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{4}",
)
DECIDES = _any(
    "decided; chose; chosen; adopted; agreed; switched; moved; rejected; ruled_out; picked"
    "; settled_on; went_with; instead_of; rather_than; because; so_that; from_now_on; must"
    "; should; shall; will; policy",
    "决定; 決定; 采用; 採用; 选择; 選擇; 改用; 应; 應; 必须; 必須; 因为; 因為; にする; ことにした"
    "; 採用; 결정; 채택; 하기로",
)
