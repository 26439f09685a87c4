"""How services answer besides well: too many requests, an error of theirs, a window too large, a reply cut
off, and a second provider's wire. An endpoint with a script was recorded; README.md of the cassettes says so.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support import cassettes
from support.bench import Bench
from support.endpoint import Answer, endpoint, fails, overflows, says
from support.recorded import assert_proven, current, ours, saying

from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.model.retry import Policy

pytestmark = pytest.mark.vcr

POSTMARK = "order mails are sent through Postmark, never through our own SMTP server"
PLAIN = "every mail template has a plain text version beside the HTML one"
Service = Callable[..., LitellmModel]


@pytest.fixture
def slept() -> list[float]:
    """Seconds between one try and the next, which nobody waits."""
    return []


@pytest.fixture
def service(record_mode: str, slept: list[float]) -> Iterator[Service]:
    """A model behind a service that answers by a script, while recording; its cassette, else."""
    with cassettes.fresh_clients(), ExitStack() as open_services:

        def made(*script: Answer, name: str = "openai/scripted") -> LitellmModel:
            base = f"{cassettes.HOST}/v1"
            if record_mode != "none":
                base = open_services.enter_context(endpoint(*script)).url
            if name.startswith("anthropic/"):
                base = base.removesuffix("/v1")
            return LitellmModel(name, base, "none", policy=Policy(sleep=slept.append))

        yield made


def item(number: int, quote: str) -> dict[str, object]:
    return {"quotes": [f"{number}: {quote}"], "type": "project", "body": f"{quote[0].upper()}{quote[1:]}."}


def reply(*items: dict[str, object]) -> str:
    return json.dumps({"memories": list(items)})


BOTH = reply(item(1, POSTMARK), item(3, PLAIN))
STAND = '{"bodies":[{"item":1,"when":"","use":3,"body":"="},{"item":2,"when":"","use":3,"body":"="}]}'
"""Looked at once more, both stay as they are."""


def assert_both_are_kept(bench: Bench) -> None:
    assert_proven(bench)
    standing = current(bench.store())
    assert saying(standing, r"Postmark")
    assert saying(standing, r"plain text")
    assert len(standing) == 2


def bench_of(folder: Path) -> Bench:
    return Bench(folder, ours(folder / "home", "hosting"))


def test_too_many_requests(tmp_path: Path, service: Service, slept: list[float]) -> None:
    """A 429 that asks for seven seconds: they are waited, then the same request is answered."""
    bench = bench_of(tmp_path)
    report = bench.run(service(fails(429, "Rate limit reached", retry_after="7"), says(BOTH), says(STAND)))
    assert (slept, report.calls, report.failed) == ([7.0], 2, 0)
    assert_both_are_kept(bench)


def test_an_error_of_the_service(tmp_path: Path, service: Service, slept: list[float]) -> None:
    """Two 503s, then an answer: each wait is longer than the one before."""
    bench = bench_of(tmp_path)
    busy = fails(503, "overloaded")
    report = bench.run(service(busy, busy, says(BOTH), says(STAND)))
    assert (len(slept), report.calls, report.failed) == (2, 2, 0)
    assert_both_are_kept(bench)


def test_a_window_too_large(tmp_path: Path, service: Service) -> None:
    """The window is halved, and each half is asked for by itself."""
    bench = bench_of(tmp_path)
    halves = reply(item(1, POSTMARK)), STAND, reply(item(3, PLAIN)), STAND
    report = bench.run(service(overflows(), *map(says, halves)))
    assert (report.windows, report.failed) == (2, 0)
    assert_both_are_kept(bench)


def test_a_cut_reply(tmp_path: Path, service: Service) -> None:
    """What is whole in a reply that was cut off is kept; only the rest is asked for."""
    bench = bench_of(tmp_path)
    first = BOTH[: BOTH.index("every mail")]
    report = bench.run(service(says(first, finish="length"), says(reply(item(3, PLAIN))), says(STAND)))
    assert (report.calls, report.failed) == (3, 0)
    assert_both_are_kept(bench)


def test_anthropic(tmp_path: Path, service: Service) -> None:
    """Messages, key and usage as Anthropic's API has them."""
    bench = bench_of(tmp_path)
    body = {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 2100, "output_tokens": 120},
    }
    texts = ([{"type": "text", "text": text}] for text in (BOTH, STAND))
    answers = [Answer(body=json.dumps({**body, "content": text}).encode()) for text in texts]
    report = bench.run(service(*answers, name="anthropic/claude-haiku-4-5"))
    assert (report.calls, report.failed, report.usage.prompt) == (2, 0, 4200)
    assert_both_are_kept(bench)
