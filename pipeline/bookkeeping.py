"""What the state keeps of a window: watermarks, messages dealt with, ledger rows (invariants 1, 2, 4).

It is written as pending just before the commit in git and settled just after it. A run that was killed in
between is completed by the next one, so every window's outcome is counted once. Where the state lost
something, the store's own commits tell what was read (invariant 2): that costs model calls at most.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from siltstone.pipeline.extraction.reply import Extraction
from siltstone.pipeline.ledger import Outcome, rejections, tally
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.proof.quotes import NEGATED
from siltstone.pipeline.reading.clean import without_secrets
from siltstone.pipeline.reading.window import Mark, Shown, Window
from siltstone.pipeline.taken_back import REASON, TakenBack
from siltstone.store import commits
from siltstone.store.entry import message_hash
from siltstone.store.errors import GitError, SiltError
from siltstone.store.history import watermarks
from siltstone.store.history_index import session_trailer
from siltstone.store.state import Dealt, Rejected, State, Watermark, WindowRow
from siltstone.store.store import Store

AGREES_TO = "trailers-read-to"
"""Name of the state value that holds the commit up to which trailers and state agree."""

REREAD = "reread"
"""Name of the state value that holds when everything was last to be read again (`silt run --reread`): what
was asked for and undone before then may be saved again."""

READ_INTO = "read-into"
"""Name of the state value that holds a commit of the store that the state is of."""


def booked(
    window: Window,
    parts: Parts,
    extraction: Extraction,
    outcomes: Sequence[Outcome],
    saved: Sequence[Outcome] = (),
    back: Sequence[TakenBack] = (),
) -> Dealt:
    """All of it except the commit, which `Dealt.committed` adds.

    `saved`: explicit saves that rules found beside a model. They have a commit of their own, so the
    window's counts leave them out. Those that were rejected are listed with the rest, and so are memories
    that the user took `back` and that stay.
    """
    run, at, hashes, kinds = parts.run, parts.clock(), parts.state.purged.all(), tally(outcomes)
    told = {(one.session.agent, one.session.id, one.message.id) for one in window.shown if hashes}
    # `saved` was found in the whole window, of which this may be a half.
    told |= {(one.agent, one.session, one.message) for done in saved for one in done.verdict.evidence}
    purged = {message for message in told if message_hash(*message) in hashes} if hashes else set()
    keys: dict[tuple[str, str], list[str]] = {}
    for mark in window.marks:
        keys.setdefault((mark.session.agent, mark.session.id), []).extend(mark.keys)
    first = next((mark for mark in window.marks if mark.message), window.marks[0])
    row = WindowRow(
        id=f"{first.session.agent}/{first.session.id}@{first.message}",
        run=run,
        at=at,
        scope=window.scope,
        agent=first.session.agent,
        session=first.session.id,
        model=parts.extractor.name,
        counts={
            "messages": window.messages,
            "candidates": kinds.total() + extraction.refused.total(),
            **kinds,
            **{f"rejected:{reason}": n for reason, n in (rejections(outcomes) + extraction.refused).items()},
            **{f"filtered:{reason}": n for reason, n in window.filtered.items()},
        },
        **asdict(extraction.usage),
    )
    rejected = [
        Rejected(run, row.id, at, o.reason, o.candidate.type, *_text_and_quotes(o, purged), _place(o, window))
        for o in (*saved, *outcomes)
        if o.kind == "rejected"
    ]
    for scrap in extraction.scraps:
        text = "" if purged else scrap.text
        rejected.append(Rejected(run, row.id, at, scrap.reason, "", text, ""))
    for one in back:
        type_, said = one.stored.entry.type, _named(one.said)
        rejected.append(Rejected(run, row.id, at, REASON, type_, one.sentence, "", said))
    return Dealt([watermark(mark, parts.state, at) for mark in window.marks], keys, row, rejected)


def take_up(scope: str, store: Store, state: State) -> None:
    """Settle the pending window of a run that was killed. The caller holds the scope's lease.

    If git has the window's commit, the window is behind the watermark; otherwise it is still unread.
    """
    left = state.pending.get(scope)
    if left is None:
        return
    marks = left.dealt.marks
    sessions = {session_trailer(mark.agent, mark.session, mark.message) for mark in marks if mark.message}
    wanted = {(commits.RUN, left.dealt.window.run), *sessions}
    try:
        since = list(commits.read(store.git, f"{left.head}..HEAD"))
    except GitError:
        since = []  # the commit before it is gone: a purge rewrote history, and kept the trailers
    commit = next((one.id for one in since if sessions and wanted <= set(one.trailers)), None)
    if commit is None:
        state.pending.drop(scope)
    else:
        state.settle(left.dealt.committed(commit))


def watermark(mark: Mark, state: State, at: datetime) -> Watermark:
    """How far a transcript is read once this mark is reached; what the mark leaves open stays as it was."""
    agent = mark.session.agent
    before = state.sources.get(agent, mark.source)
    resume = mark.resume if mark.resume is not None else (before.resume if before else None)
    last = mark.message or (before.message if before else None)
    return Watermark(agent, mark.source, mark.session.id, resume, "", last, at)


def _place(outcome: Outcome, window: Window) -> str:
    """The first message that a candidate quotes; "" when it quotes none that was shown."""
    proven = [f"{item.agent}/{item.session}@{item.message}" for item in outcome.verdict.evidence]
    numbered = {shown.n: _named(shown) for shown in window.shown}
    named = [numbered[quote.n] for quote in outcome.candidate.quotes if quote.n in numbered]
    return next(iter([*proven, *named]), "")


def _named(shown: Shown) -> str:
    return f"{shown.session.agent}/{shown.session.id}@{shown.message.id}"


def _text_and_quotes(outcome: Outcome, purged: set[tuple[str, str, str]]) -> tuple[str, str]:
    """Text and quotes of a rejected candidate for the ledger, without secrets (invariant 8).

    Both are empty for what the user asked not to keep, and where a memory was purged that came from the
    quoted message, or from the window when nothing is quoted.
    """
    if outcome.reason == NEGATED:
        return "", ""
    messages = {(item.agent, item.session, item.message) for item in outcome.verdict.evidence}
    if purged and (not messages or messages & purged):
        return "", ""
    candidate = outcome.candidate
    quotes = "\n".join(f"[{quote.n}] {quote.text}" for quote in candidate.quotes)
    name, described, body, quotes = without_secrets(
        (candidate.name, candidate.description, candidate.body, quotes)
    )
    return body or described or name, quotes


def lost_watermarks(store: Store, state: State) -> dict[tuple[str, str], str]:
    """The last message of each (agent, session) that the store's trailers know and the state does not.

    Only commits since the last run that ended well are read, all of them when the state is new.
    """
    try:
        trailers = watermarks(store, state.value(AGREES_TO))
    except SiltError:
        trailers = watermarks(store)  # that commit is gone: a purge rewrote history
    known: dict[tuple[str, str], set[str]] = {}
    for mark in state.sources.all() if trailers else ():
        known.setdefault((mark.agent, mark.session), set()).add(mark.message or "")
    return {key: message for key, message in trailers.items() if message not in known.get(key, set())}


def is_of(store: Store, state: State) -> bool:
    """Whether what the state says was read is in this store, and not in another that stood in its place."""
    known, head = state.value(READ_INTO), store.git.head()
    return known is None or known == head or bool(store.git.commit_id(known))


def bind(store: Store, state: State) -> bool:
    """Note which store the state is of; whether it was of another, and now says that nothing was read."""
    if was_of_another := not is_of(store, state):
        state.sources.forget_all()
        state.set_value(AGREES_TO, None)
    state.set_value(READ_INTO, store.git.head())
    return was_of_another


def read_again(store: Store, state: State) -> None:
    """Ignore the trailers so far: what was taken out of the state is to be read again."""
    state.set_value(AGREES_TO, store.git.head())
