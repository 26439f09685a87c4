"""Whatever a model sends: what makes sense of it is kept, the rest has a reason, and no run breaks."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from person import SAVE, Person, is_one_sentence, line, told
from support.bench import DATA
from support.commands import Said
from support.endpoint import LOOPBACK, Answer, endpoint, fails, overflows, says

FACT = "the ingest queue is Redis Streams because ids are monotonic"
SAVED = "all copy in this shop is British English"

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)


def item(**fields: object) -> dict[str, object]:
    proof = [{"n": 2, "quote": "the ingest queue is Redis Streams"}]
    texts = {"name": "queue", "description": "Ingest queue is Redis Streams", "body": FACT}
    where = {"type": "project", "topic": None, "scope": "project", "evidence": proof}
    return {"action": "create", "target": None} | texts | where | fields


def sends(*items: object) -> Answer:
    return says(json.dumps({"memories": list(items)}))


def ask(
    person: Person, monkeypatch: pytest.MonkeyPatch, *answers: Answer, more: Sequence[bytes] = ()
) -> Said:
    """A run with a model that answers so, over one save, one fact, an answer, and what `more` was said."""
    person.says(line(SAVE), line(FACT), line("Noted.", role="assistant"), *more)
    with endpoint(*answers) as model:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("SILT_API_BASE", model.url)
        monkeypatch.setenv("SILT_COMPACT_ENABLED", "false")
        said = person.run("--yes", "--model", "openai/scripted")
        assert model.script == []
    return said


@pytest.mark.parametrize("text", ["x" * 10_000_000, '{"memories": {"a": 1}}'], ids=["10-MB", "no-list"])
def test_a_reply_that_cannot_be_read_is_asked_again_later(
    person: Person, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    said = ask(person, monkeypatch, says(text), says("Sorry."))
    assert is_one_sentence(said, 1)
    assert "will be retried" in said.err
    assert person.kept() == [SAVED], "what the user asked to remember does not wait for the model"
    assert said.json["failed"] == 1


NAMES = [
    "../../evil",
    "/etc/evil",
    "a\0b",
    "x" * 100_000,
    "CON",
    ".git/hooks/pre-commit",
    "MEMORY",
    "évïl/日本",
    "",
]
FACTS = (DATA / "planted" / "asked.txt").read_text("utf-8").splitlines()


def test_no_name_of_a_model_names_a_file(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    told_as = [*zip(NAMES, FACTS, strict=False)]
    items = [
        item(name=name, description=fact, body=fact, evidence=[{"n": n, "quote": fact}])
        for n, (name, fact) in enumerate(told_as, 4)
    ]
    told(ask(person, monkeypatch, sends(*items), more=[line(fact) for _, fact in told_as]))
    assert len(person.kept()) == 1 + len(NAMES)
    files = [path for path in person.store.rglob("*.md") if path.parent != person.store]
    assert {path.parent.relative_to(person.store) for path in files} == {Path("projects/larkspur")}
    assert not [path for path in person.home.rglob("*evil*") if path not in files]
    assert person.git("status", "--porcelain") == ""
    assert sorted(path.name for path in person.home.iterdir()) == ["person", "said", "state", "store"]


@pytest.mark.parametrize(
    ("answers", "status", "says_so"),
    [
        pytest.param([fails(401)], 1, "denied access", id="no-key"),
        pytest.param([fails(404)], 1, "refused the request", id="no-model"),
        pytest.param([overflows(), overflows()], 1, "too large", id="always-too-large"),
    ],
)
def test_a_model_that_refuses_is_told_in_one_sentence(
    person: Person, monkeypatch: pytest.MonkeyPatch, answers: list[Answer], status: int, says_so: str
) -> None:
    said = ask(person, monkeypatch, *answers)
    assert is_one_sentence(said, status)
    assert says_so in said.err
    assert person.kept() == [SAVED]


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": 10**30},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    ],
    ids=["absurd", "none"],
)
def test_what_a_service_says_it_took_is_not_believed_blindly(
    person: Person, monkeypatch: pytest.MonkeyPatch, usage: dict[str, int]
) -> None:
    sent = json.dumps({"memories": [item()]})
    tokens = told(ask(person, monkeypatch, says(sent, usage=usage)))["tokens"]
    assert tokens["prompt"] > 500
    assert 20 < tokens["completion"] < 1_000
