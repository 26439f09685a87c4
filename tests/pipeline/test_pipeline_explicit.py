"""Explicit saves and their negations, in the four languages of the seeds and a few more (A28, E8)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline import explicit_table as table
from siltstone.pipeline.explicit import everywhere, find_refusals, find_saves

SAVED = {
    "colon": ("remember: invoices are numbered per year", "invoices are numbered per year"),
    "that": ("ok. Please remember that invoices have no gaps.", "invoices have no gaps."),
    "clause": ("no rounding, remember that cents are integers", "cents are integers"),
    "asked": ("Could you remember that we ship on Tuesdays only?", "we ship on Tuesdays only"),
    "memory": ("add this to memory: CI runs on arm64", "CI runs on arm64"),
    "forget": ("don't forget: the VPN is needed for staging", "the VPN is needed for staging"),
    "mind": ("keep in mind that the queue is shared with QA", "the queue is shared with QA"),
    "standing": ("from now on, write commit messages in English", "write commit messages in English"),
    "standing-last": ("Use tabs from now on", "Use tabs from now on"),
    "preference": ("I prefer small commits over big ones", "I prefer small commits over big ones"),
    "task": ("remember to always run `make lint` before a commit", "always run `make lint` before a commit"),
    "list": ("Remember:\n- prices are cents\n- no floats at all", "prices are cents\n- no floats at all"),
    "reason": (
        "remember: no Friday deploys. Support is closed then",
        "no Friday deploys. Support is closed then",
    ),
    "more-of-it": (
        "remember: deploys go out on Tuesdays only. And never on Fridays.",
        "deploys go out on Tuesdays only. And never on Fridays.",
    ),
    "settled-it": (
        "remember: never commit to main. We decided that after the outage in May.",
        "never commit to main. We decided that after the outage in May.",
    ),
    "explained": (
        "remember: all copy is British English. CI refuses anything else.",
        "all copy is British English. CI refuses anything else.",
    ),
    "remark": (
        "Please remember: prices are integer cents. And we decided that the shop is hosted on Vercel.",
        "prices are integer cents.",
    ),
    "remark-bare": ("remember: prices are integer cents. I work from Lisbon.", "prices are integer cents."),
    "remark-link": (
        "remember: prices are integer cents. Docs are at https://docs.example/money. Read these first.",
        "prices are integer cents.",
    ),
    "remark-zh": ("请记住：所有价格都用整数分。另外我们决定把前端部署到 Vercel。", "所有价格都用整数分。"),
    "zh": ("请记住：接口的时间一律用 UTC", "接口的时间一律用 UTC"),
    "zh-tw": ("請幫我記住，部署前要先跑測試", "部署前要先跑測試"),
    "zh-standing": ("以后都用 pnpm 安装依赖", "用 pnpm 安装依赖"),
    "ja": ("覚えておいて：時刻はすべて UTC で保存する", "時刻はすべて UTC で保存する"),
    "ja-last": ("時刻はすべて UTC で保存する、覚えておいてください", "時刻はすべて UTC で保存する"),
    "ko": ("기억해줘: 시간은 모두 UTC로 저장한다", "시간은 모두 UTC로 저장한다"),
    "ko-last": ("시간은 모두 UTC로 저장한다. 잊지 마세요", "시간은 모두 UTC로 저장한다."),
    "de": ("merk dir bitte: Releases gehen nur dienstags raus", "Releases gehen nur dienstags raus"),
    "es": ("recuerda que los precios van sin IVA", "los precios van sin IVA"),
    "de-that": ("Bitte denk daran, dass die Preise netto sind", "die Preise netto sind"),
    "de-this": ("merk dir das: Releases nur dienstags", "Releases nur dienstags"),
    "es-this": (
        "los tags llevan versión, nunca ramas; recuerda eso, el CI depende",
        "los tags llevan versión, nunca ramas;",
    ),
    "es-clitic": ("los nombres van en inglés, recuérdalo, por favor", "los nombres van en inglés"),
    "for-the-future": ("remember for the future that prices are net", "prices are net"),
    "occasion": ("remember to run the generator after each change", "run the generator after each change"),
    "short-fact": ("don't forget: API keys rotate monthly", "API keys rotate monthly"),
    "short-that": ("don't forget that the API keys rotate", "the API keys rotate"),
    "bold": ("**Remember:** never push to main by force", "never push to main by force"),
    "always-stays": ("from now on, always lint before a commit", "always lint before a commit"),
    "sure": ("make sure you remember that logs are JSON", "logs are JSON"),
    "need": ("you need to remember that logs are JSON", "logs are JSON"),
    "to-agents": ("agents working here must remember that logs are JSON", "logs are JSON"),
    "zh-must": ("一定要记住部署前先跑测试套件", "部署前先跑测试套件"),
    "zh-this": ("时间一律用 UTC 保存，要记得这点", "时间一律用 UTC 保存"),
    "fr": ("n'oublie pas que la prod est en UTC", "la prod est en UTC"),
}


@pytest.mark.parametrize(("text", "body"), SAVED.values(), ids=SAVED)
def test_save(text: str, body: str) -> None:
    saves = find_saves(text)
    assert [save.body for save in saves] == [body]
    assert text[saves[0].start : saves[0].end] == body


NOT_SAVED = {
    "gerund": "Remembering state is hard here",
    "when": "remember when we shipped the first one?",
    "cannot": "I can't remember the name of that flag",
    "question": "do you remember why the cache is off?",
    "later": "remember to look at the fonts later, not now",
    "only-later": "remember this: later",
    "one-task": "don't forget to add a test for that",
    "done": "remember to push when you're done",
    "definite-task": "remember to close the ticket",
    "some-time": "remember to order batteries sometime",
    "own-memory": "as far as I remember it was three weeks",
    "own-duty": "I'll have to remember to renew the certificate",
    "this-task": "please keep that in mind for the next step of this task",
    "somebody": "anton from the museum says: print codes in caps, remember that! he is funny",
    "named": "Joost from the museum said we should reboot at midnight, please remember that",
    "feature": "the remember me checkbox is broken",
    "code": "rename it to `remember this: value`",
    "fence": "```\nremember: the answer is forty-two\n```",
    "quote-line": "> remember: the answer is forty-two",
    "quotation": 'Ann wrote "please always remember that we deploy on Fridays", I said no',
    "reported": "the manual says: remember to drain the tank",
    "file": "save this file as utf-8",
    "zh-question": "你还记得上次的错误吗",
    "zh-past": "我记得之前不是这样",
    "ja-question": "先週のバグを覚えていますか",
    "thing-should": "the list should remember its scroll position",
    "thing-made": "make the form remember its last values after a reload",
    "thing-to": "the panel fails to memorize the layout of the board",
    "thing-users": "users can save this to memory with a button",
    "thing-lets": "the cookie lets us remember the user for 30 days",
    "thing-named": "put a remember this checkbox into the login form",
    "thing-zh": "组件要记住滚动位置和选中的标签",
    "thing-ja": "アプリに前回の設定を覚えておいてほしい機能です",
    "thing-ko": "브라우저가 위치를 기억해 두는 기능",
    "thing-es": "la app recuerda la última carpeta",
    "plain": "tests fail on CI when the cache is stale",
}


@pytest.mark.parametrize("text", NOT_SAVED.values(), ids=NOT_SAVED)
def test_no_save(text: str) -> None:
    assert find_saves(text) == []


REFUSED = {
    "ja, no need even": "覚えておくまでもありません：ポートは8042です。",
    "en": "don't remember this: the demo password is on the board",
    "need": "no need to remember that, the port changes daily",
    "noting": "No point in noting that: the port changes daily",
    "save": "please do not save this anywhere: the merger is in May",
    "before": "The demo reads made-up values. Don't remember this, it is gone on Thursday",
    "zh": "不要记住：测试机明天就拆了",
    "zh-tw": "不要記住這個",
    "zh-short": "这个不用记，临时端口而已",
    "ja": "覚えないでください：仮のポートは 9000 です",
    "ja-need": "この件は覚えなくていいです",
    "ko": "기억하지 마: 임시 포트는 9000",
    "curly": "Don’t remember this: the port is 9000 today",
    "twice": "覚えないで 覚えて: 一時的なメモ",
    "de": "merk dir das nicht, ist nur für heute",
    "es": "no hace falta que recuerdes esto",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_negated_save_is_refused_as_a_whole(text: str) -> None:
    assert find_saves(text) == []
    [refusal] = find_refusals(text)
    assert text[refusal.start : refusal.end] == text


def test_a_negation_next_to_a_save_keeps_the_save() -> None:
    text = "remember: keep the logs.\ndon't remember this: the port is 9000 today\nremember this: later"
    assert [save.body for save in find_saves(text)] == ["keep the logs."]
    assert [text[r.start : r.end] for r in find_refusals(text)] == [
        "don't remember this: the port is 9000 today"
    ]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Don't you ever forget: releases are cut on Fridays", "releases are cut on Fridays"),
        ("never ever forget that releases are cut on Fridays", "releases are cut on Fridays"),
        ("Releases are cut on Fridays. Don't forget that.", "Releases are cut on Fridays."),
        ("Releases are cut on Fridays. Don’t you forget it!", "Releases are cut on Fridays."),
    ],
)
def test_not_to_forget_is_to_remember(text: str, body: str) -> None:
    assert [save.body for save in find_saves(text)] == [body]
    assert find_refusals(text) == []


def test_a_negated_clause_before_is_no_negation() -> None:
    [save] = find_saves("Don't use floats for prices. Remember this.")
    assert save.body == "Don't use floats for prices."
    assert save.bare


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("The API allows 5 calls a second. Remember this.", "The API allows 5 calls a second."),
        ("The box has no GPU, remember that please", "The box has no GPU"),
        ("Rust must stay at 1.7; CI misses that, keep it in mind", "Rust must stay at 1.7; CI misses that"),
        (
            "the file comes at night, sep is ; and latin1. remember this, i always forget",
            "the file comes at night, sep is ; and latin1.",
        ),
        ("remember this", ""),
    ],
    ids=["sentence-before", "clause-before", "points-back", "thin-before", "nothing-before"],
)  # fmt: skip
def test_bare_save_takes_what_stands_before_it(text: str, body: str) -> None:
    [save] = find_saves(text)
    assert (save.body, save.bare) == (body, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("never push, in all my repos", True),
        ("none of my repositories has that", True),
        ("所有项目都用英文提交", True),
        ("in allen Projekten so", True),
        ("すべてのプロジェクトで", True),
        ("no emojis, en ningún repo", True),
        ("no summaries, everywhere, not only here", True),
        ("lot numbers are text everywhere, never ints", False),
        ("never push in this repo", False),
    ],
    ids=["en", "none", "zh", "de", "ja", "es", "stressed", "in-the-code", "here"],
)
def test_everywhere(text: str, said: bool) -> None:
    assert everywhere(text) is said


@given(
    st.text(max_size=300),
    st.sampled_from(["remember: ", "don't remember this ", "记住", "!!!! ", "and also "]),
)
@settings(max_examples=100)
def test_spans_are_exact_for_any_text(text: str, trigger: str) -> None:
    whole = f"{text} {trigger}{text}"
    for save in find_saves(whole):
        assert whole[save.start : save.end] == save.body
    for refusal in find_refusals(whole):
        assert 0 <= refusal.start < refusal.end <= len(whole)


@pytest.mark.parametrize("word", sorted(table.COURTEOUS))
@pytest.mark.parametrize("behind", ["", " ", ", ", ": "])
def test_courtesy_before_a_trigger_says_nothing(word: str, behind: str) -> None:
    before = f"{word}{behind}"
    asked = (table.OWN_MEMORY, table.THINGS_MEMORY, table.NEGATED, table.REPORTED)
    assert [one.search(before) for one in asked] == [None] * len(asked)


@pytest.mark.parametrize(
    "text", ["Everywhere: remember this: no recaps, please.", "No recaps, everywhere. Remember this."]
)
def test_what_stands_before_a_request_says_where_it_holds(text: str) -> None:
    [save] = find_saves(text)
    assert everywhere(save.around)
