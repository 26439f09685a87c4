"""What redaction makes of each case of its corpus: a hash a case, by kind; and which benign lines it harms.

How golden files are written anew: golden.py. To see the text of a case, give its kind and place to
`support.redaction_corpus.cases`; a third of them is held back (tests/data/redaction/README.md).
"""

from collections import defaultdict
from hashlib import sha256

from golden import compare
from support.redaction_corpus import blocks, cases
from support.redaction_score import harms

from siltstone.store.redaction import redact


def redacted(text: str) -> str:
    return redact(text).text


def test_what_becomes_of_secrets_and_of_benign_lines() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases():
        found[case.kind].append(sha256(redacted(case.text).encode()).hexdigest()[:6])
    lines = [f"{kind}: {' '.join(marks)}" for kind, marks in found.items()]
    harmed = [f"{one.kind}: {one.before}" for one in harms(redacted, blocks())]
    compare("redaction.txt", "\n".join([*lines, "", f"== {len(harmed)} benign lines harmed", *harmed, ""]))
