"""How model calls are recorded and replayed (pytest-recording).

A cassette holds no host, no key, no header but the content type, and lies in cassettes/<test module>/.
It is matched by method, path and body: a changed prompt, schema or parameter makes it fail, and the
failure says how to record again. The model's name is no part of the match, so that any model may be
asked when recording.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from siltstone.pipeline.model.litellm_model import litellm

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cassettes"
HOST = "http://llm.invalid"
AGAIN = (
    "What was asked is not what its cassette holds. If the prompt, the schema or the parameters were meant "
    "to change, record again: make record (see docs/prompts.md)."
)

ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_RUST": "0",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
}
"""Before litellm is imported: nothing is fetched, no .env is read, and all HTTP is seen by vcrpy."""

RECORD_BASE = "SILT_RECORD_BASE"
RECORD_MODEL = "SILT_RECORD_MODEL"
PATIENCE = 6 * 3600.0
"""Seconds that a call may take while recording: the answer may be written by hand."""
NOT_MATCHED = {"model", "user", "metadata"}
_ENDPOINT = re.compile(r"/(chat/completions|responses|messages|api/chat|models/[^/:]+:\w+)$")


def path_for(module: Path) -> Path:
    """Where the cassettes of a test module lie."""
    return FOLDER / module.stem


def scrub_request(request: Any) -> Any:
    """Runs when recording and when matching, so that any endpoint matches."""
    path = urlsplit(request.uri).path.rstrip("/")
    named = _ENDPOINT.search(path)
    request.uri = HOST + (f"/{named[1]}" if named else path)
    request.headers = {k: v for k, v in request.headers.items() if k.lower() == "content-type"}
    return request


def scrub_response(response: dict[str, Any]) -> dict[str, Any]:
    kept = {"content-type", "retry-after"}
    response["headers"] = {k.lower(): v for k, v in response["headers"].items() if k.lower() in kept}
    return response


def body_of(request: Any) -> str:
    """The JSON of a request in one spelling, without what may differ."""
    raw = request.body or b"{}"
    told = json.loads(raw if isinstance(raw, str) else bytes(raw))
    return json.dumps({k: v for k, v in told.items() if k not in NOT_MATCHED}, sort_keys=True)


def match_llm_body(one: Any, other: Any) -> None:
    assert body_of(one) == body_of(other), AGAIN


def config() -> dict[str, Any]:
    """For pytest-recording's `vcr_config`."""
    return {
        "match_on": ("method", "uri", "llm_body"),
        "decode_compressed_response": True,
        "before_record_request": scrub_request,
        "before_record_response": scrub_response,
    }


@contextmanager
def fresh_clients() -> Iterator[None]:
    """No HTTP client that was built before: it would bypass the cassette."""
    clients = litellm().in_memory_llm_clients_cache
    clients.flush_cache()
    yield
    for client in clients.cache_dict.values():
        client.close()
    clients.flush_cache()


def endpoint() -> tuple[str, str]:
    """Model and endpoint to record from; what is replayed cares for neither."""
    return os.environ.get(RECORD_MODEL, "openai/desk"), os.environ.get(RECORD_BASE, f"{HOST}/v1")
