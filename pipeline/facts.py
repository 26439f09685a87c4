"""Whether a sentence plainly states how things are, and lastingly."""

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import moment_table as moment
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.handles import handles
from siltstone.pipeline.said import Said, bare, has, states
from siltstone.pipeline.words import asian, letters


def stated(said: Said) -> bool:
    """A plain "X is Y" about the project, with a name, a number or a lasting subject, and no fault."""
    body = bare(said.body)
    if said.order:  # "yes, do that, all the shops are in Bavaria"
        body = next((tail for tail in facts.CLAUSES.split(body)[1:] if facts.LASTING.match(tail)), "")
    main = _main_clause(body)
    if letters(main) < 14 or any(form.match(main) for form in moment.NO_SUBJECT):
        return False
    custom = facts.CONVENTION.match(main) is not None
    passing = moment.NO_STATE[custom and asian(main) > 0 :]  # うちは…ています is a custom, not in progress
    if any(has(form, main) for form in passing) or has(norms.YOU, main):
        return False
    lasting = facts.LASTING.match(main) is not None or facts.GENERAL.match(main) is not None
    if said.reported or (moment.AT_HAND.match(main) and not lasting):
        return False
    if custom or facts.RECURS.search(main):
        return True
    if lasting and (states(main) or has(facts.ACTS, main)):
        return True
    if not states(main) or not facts.SUBJECT.match(main):
        return False
    if facts.COUNTED.search(main) or has(facts.BECAUSE, body) or has(facts.SCOPED, main):
        return True
    told = handles(facts.ASIDE.split(body, maxsplit=1)[0])
    return any(_names(handle, body) for handle in told)


def _names(handle: str, body: str) -> bool:
    """Whether a handle names something; a German noun has its capital by right."""
    if handle in facts.GENERIC or (is_path(handle) and "://" not in handle and " " not in handle):
        return False
    return not (handle.isalpha() and len(list(facts.GERMAN.finditer(body))) > 1)


def _main_clause(body: str) -> str:
    """The first clause, where it states something; else all up to a reason."""
    comma = facts.COMMA.search(body, 12)
    first = facts.REASON.split(body[: comma.start()] if comma else body, maxsplit=1)[0]
    return first if states(first) or facts.CONVENTION.match(first) else facts.ASIDE.split(body, maxsplit=1)[0]
