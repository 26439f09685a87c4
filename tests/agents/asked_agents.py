"""Agents asked as models: what each reports, and the model that asks it.

The programs are scripts that answer as the real agents were seen to; tests/real/ asks those.
"""

import json
from typing import Any

from support.fake_agent import FakeAgents

from siltstone.agents.ask import AgentModel, agent_model
from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.port import Reply, Turn
from siltstone.pipeline.model.retry import Policy
from siltstone.prompts import INTERNAL

TEXT = '{"memories": []}'
TURNS = (Turn("system", "Note {env:HOME} what lasts."), Turn("user", f"{INTERNAL}: extraction\nWe use pnpm."))


def jsonl(*events: object) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def claude(**fields: Any) -> str:
    usage = {"input_tokens": 900, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 0}
    report = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": TEXT,
        "total_cost_usd": 0.02,
        "usage": usage | {"output_tokens": 60},
        "api_error_status": None,
    }
    return json.dumps(report | fields) + "\n"


def failed(words: str, status: int | None = None, **fields: Any) -> str:
    return claude(is_error=True, result=words, api_error_status=status, total_cost_usd=0, usage={}, **fields)


def codex(*items: dict[str, Any], last: dict[str, Any] | None = None) -> str:
    usage = {"input_tokens": 1000, "cached_input_tokens": 100, "output_tokens": 60}
    end = last or {"type": "turn.completed", "usage": usage}
    events = [{"type": "item.completed", "item": item} for item in items]
    return jsonl({"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}, *events, end)


def said(text: str) -> dict[str, Any]:
    return {"type": "agent_message", "text": text}


def gemini(**fields: Any) -> str:
    models = {
        "router": {"tokens": {"prompt": 400, "candidates": 10, "thoughts": 0, "cached": 0}},
        "main": {"tokens": {"prompt": 600, "candidates": 43, "thoughts": 7, "cached": 100}},
    }
    return json.dumps({"session_id": "s", "response": TEXT, "stats": {"models": models}} | fields, indent=2)


def opencode(*texts: str, reason: str = "stop") -> str:
    tokens = {"input": 900, "output": 50, "reasoning": 10, "cache": {"read": 100, "write": 0}}
    parts = [{"type": "text", "part": {"messageID": "m", "text": text}} for text in texts]
    end = {"type": "step_finish", "part": {"reason": reason, "tokens": tokens, "cost": 0.02}}
    return jsonl({"type": "step_start", "part": {}}, *parts, end)


SPOKEN = {
    "claude": claude(),
    "codex": codex(said("Let me see."), said(TEXT)),
    "gemini": gemini(),
    "opencode": opencode(TEXT[:5], TEXT[5:]),
}
GARBAGE = b"\x00\xff{[,"
COSTS = {"claude": 0.02, "codex": None, "gemini": None, "opencode": 0.02}


def model(agents: FakeAgents, name: str, **environ: str) -> AgentModel:
    """The agent as a model, asked once, in a folder of the test's own."""
    folder = agents.folder.parent
    known = {"PATH": str(agents.folder), "HOME": str(folder / "home"), **environ}
    made = agent_model(f"agent:{name}", folder / "asking", known)
    made.seconds = 20.0
    made.policy = Policy(attempts=1)
    return made


def ask(asked: AgentModel) -> Reply:
    return asked.ask(TURNS, WireReply, 8_000)
