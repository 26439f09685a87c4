"""The patterns of the gate's rules (docs/seeds.md A10–A12 and "Source"); linear, bounded."""

import re

from siltstone.pipeline.words import anyof

_UNIT = (
    r"(?:waves?|phases?|milestones?|stages?|steps?|sprints?|parts?|tasks?|plans?|prs?"
    r"|pull_requests?|iterations?"
    r"|stor(?:y|ies)|tickets?|epics?|items?|rounds?|slices?|fases?|étapes?|etapas?|meilenstein|阶段|階段|里程碑"
    r"|フェーズ|단계)"
)
_NUMBERED = (
    rf"{_UNIT}_?(?:#?\d[\d,\s–-]{{0,12}}(?:(?:and|&|to|through)_\d+)?"
    r"|_(?:one|two|three|four|five|six|seven|eight|nine|ten))"
)
_OVER = (
    r"(?:completed?|done|finished|implemented|merged|shipped|closed|landed|deferred|passed|wrapped_up"
    r"|ready(?!_for_use)"
    r"|started|underway|abgeschlossen|fertig|erledigt|terminée?|achevée?|completad[ao]|terminad[ao]"
    r"|concluíd[ao]|completat[ao])"
)

PROGRESS = anyof(
    rf"{_NUMBERED}(?:_[\w'-]+){{0,6}}?_{_OVER}",
    rf"(?:completed?|finished|done_with|wrapped_up|implemented|merged|shipped)_(?:the_)?{_NUMBERED}",
    r"\d+_(?:\w+_){0,2}(?:tests?|suites?|specs?|checks|cases|assertions)_(?:are_|all_|now_"
    r"|have_)*(?:pass(?:ed|ing|es)?|fail(?:ed|ing|s)?|green|ok|red)",
    r"\d+_(?:tests_)?(?:passed|passing|failed|failing|skipped)(?=\s*(?:$|[,.;/)]|(?:and|in)_\d))"
    r"; \d+_(?:passing|failing|passed|failed|green)_(?:tests|specs|suites|checks|cases)"
    r"; (?:zero|no)_(?:test_)?(?:failures|errors)_(?:in|after)_the_(?:last|latest)_\w+"
    r"; \d+/\d+_(?:\w+_)?(?:green|pass(?:ed|ing)?|ok|done|complete)",
    r"(?:in|during|as_of)_(?:the_|this_|our_)?(?:previous|last|prior|earlier|current)_session,?_(?:we|i|the"
    r"|it)(?!_is); in_this_session"
    r"; (?:previous|last|prior|earlier)_session_(?:was|had|left|we|i|fixed|\w+ed(?!_by))",
    r"next_steps?_(?:is|are|will_be|remain); next_(?:steps?|up)(?=\s*[:：])"
    r"; remaining_(?:tasks?|work|steps?|items?|todos?)(?=_(?:is|are|include)|\s*[:：])"
    r"; after_(?:this|the_latest|the_last|the_current)_(?:change|fix|implementation|refactor\w*|commit"
    r"|update|patch|run)",
    r"(?:sync(?:ed|hroni[sz]ed)|uploaded|copied|downloaded|transferred|processed|migrated|changed|moved"
    r"|deleted|created|modified|updated|wrote|generated|fixed|resolved|closed|added|removed)"
    r"_(?:a_total_of_|about_|all_)?\d+_(?:\w+_){0,2}(?:files?|records?|rows?|entries|items"
    r"|documents|pages|images|tests|bugs|issues|modules|tables)"
    r"; sync(?:ed)?[:：]_?\d+_\w+",
    r"^\W*(?:(?:we|i)_(?:have_|just_)*)?(?:completed|finished|wrapped_up)_(?:the|all|our|work|\w+ing)_\w+",
    rf"{_UNIT}_?\d[\d,\s–-]{{0,12}}(?:已|都|全部|均)?(?:完成|结束|結束|做完|搞定)",
    r"(?:已经?|已經|全部|都)(?:完成|实现|實現|实作|實作|做完|修复|修復|合并|合併|上线|上線|通过"
    r"|通過); (?<![须須要])(?:所有|全部)的?\S{0,4}(?:测试|測試|用例)\S{0,4}(?:通过|通過)"
    r"(?!\S{0,3}(?:后|後|才|之|再|时|時)); 完成了"
    r"; (?:同步|迁移|遷移|上传|上傳|备份|備份)完成; 上次会话; 上次會話"
    r"; 下一步(?:是|要|：|:)"
    r"; \d+\s*[个個项項]?(?:测试|測試|用例).{0,6}(?:通过|通過|失败|失敗)"
    r"; \d+\s*[个個项項]?(?:通过|通過|失败|失敗)(?=\s*(?:$|[,，。;；、]))"
    r"; \d+\s*件.{0,4}(?:成功|パス|通過|失敗)"
    r"; \d+_?개.{0,4}(?:통과|성공|실패)",
    r"(?:完了|対応|実装|修正|テスト)(?:しました|済み|した(?=[。\s]*$)); 次のステップは; (?:완료|구현"
    r"|수정)(?:했|됨|되었); 다음_?단계는",
)
RESULT = anyof(
    r"all_(?:\w+_)?(?:tests|checks|suites|specs)_(?:are_|now_|have_)*(?:pass(?:ed|ing)?|green|ok"
    r"|succeed(?:ed)?)",
    r"(?:was|were|has_been|have_been)_(?:now_|all_|successfully_|fully_)*(?:completed|finished"
    r"|implemented); (?:is|are)_(?:now_|all_|successfully_|fully_)*(?:completed|finished|implemented)"
    r"(?!_(?:in|by|with|as|via|on|using|through|when|if|once))"
    r"; (?:is|are)_(?:now_|all_|fully_)*(?:complete|done)(?=\s*(?:$|[,.;]|and_)); completed(?=\W*$)",
    r"all_(?:\w+_){1,3}(?:were|have_been|are_now)_(?:addressed|resolved|fixed|done|merged|closed|applied)"
    r"; ^\W*(?:the_)?(?:build|lint|type-?check|tests?|suite|ci)_(?:now_)?pass(?:es|ed)?(?=_(?:and|with)"
    r"|\W*$)",
    r"pass(?:es|ed)_with_\d+_\w+; implemented_successfully; completed_successfully"
    r"; successfully_(?:completed|implemented|merged|deployed|installed"
    r"|migrated|rolled)",
    r"currently_(?!using|being|missing|existing|outstanding|remaining|supporting)\w+ing"
    r"; currently_(?:on|at|in_the_middle)",
    r"(?:ready|about)_to_(?:start|begin|merge|continue)",
    r"(?:同步|上传|上傳|复制|複製|拷贝|拷貝|下载|下載)了?[：:]?\s*\d+\s*[个個份]"
    r"; (?:测试|測試)(?:已经?|已經)?(?:全部|都)(?:通过|通過)"
    r"; テスト(?:は|が)?(?:すべて|全て|全部)(?:通|パス|成功); 테스트(?:가|는)?_?(?:모두|전부)_?통과",
)
NORMATIVE = anyof(
    "must; should; shall; only_(?:when|if|after); when(?:ever)?; until; unless; before_(?:a|an"
    "|any|each|every|the|you|it|merging|committing|releasing)"
    "; require[sd]?; needs?_to; has_to; have_to; if; policy; rule",
    "必须; 必須; 应该; 應該; 才; 之前; 之后; 之後; 后再; 後再; 需要; 最多; 不超过; 不超過; 每次; 一次"
    "; 上限; べき; まで; たら; から; 해야; 후에; 때",
)
ERROR_START = re.compile(
    r"\s*(?:\[\w+\]\s*)?(?:(?:[\w.]{1,60}\.)?(?:(?:[A-Z]\w{0,60})?(?:Error|Exception|Rejection)"
    r"|[A-Z]\w{1,60}Warning)"
    r"(?:\s?\[\w+\])?\s*[:(]|Traceback|panic:|thread '.{1,60}' panicked|fatal:|(?:FATAL|ERROR|CRITICAL)\s*:"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S{0,16}\s+\[?(?:ERROR|FATAL|WARN|CRITICAL)"
    r"|\[(?:ERROR|FATAL|CRITICAL|WARN)\]|goroutine \d+ \[|make(?:\[\d+\])?: \*\*\*|npm error(?!\w)"
    r"|[EFP][A-Z]{4,12}: |(?:[\w./-]{1,40}: ){1,3}(?:command not found|No such file|Permission denied)"
    r"|(?:npm|yarn|pnpm) ERR|ERR!|ERR_\w+|error(?:\[\w+\]|\s+TS\d{4})?\s*:|error TS\d|TS\d{4}\s*:"
    r"|Uncaught |Unhandled |Segmentation fault|E\s{2,}\w"
    r"|Caused by:|Command failed|(?:\w+ ){1,3}exited with (?:exit )?(?:code|status) [1-9])",
)
ERROR_INSIDE = re.compile(
    r"(?<!\w)(?:(?:Type|Reference|Syntax|Range|Value|Key|Attribute|Import|ModuleNotFound|Runtime"
    r"|Assertion|Index|Name|OS|IO|EOF)Error"
    r"|[A-Z]\w{2,40}Exception|TS\d{4}|npm ERR!|ENOENT|ECONNREFUSED|EACCES)\s*:\s"
)
EXPLAINS = anyof(
    "because; caused_by; comes_from; means; fix(?:ed)?_(?:by|with|it|is); solved_by; happens_when"
    "; occurs_when; if; when; due_to; to_fix; solution; work_around"
    "; root_cause; must; need[s]?; install; set; 因为; 因為; 原因; 需要; 解决; 解決; 原因は; ため; 때문",
)
FRAME = re.compile(
    r"(?:^|\s)at [\w.$<>/@ ]{1,120} ?\((?:[^()\n]{1,300}:\d{1,7}(?::\d{1,7})?|index \d+|<anonymous>"
    r"|native)\)|^at \S+:\d+"
    r"|File \"[^\"\n]{1,300}\", line \d|^\s*#\d+ 0x|"
    r"(?:^|\s)at [\w.$]+\([\w.]+\.(?:java|kt|scala):\d+\)"
)
COMMIT_PREFIX = re.compile(
    r"(?:[0-9a-f]{7,40} )?(?:fix|feat|chore|docs|refactor|test|tests|perf|build|ci|style|revert"
    r"|wip|hotfix|bump|release)"
    r"(?:\([^()\n]{1,40}\))?!?: (?!https?:|[/.~])[a-z`\w]"
    r"|Merge (?:(?:remote-tracking )?branch '|pull request #\d)|Revert \""
)
CI_RESULT = anyof(
    r"(?:ci|build|pipeline|workflow|job|action|check)s?(?:_run)?(?:_#?\d+)?_(?:is_|are_|was_|has_"
    r"|just_|now_|run_)*(?:passed|failed|succeeded|green|red|successful|broken)",
    r"(?:run|build|job|pipeline)_(?:id_|number_)?#?\d{3,}; pr_#?\d+_(?:is|was|has_been)_(?:merged"
    r"|open|closed|approved); (?:on|at|as|in)_commit_[0-9a-f]{7,40}",
    r"(?:构建|構建|流水线|流水線)(?:已)?(?:通过|通過|失败|失敗)",
)
HEX = re.compile(r"[0-9a-f]{7,40}")
PINNED = anyof(
    "pin(?:ned|s)?; locked_(?:to|at); stays?_(?:at|on); submodule; checksum; sha256; colou?r; id_is; uuid"
)
STATUS = (
    r"^\s*(?:\[ \]|(?:todo|wip|pending|in progress|work in progress|blocked|paused|on hold|status"
    r"|current status|current state|now|next)\s*[:：—–-]"
    r"|(?:paused|blocked|on hold) (?:until|by|on|while)(?!\w)|now (?:running|working|fixing|debugging"
    r"|implementing|waiting|testing|building|deploying)"
    r"|(?:todo|wip)(?!\w)|pending (?:on |an? |the )?(?:\w+ )?(?:review|approval|merge|ci|decision"
    r"|confirmation"
    r"|feedback|fix|input|work|tasks?|items?|migration|release|deploy\w*|implementation|verification"
    r"|tests?)"
    r"(?!\w)(?! (?:is|are|remains?|must|should|live|go|gets?|stays?|has|have)(?!\w))"
    r"|待办|待辦|进行中|進行中|作業中|진행 ?중)|"
    + anyof(
        "before_continuing; (?:is|are|still|currently)_(?:in_progress|pending|wip|on_hold"
        "|under_way|underway); right_now; for_the_moment; at_the_moment; for_now; still_to_do"
        "; waiting_for_(?:review|approval|ci|feedback|the); work_in_progress"
        "; 暂时先; 暫時先"
        "; (?:目前|现在|現在)正在"
        "; 正在(?:进行|進行|调试|調試|除錯|实现|實作|修复|修復|处理|處理|开发|開發|重构"
        "|重構|迁移|遷移|测试|測試|等待)"
        "; (?:進行|作業|対応|調査|実装)中です; (?:実装|修正|調査|移行)しています"
        "; 진행_?중"
    )
)  # fmt: skip
TOUCHED = (
    r"\s*(?:(?:i|we|the assistant|the agent|just|recently|currently|have|has|was"
    r"|is)\s+){0,3}(?:modified|modifying|edited|editing|created|updated|updating|changed|touched"
    r"|opened|viewed|viewing"
    r"|reading|wrote|deleted|renamed|refactored|working on"
    r"|looking at)\s+(?:the\s+)?(?:files?\s+)?`?(?:[\w@.~-]{0,80}/)*[\w@.-]{1,80}\.[a-z][a-z0-9]{0,6}`?(?!\w)"
    r"|\s*(?:active|open|changed|modified|recent|touched)[ _]files?\s*[:：]"
    r"|\s*`?(?:[\w@.~-]{0,80}/)*[\w@.-]{1,80}\.[a-z][a-z0-9]{0,6}`?\s+(?:was|were|has been"
    r"|have been)\s+(?:just\s+)?"
    r"(?:modified|edited|changed|updated|created|touched|opened|renamed|refactored)(?! by(?!\w))(?!\w)"
    r"|\s*(?:修改|编辑|編輯|更新|新增|创建|建立|删除|刪除|打开|打開|查看)了\s*`?[\w@.~/-]{1,200}\.[a-z]"
)
CODE = re.compile(
    r"(?:(?:export|public|private|protected|async|static|pub|abstract|override|final|declare"
    r"|default)\s+){0,4}(?:(?:function|def|fn|func|sub)\s+(?:\([^()\n]{1,80}\)\s*)?[\w$.]{1,80}\s*[(<\[]"
    r"|(?:class|interface|struct|enum|trait|impl|namespace)\s+[\w$<>:]{1,80}[^.!?{]{0,80}(?:[{:(]\s*$"
    r"|\{.{1,300}\}\s*;?$)"
    r"|(?:const|let|var|val|type)\s+[\w$]{1,80}[^=]{0,60}=|import\s+.{1,120}from\s+['\"]"
    r"|from\s+[\w.]{1,80}\s+import\s"
    r"|CREATE\s+(?:TABLE|INDEX|VIEW)\s.{1,80}\(|(?:if|for|while|switch|catch)\s*\(.{1,200}\)\s*\{"
    r"|#include|@\w+\(|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\s.{1,200}\s(?:FROM|INTO"
    r"|SET|TABLE|WHERE)\s)"
    r"|(?:(?:export|public|private|protected|static|final|async|abstract|virtual"
    r"|override)\s+){0,4}(?:[\w<>\[\],]{1,60}\s+)?"
    r"[\w$.]{1,80}\([^()\n]{0,200}\)\s*(?::\s*[\w<>\[\]|., ]+\s*$|->|=>|\{)"
    r"|(?:(?:public|private|protected|static|final|abstract"
    r"|virtual)\s+){1,4}(?:[\w<>\[\],]{1,60}\s+){0,2}[\w$]{1,80}\s*\([^()\n]{0,200}\)"
    r"|[\w$.\[\]'\"]{1,80}\s*(?:=|\+=|:=)\s*[\w$.]{1,80}\([^\n]{0,200}\)\s*;?$"
    r"|\s*[{\[(<].{0,400}[}\])>];?\s*$|.{1,200}[;{]\s*$"
)
OPEN = (
    r"^\s*(?:todo|tbd|open question|question|open issue|unresolved|undecided|to decide"
    r"|to be decided|not sure (?:if|whether|how|which)|do we (?:want|need)|should (?:we|i)|whether (?:to"
    r"|we)|decide (?:if|whether)|need to (?:decide"
    r"|figure out|find out))(?!\w)"
    r"|(?<!\w)(?:(?:not|n't) (?:yet )?(?:been )?decided|still (?:undecided|open|unclear"
    r"|to be decided)|remains? (?:open|unclear|to be (?:seen|decided))|to be determined|tbd"
    r"|needs? to (?:decide|figure out|find out|be decided)|(?:it's|is) unclear (?:if|whether|how|which"
    r"|why)|(?:is|are|remains) an open (?:question|issue))(?!\w)"
    r"|待决定|待決定|待定|尚未决定|尚未決定|要不要|是否要|还没决定|還沒決定|未定|要検討|미정"
)
BUG = anyof(
    "still_(?:failing|fails?|broken|red|crashing|crashes|hanging|reproducible); (?:tests?|build|ci"
    "|suite|it|this|that|which)_(?:is|are)_(?:still_|now_|currently_)?(?:failing|broken|red|crashing)"
    "; temporary_(?:workaround|fix|hack|patch); work-?around_(?:for_now|until); keeps?_(?:failing"
    "|crashing); not_(?:yet_)?(?:fixed|resolved|working)_yet; (?:not|n't)_(?:been_)?(?:fixed"
    "|resolved)_yet; yet_to_be_fixed; still_an?_(?:bug|issue|problem"
    "|error); needs_(?:a_)?fix(?:ing)?(?=\\W*$); still_unknown"
    "; cause_(?:is_)?unknown; currently_(?:broken|failing|occupied|blocked|down|stuck|unavailable"
    "|unreachable|offline)"
    "; ^\\W*(?:currently_|still_)?(?:investigating|debugging|troubleshooting|diagnosing|chasing"
    "|looking_into)"
    "_(?:an?|the|this|that|why|how|some|our|(?:\\w+_){1,3}(?:failures?|errors?|issues?|leaks?|bugs?"
    "|crash\\w*))"
    "; (?:is|are|am|been|still|we're)_debugging"
    "; (?:had|has|have|with)_(?:a_|an_|some_)?(?:flaky|failing|broken|intermittent)",
    "待修; 待修复; 待修復; 尚未修; 还没修; 還沒修; 暂时绕过; 暫時繞過; 暫時; 暂时; 临时方案"
    "; 臨時方案; 仍然失败; 仍然失敗; 还在报错; 還在報錯; まだ(?:直って|失敗|動か); 未修正"
    "; 暫定対応; 아직_?(?:실패|고쳐지지|수정되지); 임시_?(?:방편|해결)",
)
FLAKY = anyof(
    "flaky; intermittent(?:ly)?; fails_sometimes; fails_randomly; (?:is|are)_(?:broken|failing)",
)
DEPLOYED = (
    r"(?<!\w)(?:rev|revision|build|deploy|deployment|release|dpl|run"
    r"|artifact)[-_](?=[A-Za-z0-9]{0,40}\d)[A-Za-z0-9]{8,40}(?!\w)"
    r"|(?<!\w)(?:revision|deployment|build id|release id)\s*(?:is|was|:|="
    r"|#)?\s*`?(?=[\w.-]{0,60}\d)[a-z][\w.]{0,40}-[\w.-]{1,60}"
    + "|"
    + anyof(
        "(?:latest|current|currently|newest|last|most_recent)_(?:\\w+_){0,3}(?:deploy(?:ed)?"
        "|deployment|revision|release|build|rollout|image|rev)(?:_\\w+){0,3}_?(?:is|was|:|=)_?`?[\\w.-]*\\d[\\w.-]*"
        "; (?:deployed|released|rolled_out|published|pushed|shipped)_(?:to_\\w+_)?(?:successfully"
        "|just_now|today|yesterday|at_\\d); successfully_(?:deployed|released|rolled_out|published)"
        "; ^\\W*(?:we_)?(?:deployed|released|published|shipped|rolled_out)_(?:version_|release_"
        "|build_)?v?\\d"
        "; v?\\d+\\.\\d[\\w.-]{0,40}_(?:is|was|has_been)_(?:now_)?(?:live|deployed|published|released"
        "|rolled_out)"
        "; (?:deployment|rollout|release)_(?:succeeded|completed|finished|was_successful|is_live)"
        "; 最新部署; 当前部署版本; 當前部署版本; 已部署; デプロイ済み; 배포_?완료"
    )
)  # fmt: skip
_ACTS = (
    "reviewed|updated|implemented|completed|fixed|added|discussed|asked|ran|created|checked"
    "|tested|investigated|refactored|finished|analy[sz]ed|explored|read|looked|wrote"
    "|debugged|verified|committed|pushed|merged|cleaned|removed|renamed|explained|summari[sz]ed"
    "|planned|started|continued|worked|applied|confirmed|reported|mentioned|requested|found|noticed"
    "|approved|raised|suggested|received|provided|resolved|addressed"
)
REPORT = (
    rf"^\s*(?:(?:the|this|that|our|last|previous)\s+)?(?:(?:(?:code|qa|sub|main)[\s-]?)?(?:assistant|agent"
    rf"|session|user|team|reviewer|model|we|i|it|he|she|they|conversation|meeting)\s+(?:has\s+|have\s+"
    rf"|had\s+"
    rf"|just\s+|then\s+|already\s+)*)?(?:{_ACTS})(?!\w)"
    rf"|^\s*(?:[\w-]+\s+){{1,4}}(?:was|were|has been|have been)\s+(?:{_ACTS})(?:\s+(?:by|and)(?!\w)|\W*$)"
    r"|^\s*(?:[\w-]+\s+){1,4}(?:bug|issue|problem|error)s?\s+(?:was\s+|is\s+)?(?:resolved|fixed"
    r"|solved)(?!\w)"
    r"|(?:讨论了|討論了|检查了|檢查了|更新了|实现了|實現了|修复了|修復了|添加了|新增了|审查了"
    r"|審查了|を確認した|を更新した|を実装した|を修正した|을 확인했|를 수정했)"
)
PREFERS = anyof(
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
STATES = anyof(
    "is; are; isn't; aren't; stays?; goes; go; belongs?; ends?; begins?; starts?; follows?; each"
    "; every; all; any; comes?; gets?; means; works?; runs?; has; have; before; after; with; in; for",
    "[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{4}",
)
DECIDES = anyof(
    "decided; chose; chosen; adopted; agreed; switched; moved; rejected; ruled_out; picked"
    "; settled_on; went_with; instead_of; rather_than; in_favou?r_of; because; so_that; from_now_on; must"
    "; should; shall; will; policy",
    "决定; 決定; 采用; 採用; 选择; 選擇; 改用; 应; 應; 必须; 必須; 因为; 因為; にする; ことにした"
    "; 採用; 결정; 채택; 하기로",
)

STANDING = anyof(
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
"""A word of standing: what is said holds beyond one request."""
ORDERS = (
    r"^\s*(?:(?:please|pls|also|and|then|now|just|first)\s+)*(?:"
    r"add|adjust|amend|answer|reply|respond|explain|analy[sz]e|apply|bring|build|bump|call|"
    r"change|check|clean|clone|close|commit|compare|compile|continue|convert|copy|create|cut|"
    r"debug|delete|deploy|describe|do|document|download|draft|drop|edit|enable|explain|extend|"
    r"extract|figure|fill|find|finish|fix|follow|format|generate|get|give|go|grep|"
    r"have a look|help|hold on|implement|improve|inline|inspect|install|investigate|join|kill|"
    r"leave|let me|let's|list|log|look|make|measure|merge|migrate|move|open|optimi[sz]e|"
    r"patch|pick|play|port|prepare|print|proceed|profile|propose|publish|pull|push|put|read|"
    r"rebase|rebuild|redo|regenerate|reindex|redeploy|retrain|re-?record|recreate|reload|"
    r"refactor|reformat|release|remove|rename|replace|report|reproduce|rerun|resolve|restart|"
    r"restore|retry|revert|review|rewrite|roll|run|save|scan|search|see|send|set|ship|show|"
    r"simplify|skip|sort|split|squash|start|stash|stop|submit|summari[sz]e|swap|switch|tag|"
    r"take|tell|test|tidy|track|translate|trim|try|turn|undo|uninstall|update|upgrade|upload|"
    r"use|verify|wait|walk|watch|wire|work|wrap|write"
    r")(?!\w)"
)
"""Begins a sentence that demands something."""
