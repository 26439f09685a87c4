"""A model on loopback that answers from a script, over whichever wire it is asked (real_wires.py).

What it was asked is kept: what counts is what arrives at the model.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any, Literal

import zstandard
from real_wires import Step as Step
from real_wires import answer, chat
from support.endpoint import listening

Purpose = Literal["turn", "title", "summary"]
_TITLE, _SUMMARY = "You are a title generator", "You are a context summarization agent"


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
    def model(self) -> str:
        """The name of the model that is asked."""
        return str(self.body["model"])

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
        self.closing = Event()
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
    with listening(_handler(model), model.closing) as model.url:
        yield model


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def do_HEAD(self) -> None:
            self._send(200, "application/json", b"")

        def do_GET(self) -> None:
            self._send(200, "application/json", b'{"object": "list", "data": []}')

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.headers.get("content-encoding") == "zstd":
                raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
            body, path = json.loads(raw), self.path.partition("?")[0]
            step = model.answer(chat(path, body))
            if step.stall:
                model.closing.wait()
                return
            self._send(step.status, *answer(path, body, step, len(model.asked)))

        def _send(self, status: int, kind: str, told: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(told)))
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(told)

    return Handler


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text") or "") for one in content)
