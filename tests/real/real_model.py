"""A model on loopback that answers from a script, over the wire that OpenCode speaks (chat completions).

What it was asked is kept: what counts is what arrives at the model.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Literal

Purpose = Literal["turn", "title", "summary"]
_TITLE, _SUMMARY = "You are a title generator", "You are a context summarization agent"


@dataclass(frozen=True, slots=True)
class Step:
    """One answer: a text, or a call of a tool."""

    text: str = ""
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    tokens: int = 1000
    """What the model says the prompt took."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the agent sent it."""

    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        return "\n".join(_text(one) for one in self._messages if one["role"] == "system")

    @property
    def user(self) -> str:
        """The last user message."""
        return next((_text(one) for one in reversed(self._messages) if one["role"] == "user"), "")

    @property
    def results(self) -> list[str]:
        """What tools returned since that message."""
        since = itertools.takewhile(lambda one: one["role"] != "user", reversed(self._messages))
        return [_text(one) for one in since if one["role"] == "tool"][::-1]

    @property
    def everything(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def tools(self) -> list[str]:
        return [one["function"]["name"] for one in self.body.get("tools") or ()]

    @property
    def purpose(self) -> Purpose:
        return "title" if _TITLE in self.system else "summary" if _SUMMARY in self.system else "turn"

    @property
    def _messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages


class ScriptedModel:
    """Answers by the first pattern that the last user message matches; the step follows from the results
    of tools since."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.summary = "## Goal\n- A scripted summary."
        self._scripts: list[tuple[str, tuple[Step, ...]]] = []

    def on(self, pattern: str, *steps: Step) -> None:
        """What to answer, step by step, to a message that `pattern` is found in."""
        self._scripts.append((pattern, steps))

    @property
    def turns(self) -> list[Asked]:
        """The requests that are no titles and no summaries."""
        return [one for one in self.asked if one.purpose == "turn"]

    def answer(self, body: Mapping[str, Any]) -> Step:
        asked = Asked(body)
        self.asked.append(asked)
        if asked.purpose != "turn":
            return Step(self.summary if asked.purpose == "summary" else "A scripted title")
        for pattern, steps in self._scripts:
            if re.search(pattern, asked.user):
                return steps[min(len(asked.results), len(steps) - 1)]
        return Step("OK.")


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """A model that listens while the block runs."""
    model = ScriptedModel()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(model)) as server:
        server.daemon_threads = True
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
            streamed = "".join(f"data: {one}\n\n" for one in _chunks(model.answer(body), len(model.asked)))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(streamed.encode())

    return Handler


def _chunks(step: Step, n: int) -> Iterator[str]:
    """An answer as a stream of chunks of a chat completion."""
    base = {"id": f"chatcmpl-{n}", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    delta: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.tool:
        call = {"name": step.tool, "arguments": json.dumps(dict(step.args))}
        delta["tool_calls"] = [{"index": 0, "id": f"call_{n}", "type": "function", "function": call}]
    usage = {"prompt_tokens": step.tokens, "completion_tokens": 10, "total_tokens": step.tokens + 10}
    finish = "tool_calls" if step.tool else "stop"
    yield json.dumps(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield json.dumps(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    yield json.dumps(base | {"choices": [], "usage": usage})
    yield "[DONE]"


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text") or "") for one in content)
