"""Every way in which asking an agent goes wrong: which is asked again, and what the user is told."""

import pytest
from asked_agents import SPOKEN, ask, failed, model
from support.fake_agent import FakeAgents
from support.table import table

from siltstone.agents.hooks import AGENTS
from siltstone.pipeline.model.retry import Policy
from siltstone.store.errors import ModelError, Overflow, Unavailable


@table("asking", "for_good")
def test_what_no_second_try_mends(
    agents: FakeAgents, name: str, out: str, err: str, code: int, words: str
) -> None:
    agents.says(name, out, err, code)
    with pytest.raises(ModelError, match=words) as raised:
        ask(model(agents, name))
    assert str(raised.value).startswith(f"agent:{name} ")
    assert "\n" not in str(raised.value)


@table("asking", "may_pass")
def test_what_may_pass_is_asked_again(agents: FakeAgents, name: str, out: str, err: str, code: int) -> None:
    pauses: list[float] = []
    agents.says(name, out, err, code)
    asked = model(agents, name)
    asked.policy = Policy(attempts=2, sleep=pauses.append)
    with pytest.raises(Unavailable, match="try again later"):
        ask(asked)
    assert len(agents.calls) == 2
    assert len(pauses) == 1


@table("asking", "allowance")
def test_an_allowance_that_is_used_up_waits_for_a_later_run(agents: FakeAgents, name: str, out: str) -> None:
    agents.says(name, out, code=1)
    asked = model(agents, name)
    asked.policy = Policy(sleep=lambda _: pytest.fail("asked again at once"))
    with pytest.raises(Unavailable, match="used up its account's quota"):
        ask(asked)


@table("asking", "overflow")
def test_a_window_too_large_is_an_overflow(agents: FakeAgents, name: str, out: str, err: str) -> None:
    agents.says(name, out, err, 1)
    with pytest.raises(Overflow):
        ask(model(agents, name))


@pytest.mark.parametrize("name", AGENTS)
def test_one_that_hangs_is_ended(agents: FakeAgents, name: str) -> None:
    agents.does(name, "print('Error: waiting for network', file=sys.stderr, flush=True)\ntime.sleep(600)")
    asked = model(agents, name)
    asked.seconds = 1.0
    with pytest.raises(Unavailable, match=r"not answer in time and was stopped \(Error: waiting"):
        ask(asked)


def test_one_that_floods_is_ended(agents: FakeAgents) -> None:
    agents.does("codex", "while True: os.write(1, b'x' * 100_000)")
    with pytest.raises(Unavailable, match="wrote over 8 MB"):
        ask(model(agents, "codex"))


@pytest.mark.parametrize("name", AGENTS)
def test_one_that_dies_is_asked_again_later(agents: FakeAgents, name: str) -> None:
    agents.does(name, f"os.write(1, {SPOKEN[name][:40].encode()!r}); os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(Unavailable, match="ended by signal 11"):
        ask(model(agents, name))


def test_a_secret_in_its_complaint_is_hidden(agents: FakeAgents) -> None:
    key = "sk-ant-" + "api03-" + "Zk3" * 31 + "AA"
    agents.says("claude", failed(f"Error: key {key} is refused", 400), code=1)
    with pytest.raises(ModelError, match="refused") as raised:
        ask(model(agents, "claude"))
    assert key not in str(raised.value)
