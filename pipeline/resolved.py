""" "We decided that …", "it was agreed that …": what was settled, told as a statement; several languages.

Such words are used of talks, opinions and the next step too, so what was settled must be able to last.
"""

import re

from siltstone.pipeline import moment_table as moment
from siltstone.pipeline.words import anyof, letters
from siltstone.store.late import LatePattern

MIN_SETTLED = 12
"""Letters of what was settled; a CJK letter counts for two."""

_ALL = "(?:all_|both_|now_|just_|also_|finally_|already_|recently_|once_)?"
_OPENS = r"\W{0,8}(?:(?:and|but|so|also|well|then|anyway|fyi|und|also|y|et|e)\s+)?(?:[^,，.:]{3,40}[,，]\s?)?"
_BEFORE = LatePattern(
    _OPENS
    + anyof(
        "(?:we|i|the_(?:\\w+_)?team|everybody|everyone|management|the_(?:client|customer|board))"
        f"_?(?:have_|has_|'ve_|are_|'re_)?{_ALL}(?:decided|agreed|settled|resolved)"
        "(?:_(?:together|unanimously|back_then|long_ago|internally))?_that",
        f"it(?:_is|_was|'s|_has|_had)_(?:been_)?{_ALL}(?:decided|agreed|settled|resolved)_that",
        "wir_(?:haben|sind)_(?:\\w+_){0,4}?(?:entschieden|beschlossen|geeinigt|abgemacht|vereinbart"
        "|ausgemacht|übereingekommen),?_dass; es_(?:wurde|ist)_(?:\\w+_){0,3}?(?:entschieden|beschlossen"
        "|vereinbart|abgemacht)(?:_worden)?,?_dass; wir_beschlossen,?_dass",
        "(?:hemos|se_ha)_(?:decidido|acordado|convenido)_que; se_(?:decidió|acordó|convino)_que"
        "; (?:decidimos|acordamos|convinimos|quedamos_en)_que",
        "(?:on_a|nous_avons|on_avait|il_a_été)_(?:décidé|convenu|acté|arrêté)(?:_de_ce)?_(?:que|qu'on)",
        "(?:decidimos|combinamos|concordamos)_que; (?:foi|ficou)_(?:decidido|combinado|acordado)_que",
        "(?:abbiamo|è_stato)_(?:deciso|concordato|stabilito)_che; si_è_deciso_che",
        "(?:we_hebben|er_is)_(?:\\w+_){0,2}?(?:besloten|afgesproken),?_dat",
        "(?:мы_)?(?:решили|договорились),?_что; (?:было_)?решено,?_что",
    )
    + r"[,:]?\s+",
    re.I,
)
_BEFORE_ASIAN = LatePattern(
    r"\W{0,8}(?:(?:我们|我們|咱们|团队|團隊|大家|公司)[^，,。没沒未不还還怎如]{0,6}?(?:决定|決定|商定|约定|約定|同意|说好|說好|定下)"
    r"|(?:会上|會上|已经|已經|最后|最後|最终|最終)(?:决定|決定|商定))(?![不权權])(?:了|好|下来|下來)?[，,：:]?\s*"
)
_BEHIND = LatePattern(
    r"(?:(?:こと|方針|ということ)(?:に|で)(?:決め(?:ました|た|ています)?|決まりました|決まった|決定しました"
    r"|決定した|決定です|しました|した|なりました|合意しました)|と(?:決めました|決めた|決定しました|決定した"
    r"|合意しました)|기로\s?(?:결정|합의|정)?\s?(?:했|하였|됐|되었)(?:습니다|어요|어|다|음))[。.!！]?\s*$"
)
_SOMEBODY = LatePattern(
    r"\W{0,8}(?:(?:you|he|she|they|somebody|someone|du|ich|er|tú|yo|tu|você|eu|lui|ik|jij|hij|ты|я)"
    r"(?:'ll|'d|'re)?(?!\w)|i(?:'ll|'d|'m| (?:would|will|should|can|could|go|take|look|fix|try|have))(?!\w)"
    r"|(?-i:I)\s|[你您他她]|(?-i:[A-Z])[a-z]+ (?:will |should )?"
    r"(?:fix|look|check|investigate|do|take|handle|finish|call|ask)(?:e?s)?(?!\w))",
    re.I,
)
"""A person's next step, or what one of them is like."""


def resolved(body: str) -> bool:
    """Whether the body says that something was settled, and what: a state of things that may last."""
    said = settled(body)
    if letters(said) < MIN_SETTLED or _SOMEBODY.match(said):
        return False
    unsaid = (moment.PRONOUN_FIRST, moment.META, moment.CONDITION)
    if any(form.match(said) for form in unsaid):
        return False
    return not any(form.search(said) for form in moment.NO_STATE)


def settled(body: str) -> str:
    """What was settled: behind the words in most languages, before them in Japanese and Korean; else ""."""
    opening = _BEFORE.match(body) or _BEFORE_ASIAN.match(body)
    if opening is not None:
        return body[opening.end() :]
    ending = _BEHIND.search(body)
    return body[: ending.start()] if ending is not None else ""
