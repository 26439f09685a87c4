"""Evidence or nothing: what the quotes of a candidate prove (invariant 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.merging.survivor import ORIGIN_RANK
from siltstone.pipeline.proof import choices, options
from siltstone.pipeline.proof.clauses import CLAUSE, negates
from siltstone.pipeline.proof.echo import others_wrote
from siltstone.pipeline.proof.normal_form import spoken, words_of
from siltstone.pipeline.proof.origin import Located, find, fold
from siltstone.pipeline.proof.phrases import opens, pattern
from siltstone.pipeline.proof.stated import asserted, right_before
from siltstone.pipeline.proof.wording import NEUTRAL, WORDING
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import cut, is_question, mask, sentences
from siltstone.pipeline.words import letters
from siltstone.store.entry import Evidence, Origin

NEGATED = "negated_request"
"""The user asked not to keep it. The ledger does not keep its text either."""
MIN_LETTERS = 12
"""A quote of fewer letters proves nothing alone; a CJK letter counts for two, so six of them do."""

ASIDE = 3
"""Words of its own that make the agent's last question one about something else."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a candidate's quotes prove: their origin, and the quotes as evidence."""

    origin: Origin
    evidence: tuple[Evidence, ...]
    """Sorted by time, with the words as they are in the message."""
    reason: str | None = None
    """Why the quotes prove nothing: "no-evidence" (a quote was not found), "unknown-message", "too-short",
    "negated_request" (the user asked not to keep it), "read-content"; None when they prove something."""
    said: tuple[Located, ...] = ()
    """The quotes that the claim may be made of: the user's, a command's, and what the user adopted."""
    denied: tuple[Located, ...] = ()
    """What the agent proposed and the user turned down: a claim may say that it is not so."""


def prove(candidate: Candidate, window: Window, keywords: tuple[str, ...] = ()) -> Proof:
    """Check every quote of a candidate against the window that it comes from.

    One quote that is not found, or one unknown message number, refuses the candidate: a model that makes
    up one quote makes up more. The origin is that of the most trustworthy quote which is long enough, or
    "user-said" for an adopted proposal.
    """
    numbered = {shown.n: shown for shown in window.shown}
    found: list[Located] = []
    for quote in candidate.quotes:
        if quote.n not in numbered:
            return Proof("read-content", (), "unknown-message")
        located = find(numbered[quote.n], quote.text)
        if located is None:
            return Proof("read-content", (), "no-evidence")
        found.append(located)
    if not found:
        return Proof("read-content", (), "no-evidence")
    where = ((one.shown.session, one.shown.message, one.text) for one in found)
    evidence = tuple(sorted({Evidence(m.at, s.agent, s.id, m.id, text) for s, m, text in where}))
    if any(_refused(one, keywords) for one in found):
        return Proof("user-said", evidence, NEGATED)
    own = tuple(one for one in found if one.origin in ("user-said", "tool-observed"))
    denied = tuple(one for one in found if _is_turned_down(one, window, found))
    adopted = [one for one in found if _is_adopted(one, window, found)]
    adopted += [one for quote in own if quote.origin == "user-said" for one in _picked(quote, window)]
    if adopted:
        replies = [one.shown.message.text for one in own if one.origin == "user-said"]
        chosen = any(choices.chosen(reply, one) for reply in replies for one in adopted)
        over = dict.fromkeys(other for one in adopted for other in _passed_over(one, window, found))
        around = (part for one in adopted for part in _around(one, window, chosen, tuple(over)))
        said = tuple(dict.fromkeys((*own, *adopted, *around)))
        return Proof("user-said", evidence, None, said, (*denied, *over))
    if denied:
        return Proof("user-said", evidence, None, own, denied)
    proving = [one for one in found if _proves(candidate, one)]
    best = max((one.origin for one in proving or found), key=ORIGIN_RANK.__getitem__)
    if not proving:
        return Proof(best, evidence, "too-short")
    claims = [candidate.description, candidate.body, *(one.text for one in proving)]
    # An explicit save is exempt: the user asked for it.
    agents = best == "assistant-inferred" and candidate.source != "explicit"
    quoted = {one.shown.n for one in proving}
    read = others_wrote([one for one in window.shown if one.n not in quoted]) if agents else ""
    if best == "read-content" or _is_read_out(claims, read):
        return Proof("read-content", evidence, "read-content")
    return Proof(best, evidence, None, own)


def _proves(candidate: Candidate, quote: Located) -> bool:
    """Whether a quote is long enough to prove something. An exit status is a fact and short, a short order
    may be a whole message ("use uv"), and an explicit save counts because the request stands before it."""
    if letters(quote.text) >= MIN_LETTERS or _is_short_order(quote):
        return True
    if quote.origin == "tool-observed":
        return quote.start == -1 and quote.text.startswith("exit")
    return candidate.source == "explicit" and quote.origin == "user-said"


def _is_short_order(quote: Located) -> bool:
    """Whether a quote is all of a typed message, which orders something and names it."""
    said = fold(quote.shown.message.text)[0].strip(" .!")
    names = words_of(quote.text) - WORDING - NEUTRAL
    orders = pattern("orders").match(quote.text) is not None
    return quote.origin == "user-said" and fold(quote.text)[0] == said and orders and bool(names)


def _refused(quote: Located, keywords: tuple[str, ...]) -> bool:
    """Whether the user asked not to keep what is quoted ("don't remember this")."""
    message, end = quote.shown.message, quote.start + len(quote.text)
    refusals = hear(message.text, keywords).refusals if message.role == "user" else ()
    return any(first < end and quote.start < last for first, last in refusals)


def _is_adopted(proposal: Located, window: Window, found: Sequence[Located]) -> bool:
    """Whether the user made a quoted sentence theirs, with words that are quoted too: of the assistant by a
    yes in the next typed message, of a review that they pasted by a word beside it ("can we do this")."""
    answer = _reply(proposal, window, found)
    if answer is None or proposal.shown.message.role == "tool":
        return False
    reply = answer.message.text
    if proposal.shown.message.role == "user":
        own = own_words(reply)
        return pattern("adopts").search(own) is not None and not _says_no(own)
    if choices.begins_with(reply, proposal):
        return True
    if _is_read_out([proposal.text], _read_before(proposal.shown, window)):
        return False
    point = choices.point(reply, proposal)
    reply = point or reply
    takes = choices.takes(reply, proposal)
    if takes is not None:
        return takes
    if options.asks_which(proposal) or options.recommends_another(proposal):
        return False  # a yes does not say to which, or says so of another
    confirms = point is not None or pattern("confirms").search(reply) is not None
    agrees = _says_yes(reply) or (_tells_to_go_on(reply) and _asks_to_go_on(proposal))
    return agrees and (confirms or not _asks_something_else(proposal, reply))


def _picked(quote: Located, window: Window) -> list[Located]:
    """The options whose labels are quoted as the user's answer, or that the quoted message takes by letter or
    number."""
    said = fold(quote.text)[0]
    found = [one for one in choices.picked(quote.shown, window) if options.label(one.text) in said]
    found += [one for one in choices.taken_by_label(quote.shown, window) if one not in found]
    return [one for one in found if not _is_read_out([one.text], _read_before(one.shown, window))]


def _is_turned_down(proposal: Located, window: Window, found: Sequence[Located]) -> bool:
    """Whether the user's next message, quoted too, says no to a quoted sentence or call of the assistant's
    that says itself of nothing that it is not so: it begins with a no, was typed when refusing a call, or
    takes another of the options."""
    reply = _reply(proposal, window, found) if proposal.shown.message.role != "user" else None
    if reply is None or negates(proposal.text):
        return False
    point = choices.point(reply.message.text, proposal)
    said = reply.message.text if point is None else point
    if choices.takes_another(said, proposal):
        return True
    own = own_words(said)
    first = next(iter(sentences(mask(own))), None)
    if first is None:
        return False
    before = right_before(reply, window)
    call = before.message.tool if before else None
    refused = call is not None and call.refused and not is_question(own[first.start : first.end])
    turned_down = refused or pattern("turns_down").match(own, first.start) is not None
    return turned_down and not _is_read_out([proposal.text], _read_before(proposal.shown, window))


def _passed_over(proposal: Located, window: Window, found: Sequence[Located]) -> list[Located]:
    """The options of a message of which the user took the one that a quoted sentence stands in."""
    offered = proposal.shown.message.role == "assistant"
    reply = typed_next(proposal.shown, window, found) if offered else None
    return choices.passed_over(reply.message.text, proposal) if reply else []


def _reply(proposal: Located, window: Window, found: Sequence[Located]) -> Shown | None:
    """The message that the user typed next behind a sentence that is not theirs or a call that they refused,
    or beside it where they pasted it; None where no words of it are quoted."""
    message = proposal.shown.message
    pasted = message.role == "user" and proposal.origin == "read-content"
    proposed = message.role == "assistant" or (message.tool is not None and message.tool.refused)
    if not (pasted or proposed) or letters(proposal.text) < MIN_LETTERS:
        return None
    return typed_next(proposal.shown, window, found, itself=pasted)


def typed_next(
    shown: Shown, window: Window, found: Sequence[Located], *, itself: bool = False
) -> Shown | None:
    """What the user typed next behind a message, or in it `itself`, or later as nothing but the label of an
    option in it; None where no words of it are quoted."""
    typed = (one for one in window.shown if one.message.role == "user" and one.session == shown.session)
    behind = [one for one in typed if one.n > shown.n or (itself and one.n == shown.n)]
    behind.sort(key=lambda one: one.n)
    chose = (one for one in behind if choices.answers(one, shown, window))
    answer = next(chose, next(iter(behind), None))
    if answer is None or not any(one.shown.n == answer.n and one.origin == "user-said" for one in found):
        return None
    return answer


def _around(proposal: Located, window: Window, chosen: bool, over: Sequence[Located]) -> list[Located]:
    """What an adopted sentence is to be read with: the rest of its option, the items of lists and what leads
    to them, and the questions. Nothing that the agent read; where an option was chosen, no other, and none
    that was passed `over`."""
    text, option = proposal.shown.message.text, options.mark_of(proposal)
    question = options.question_above(proposal)
    read = _read_before(proposal.shown, window)
    parts: list[Located] = []
    for one in sentences(mask(text)):
        part = replace(proposal, text=text[one.start : one.end], start=one.start)
        its = options.mark_of(part)
        leads = part.text.rstrip("* ").endswith((":", "："))
        asked = one.start == question
        belongs = leads or is_question(part.text) or one.listed or asked or (option and its == option)
        other = chosen and its not in ("", option) and not asked
        other = other or any(options.holds(item, part) for item in over)
        if belongs and not other and spoken(part.text) not in read:
            parts.append(part)
    return parts


def _is_read_out(texts: Sequence[str], read: str) -> bool:
    """Whether the agent only repeats there what it read: one of the texts stands in what somebody else wrote.

    Such a claim may not wait in the inbox, because a second session that reads the same file would lift
    it, and a yes to its message is none to that.
    """
    return any(spoken(text) in read for text in texts if letters(text) >= MIN_LETTERS)


def _read_before(shown: Shown, window: Window) -> str:
    """What others had written up to a message. The agent may write down afterwards what was agreed, and
    before it what it then lays before the user as a whole (a plan)."""
    laid = spoken(shown.message.text)
    calls = ((one, one.message.tool) for one in window.shown if one.n < shown.n)
    return others_wrote([one for one, tool in calls if not (tool and laid in spoken(_unescaped(tool.input)))])


def _unescaped(text: str) -> str:
    """Compact JSON without the marks for line breaks and quotes in its strings."""
    return text.replace("\\n", "\n").replace('\\"', '"')


def _asks_something_else(proposal: Located, reply: str) -> bool:
    """Whether the message ends in a question of its own, which a yes answers: "… Shall I fix the typo?". It
    is none where it asks whether all of that is right, or the reply repeats words of the proposal alone."""
    text = proposal.shown.message.text
    last = sentences(mask(text))[-1]
    question = text[last.start : last.end]
    if not is_question(question) or last.start < proposal.start + len(proposal.text):
        return False
    if any(opens("asks_approval", clause) for clause in CLAUSE.split(question)):
        return False
    asked = words_of(question)
    if choices.speaks_of(reply, proposal, besides=asked):
        return False
    own = asked - WORDING - words_of(proposal.text)
    return len(own) >= ASIDE or pattern("goes_elsewhere").search(question) is not None


def _tells_to_go_on(reply: str) -> bool:
    """Whether a reply says nothing but that the agent shall go on."""
    own = " ".join(own_words(reply).split()).strip(" .!。！~")
    return pattern("go_ahead").fullmatch(own) is not None


def _asks_to_go_on(proposal: Located) -> bool:
    """Whether the message that a sentence stands in ends with the question whether to do so, or says what
    the user's yes brings."""
    *_, last = ("", *cut(proposal.shown.message.text))
    words = ("asks_to_go_on", "asks_approval") if is_question(last) else ("waits_for_yes",)
    asks = any(pattern(one).search(last) for one in words)
    return asks and not any(pattern(one).search(last) for one in ("asks_what", "drops"))


def _says_yes(reply: str) -> bool:
    """Whether a reply begins with a yes. A question is none, but for "it works now, does anything else …?"
    and "I agree with your points, how do we …?", and a no anywhere in it takes it back."""
    own = own_words(reply)
    first = next(iter(sentences(mask(own))), None)
    if first is None:
        return False
    text = own[first.start : first.end]
    if is_question(text):
        told = asserted(text)
        agrees = pattern("agrees").match(told) and pattern("yes").match(told)
        yes = agrees or (pattern("goes_elsewhere").search(text) and pattern("works_now").match(text))
    else:
        yes = pattern("yes").match(text)
    return yes is not None and not _says_no(own)


def _says_no(reply: str) -> bool:
    """Whether a no stands anywhere in a reply but in the condition of what it asks for ("add a flag, and fall
    back if that is not there")."""
    for clause in CLAUSE.split(reply):
        said = pattern("aside").sub("", clause)
        asks = words_of(pattern("yes").sub("", said)) - WORDING
        if pattern("no").search(said if asks else clause):
            return True
    return False
