"""An OpenAI-compatible endpoint on loopback that answers from a script, one answer a request."""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

LOOPBACK = [r"127\.0\.0\.1"]
"""For `pytest.mark.block_network(allowed_hosts=LOOPBACK)`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request gets."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int | None = None
    """Content-Length, where it is not the truth: the connection is closed early."""
    never: bool = False
    """Say nothing at all until the endpoint is closed."""


def says(text: str | None, *, finish: str = "stop", usage: Mapping[str, Any] | None = None) -> Answer:
    """A completion."""
    body = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110} | dict(usage or {}),
    }
    return Answer(body=json.dumps(body).encode())


def fails(status: int, message: str = "scripted", code: str | None = None, **headers: str) -> Answer:
    """An error as OpenAI sends it; `retry_after="7"` becomes the header Retry-After."""
    body = {"error": {"message": message, "type": code or "scripted", "code": code or str(status)}}
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), told)


def overflows() -> Answer:
    return fails(400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded")


@dataclass
class Endpoint:
    """Where it listens and what it was sent."""

    url: str
    script: list[Answer]
    requests: list[dict[str, Any]] = field(default_factory=list)
    closing: Event = field(default_factory=Event)
    otherwise: Callable[[dict[str, Any]], Answer] | None = None
    """Answers once the script is at its end, from what was asked."""

    def answer(self, request: dict[str, Any]) -> Answer:
        self.requests.append(request)
        if self.script:
            return self.script.pop(0)
        return self.otherwise(request) if self.otherwise else fails(418, "the script is at its end")


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            answer = endpoint.answer(json.loads(self.rfile.read(length)))
            if answer.never:
                endpoint.closing.wait()
                return
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(answer.promised or len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

    return Handler


@contextmanager
def endpoint(
    *script: Answer, otherwise: Callable[[dict[str, Any]], Answer] | None = None
) -> Iterator[Endpoint]:
    """Answer requests from `script`, then by `otherwise`, while the block runs."""
    told = Endpoint("", list(script), otherwise=otherwise)
    with listening(_handler(told), told.closing) as told.url:
        yield told


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], closing: Event) -> Iterator[str]:
    """The address of a server that answers while the block runs; `closing` is set when that is over."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            closing.set()
            server.shutdown()
            thread.join()


def refusing() -> str:
    """The address of a port that nobody listens on."""
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{once.getsockname()[1]}/v1"
