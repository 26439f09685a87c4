"""The forms that announce somebody else's text in a typed message, and those that end it; several languages.

Linear, bounded patterns; they are tried on the last `MAX_LEAD` characters of a line.
"""

from siltstone.pipeline.words import Late, Parts
from siltstone.store.late import IGNORECASE, MULTILINE, LatePattern

_WORDS = r"(?:\s+[^\s:：]{1,40}){0,%d}"
_TEXT = (
    r"(?:e-?mails?|mails?|messages?|articles?|tickets?|issues?|(?:web ?)?pages?|logs?|readme(?:\.\w+)?"
    r"|reviews?"
    r"|e?specs?|specifications?|comments?|threads?|posts?|blog posts?|letters?|transcripts?|chats?"
    r"|conversations?"
    r"|(?:press )?releases?|newsletters?|announcements?|memos?|texts?|documents?|docs?|documentation"
    r"|paragraphs?"
    r"|excerpts?|quotes?|minutes|reports?|feedback|answers?|replies|reply|responses?|tutorials?|policy"
    r"|polic(?:y|ies)"
    r"|changelog|release notes|description|faq|prs?|pull requests?|slack)"
)
_TEXTS = (
    "mail,messag,article,ticket,issue,page,log,readme,review,spec,comment,thread,post,letter,transcript,chat"
    ",conversation,release,announcement,memo,text,doc,paragraph,excerpt,quote,minutes,report,feedback,answer"
    ",replie,reply,response,tutorial,polic,description,faq,pr,pull request,slack"
)
_SHOWN = (
    r"(?:this|these|that|here(?:'s| is| are)|below|above|got|get|received|found|pasted|copied|forwarded"
    r"|attached|quoting|according to|from|came|sent|see|look at)"
)
_WRITING = (
    r"(?:summari[sz]e|tl;?dr|translate|proof-?read|rephrase|paraphrase|reword|polish"
    r"|(?:make|write|give me) an? (?:short )?(?:summary|translation) of)"
)
_EDITING = (
    r"(?:review|explain|correct|rewrite|shorten|improve|edit|check|read|analy[sz]e|look at|reply to|answer)"
)
_WRITES = "summar,tl;dr,tldr,translat,proof,rephrase,paraphrase,reword,polish"
_WRITES_ZH = "翻译,翻譯,总结,總結,润色,潤色,校对,校對"
_WRITES_JA = "訳して,翻訳,要約,まとめて,添削,校正"
_WRITES_KO = "번역,요약,교정,정리"
"""A word of each, as `Parts` wants them."""
_OPENS = (
    r"(?:^|[.,;!?—–-]\s*|(?<!\w)(?:please|pls|kindly|can you|could you|would you|will you|you|help me"
    r"|help me to"
    r"|and|now|just|then|to|me)\s+)"
)

TASK = Parts(
    (_WRITES, rf"{_OPENS}{_WRITING}(?!\w){_WORDS % 12}\s*[:：]"),
    (
        "review,explain,correct,rewrite,shorten,improve,edit,check,read,analy,look at,reply to,answer",
        rf"{_OPENS}{_EDITING}\s+(?:\w+\s+){{0,3}}?(?:this|these|the following|following|below|it"
        rf"|{_TEXT})(?!\w)"
        rf"{_WORDS % 10}\s*[:：]",
    ),
    (
        "übersetz,fass,korrigier,lektorier",
        r"(?:übersetze?|fass|fasse|korrigiere?|lektoriere)(?!\w)[^:]{0,80}:",
    ),
    (
        "résume,resum,tradu,corrige,riassumi",
        r"(?:résume|resume|traduis|traduisez|corrige|resumen?|traduce|traduza|resuma|traduci"
        r"|riassumi)(?!\w)[^:]{0,80}:",
    ),
    (
        f"{_WRITES_ZH},概括,归纳,歸納,摘要,改写,改寫",
        r"(?:翻译|翻譯|总结|總結|概括|归纳|歸納|摘要|润色|潤色|校对|校對|改写|改寫)[^：:。]{0,30}[：:]",
    ),
    (_WRITES_JA, r"(?:訳して|翻訳|要約|まとめて|添削|校正)[^：:。]{0,20}[：:]"),
    (_WRITES_KO, r"(?:번역|요약|교정|정리)[^：:.]{0,20}[：:]"),
)
"""Work on a text: what stands behind its colon is that text, on the same line too."""
TASK_OF_OWN = Late(
    r"(?<!\w)(?:when(?:ever)?|if|before|after|never|always|don't|do not) (?:\w+ )?$"
    r"|(?:^|[,.;!?]\s*)(?:when(?:ever)?|if|before|after|every time|each time)\s[^,]{0,200}$",
)
"""… but "when you translate strings:" announces a rule."""
UNPOINTED = Parts(
    (
        f"{_WRITES},review,correct,rewrite,reply to",
        rf"(?:{_WRITING}|review|correct|rewrite|reply to)\s+(?:\w+\s+){{0,3}}?(?:the following|(?:this"
        rf"|the) text below|this"
        r" (?:e-?mail|mail|message|article|letter|text|post|blog post|thread|document|paragraph"
        r"|newsletter))(?!\w)"
        r"[^:.!?\n]{0,80}[.!?]?$",
    ),
    (
        _WRITES,
        rf"{_WRITING} (?:this|the|that) (?:\w+ )?(?:issue|ticket|bug report|page|log|readme|chat|transcript"
        rf"|diff|pr|pull request"
        r"|comment|docs?)(?!\w)[^:.!?\n]{0,80}[.!?]?$",
    ),
    (
        "what do you,answer,reply to,respond to",
        r"(?:what do you (?:make of|think (?:of|about))|how (?:should|do|can) (?:i|we) (?:answer|reply to"
        r"|respond to)) (?:this"
        rf"|that|the following|the) (?:\w+ )?{_TEXT}(?!\w)[^:.!?\n]{{0,80}}[.!?]?$",
    ),
    (
        f"{_WRITES_ZH},概括",
        r"(?:翻译|翻譯|总结|總結|概括|润色|潤色|校对|校對)(?:一下)?(?:下面|以下|这篇|這篇|这封|這封"
        r"|这段|這段)[^：:]{0,20}$",
    ),
    (
        _WRITES_JA,
        r"(?:次の|以下の|この|下の)(?:メール|記事|文章|テキスト|文|手紙).{0,10}(?:訳して|翻訳|要約"
        r"|まとめて|添削|校正).{0,12}$",
    ),
    (
        _WRITES_KO,
        r"(?:다음|아래|이)\s?(?:메일|이메일|기사|글|문서|메시지|편지).{0,8}(?:번역|요약|교정|정리).{0,12}$",
    ),
    (
        "übersetz,fass,korrigier",
        r"(?:übersetze?|fass|fasse|korrigiere?) (?:bitte )?(?:die|den|das) folgenden?[^:.\n]{0,60}[.!]?$",
    ),
)
"""The same without a colon, before an empty line."""
SAYS = Parts(
    (
        "wrote,write,says,said,replie,answered,posted,commented,state,reads,mailed,messaged,forwarded,sent,told"
        ",tells,came in,just in,schrieb,schreibt,sagt,mein,antwortete,schickte,escribió,dijo,dice,écrit,dit"
        ",disse,scrisse,schreef,написал,сказал",
        r"(?<!\w)(?:wrote|writes|says|said|replie[sd]|answered|posted|commented|states|stated|reads|mailed"
        r"|e-?mailed"
        r"|messaged|forwarded|sent me|sent us|told me|told us|tells me|tells us|came in|just in"
        r"|schrieb|schreibt|sagt|sagte|meint|meinte|antwortete|schickte|escribió|dijo|dice|écrit|dit|disse"
        r"|scrisse"
        rf"|schreef|написал|сказал)(?!\w){_WORDS % 5}\s*:$",
    ),
    (
        "写,寫,说,說,回复,回覆,来信,來信,发来,發來,发给我,發給我",
        r"(?:写道|寫道|说道|說道|说|說|写的|寫的|写了|寫了|回复|回覆|来信|來信|发来|發來|发给我|發給我)"
        r"(?!明)[^：:。，]{0,10}[：:]$",
    ),
    (
        "書い,言っ,言い,返信,から",
        r"(?:書いて|書い|言って|言い|返信|からメール|からのメール|から連絡|からの連絡"
        r"|からメッセージ)[^：:。]{0,16}[：:]$",
    ),
    (
        "말했,썼,보냈,보내왔,답했,보낸,이렇게,라고",
        r"(?:말했|썼|보냈|보내왔|답했|보낸|이렇게|라고)[^：:.]{0,12}[：:]$",
    ),
)
SPEAKER_OWN = Late(
    r"(?<!\w)(?:i|we|i've|we've|ich|wir|yo|je|eu|io|я|as|like|it)(?:\s+(?:\w+ly|have|had|just|already"
    r"|also|always|did"
    r"|habe|never))*\s*$|[我咱](?:们|們)?(?:刚|剛|才|已|经|經|之前|上次|再)*$|(?:私|僕"
    r"|俺)(?:たち)?[はが]\S{0,8}$"
    r"|(?:내가|제가|저는|나는)\s?\S{0,8}$",
)
"""The user quotes nobody else."""
SHOWS = Parts(
    (
        _TEXTS,
        rf"(?<!\w)following\s+(?:\w+\s+){{0,2}}?{_TEXT}(?!\w){_WORDS % 10}\s*:$"
        rf"|(?<!\w){_SHOWN}(?!\w)(?:\s+[^\s:：]{{1,40}}){{0,6}}?\s+"
        rf"(?:[\w.'’-]{{1,30}}\s+){{0,2}}?{_TEXT}(?!\w){_WORDS % 10}\s*:$"
        r"|^\W{0,4}(?:the\s+)?(?:e-?mail|mail|message|article|ticket|issue|letter|(?:blog |forum )?post"
        r"|thread|comment"
        r"|transcript|readme(?:\.\w+)?|newsletter|press release|slack thread|slack message)"
        r"(?:\s+#?\d+)?(?:\s+(?:from|by|of|text|body|on|in|says)(?!\w)[^:]{0,60})?\s*:$",
    ),
    (
        "from,via,is what",
        r"^\W{0,4}(?:from|via)\s+[^:]{1,60}:$|(?:this|here) is what [^:]{3,80}:$",
    ),
    (
        "diese,folgende,hier ist,hier sind,hier die,hier der,hier das,bekam,bekommen,erhalten,gefunden,von",
        r"(?<!\w)(?:diese[rsn]?|folgende[rsnm]?|hier (?:ist|sind|die|der|das)|bekam|bekommen|erhalten"
        r"|gefunden|von)(?!\w)"
        r"[^:]{0,40}(?:mail|nachricht|artikel|ticket|seite|text|brief|kommentar|beitrag|log|readme|meldung"
        r"|ankündigung)"
        r"\w{0,3}(?!\w)[^:]{0,60}:$",
    ),
    (
        "mail,courriel,correo,mensaje,messag,article,artículo,text,página,page,ticket,articolo",
        r"(?<!\w)(?:ce|cet|cette|este|esta|questo|questa|reçu|recibí|recebi"
        r"|ricevuto)(?!\w)[^:]{0,30}(?:e?-?mail|courriel"
        r"|correo|mensaje|message|article|artículo|texte|texto|página|page|ticket|articolo"
        r"|messaggio)(?!\w)[^:]{0,60}:$",
    ),
    (
        "收到,看到,下面,以下,这,這,那,此,贴,貼,转发,轉發,来自,來自,邮件,郵件,来信,來信,消息,訊息,公告,原文,正文",
        r"(?:收到|看到|下面|以下|这|這|那|此|贴|貼|转发|轉發|来自|來自)[^：:。，]{0,14}(?:邮件|郵件"
        r"|文章|工单|工單|消息|訊息|留言"
        r"|评论|評論|日志|日誌|网页|網頁|页面|頁面|帖子|文档|文檔|通知|公告|信|聊天记录|聊天記錄|文字"
        r"|文本|新闻|新聞|issue"
        r"|ticket|readme|review|pr)[^：:。]{0,14}[：:]$"
        r"|(?:邮件|郵件|来信|來信|消息|訊息|公告|原文|正文)(?:如下|内容|內容|原文)?[：:]$",
    ),
    (
        "次の,以下の,下記の,この,こんな,その,届いた,もらった,からの",
        r"(?:次の|以下の|下記の|この|こんな|その|届いた|もらった|からの)[^：:。]{0,12}(?:メール|記事"
        r"|チケット|メッセージ|文章"
        r"|テキスト|ログ|ページ|コメント|投稿|文書|手紙|レビュー|お知らせ|issue|readme)[^：:。]{0,14}[：:]$",
    ),
    (
        "다음,이,아래,받은,온,그",
        r"(?:다음|이|아래|이런|받은|온|그)\s?[^：:.]{0,12}(?:메일|이메일|기사|글|티켓|이슈|메시지|문서"
        r"|로그|페이지|댓글|리뷰"
        r"|편지|공지|readme)[^：:.]{0,14}[：:]$",
    ),
)
SHORT_LEAD = LatePattern(r"\W{0,4}(?:\w+\W+){0,4}$")
"""A last sentence so short ("Look:") is read with the one before it."""
OWN_LIST = Late(
    r"(?<!\w)(?:rules?|conventions?|preferences?|guidelines?|requirements?|standards?|habits|decisions?"
    r"|constraints?"
    r"|things|points|regeln?|konventionen|vorgaben|reglas|règles|regras|regole)(?!\w)"
    r"|规则|規則|规范|規範|约定|約定|要求|偏好|习惯|習慣|ルール|規約|決まり|約束|方針|규칙|약속|컨벤션|원칙",
)
"""What the user lists is theirs, even if it speaks of mails or pages."""
OWN_SAVE = Late(
    r"(?:^|[.,;!]\s*|(?<!\w)(?:please|pls|and|also|bitte)\s+)(?:remember|memori[sz]e|keep in mind"
    r"|note down|save|merk dir"
    r"|from now on)(?!\w)|记住|記住|记得|記得|覚えて|기억해",
)
TAKEN_FROM = Late(
    r"(?<!\w)(?:got|received|found|copied|forwarded|wrote|says|said|bekam|bekommen|erhalten)(?!\w)|收到"
    r"|届いた|もらった|받은",
)

REPORTS = Parts(
    (
        "wrote,writes,said,says,quote,asked,asks,told,telling,read,according to,mail,message,ticket,comment"
        ",review,doc,schrieb,schreibt,sagt,meinte,zitat,escribió,dijo,dice,écrit,dit,disse,scrisse,написал"
        ",сказал",
        r"(?:wrote|writes|said|says|quote|asked|asks|told|telling|reads?|according to|message|mail"
        r"|email|ticket|comment|review|readme|docs?"
        r"|schrieb|schreibt|sagte?|meinte|zitat|escribió|dijo|dice|a écrit|dit|disse|scrisse|написал"
        r"|сказал)\W{0,3}(?:\w+\W+){0,4}$",
    ),
    (
        "写,說,说,问,回复,回覆,と言,書い,말했",
        r"(?:写道|說|说|写|问|說道|回复|回覆|と言|書い|말했)\S{0,6}$",
    ),
)
"""Before a quotation: it is somebody's."""
GREETS_MANY = LatePattern(
    r"[ \t]*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)"
    r"|morning)[ ,]+(?:\w+[ ]){0,2}?(?:all|team|everyone"
    r"|everybody|folks|guys|colleagues|customers?|users?|community|list|sir|madam|friends)(?: \w+)?"
    r"|(?:hallo|hi|liebe|guten (?:morgen|tag)|moin) (?:zusammen|alle|kolleg\w+|team|leute"
    r"|in die runde)(?: \w+){0,3}"
    r"|sehr geehrte\w* [^\n]{2,60}|bonjour à tous|chers? [^\n]{2,40}|hola a todos"
    r"|estimad[oa]s? [^\n]{2,40}|olá a todos"
    r"|各位(?:同事|同学|好|老师)?|大家好|尊敬的[^\n]{1,20}|皆さん|皆様|各位|お疲れ様です"
    r"|お世話になっております"
    r"|여러분|안녕하세요,? (?:여러분|팀)[^\n]{0,10})[ \t]*[,，、:：!！.。]?[ \t]*$",
    IGNORECASE | MULTILINE,
)
GREETS = LatePattern(
    r"[ \t]*(?:(?:hi|hello|hey|dear|hallo|lieber?|bonjour|hola|olá|ciao|estimad[oa])[ \t]+"
    r"(?!(?:claude|codex|gemini|copilot|gpt|chatgpt|opencode|agent|assistant|bot|ai"
    r"|there)(?!\w))[\w.'-]+(?: [\w.'-]+){0,2}"
    r"|[^\s,，]{1,10}(?:先生|女士|老师|老師|经理|您好|你好)|[^\s、]{1,10}(?:さん|様)"
    r"|[^\s,]{1,10}님께?)[ \t]*[,，、:：!！]?[ \t]*$",
    IGNORECASE | MULTILINE,
)
SIGNS_OFF = LatePattern(
    r"^[ \t]*(?:(?:with )?(?:best|kind|warm|warmest|kindest|many)?[ ]?(?:regards|wishes)"
    r"|sincerely(?: yours)?|yours(?: \w+)?"
    r"|all the best|best|cheers|(?:viele|liebe|beste|schöne|herzliche) grüße(?: \w+){0,3}"
    r"|(?:mit )?(?:freundlichen|besten) grüßen"
    r"|(?:mfg|vg|lg|gruß|grüße)|cordialement|bien à vous|saludos(?: cordiales)?|atentamente"
    r"|atenciosamente|cordiali saluti"
    r"|此致|敬礼|敬禮|祝好|顺颂商祺|順頌商祺|谨上|敬具|以上、?よろしくお願い(?:いた|致)?します"
    r"|よろしくお願い(?:いた|致)します"
    r"|[^\s]{1,10}(?:敬上|拝|드림|올림))[ \t]*[,，!！.。]?[ \t]*$",
    IGNORECASE | MULTILINE,
)
ENDS = Late(
    r"\W{0,6}(?:end of (?:the |this )?(?:\w+ )?(?:e-?mail|mail|message|article|text|quote|paste|ticket"
    r"|issue|page|log|post)"
    r"|(?:that|this) (?:was|is) (?:the (?:whole |entire )?(?:e-?mail|mail|message|article|text|ticket"
    r"|issue|page|log|post)"
    r"|all (?:he|she|they|it) |what (?:he|she|they|it|the) )|so much for (?:the|that|his|her)"
    r"|as for (?:us|me)(?!\w)|(?:now )?back to (?:us|our|my|work)(?!\w)|(?:so )?much for "
    r"|my (?:own )?(?:answer|reply|take|view|opinion|decision)(?!\w)|soweit die|ende der (?:mail"
    r"|nachricht)|ende des"
    r"|以上(?:是|就是|为|為|です|が)|邮件(?:到此|结束)|이상(?:입니다|이 )|여기까지)",
)
"""A paragraph that begins so is the user's again."""
RESUMES = Late(
    r"\W{0,4}(?:(?:please|pls)\s+(?!(?:consider|note|do not|don't|never|be |contact|find|visit|feel"
    r"|delete|notify)(?!\w))\w"
    r"|(?:can|could|would|will) you(?!\w)|what |how |why |which |should (?:we|i) |do (?:we|you|i) "
    r"|now(?:,| )|so(?:,| )|ok(?:ay)?\W"
    r"|reply|answer|draft|write|summari[sz]e|translate|fix|implement|remember(?!\w)|for (?:us|me|our"
    r"|this)(?!\w)"
    r"|in (?:our|this) (?:repo|project|code)|i (?:don't|do not|think|say|want|would|told|already"
    r"|disagree|agree)(?!\w)"
    r"|my |but (?:we|i|for|here) |kannst du|bitte |was |wie |also |请|請|帮我|幫我|你|我们|我們"
    r"|我觉得|お願い|これ|私|うち|이거"
    r"|우리)",
)
"""After a signature, a paragraph that begins so is the user's again."""

LINE = LatePattern(
    r"\n[ \t]*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[ \t]+\[?[A-Z]{4,8}\b"
    r"|\[(?:info|warn(?:ing)?|error|debug|fatal|trace|critical|INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|CRITICAL)\]"
    r"|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|CRITICAL)[ \t]*[:|]"
    r"|(?:\w++[.:]{1,2})*\w*(?:Error|Exception|Warning):"
    r"|(?:error|warning|fatal|panic)(?:\[\w+\])?:[ \t]|at \S+:\d+|(?://|/\*|\*/)[ \t])[^\n]*",
)
"""A line of a log or of code, whatever stands around it. (This and what follows begin with the break before
the line.)"""
DIFF = LatePattern(r"\n(?:diff --git |@@ -\d|\+\+\+ \S|index [0-9a-f]{7,}\.\.)")
DIFF_LINE = LatePattern(r"\n(?:[+-](?![+-])[^\n]*|diff --git [^\n]*|@@ [^\n]*|(?:\+\+\+|---) [^\n]*| [^\n]*)")
ADDED = LatePattern(r"\n\+(?!\+)[^\n]*")
REMOVED = LatePattern(r"\n-(?!-)[^\n]*")
OF_CHANGES = Late(r"(?<!\w)(?:diff|patch|hunk|pull request|pr|commit|merge)s?(?!\w)")
_REQUEST = (
    r"[ \t]*(?:(?:todo|note|nb)\b:?[ \t]*)?(?:please |pls |bitte |请|請)?(?:remember|memori|don't forget"
    r"|keep in mind|note to self|from now on|merk|recuerda|souviens|记|記|覚え|기억)"
)
REMARK = LatePattern(
    r"[</#](?:(?<=<)(div|p|span|li|td|section|article|h[1-6]|title|label|button)(?:\s[^<>\n]{0,200})?>"
    rf"{_REQUEST}[^<]{{0,2000}}</\1>|(?:(?<=/)(?<!\S.)/|(?<=\S #)){_REQUEST}[^\n]*)",
    IGNORECASE,
)
"""A request in a remark of code, or in an element of a page."""
BETWEEN = (("<!--", "-->"), ("/*", "*/"), ('"""', '"""'), ("'''", "'''"))
"""Marks of remarks and of long strings."""
ISSUE = Parts(
    (
        "reprod,expected,actual,bug,additional context,重现步骤,复现步骤,再現手順,재현 방법",
        r"\n[ \t]*+(?:#{1,6}[ \t]*|\*\*)?(?:steps to reproduce|to reproduce|reproduction(?: steps)?"
        r"|how to reproduce|expected (?:behaviou?r|results?)|actual (?:behaviou?r|results?)|describe the bug"
        r"|bug description|additional context|minimal reproduction|schritte zum reproduzieren|重现步骤"
        r"|复现步骤|再現手順|재현 방법)[ \t]*:?(?:\*\*)?[ \t]*(?=\n|$)",
    ),
)
"""A heading of a form in which issues are told."""
INDENTED = LatePattern(r"[:：][ \t]*\n[ \t]*\n(?= {4}|\t)")
"""Before code as Markdown marks it off, the colon that announces it."""
PROMPT = LatePattern(r"\n[ \t]*+(?:[\w.-]{1,40}@[\w.-]{1,60}:[^\n$#]{0,60})?[$] \S")
"""A line that was typed into a shell."""
