"""What was said says again what is known only when every word of it is known (invariant 4)."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.merging.likeness import content, stem
from siltstone.pipeline.merging.repeats import repeats
from siltstone.pipeline.rules.aim import aimed

AGAIN = {
    "the same": ("the API of claude listens on port 7100", "The API of claude listens on port 7100."),
    "manners": ("the ingest queue is Redis Streams, by the way", "The ingest queue is Redis Streams"),
    "said before": ("as I said before, releases go out on Thursdays", "Releases go out on Thursdays"),
    "endings": ("the worker stores its rows hourly", "workers are storing the rows hourly"),
    "without we": ("lint with ruff", "we lint with ruff"),
    "one of two": ("never squash the commits", "Never squash the commits. Rebase them."),
    "without the reason": ("never use print", "Never use print, supervisord swallows it"),
    "in other words": ("no pushing", "commit yes, push no, ever"),
    "under the same bound": ("if the tree is dirty, please stash first", "If the tree is dirty, stash first"),
    "Chinese": ("部署前先跑测试", "部署前先跑测试。"),
}


@pytest.mark.parametrize("pair", AGAIN.values(), ids=AGAIN)
def test_a_paraphrase_brings_nothing(pair: tuple[str, str]) -> None:
    assert repeats(*pair)


OWN = {
    "name": ("the API of codex listens on port 7100", "the API of claude listens on port 7100"),
    "subject": ("the staging server runs on arm64 here", "the build server runs on arm64 here"),
    "value": ("the default theme of the app is ocean", "the default theme of the app is forest"),
    "person": ("I commit, you push", "you commit, I push"),
    "one of many": (
        "the docs of the shop, the app, the site and the wiki are English",
        "the docs of the shop, the app, the site and the blog are English",
    ),
    "told of two": ("alice reviews the Go code", "alice reviews the Python code and bob the Go code"),
    "of another kind": ("the shop database is Postgres", "the staging shop database is Postgres"),
    "only": ("releases go out only on Thursdays", "releases go out on Thursdays"),
    "all": ("all commits are signed", "commits are signed"),
    "place": ("releases go out in Oslo", "releases go out on Oslo"),
    "without its bound": ("stash first", "If the tree is dirty, stash first"),
    "denied": ("we never deploy to staging", "we deploy to staging"),
    "no longer denied": ("we deploy to staging", "we never deploy to staging on Fridays"),
    "pip and pipe": ("install it over the pipe", "install it over the pip"),
    "C and C++": ("the parser is written in c++", "the parser is written in c"),
    "Chinese": ("部署前先跑迁移", "部署前先跑测试"),
    "Japanese": ("時刻は東京で保存する", "時刻は大阪で保存する"),
    "nothing": ("", "we lint with ruff"),
}  # fmt: skip


@pytest.mark.parametrize("pair", OWN.values(), ids=OWN)
def test_a_word_of_its_own_is_a_fact_of_its_own(pair: tuple[str, str]) -> None:
    assert not repeats(*pair)


SENTENCES = [
    "the API of claude listens on port 7100",
    "releases of the shop go out on Thursdays, after lunch",
    "never squash commits of contributors in the plugin repository",
    "the ingest queue is Redis Streams, by the way",
    "commit yes, push no, ever",
    "logs are kept for ninety days because auditors ask for them",
    "wir bauen jede Nacht die ganze Dokumentation auf dem alten Server",
]


@given(
    st.sampled_from(SENTENCES),
    st.data(),
    st.text(st.characters(min_codepoint=ord("a"), max_codepoint=ord("z")), min_size=3, max_size=12),
)
@settings(max_examples=100)
def test_with_one_word_replaced_it_confirms_nothing(known: str, data: st.DataObject, word: str) -> None:
    said = known.split()
    meant = [i for i, one in enumerate(said) if content(one)]
    at = data.draw(st.sampled_from(meant))
    assume(content(word) and stem(word) not in {stem(one.strip(",").lower()) for one in said})
    said[at] = word + ("," if said[at].endswith(",") else "")
    candidate = Candidate("create", "project", "project", "note", "", " ".join(said), ())
    assert aimed(candidate, [RelatedEntry(1, "project", "note", known, known)]).action != "confirm"
