"""What tries to command the agent that reads it (docs/seeds.md "Source": prompt_injection); by language.

A memory is shown to every later session: a sentence that sets rules aside, or bids to destroy or to
send secrets away, may not become one, whoever is quoted.
"""

import re

_WHICH = (
    r"all|any|every|the|your|my|of|these|those|its|previous|prior|above|earlier|existing|current"
    r"|system|security|safety|preceding|other|developer"
)
_RULES = (
    r"instructions?|prompts?|rules?|messages?|directives?|guidelines?|guardrails?|policies|policy"
    r"|constraints?|context|checks?|permissions?|restrictions?"
)
INJECTION = re.compile(
    rf"(?<!\w)(?:ignore|disregard|forget|override|overwrite|bypass|discard|violate)\s+(?:(?:{_WHICH})"
    rf"\s+){{1,5}}(?:{_RULES})(?!\w)"
    r"|(?<!\w)(?:overwrite|disregard|bypass)\s+(?:rules|instructions)(?!\s+(?:are|is|in|live|from)(?!\w))"
    r"|(?<!\w)ignore\s+(?:rules|instructions)\s+(?:about|given|that)(?!\w)"
    r"|(?<!\w)(?:ignore|override|overwrite|reveal|print|leak|disregard)\s+(?:the\s+|your\s+)?system\s*"
    r"(?:prompt|rules?|message|instructions?)"
    r"|(?<!\w)replace\s+your\s+(?:\w+\s+){0,2}(?:instructions?|rules?|prompt)"
    r"|(?<!\w)(?:forget|ignore|disregard)\s+(?:everything|all|anything)\s+(?:above|before|you|that|said"
    r"|written|prior)(?!\w)"
    r"|(?<!\w)(?:do not|don't|never|stop)\s+(?:follow(?:ing)?|obey(?:ing)?|respect(?:ing)?)\s+(?:the\s+"
    r"|any\s+"
    r"|your\s+|all\s+)*(?:system|safety|security|previous|prior|developer)\s+\w+"
    r"|(?:priority|precedence)\s+over\s+(?:the\s+|all\s+|your\s+|any\s+)*(?:system|developer|previous"
    r"|safety)"
    rf"\s+(?:{_RULES})"
    r"|(?<!\w)rm\s+-\w*r\w*f?\w*\s+(?:/|~|\*)|you are now (?:a|an|in|the)\s|do anything now"
    r"|jailbreak(?! detect|en)|(?:in|enter|activate) developer mode (?:with|without)|enter developer mode"
    r"|(?:act|respond|behave) as (?:an? |the )?(?:admin\w*|root|unrestricted|dan)(?!\w)"
    r"|follow (?:this|these|my) (?:memory|memories|instructions?)(?: instead| only)?"
    r"|(?:new|updated|real) (?:system )?instructions?\s*:|<\|?/?(?:im_start|im_end|system|inst)\b"
    r"|\[/?inst\]|exfiltrat\w+|(?:curl|wget)\s[^|\n]{1,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh(?!\w)"
    r"|(?<!\w)(?:ignore[zr]?|oublie[zr]?|ignoriere?n?|vergiss|missachte|ignor[aeá]n?|olvid[ae]n?"
    r"|esque[çc]a|dimentica"
    r"|ignorare|negeer|vergeet)\s+(?:toutes|tous|les|tes|alle|die|deine|todas|todos|las|los|tus|as|os"
    r"|tutte|le"
    r"|tutti|de)\s+(?:\w+\s+){0,3}(?:instru\w+|anweisung\w*|regeln|règles|consignes|reglas|órdenes"
    r"|regras|ordens"
    r"|istruzion\w+|regole|istruzioni|instructies|regels)"
    r"|(?:игнорируй\w*|забудь\w*)\s+(?:\w+\s+){0,3}(?:инструкци\w+|правила|указания)"
    r"|(?:忽略|无视|無視|忘记|忘記|覆盖|覆蓋|绕过|繞過|不要遵守|不要遵循)(?:掉)?(?:你)?(?:之前|以前|以上|先前|所有"
    r"|全部|系统|系統|上面|安全|一切)(?:的)?(?:所有|全部|一切)?(?:的)?(?:系统|系統|安全)?(?:指令|指示|规则|規則|提示|限制|命令"
    r"|设定|設定)"
    r"|(?:以前|これまで|上記|すべて|全て|前)の?(?:すべての|全ての)?(?:指示|命令|ルール)(?:を|は)?(?:すべて|全て|全部)?(?:無視"
    r"|忘れ)|(?:이전|위의?|모든|기존)\s?(?:모든\s?)?(?:지시|명령|규칙|지침)\S{0,3}\s?(?:모두\s?|전부\s?)?(?:무시|잊)",
    re.I,
)  # fmt: skip
BIDDEN = re.compile(
    r"(?<!\w)(?:delete|remove|wipe|erase|destroy)\s+(?:the\s+|all\s+|your\s+|its\s+)*(?:(?:root"
    r"|home)\s+(?:directory|folder"
    r"|dir|partition|files?|drive)|(?:entire|whole)\s+(?:repo|repository|file ?system|disk|drive"
    r"|database|system|project"
    r"|codebase|machine)|file ?system|hard ?drive|disk|everything(?!\s+(?:in|under|below|inside|from)\s)"
    r"|root(?=\W*$)"
    r"|repository(?=\W*$)|files on)(?!\w)"
    r"|(?<!\w)format\s+(?:the\s+|your\s+)*(?:disk|hard ?drive|c:)"
    r"|(?<!\w)(?:send|post|upload|forward)\s+(?:all\s+|the\s+|your\s+|any\s+)*(?:secrets?|credentials?"
    r"|tokens?|api keys?|passwords?|env(?:ironment)? variables?)\s+to(?!\w)"
    r"|without (?:asking|telling|informing) the user"
    r"|(?:删除|刪除|清空|抹掉)(?:整个|整個|全部|所有)?(?:根目录|根目錄|仓库|倉庫|硬盘|硬碟|磁盘|檔案系統|文件系统)"
    r"|ルートディレクトリを(?:削除|消)|(?:루트\s?디렉(?:터|토)리|저장소)\S{0,2}\s?(?:전체\S{0,2}\s?)?삭제",
    re.I,
)  # fmt: skip
"""What is dangerous when it is bidden; to forbid it is a sound rule."""
SECRETLY = re.compile(r"(?<!\w)(?:do not|don't|never) (?:tell|inform|mention\s+\w+ to) the user(?!\w)", re.I)
FORBIDDEN = re.compile(
    r"(?<!\w)(?:do not|don't|never|not|must not|mustn't|cannot|can't|nobody|no one|forbidden|no)(?!\w)"
    r"|不要|别|別|不得|禁止|不准|绝不|絕不|しない|禁止|하지\s?마|금지",
    re.I,
)
