"""What a person does by command: remember, import, accept. A person's word needs no other proof.

Redaction, tombstones, limits and the merge apply as to everything else. The gate does not: a person may keep
what it would reject. What an agent remembers with a tool is its own claim: the gate judges it, and it waits
in the inbox (invariant 6). Forgetting is `store/files/moving.py`.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from siltstone.pipeline.candidate import Candidate, Judged, Verdict
from siltstone.pipeline.inbox import Accepted
from siltstone.pipeline.inbox import accept as accept_item
from siltstone.pipeline.learn import merge_in, view_of
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.proof.gate import gate, only_secret, only_tags
from siltstone.store import commits
from siltstone.store.entry import DEFAULT_LIMIT, GLOBAL, Evidence, Stored, Type
from siltstone.store.errors import Misuse, RedactionError
from siltstone.store.files import Session
from siltstone.store.files.text import first_line
from siltstone.store.history_index import FORGET
from siltstone.store.names import slug
from siltstone.store.redaction import redact

NAME_WORDS = 6
DESCRIPTION_CHARS = 160


class Remembered(NamedTuple):
    """What became of a sentence that a person asked to keep."""

    outcome: Outcome
    redacted: bool
    """Something in it looked like a secret and was left out."""
    reworded: bool = False
    """A memory said it in other words, and has these now: they are the better text."""


class Line(NamedTuple):
    number: int
    """Where it stands in the user's list, from 1."""
    text: str
    type: Type
    scope: str


def remember(text: str, type: Type, scope: str, parts: Parts, by: Session | None = None) -> Remembered:
    """Keep a sentence at once. What an agent's session `by` remembers waits in the inbox.

    Raises Misuse when nothing but a secret or markup is in it, or too much.
    """
    judged, redacted = _judged(text, type, scope, parts, by)
    subject = f"memory: remember {judged.candidate.description}"
    done = merge_in([judged], scope, parts, "remember", subject=subject)
    (outcome,) = done.outcomes
    before = {one.path: one.entry.body for one in done.before.current if one.path == outcome.path}
    after = {one.path: one.entry.body for one in parts.store.read_all(list(before))}
    return Remembered(outcome, redacted, reworded=after != before)


def remember_lines(lines: Sequence[Line], scope: str, parts: Parts) -> dict[int, Remembered | str]:
    """Keep many texts in one commit: what became of each, by its number, or why it is not kept.

    A line that cannot be kept does not keep the others from it. `scope` is the project of all lines that are
    not global.
    """
    told: dict[int, Remembered | str] = {}
    judged: list[Judged] = []
    numbers: dict[int, tuple[int, bool]] = {}
    for line in lines:
        try:
            one, redacted = _judged(line.text, line.type, line.scope, parts)
        except (Misuse, RedactionError) as error:
            told[line.number] = str(error)
            continue
        numbers[id(one.candidate)] = line.number, redacted
        judged.append(one)
    subject = f"memory: remember {len(judged)} lines"
    for outcome in merge_in(judged, scope, parts, "remember", subject=subject).outcomes if judged else ():
        number, redacted = numbers[id(outcome.candidate)]
        told[number] = outcome.reason if outcome.kind == "rejected" else Remembered(outcome, redacted)
    return dict(sorted(told.items()))


def _judged(
    text: str, type: Type, scope: str, parts: Parts, by: Session | None = None
) -> tuple[Judged, bool]:
    """The candidate that a text is, and whether a secret was left out of it. Raises Misuse."""
    clean = redact(text.strip())
    body = clean.text.strip()
    if only_secret(body):
        raise Misuse(
            "Not saved: this text contains only a secret. Say where the secret is kept, or what it is for."
        )
    if only_tags(body) or not any(char.isalnum() for char in body):
        raise Misuse('Not saved: there is nothing to remember. Give a sentence, for example "we use pnpm".')
    if len(body) > DEFAULT_LIMIT:
        raise Misuse(
            f"Not saved: {len(body):,} characters are more than {DEFAULT_LIMIT:,}. Save one fact per memory."
        )
    now = parts.clock().replace(microsecond=0)
    agent, session = ("silt", "remember") if by is None else (by.agent, by.id)
    # With a hash of the words, because several processes may remember something in one second.
    message = f"{now:%Y%m%dT%H%M%SZ}-{sha256(body.encode('utf-8', 'replace')).hexdigest()[:8]}"
    evidence = (Evidence(now, agent, session, message, body[:400]),)
    name, description = slug(" ".join(body.split()[:NAME_WORDS])), first_line(body, DESCRIPTION_CHARS)
    where: Literal["project", "global"] = "global" if scope == GLOBAL else "project"
    candidate = Candidate("create", type, where, name, description, body, (), source="manual")
    if by is None:
        verdict = Verdict("accept", "accepted", "user-said", evidence)
    elif (reason := gate(candidate.type, body, candidate.source)) is not None:
        verdict = Verdict("reject", reason, "assistant-inferred", evidence)
    else:  # an agent's claim, which no transcript proves
        verdict = Verdict("quarantine", "assistant-inferred", "assistant-inferred", evidence)
    return Judged(candidate, verdict), bool(clean.found)


def accept(item: Stored, parts: Parts) -> Accepted:
    """Make an inbox item a memory, or the new text of one, because the user says so."""
    with parts.store.locked():
        parts.store.settle()
        accepted = accept_item(item.path, view_of(parts, item.entry.scope, {}))
        changes = [*accepted.changes, *parts.register(item.entry.scope)]
        subject = f"memory: accept {item.entry.name} from the inbox"
        op = FORGET if accepted.forgot else "accept"
        parts.store.apply(changes, subject, [(commits.RUN, parts.run), (commits.OP, op)])
    parts.search.follow(changes, parts.store.read_all)
    return accepted
