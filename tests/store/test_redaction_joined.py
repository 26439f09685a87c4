"""Tokens of known vendors that are joined to other words: hidden all the same; names and hashes stay."""

from itertools import product

import pytest
from support.vendor_shapes import SHAPES, draw

from siltstone.store.redaction import redact

BEFORE = ["", "x-", "name-", "x.", "x_", "x/", "x=", "x:", "__", "--", "a.b-key_", "https://h.example/a-"]
ESCAPES = ["log\\n", "a\\t", "a%3D", "a%2F"]
AFTER = ["", "-x", ".x", "_x", ".txt", "/x", ":x"]
LEFT = 8
"""Characters in a row of a token that may not be left."""

HEX = "0f3a9c27e1b84d65a1b2c3d4e5f60718" + "293a4b5c"
NAMES = f"""
Linux-npm-{HEX}{HEX[:24]}
macOS-node-modules-{HEX}
linux-pypi-{HEX}
git-fc-{HEX}
app-v1.0-{HEX}
my-ops-web-7d9f8b6c5d-x2x4z
my-uk-web-7d9f8b6c5d-x2x4z
fix-re-2024-10-11-parse-dates-v2
app-v1.0-some-long-file-name-2024-10-11-x64.tar.gz
run-npm-package-2024-01-02-lock
team-hf-models-v2-2024-quantized-q4
https://h.example/posts/why-sk-learn-2024-is-better-than-1999
--data-ops-2024-long-name-1999
__snapshots__/test_ops_2024_01_long.snap
models--hf-internal-testing--tiny-random-gpt2-4bit
my-xai-notebook-2024-10-long-name.ipynb
""".strip().split("\n")


def survives(token: str, text: str) -> bool:
    return any(token[at : at + LEFT] in text for at in range(len(token) - LEFT + 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_token_is_hidden_whatever_it_is_joined_to(shape: str) -> None:
    for before, after in product(BEFORE + ESCAPES, AFTER):
        token = draw(shape, f"{before} {after}")
        hidden = redact(f"see {before}{token}{after} there").text
        assert not survives(token, hidden), (before, after)
        if before in BEFORE:
            assert hidden.startswith("see ")
            assert hidden.endswith(" there")
            assert redact(hidden).text == hidden


def test_two_tokens_joined_are_both_hidden() -> None:
    one, two = draw("aws-key-id", 1), draw("github", 2)
    hidden = redact(f"a-{one}-{two}").text
    assert not survives(one, hidden)
    assert not survives(two, hidden)


@pytest.mark.parametrize("line", NAMES)
def test_names_hashes_and_addresses_stay(line: str) -> None:
    assert redact(line).text == line
