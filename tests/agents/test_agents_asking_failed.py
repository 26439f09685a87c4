"""Every way in which asking an agent goes wrong: which is asked again, and what the user is told."""

import pytest
from asked_agents import (
    SPOKEN,
    ask,
    claude,
    codex,
    codex_failed,
    failed,
    gemini_failed,
    model,
    opencode,
    opencode_failed,
)
from support.fake_agent import FakeAgents

from siltstone.agents.hooks import AGENTS
from siltstone.pipeline.model.retry import Policy
from siltstone.store.errors import ModelError, Overflow, Unavailable

LOGGED_OUT = [
    ("claude", failed("Not logged in · Please run /login"), "", 1, "run `claude` and log in"),
    ("claude", failed("Invalid API key · Fix external API key", 401), "", 1, "log in"),
    ("codex", codex_failed("unexpected status 401 Unauthorized: Missing bearer"), "", 1, "`codex login`"),
    (
        "gemini",
        "",
        gemini_failed("Please set an Auth method in your settings.json", 41),
        41,
        "`gemini` and log in",
    ),
    ("gemini", "", gemini_failed('{"error":{"code":403,"message":"denied"}}', 403), 147, "log in"),
    ("opencode", opencode_failed("APIError", "invalid x-api-key", 401), "", 1, "`opencode auth login`"),
    ("opencode", opencode_failed("ProviderAuthError", "Missing API key"), "", 1, "auth login"),
]
TOO_OLD = [
    ("claude", "", "error: unknown option '--tools='", 1, "update claude"),
    ("codex", "", "error: unexpected argument '--ephemeral' found\n\n  tip: to pass", 2, "update codex"),
    ("gemini", "", "Usage: gemini [options]\n\nUnknown argument: session-id", 1, "update gemini"),
    ("opencode", "", "opencode run [message..]\n\nrun opencode with a message\n", 1, "update opencode"),
]
FOR_GOOD = [
    ("codex", "", "Error: Not inside a trusted directory", 1, r"status 1 \(Error: Not inside a trusted"),
    ("gemini", "", "Gemini CLI is not running in a trusted directory.", 55, "not running in a trusted"),
    ("claude", failed("Credit balance is too low", 400), "", 1, "Credit balance is too low"),
    ("claude", "", "", 1, "failed with status 1; run claude yourself"),
    ("claude", '{"type": "result", "is_er', "", 0, "without a reply that can be read"),
    ("codex", codex(), "", 0, "without a reply that can be read"),
    ("gemini", "[]", "", 0, "without a reply that can be read"),
    ("opencode", opencode("x", reason="tool-calls"), "", 0, "without a reply that can be read"),
    ("claude", claude(subtype="error_max_turns", result=None), "", 1, "error_max_turns"),
]


@pytest.mark.parametrize(("name", "out", "err", "code", "words"), LOGGED_OUT + TOO_OLD + FOR_GOOD)
def test_what_no_second_try_mends(
    agents: FakeAgents, name: str, out: str, err: str, code: int, words: str
) -> None:
    agents.says(name, out, err, code)
    with pytest.raises(ModelError, match=words) as raised:
        ask(model(agents, name))
    assert str(raised.value).startswith(f"agent:{name} ")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "out", "err", "code"),
    [
        ("claude", failed("API Error: Request rejected (429) · rate limit", 429), "", 1),
        ("claude", failed("API Error: 529 Overloaded. This is a server-side issue", 529), "", 1),
        ("claude", failed("API Error: Connection refused (ECONNREFUSED)"), "", 1),
        ("codex", codex_failed("exceeded retry limit, last status: 429 Too Many Requests"), "", 1),
        ("codex", codex_failed("We’re currently experiencing high demand, which may cause"), "", 1),
        ("codex", codex_failed("stream disconnected before completion"), "", 1),
        ("gemini", "", gemini_failed("Resource has been exhausted (e.g. check quota).", 429), 173),
        ("opencode", opencode_failed("APIError", "boom", 500), "", 1),
    ],
)
def test_what_may_pass_is_asked_again(agents: FakeAgents, name: str, out: str, err: str, code: int) -> None:
    pauses: list[float] = []
    agents.says(name, out, err, code)
    asked = model(agents, name)
    asked.policy = Policy(attempts=2, sleep=pauses.append)
    with pytest.raises(Unavailable, match="try again later"):
        ask(asked)
    assert len(agents.calls) == 2
    assert len(pauses) == 1


@pytest.mark.parametrize(
    ("name", "out"),
    [
        ("claude", failed("Claude AI usage limit reached|1795250825", 429)),
        ("claude", failed("5-hour limit reached ∙ resets 3pm", 429)),
        ("codex", codex_failed("You've hit your usage limit. Upgrade or try again in 3 days.")),
    ],
)
def test_an_allowance_that_is_used_up_waits_for_a_later_run(agents: FakeAgents, name: str, out: str) -> None:
    agents.says(name, out, code=1)
    asked = model(agents, name)
    asked.policy = Policy(sleep=lambda _: pytest.fail("asked again at once"))
    with pytest.raises(Unavailable, match="used up what its account allows"):
        ask(asked)


@pytest.mark.parametrize(
    ("name", "out", "err"),
    [
        ("claude", failed("Prompt is too long · the request is ~300000 tokens", 400), ""),
        ("codex", codex_failed("Codex ran out of room in the model's context window. Start a new"), ""),
        ("gemini", "", gemini_failed("The input token count (2000000) exceeds the maximum", 400)),
        ("opencode", opencode_failed("ContextOverflowError", "Your input exceeds the context window"), ""),
    ],
    ids=AGENTS,
)
def test_a_window_too_large_is_an_overflow(agents: FakeAgents, name: str, out: str, err: str) -> None:
    agents.says(name, out, err, 1)
    with pytest.raises(Overflow):
        ask(model(agents, name))


@pytest.mark.parametrize("name", AGENTS)
def test_one_that_hangs_is_ended(agents: FakeAgents, name: str) -> None:
    agents.does(name, "print('Error: waiting for network', file=sys.stderr, flush=True)\ntime.sleep(600)")
    asked = model(agents, name)
    asked.seconds = 1.0
    with pytest.raises(Unavailable, match=r"not answer in time and was ended \(Error: waiting"):
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
