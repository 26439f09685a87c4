"""What a session came to, in a few lines (docs/seeds.md E7, E16, E17, E20), by rule.

Every few turns and at a compaction: what was asked first and last, the files, open errors, decisions.
Three are kept, of an older one a line; progress is the latest alone. A machine made them: they are shown
as unverified, are no memories and never evidence.
"""

from siltstone.recall.rules import Rules
from siltstone.recall.session.finding import SENTENCE
from siltstone.recall.session.state import Said, SessionState, Summary
from siltstone.store.plain import cleaned, plain

KEPT = 3
CONDENSED = 400
"""Characters that are left of all older ones."""
RULES = "rules"
"""The maker of a summary that no model made."""
_LINE = 240
_LONG, _LOOKED_AT = 2_000, 4_000
_SAID = 12
"""Letters under which the start of a long request says nothing."""
_FILES, _ERRORS, _DECISIONS = 6, 3, 3


def typed(state: SessionState, text: str, at: float, rules: Rules) -> SessionState:
    """The state when something is typed, before it counts as a turn; `text` is what it asks for."""
    every = rules.turn_summary_interval
    if state.turn and state.turn % every == 0:
        state = summed_up(state, f"{every} turns", at)
    if not text.strip():
        return state
    if not state.asked.text:
        said = _plain_start(text) or cleaned(_begins(" ".join(text[:_LOOKED_AT].split())))
        return state._replace(asked=Said(_line(said), at))
    return state._replace(asked_last=Said(_line(" ".join(_plain_sentences(text))), at))


def summed_up(state: SessionState, why: str, at: float) -> SessionState:
    """The state with one summary more; as it was when nothing was typed since the last one."""
    text = by_rule(state)
    if not text or (state.summaries and state.summaries[-1].turn == state.turn):
        return state
    kept = (*state.summaries, Summary(text, at, state.turn, why))
    older = [state.condensed, *(f"turn {one.turn}: {_gist(one.text)}" for one in kept[:-KEPT])]
    condensed = "\n".join(filter(None, older))
    while len(condensed) > CONDENSED:
        condensed = condensed.partition("\n")[2]
    return state._replace(summaries=kept[-KEPT:], condensed=condensed)


def by_rule(state: SessionState) -> str:
    """What the state tells of its session, at most CHARS characters; "" when nobody typed anything."""
    goal = _line(state.goal.content) or state.asked.text
    if not (state.turn and goal):
        return ""
    from siltstone.recall.ended import CHARS
    from siltstone.recall.session.files import ranked

    told = [
        ("Goal", goal),
        ("Last asked", state.asked_last.text),
        ("Progress", _line(state.progress.content)),
        ("Files", ", ".join(f"{one.path} ({one.action})" for one in ranked(state.files)[:_FILES])),
        ("Open errors", "; ".join(one.summary for one in state.errors[-_ERRORS:])),
        ("Decisions", "; ".join(one.text for one in state.decisions[-_DECISIONS:])),
        ("Earlier", state.condensed.replace("\n", "; ")),
    ]
    rows: list[str] = []
    left = CHARS
    for head, said in told:
        row = f"{head}: {_line(said)}"
        if said and len(row) < left:
            rows.append(row)
            left -= len(row) + 1
    return "\n".join(rows)


def progress(state: SessionState) -> str:
    """The running session's latest summary as it is shown; "" while there is none."""
    if not state.summaries:
        return ""
    from siltstone.recall.ended import shown

    one = state.summaries[-1]
    return shown(f"Machine-made ({one.why}, turn {one.turn}), unverified:", one.text)


def _plain_sentences(text: str) -> list[str]:
    """What of a request is plain. To redact all of it at every turn takes longer than a hook may.

    What follows a sentence that is not plain is left out too: one may announce what the other tells.
    """
    sentences = SENTENCE.split(text[:_LOOKED_AT])[: -1 if len(text) > _LOOKED_AT else None]
    if "<private" in text.lower():
        return []
    fit = [plain(one) for one in sentences]
    return [one for n, one in enumerate(sentences) if fit[n] and (n == 0 or fit[n - 1])]


def _begins(text: str) -> str:
    """The words with which a text on one line begins: more than is shown of it, for a secret may begin there
    and end behind it, and the last one whole, for half a secret may look like none."""
    most = 4 * _LINE
    return text if len(text) <= most else text[:most].rpartition(" ")[0] or text[:most]


def _plain_start(text: str) -> str:
    """What a text begins with where all of that is plain, as far as a line shows it: then the rules for
    secrets, which take longer to load than all else, are of no use. Of a long text, most of which was pasted,
    the paragraphs before the first that is not plain, or of its first line what stands before the sentence
    that the doubtful one may name; "" where this says nothing."""
    start: list[str] = []
    paragraph: list[str] = []
    length = 0
    for line in text[:_LOOKED_AT].split("\n"):
        if not line.strip():
            start, paragraph = start + paragraph, []
            continue
        first = not paragraph
        for one in SENTENCE.split(line):
            if not plain(one):
                said = " ".join(start or (paragraph[:-1] if first else [])) if len(text) > _LONG else ""
                return said if sum(map(str.isalpha, said)) >= _SAID else ""
            if length > _LINE:
                return " ".join(start + paragraph)
            paragraph.append(one)
            length += len(" ".join(one.split()))  # as the line has it
    return ""


def _gist(text: str) -> str:
    """The line of a summary that tells what it was about then."""
    rows = dict(row.partition(": ")[::2] for row in text.splitlines())
    return (rows.get("Last asked") or rows.get("Goal", ""))[: CONDENSED // 4]


def _line(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= _LINE else said[: _LINE - 2].rpartition(" ")[0] + " …"
