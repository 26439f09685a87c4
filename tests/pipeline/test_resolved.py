"""What was settled, told as a statement, is a decision; what was settled for the moment is none."""

import pytest

from siltstone.pipeline.resolved import resolved
from siltstone.pipeline.signals import signal

SETTLED = {
    "we decided": "We decided that logs are kept for ninety days",
    "we agreed": "we have agreed that every change gets a review",
    "I decided": "I decided that the parser stays in C",
    "it was": "It was decided that logs are kept for ninety days",
    "it's been": "it's been decided that we drop Windows support",
    "settled": "also, it is settled that prices are shown with tax",
    "the team": "the team decided that feature branches are squashed",
    "the board": "The board decided that customer data stays in the EU",
    "where": "In the retro, we agreed that dashboards live in the ops repo",
    "de": "Wir haben beschlossen, dass Logs neunzig Tage aufbewahrt werden",
    "de-it": "Es wurde beschlossen, dass Releases donnerstags rausgehen",
    "es": "hemos acordado que los logs se guardan noventa días",
    "fr": "nous avons décidé que les journaux sont gardés trois mois",
    "fr-on": "on a décidé qu'on garde les journaux trois mois",
    "pt": "foi decidido que os logs ficam guardados noventa dias",
    "it": "è stato deciso che i log restano novanta giorni",
    "nl": "we hebben besloten dat logs negentig dagen bewaard blijven",
    "ru": "мы решили, что логи хранятся девяносто дней",
    "zh": "我们决定日志保留九十天",
    "zh-meeting": "会上决定日志保留九十天",
    "ja": "ログは九十日間保存することに決めました",
    "ja-it": "ログは九十日間保存することになりました",
    "ko": "로그는 구십일 동안 보관하기로 결정했습니다",
}


@pytest.mark.parametrize("text", SETTLED.values(), ids=SETTLED)
def test_what_was_settled_is_a_decision(text: str) -> None:
    assert resolved(text)
    assert signal(text) == "decision"


UNSETTLED = {
    "nothing": "nothing was decided about the logs and their ninety days",
    "not yet": "we haven't decided that logs are kept",
    "never": "we never agreed that logs are kept for ninety days",
    "if": "if it was decided that logs are kept, fine",
    "question": "have we agreed that logs are kept for ninety days?",
    "pronoun": "we decided that it is fine",
    "that": "we decided that",
    "talk": "we agreed that the talk was boring",
    "bug": "we agreed that the bug is in the parser",
    "your step": "we agreed that you would fix the failing test first",
    "my step": "we agreed that I'd look at the login bug today",
    "somebody's step": "It was decided that Tom fixes the login page",
    "put off": "we decided that we'll look at it next week",
    "meeting": "it was decided that the meeting is moved",
    "others": "the compiler decided that the branch is dead",
    "zh not yet": "我们还没决定用哪个数据库",
    "zh yours": "大家同意你的看法就这样做",
    "zh the other": "由产品经理决定日志保留多久",
    "ja tomorrow": "明日会うことにしました",
    "ja error": "エラーが出ることになりました",
    "ko tomorrow": "내일 만나기로 했습니다",
}


@pytest.mark.parametrize("text", UNSETTLED.values(), ids=UNSETTLED)
def test_an_opinion_or_a_next_step_is_none(text: str) -> None:
    assert signal(text) is None
