"""A typed sentence as it would stand without manners, greetings and chat spelling.

Only for judging what a sentence says: what is stored is quoted verbatim from the text (invariant 6).
"I would like to ask you that you never push" and "pls dont push" are judged as "never push" and
"don't push".
"""

from siltstone.pipeline.words import Late, anyof, letters

MIN_TAIL = 12
MAX_ROUNDS = 4
"""Greetings, thanks and wrappers that may stand before each other."""

_SPELLING = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't",
    "wasnt": "wasn't", "werent": "weren't", "wont": "won't", "cant": "can't", "couldnt": "couldn't",
    "shouldnt": "shouldn't", "wouldnt": "wouldn't", "havent": "haven't", "hasnt": "hasn't",
    "mustnt": "mustn't", "neednt": "needn't", "im": "i'm", "ive": "i've", "theres": "there's",
    "thats": "that's", "whats": "what's", "wheres": "where's", "hows": "how's", "lets": "let's",
    "youre": "you're", "theyre": "they're", "u": "you", "ur": "your", "urself": "yourself",
    "pls": "please", "plz": "please", "thx": "thanks", "tmrw": "tomorrow", "tmr": "tomorrow",
    "cuz": "because", "coz": "because", "gonna": "going to", "gotta": "have to", "wanna": "want to",
    "msg": "message", "msgs": "messages",
}  # fmt: skip
_CHAT = Late(rf"(?<![\w/.'-])(?:{'|'.join(_SPELLING)})(?![\w'-])(?!\.\w|/)")
_I_AM = Late(r"(?<!\w)i am(?!\w)")
_GREETING = Late(
    r"[\s\W]{0,12}"
    + anyof(
        "hi; hello; hey; good_(?:morning|evening|afternoon|day|night); dear_\\w+; morning"
        "; thank_you(?:_(?:so|very)_much)?(?:_(?:for|again)(?:_\\w+){0,5})?"
        "; thanks(?:_a_lot)?(?:_for(?:_\\w+){0,4})?; great(?:_work|_job)?; perfect; wonderful; excellent"
        "; awesome; lovely; very_(?:good|nice); nice(?:_work|_one)?; cool; sorry; oh_dear; oh; ah"
        "; hm+; uh; wow; lol; lgtm; ok(?:ay)?; alright; right; exactly; yes; yep; yeah; fine; good; sure",
        "danke(?:_\\w+){0,2}; hallo; guten_(?:morgen|tag|abend); super; prima; gracias; hola"
        "; buenos_días; perfecto; merci; bonjour; parfait; obrigad[oa]; bom_dia; olá",
    )
    + r"[\s]*(?:[,.!;:—–-]+\s*|$)",
)
_WRAPPER = Late(
    r"[\s\W]{0,12}(?:(?:and|but|so|also|now|then|just|please|one more thing)[\s,:]+){0,3}"
    + anyof(
        "i_(?:would|'d)_(?:also_)?(?:like|want|love|prefer)_to_(?:ask|remind|request)(?:_you)?"
        "(?:_that(?:_you)?|_to)?(?:_please)?",
        "(?:i'd|i_would)_(?:also_)?(?:like|prefer|love)_(?:it_)?(?:if_)?you(?:_to|_could|_would)?",
        "i_(?:would|'d)_(?:also_)?be_(?:\\w+_){0,2}(?:grateful|glad|happy|thankful)_if_you_(?:could|would)",
        "it_would_(?:also_)?be_(?:\\w+_){0,2}(?:nice|good|great|kind|helpful|better)_if_you_(?:could|would)",
        "(?:may|can|could|might)_i_(?:please_|kindly_)?(?:ask|remind|beg)_you_(?:to|that_you)",
        "(?:could|would|can|will)_you(?:_be_so_(?:kind|good)(?:_as)?_(?:to|and)|_mind_to|_please|_kindly)?",
        "i_(?:just_|only_)?(?:want|wanted|would_like|wish|have)_to_(?:mention|add|say|note|tell_you"
        "|let_you_know|inform_you|point_out|remind_you)(?:_that)?",
        "i_(?:need|want|ask|beg|expect)_you_to; i'd_ask_you_to; make_sure_(?:to|that_you|you); be_sure_to"
        "; try_to; remember_to; you_(?:should|must|have_to|need_to)",
        "i_know[^,.]{0,40},_but",
        "as_i_(?:already_)?(?:said|told_you|mentioned|asked|wrote)(?:_\\w+){0,2}?(?=,)",
        "(?:note|be_aware|consider|mind|bear_in_mind|keep_in_mind|you_should_know|please_note"
        "|it_is_important|important_is)_that",
    )
    + r"[\s,:]+",
)
_PRESENTS = Late(
    r"[\s\W]{0,12}(?:(?:i|we|let me|allow me|please|one|an?other|for|about|on|in(?! short)|now|next"
    r"|as for|concerning"
    r"|regarding|before|while|fyi|important|rule|reminder|note|my|our|this is|text|texts|todo|also"
    r"|and|another)(?!\w))"
    r"[^:\n]{0,110}:\s+",
)
"""A clause that only announces the one behind its colon."""
_OF_ALL = Late(r"(?<!\w)(?:in|for) (?:all|every|any) ")
"""… but tells where it holds."""


def plainly(sentence: str) -> str:
    """The sentence in plain words: chat spelling written out, greetings and requests' wrapping off."""
    text = _I_AM.sub("i'm", _CHAT.sub(lambda match: _SPELLING[match.group().lower()], straight(sentence)))
    for _ in range(MAX_ROUNDS):
        cut = _GREETING.match(text) or _WRAPPER.match(text)
        rest = text[cut.end() :] if cut else text
        if not rest.strip() or rest == text:
            break
        text = rest
    return text


def straight(sentence: str) -> str:
    """With straight apostrophes, on one line, white space folded."""
    return " ".join(sentence.replace("’", "'").split())


def courteous(sentence: str) -> bool:
    """Nothing but a greeting, thanks or a reaction."""
    greeting = _GREETING.match(sentence)
    return greeting is not None and not any(char.isalnum() for char in sentence[greeting.end() :])


def announced(text: str) -> str:
    """What stands behind a colon whose head only announces it: "one more thing: …"."""
    head = _PRESENTS.match(text)
    if head is None or _OF_ALL.search(head.group()) or letters(text[head.end() :]) < MIN_TAIL:
        return text
    return text[head.end() :]
