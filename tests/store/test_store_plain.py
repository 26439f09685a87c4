"""What is plain enough to be kept without asking the rules for secrets (invariant 8)."""

from collections.abc import Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.redaction_corpus import cases
from test_redaction_secrets import ROWS

from siltstone.store.plain import cleaned, plain
from siltstone.store.redaction import redact
from siltstone.store.redaction.engine import LONGEST, RULES
from siltstone.store.redaction.page import Page
from siltstone.store.redaction.vocabulary import LABELS, Label

PLAIN = {
    "compiler": "src/index.ts(10,3): error TS2345: Argument of type 'string' is not assignable to 'number'",
    "runtime": "TypeError: Cannot read property 'x' of undefined",
    "test": "FAILED tests/test_cart.py::test_total - assert 3 == 4",
    "summary": "1 failed, 11 passed in 0.32s",
    "module": "ModuleNotFoundError: No module named 'requests'",
    "path": "src/app/main.py",
    "decision": "We decided to use Postgres instead of MySQL",
    "runner": "● totals › adds VAT",
    "linter": "✖ 3 problems (3 errors, 0 warnings)",
    "missing key": "KeyError: 'total'",
    "npm": "npm ERR! code ELIFECYCLE",
    "status": "the process ended with exit code 137",
    "letters inside": "error: the instance considers the shopping outside",
}
HARMLESS = ("KeyError", "npm ERR! code", "exit code", "status code", "● totals ›", "✖")
TAILS = (
    "hunter2",
    ": hunter2",
    " = 'hunter2'",
    " velvet-2271",
    " 4821",
    ": 4821",
    ": correct horse battery staple",
)


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_sessions_are_full_of_is_plain(text: str) -> None:
    assert plain(text)
    assert cleaned(text) == text


def test_no_text_that_a_rule_would_change_is_plain() -> None:
    texts = {line for case in cases(2) for line in (case.text, *case.text.split("\n"))}
    texts |= {row.translate(dict.fromkeys(map(ord, "⟦⟧¦"))) for row in ROWS.values()}
    changed = [text for text in sorted(texts) if redact(text).text != text]
    assert len(changed) > 1000
    assert [text for text in changed if plain(text)] == []


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("words", HARMLESS)
def test_harmless_words_name_no_secret(words: str, tail: str) -> None:
    text = f"{words}{tail}"
    assert redact(text).text == text or not plain(text)


NEEDLES = sorted({label.needle for label in LABELS if label.needle.isalpha() and label.needle.isascii()})
SIGNS = ("-", "_", ".", "/")
NAMES = st.lists(
    st.tuples(
        st.sampled_from((*NEEDLES, "src", "velvet", "Otter", "API", "jelsz", "Deploy", "live", "rows")),
        st.sampled_from((*SIGNS, "")),
    ),
    min_size=1,
    max_size=6,
).map(lambda told: "".join(word + sign for word, sign in told))


@settings(max_examples=1_000)
@given(NAMES)
def test_in_the_name_of_a_file_no_word_announces_another(name: str) -> None:
    assert cleaned(name) == redact(name).text


@pytest.mark.parametrize("name", ["src/auth/user_session.py", "feedback-never-put-co-author-lines.md"])
def test_a_name_is_kept_without_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("siltstone.store.redaction.redact")
    assert cleaned(name) == name
    assert not plain(name)  # in a text it may announce what follows


def test_what_is_drawn_is_taken_for_no_name() -> None:
    """Letters alone, behind words that name secrets and what services' keys begin with."""
    chance = Random(11)  # noqa: S311 - no secret
    vendors = "ghp glpat xoxb GOCSPX SG hvs dckr_pat AIza EAA AQVN eyJ dp.pt sl pat whsec lin_api sk key live"

    def part() -> str:
        letters = chance.choice((ascii_letters, ascii_lowercase, ascii_uppercase))
        drawn = "".join(chance.choices(letters, k=chance.randint(8, 22)))
        return chance.choice((*chance.sample(NEEDLES, 2), *chance.sample(vendors.split(), 2), drawn, drawn))

    def name() -> str:
        return "".join(part() + chance.choice(SIGNS) for _ in range(chance.randint(1, 6)))

    names = [name() for _ in range(20_000)]
    changed = [name for name in names if redact(name).text != name]
    assert len(changed) > 1_000
    assert sum(cleaned(name) == name and not plain(name) for name in changed) < len(changed) / 500


@pytest.mark.parametrize(
    "key", ["sk_AbcdefGhi-JklMnopQr", "rk-quiknode-crn_qt-Jelsz", "PK_live-Abcd-efgh-Ij"]
)
def test_a_service_s_key_without_a_digit_is_no_name(key: str) -> None:
    assert not plain(key)


@pytest.mark.parametrize("name", ["userPin", "myPinNumber", "PIN", "my_tan", "tanList", "otp", "connect.sid"])
def test_a_short_name_of_a_secret_is_never_plain(name: str) -> None:
    assert not plain(f"{name} 4821")


def test_a_secret_is_hidden() -> None:
    assert "velvet" not in cleaned("the password is " + "velvet-2271")


def test_what_cannot_be_checked_is_dropped() -> None:
    assert cleaned("a" * (LONGEST + 1)) == ""


BESIDE = {
    "in what they announce": ("begin ", "end ", "machine ", "machine\t", "lftp ", "api", "frase"),
    "in the digits": (":a", "1//0", "akia", "asia", "kart", "cart", "tarjeta"),
    "in what follows": ("echo ", "printf ", "print ", "<<<", "x-", "root", "postgres", "guest", "demo"),
}
"""Needles of rules that alone make no text less than plain, by where a rule needs more that does."""
LABELLED = (
    "Das {} ist {}",
    "{}：{}",
    "{}は{}です",
    "{} — {}",
    "la {} est « {} »",
    "请用 {} {} 登录",
    "✓ {}: {}",
)
VALUES = ("hunter2", "velvet-2271", "4821", "correct horse battery staple", "秘密です", "Straße9", "a1b2c3")


class Asked(Page):
    """A page that remembers what was looked for in it."""

    def __init__(self) -> None:
        super().__init__("x")
        self.needles: set[str] = set()

    def positions(self, needle: str) -> tuple[int, ...]:
        self.needles.add(needle)
        return ()


def needles() -> Iterator[str]:
    page = Asked()
    for rule in RULES:
        list(rule(page))
    yield from page.needles
    yield from (label.needle for label in LABELS)


def test_nothing_is_plain_that_a_rule_begins_with() -> None:
    """A new needle of a rule is to stand in the words of `plain`, or above with where it is told."""
    assert {needle for needle in needles() if plain(f" {needle} ")} == {
        needle for listed in BESIDE.values() for needle in listed
    }


@pytest.mark.parametrize(
    "text",
    [
        "cvv: 123",
        "Karte 4111 1111 1111 1111",
        "https://ntfy.sh/abc" + "12de",
        "echo hunter2 | sudo -S ls",
        "redis-cli -a hunter2",
        "psw=kissa",
        "jeton: ab12c",
        "wifi:S:net;P:abcd;",
    ],
)
def test_a_short_secret_is_hidden_in_few_words_too(text: str) -> None:
    assert cleaned(text) == redact(text).text != text


@given(st.sampled_from(LABELLED), st.sampled_from(LABELS), st.sampled_from(VALUES), st.text(max_size=20))
def test_outside_ascii_what_is_kept_is_what_the_rules_leave(
    form: str, label: Label, value: str, more: str
) -> None:
    for text in (f"{form.format(label.needle, value)} {more}", f"{more}ü{value}", f"✓ {value} {more}"):
        assert cleaned(text) == redact(text).text


def test_outside_ascii_nothing_of_the_corpus_is_left() -> None:
    texts = [line for case in cases(2) for line in case.text.split("\n") if not line.isascii()]
    assert len(texts) > 50
    for text in texts:
        assert cleaned(text) == redact(text).text
