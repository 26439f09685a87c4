"""Cassettes hold no host, no key and no machine, and a changed prompt makes them fail helpfully."""

import ast
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from support import cassettes

from siltstone.store.redaction import redact

RECORDED = sorted(cassettes.FOLDER.rglob("*.yaml"))
NAMES = [f"{place.parent.name}/{place.stem}" for place in RECORDED]
OF_A_MACHINE = re.compile(r"(?<![\w.])/(?:root|work|tmp|Users|private|mnt)/|127\.0\.0\.1:\d+/|:8\d{3}/v1")
PLANTED = cassettes.ROOT / "tests" / "data" / "planted" / "truth.json"


def request(body: object = b"{}", uri: str = "http://x/v1/chat/completions") -> SimpleNamespace:
    return SimpleNamespace(body=body, uri=uri, headers={"Authorization": "Bearer k", "Content-Type": "json"})


@pytest.mark.parametrize(
    ("uri", "kept"),
    [
        ("http://127.0.0.1:8399/v1/chat/completions", "/chat/completions"),
        ("https://user:k@api.example/v1/chat/completions?key=k", "/chat/completions"),
        ("https://api.example/deep/prefix/v1/messages/", "/messages"),
        ("https://g.example/v1beta/models/gemini:generateContent?key=k", "/models/gemini:generateContent"),
        ("https://api.example/other", "/other"),
    ],
)
def test_any_host_becomes_one_that_does_not_exist(uri: str, kept: str) -> None:
    assert cassettes.scrub_request(request(uri=uri)).uri == cassettes.HOST + kept


def test_headers_are_kept_by_name() -> None:
    assert cassettes.scrub_request(request()).headers == {"Content-Type": "json"}
    told = {"headers": {"Retry-After": ["7"], "Set-Cookie": ["x"], "Content-Type": ["json"], "X-Org": ["me"]}}
    assert cassettes.scrub_response(told)["headers"] == {"retry-after": ["7"], "content-type": ["json"]}


@pytest.mark.parametrize("body", [b'{"a": 1, "b": 2, "model": "y"}', '{"b":2,"a":1,"user":"me"}'])
def test_bodies_match_by_what_they_mean(body: str | bytes) -> None:
    cassettes.match_llm_body(request(b'{"a": 1, "b": 2, "model": "x"}'), request(body))


def test_a_changed_prompt_says_how_to_record_again() -> None:
    with pytest.raises(AssertionError, match="make record"):
        cassettes.match_llm_body(request(b'{"messages": ["old"]}'), request(b'{"messages": ["new"]}'))


def test_cassettes_lie_at_the_top_by_test_module() -> None:
    assert cassettes.path_for(Path("tests/pipeline/test_x.py")) == cassettes.ROOT / "cassettes" / "test_x"
    assert (cassettes.ROOT / "pyproject.toml").exists()


def calls(place: Path) -> list[dict[str, Any]]:
    told: dict[str, Any] = yaml.load(place.read_text(encoding="utf-8"), yaml.CSafeLoader)
    found: list[dict[str, Any]] = told["interactions"]
    return found


def texts(call: dict[str, Any]) -> list[str]:
    """What went over the wire in words: every message sent, and the reply."""
    asked, replied = json.loads(call["request"]["body"]), json.loads(call["response"]["body"]["string"])
    sent = [str(message["content"]) for message in asked["messages"]]
    if "choices" in replied:
        return [*sent, replied["choices"][0]["message"]["content"]]
    return [*sent, str(replied)]  # an error, or another service's form


def planted_secrets() -> list[str]:
    told = json.loads(PLANTED.read_text(encoding="utf-8").replace("¦¦", ""))
    return [text for secret in told["secrets"] for text in (secret["value"], *secret.get("parts", ()))]


@pytest.mark.parametrize("place", RECORDED, ids=NAMES)
def test_a_cassette_is_of_no_host_and_no_machine_and_holds_no_secret(place: Path) -> None:
    told = calls(place)
    for call in told:
        assert call["request"]["uri"] in {f"{cassettes.HOST}/chat/completions", f"{cassettes.HOST}/messages"}
        headers = {*call["request"]["headers"], *call["response"]["headers"]}
        assert {name.lower() for name in headers} <= {"content-type", "retry-after"}
    assert not OF_A_MACHINE.findall(place.read_text(encoding="utf-8"))
    said = [text for call in told for text in texts(call)]
    assert [text for text in said if redact(text).text != text] == []
    assert not [secret for secret in planted_secrets() if any(secret in text for text in said)]


@pytest.mark.parametrize("place", RECORDED, ids=NAMES)
def test_the_test_of_a_cassette_says_what_it_shows(place: Path) -> None:
    (module,) = (cassettes.ROOT / "tests").rglob(f"{place.parent.name}.py")
    tree = ast.parse(module.read_text(encoding="utf-8"))
    (test,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == place.stem)
    assert ast.get_docstring(test)
