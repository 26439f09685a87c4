"""What stays: text that looks like a secret, speaks of one or points at one (invariant 8)."""

import pytest
from support.redaction_corpus import FOLDER

from siltstone.store.redaction import redact

LINES = (FOLDER / "stays.txt").read_text("utf-8").replace("¦", "").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_benign_text_stays_as_it_is(line: str) -> None:
    assert redact(line).text == line


def test_benign_lines_stay_together_too() -> None:
    text = "\n".join(LINES)
    assert redact(text).text == text
