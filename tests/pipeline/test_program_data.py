"""What a program is to remember is work; what the user wants remembered is kept (docs/seeds.md A28, E8)."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siltstone.pipeline import program_data
from siltstone.pipeline.explicit import find_saves
from siltstone.pipeline.words import pattern

WORK = {
    "cookie": "remember the user's choice in a cookie",
    "polite": "please remember the selected theme in localStorage",
    "session": "remember the current page in the session, so that login leads back",
    "database": "remember each visitor's language in the database",
    "reloads": "remember the sidebar width across reloads",
    "restarts": "remember the selected tab after a restart please",
    "forget": "don't forget the scroll position between page loads",
    "which": "remember which filter in the url",
    "whose": "the dropdown is fine. Remember the user's selection",
    "whose-when": "remember the user's last search when the page is opened again",
    "memorize": "memorize the chosen sort order and restore it",
    "store": "store the table in a list. Remember the expanded rows in session storage",
    "zh": "记住上次选择的标签页",
    "zh-cookie": "把主题记住在 cookie 里",
    "zh-reload": "刷新页面后也要记住",
    "zh-state": "记住筛选状态到 localStorage",
    "ja-cookie": "ユーザーの選択をCookieに覚えておいて",
    "ja-last": "最後に開いたタブを覚えておいてください",
    "ja-reload": "リロードしても覚えておいて",
    "ko-cookie": "사용자의 선택을 쿠키에 기억해 줘",
    "ko-last": "마지막으로 연 탭을 기억해줘",
    "de": "merk dir die Auswahl des Nutzers in einem Cookie",
    "es": "recuerda la elección del usuario en una cookie",
    "fr": "retiens le choix de l'utilisateur dans un cookie",
}


@pytest.mark.parametrize("text", WORK.values(), ids=WORK)
def test_what_a_program_is_to_remember_is_work(text: str) -> None:
    assert find_saves(text) == []


KEPT = {
    "colon": ("remember: the user's choice in a cookie", "the user's choice in a cookie"),
    "colon-value": ("remember the user's settings: dark and dense", "the user's settings: dark and dense"),
    "that": (
        "remember that the user's choice lives in a cookie",
        "the user's choice lives in a cookie",
    ),
    "verb": ("remember the selected tab lives in localStorage", "the selected tab lives in localStorage"),
    "plural": ("remember the users keep settings in the database", "the users keep settings in the database"),
    "third": ("remember the app keeps drafts in the session", "the app keeps drafts in the session"),
    "told": ("remember the app stored drafts in the session", "the app stored drafts in the session"),
    "may": ("remember the app must keep no login in a cookie", "the app must keep no login in a cookie"),
    "value": ("remember the user's language is Basque", "the user's language is Basque"),
    "reason": (
        "remember the user's settings, they live in ~/.config/mill",
        "the user's settings, they live in ~/.config/mill",
    ),
    "negated": ("remember never to keep the login in a cookie", "never to keep the login in a cookie"),
    "mine": ("remember my preferences across sessions: brevity", "my preferences across sessions: brevity"),
    "standing": (
        "from now on remember the user's choice in a cookie",
        "remember the user's choice in a cookie",
    ),
    "pointed": ("The choice is kept in a cookie. Remember this.", "The choice is kept in a cookie."),
    "zh": ("请记住：用户的选择存在 cookie 里", "用户的选择存在 cookie 里"),
    "zh-is": ("记住默认语言是中文，存到 cookie 里", "默认语言是中文，存到 cookie 里"),
    "zh-where": ("记住语言设置保存在数据库里", "语言设置保存在数据库里"),
    "ja": ("覚えておいて：選択はCookieに保存する", "選択はCookieに保存する"),
    "ja-before": ("選択はCookieに保存する、覚えておいてください", "選択はCookieに保存する"),
    "ko": ("기억해줘: 선택은 쿠키에 저장한다", "선택은 쿠키에 저장한다"),
    "de": ("merk dir, dass die Auswahl im Cookie steht", "die Auswahl im Cookie steht"),
    "de-verb": ("merk dir bitte die Auswahl steht im Cookie", "die Auswahl steht im Cookie"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "body"), KEPT.values(), ids=KEPT)
def test_what_the_user_wants_remembered_is_kept(text: str, body: str) -> None:
    assert [save.body for save in find_saves(text)] == [body]


def _pattern(source: str) -> re.Pattern[str]:
    return pattern(source, "語")


@given(st.from_regex(_pattern(program_data.AFTER)))
@settings(max_examples=30, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_the_words_looked_for_first_miss_nothing(after: str) -> None:
    assert program_data.hinted(after)


@given(st.sampled_from([program_data.ZH_AFTER, program_data.BEFORE]).map(_pattern).flatmap(st.from_regex))
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_nor_do_those_of_languages_without_spaces(text: str) -> None:
    assert program_data.hinted_in_asia(text)
