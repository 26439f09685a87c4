"""Words of change decide between supersede and conflict (invariant 11)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.rules.change import denies, says_change


@pytest.mark.parametrize(
    "quote",
    [
        "since last Tuesday the API runs on Hetzner",
        "we no longer publish to PyPI",
        "we've moved the cache from memcached to Valkey",
        "the limit was raised to 90%",
        "the fee is now 3 euros",
        "increased the retry count to 5",
        "our team grew to 5 developers",
        "we shortened the window from 10 to 5 minutes",
        "the timeout went up to 60s",
        "as of May we are on the paid tier",
        "Docker image reduced to 340MB",
        "Postgres replaced MySQL here",
        "wir hosten das nicht mehr bei Strato",
        "wir sind auf Bun umgestiegen",
        "nous sommes passés à Gitlab",
        "ya no usamos Jenkins",
        "部署改成了 Fly.io",
        "数据库从 MySQL 迁移到 Postgres",
        "CI は GitHub Actions に移行しました",
        "이제는 bun 을 씁니다",
    ],
)
def test_words_of_change(quote: str) -> None:
    assert says_change(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "free shipping is from £50",
        "the page can be finished: rows stay for 180 days",
        "please change the heading of the page",
        "the job runs every night",
        "die Tests laufen mit uv",
        "测试用 uv 跑",
        "テストは uv で実行する",
    ],
)
def test_no_word_of_change(quote: str) -> None:
    assert not says_change(quote)


@pytest.mark.parametrize(
    ("quote", "old", "denied"),
    [
        ("no, it is pnpm, not npm", "Installs are done with npm", True),
        ("that isn't on Vercel", "The shop is hosted on Vercel", True),
        ("nicht npm, sondern pnpm", "Installiert wird mit npm", True),
        ("不是 npm，是 pnpm", "用 npm 安装", True),
        ("npm ではなく pnpm です", "npm を使う", True),
        ("never use npm", "Do not use npm here", False),
        ("the limit is 50", "The limit is 40", False),
        ("no pushing, please", "Vercel hosts the shop", False),
    ],
    ids=["not", "isnt", "de", "zh", "ja", "agreement", "other-value", "other-thing"],
)
def test_denial_of_the_old_value(quote: str, old: str, denied: bool) -> None:
    assert denies(quote, old) is denied


@given(st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=60)
def test_any_text_is_taken(quote: str, old: str) -> None:
    assert says_change(quote) in (True, False)
    assert denies(quote, old) in (True, False)
