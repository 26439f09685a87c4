"""The forms of an order that outlives its occasion: ways, kinds of things, choices between kinds.

`_` in a phrase stands for a gap between words, `_?` for one that may be missing. Linear patterns.
"""

import re

from siltstone.pipeline.words import Late, late

LANGUAGE = late(
    "in_(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|mandarin"
    "|japanese|korean|turkish|swedish|danish|norwegian|finnish|czech|greek|arabic|hindi"
    "|british_english|american_english|(?:lower|upper|camel|snake|kebab|pascal|title)[ -]?case"
    "|capitals); auf_(?:deutsch|englisch|französisch); en_(?:español"
    "|inglés|français|anglais|francés); 用(?:中文|英文|英语|日语|繁體中文); 日本語で; 英語で"
    "; 한국어로; 영어로"
)
WRITTEN = re.compile(
    r"(?<!\w)(?:are|be|is) (?:always |only )?(?:written|kept|answered|in (?:english|german|french))(?!\w)"
    r"|(?<!\w)(?:van|se escriben) en |用[中英日]\w{1,2}(?:写|書|编写|撰写|回答|回复)|語で(?:書"
    r"|お願い|答)|어로 ?(?:써|쓰|작성|답)"
)
"""What is written in a language, told as the custom."""
MANNER = re.compile(r"は.{2,30}でお願いします")
REQUEST_END = re.compile(r"(?:ください|下さい|てほしい|て欲しい|써줘|해줘|주세요|써|하자)[\s.。!！]*$")
"""Japanese and Korean ask at the end of the sentence."""
DECLARED_CONTRAST = re.compile(
    r",\s+(?:and )?(?:not|never|nicht|nie|no|pas|não|non|niet|а не)\s|，(?:不是|而不是|不)"
)
FOR_KIND = Late(
    r"\W{0,8}for\s+(?!(?:this|that|the|now|today|tonight|tomorrow|a|an"
    r"|it)\s)\w+(?:\s+\w+){0,4}?,?\s+(?:always\s+|please\s+)?"
    r"(?:use|take|run|call)\s+\w",
)
""" "for tests with real mail use …"."""
WHEN_FIRST = Late(
    r"\W{0,8}(?:when(?:ever)?|if) you (?!(?:get|have|find|are|can|want|like|wonder|need)(?!\w))\w+"
)
STANDING_REQUEST = Late(
    r"^\W{0,8}(?:please\s+)?(?:also\s+)?(?:always|never|don't ever|not|only)(?!\w)|(?:from now on"
    r"|in (?:the )?future"
    r"|going forward|every time|in all (?:my|our)|for all (?:my|our))",
)
"""A polite question that asks for a rule: "may I ask you to always …?"."""
ASK_FIRST = Late(
    r"(?:ask|tell|check with|warn|consult)\s+me\s+(?:\w+\s+){0,6}?(?:before|first when)\s+(?:you\s+)?"
    r"(?!(?:you )?(?:continue|go|start|proceed|do (?:it|this|that))(?!\w))\w+"
    r"|(?:show|give|send)\s+me\s+(?:\w+\s+){1,6}?before\s+(?:you\s+)?(?:touch|change|edit|delete|add"
    r"|write|implement"
    r"|merge|commit|push|deploy|any|every|each)(?:ing)?\s+(?!(?:it|this|that|the)(?!\w))\w+"
    r"|(?:when in doubt|if (?:you're|you are) (?:unsure|not sure|in doubt)),? (?:please )?ask"
    r"|(?:without|unless you)\s+(?:asking|ask|telling|tell|checking with)(?:ed)?\s+me",
)
COPULA_CONTRAST = Late(
    r"(?:[\w'-]+\s){1,5}?(?:is|are)\s(?!not\s"
    r"|\w+ing\s)[\w./`'-]+(?:\s[\w./`'-]+)?,?\s(?:and\s)?not\s(?!yet|so|very|sure"
    r"|really|only|just|the|a|an|this|that|my|your)[\w./`'-]+",
)
""" "the metric is WAPE not MAPE"."""
BARE_CONTRAST = Late(
    r"\W{0,8}(?:please\s+)?(?:use\s+)?(?!(?:\S+\s+){0,4}(?:is|are|was|were|do|does|did|can|could|will"
    r"|would|should|has|have|had"
    r"|am|may|might|must|i|it|we|they|you)\s)(?!(?:the|a|an|this|that|it|my|your|in|on|to|put|not"
    r"|no)\s)[\w./`-]{1,40}(?:\s[\w./`-]{1,40}){0,2}"
    r",?\s+(?:please,?\s+)?(?:not|never(?! mind)|instead of|rather than)\s+(?:plain\s+"
    r"|bare\s+)?(?!(?:the|a|an"
    r"|this|that|it|my"
    r"|your|sure|yet|now|so|only|just|too|very|really)\s)[\w./`-]{1,40}(?:\s[\w./`-]{1,40})?\s*(?:$"
    r"|[,.!;:]|please|because|since)",
)
""" "httpx, not requests": a choice between kinds, no article before either."""
METHOD = Late(
    r"(?<!\w)(?:with|via|through|per)\s+(?:the\s+)?[\w`'./-]+(?:\s[\w`'./-]+)?,?\s+(?:and\s+)?(?:not"
    r"|never)\s+"
    r"(?:with|via|through|per)\s",
)
WANTED = Late(
    r"\W{0,8}i\s+(?:\w+\s+)?(?:want|like|expect|need)\s+(?!(?:the|this|that|it|you"
    r"|to)\s)\w+(?:\s+[^\s,]+){1,10},?\s+(?:and\s+)?"
    r"(?:not|never)\s",
)
YOUR_WAYS = Late(
    r"(?:keep|make|write|limit|shorten|start|end|stop|begin|format|give|answer|reply|respond"
    r"|explain)(?:ing)?\s+"
    r"(?:\w+\s+){0,3}?your\s+(?:\w+\s+)?(?:answers|replies|responses|explanations|summaries|messages"
    r"|commits|comments"
    r"|plans|reports)(?!\w)|(?:your (?:answers|replies|responses|explanations)|answer me"
    r"|answer)\s+(?:\w+\s+){0,5}?"
    r"(?:short|shorter|brief|briefly|concise|long|longer)(?!\w).{0,40}(?:in (?:the )?future|always"
    r"|please|,|$)"
    r"|(?:keep|limit|cut) (?:it|your \w+|what you (?:write|say"
    r"|tell)(?: \w+){0,3}) (?:to )?(?:under )?(?:an? few|two"
    r"|three|\d+) (?:lines|sentences|words)"
    r"|your (?:answers|summaries|messages|explanations|replies|comments) are (?:\w+ )?too \w+"
    r"|(?:don't|do not|never|stop)\s+(?:explain|apologi[sz]|thank|praise|repeat"
    r"|summari[sz])\w*\s+(?!(?:the|this|that"
    r"|it)(?!\w))\w+",
)
"""Speaks of the agent's ways, in the plural."""
STICK_TO = Late(r"\W{0,8}(?:please\s+)?(?:stay on|stay with|stick to|stick with|keep to|remain on)\s+\w")
ONLY_USE = late(
    "use_only; only_use; use_nothing_but; nur_(?:\\w+_){0,4}(?:verwenden|benutzen|nutzen)"
    "; usa(?:r)?_solo; n'utilise_que; 只使用"
)
PLEASE = late("please; bitte; por_favor; s'il_te_plaît; per_favore; 请; 請; ください; pls")
BY_MEANS = Late(
    r"\W{0,8}(?:and\s+)?(?:log|test|format|build|deploy|draw|measure|install|release|lint|parse"
    r"|validate|sort|search|debug|mock)\s+"
    r"(?:\w+\s+)?(?:with|via|through|using)\s+(?!(?:the|a|an|this|that|it|them|my"
    r"|your)\s)\S+(?:\s\S+)?,\s+\w+\s+\w+",
)
""" "log with slog, the handler adds the id": a means and its reason."""
TOOL_FOR = Late(
    r"(?<!\w)(?:use|run|call|nimm|usa|utilise|usar|用)\s+(?:only\s+)?`[^`\n]{2,80}`\s+(?:for|when"
    r"|to|instead|in|on|für|para|pour)(?!\s+(?:this|that|now|it|me)\b)",
)
KEPT_SMALL = Late(
    r"(?<!\w)(?:keep|make|write) (?:your |all )?(?!(?:the|an?|it|this|that|me|in|my"
    r"|going)(?!\w))(?:\w+ )?\w+s"
    r" (?:as )?(?:short|small|brief|simple|minimal|separate|sorted|in )(?!\w)"
    r"|(?<!\w)keep (?!(?:it|this|that)(?!\w))(?:[\w-]+ ){1,4}(?:under|below|within|above|over) \d",
)
""" "keep diffs small": asked of a kind of thing."""
ONE_PER = Late(r"(?<!\w)(?:one|a single|1)\s+\w+\s+(?:per|each)\s+\w+")
