"""The adapter against a scripted endpoint on loopback: what is sent, what comes back, what is retried."""

import inspect
import subprocess
import sys
from datetime import UTC, datetime

import httpx
import pytest
from support.endpoint import LOOPBACK, Answer, endpoint, fails, overflows, refusing, says
from support.table import table

from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.litellm_model import LitellmModel, bare, litellm, mapped
from siltstone.pipeline.model.port import Reply, Turn, Usage, count_tokens
from siltstone.pipeline.model.retry import Policy, Unanswered
from siltstone.store.errors import ModelError, Overflow, SiltError, Unavailable

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
TURNS = (Turn("system", "You read."), Turn("user", "[1] user: hello"))


def at(url: str, slept: list[float], timeout: float = 30.0) -> LitellmModel:
    return LitellmModel("openai/scripted", url, "none", timeout, Policy(sleep=slept.append))


def ask(*script: Answer) -> tuple[Reply, list[float]]:
    slept: list[float] = []
    with endpoint(*script) as told:
        reply = at(told.url, slept).ask(TURNS, WireReply, 500)
    assert told.script == []
    return reply, slept


def refused(*script: Answer) -> tuple[SiltError, list[float]]:
    slept: list[float] = []
    with endpoint(*script) as told, pytest.raises(SiltError) as caught:
        at(told.url, slept).ask(TURNS, WireReply, 500)
    return caught.value, slept


def test_one_call_is_one_request_with_the_schema_and_a_limit() -> None:
    with endpoint(says('{"memories": []}', usage={"prompt_tokens_details": {"cached_tokens": 64}})) as told:
        reply = at(told.url, []).ask(TURNS, WireReply, 500)
    assert reply == Reply('{"memories": []}', Usage(100, 10, 64, None))
    (sent,) = told.requests
    assert sent["messages"] == [
        {"role": "system", "content": "You read."},
        {"role": "user", "content": "[1] user: hello"},
    ]
    assert sent["max_tokens"] == 500
    shape = sent["response_format"]["json_schema"]["schema"]
    assert shape == bare(WireReply.model_json_schema())
    assert shape["$defs"]["WireNew"]["properties"]["body"] == {"type": "string"}, "without its words"


def test_no_more_is_asked_for_than_the_model_can_write() -> None:
    with endpoint(says("[]")) as told:
        LitellmModel("openai/gpt-4o", told.url, "none").ask(TURNS, WireReply, 24_000)
    assert told.requests[0]["max_tokens"] == 16_384


def test_a_reply_is_what_was_said_and_whether_it_was_cut() -> None:
    reply, _ = ask(says('{"memories": [', finish="length"))
    assert (reply.text, reply.cut) == ('{"memories": [', True)
    assert ask(says(None))[0].text == ""
    assert len(ask(says("x" * 10_000_000))[0].text) == 10_000_000


def test_a_service_that_tells_no_usage_is_counted_here() -> None:
    reply, _ = ask(says("hello", usage={"prompt_tokens": 0, "completion_tokens": 0}))
    assert reply.usage.prompt == LitellmModel("openai/scripted").count(TURNS) > 8
    assert reply.usage.completion > 0


@pytest.mark.parametrize(
    "bad",
    [
        [fails(500), fails(503)],
        [Answer(body=b'{"id": "x"', promised=5_000)],
        [Answer(body=b"")],
        [Answer(body=b"<html>")],
        [Answer(body=b"[1, 2]")],
    ],
    ids=["away", "cut short on the wire", "empty", "html", "list"],
)
def test_an_answer_that_is_none_is_asked_again(bad: list[Answer]) -> None:
    reply, slept = ask(*bad, says("[]"))
    assert (reply.text, len(slept)) == ("[]", len(bad))


def test_what_takes_too_long_is_not_sent_again_while_the_service_may_be_at_work() -> None:
    slept: list[float] = []
    with endpoint(Answer(never=True), says("[]")) as told, pytest.raises(Unavailable, match="model_timeout"):
        at(told.url, slept, 0.5).ask(TURNS, WireReply, 500)
    assert (slept, len(told.script)) == ([], 1)


def test_a_refused_connection_is_asked_again_and_then_said() -> None:
    slept: list[float] = []
    with pytest.raises(Unanswered, match=r"openai/scripted did not answer \(.*Connection refused\)"):
        at(refusing(), slept).ask(TURNS, WireReply, 500)
    assert len(slept) == 4


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (overflows(), Overflow, "too large for the model"),
        (fails(413, "Payload too large"), Overflow, "too large for the model"),
        (fails(400, "unknown parameter"), ModelError, "refused the request (unknown parameter)"),
        (fails(401, "bad key"), ModelError, "denied access (bad key); set the key"),
        (fails(403, "not yours"), ModelError, "not yours"),
        (fails(404, "no such model"), ModelError, "(no such model); check the model's name"),
        (fails(429, "You exceeded your current quota", "insufficient_quota"), ModelError, "quota is used up"),
        (fails(429, retry_after="3600"), Unanswered, "did not answer"),
    ],
    ids=["overflow", "413", "400", "401", "403", "404", "quota", "wait-an-hour"],
)
def test_what_is_never_asked_again(answer: Answer, kind: type[SiltError], words: str) -> None:
    error, slept = refused(answer)
    assert type(error) is kind
    assert str(error).startswith("openai/scripted")
    assert words in str(error)
    assert "\n" not in str(error)
    assert slept == []


def test_parameters_that_a_service_does_not_know_are_said() -> None:
    """litellm asks a second time by itself, without the parameters it takes for the cause."""
    error, slept = refused(fails(422, "what?"), fails(422, "what?"))
    assert (type(error), slept) == (ModelError, [])
    assert "does not accept the request (422)" in str(error)


def test_a_key_that_a_service_quotes_is_not_repeated() -> None:
    key = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    error, _ = refused(fails(401, f"Incorrect API key provided: {key}."))
    assert key not in str(error)
    assert "denied access (Incorrect API key provided: [REDACTED]" in str(error)


def test_a_missing_key_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    slept: list[float] = []
    model = LitellmModel("openai/scripted", refusing(), policy=Policy(sleep=slept.append))
    with pytest.raises(ModelError, match=r"denied access .*set the key"):
        model.ask(TURNS, WireReply, 9)
    assert slept == []


def test_a_name_without_a_provider_is_said_at_once() -> None:
    said = r"^nonsense does not say which provider it is from; name it as PROVIDER/MODEL\.$"
    with pytest.raises(ModelError, match=said):
        LitellmModel("nonsense").ask(TURNS, WireReply, 9)


def every_foreign_error() -> list[type[Exception]]:
    import openai

    classes = inspect.getmembers(litellm().exceptions, inspect.isclass)
    return [cls for _, cls in classes if issubclass(cls, Exception) and issubclass(cls, openai.OpenAIError)]


def made(cls: type[Exception]) -> Exception:
    """An instance, whatever its constructor wants."""
    request = httpx.Request("POST", "http://llm.invalid")
    offered = {
        "message": "scripted", "model": "m", "llm_provider": "p", "status_code": 500, "request": request,
        "response": httpx.Response(418, request=request), "body": None, "code": "c", "raw_response": "{}",
        "request_data": {}, "schema": "{}", "original_exception": None, "generated_content": "",
        "failures": [],
    }  # fmt: skip
    wanted = inspect.signature(cls.__init__).parameters
    return cls(**{name: offered[name] for name in wanted if name in offered})


def test_every_foreign_error_has_its_place_in_our_tree() -> None:
    classes = every_foreign_error()
    assert len(classes) > 20
    for cls in classes:
        error = mapped(made(cls), "openai/x", NOW)
        assert type(error) in (Overflow, Unanswered, ModelError), cls
        assert str(error).startswith("openai/x"), cls
        assert str(error).endswith("."), cls


def test_a_priced_reply_says_what_it_cost() -> None:
    assert [LitellmModel(name).price(1_000, 1_000) for name in ("openai/my-own", "nonsense", "")] == [
        None
    ] * 3
    with endpoint(says("[]")) as told:
        model = LitellmModel("openai/gpt-5-mini", told.url, "none")
        reply = model.ask(TURNS, WireReply, 500)
    assert reply.usage.cost == pytest.approx(model.price(100, 10))
    assert reply.usage.cost


@table("litellm_model", "tokens")
def test_tokens_are_counted_closely_enough(text: str) -> None:
    true = len(litellm().encoding.encode(text * 20))
    assert 0.9 * true <= count_tokens([Turn("user", text * 20)]) <= 1.4 * true


def test_counting_tokens_does_not_load_litellm() -> None:
    code = (
        "import sys; from siltstone.pipeline.model.litellm_model import LitellmModel;"
        "from siltstone.pipeline.model.port import Turn;"
        "assert LitellmModel('openai/x').count([Turn('user', 'hello <|endoftext|>')]) > 4;"
        "assert 'litellm' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
