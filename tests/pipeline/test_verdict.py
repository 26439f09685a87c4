"""The verdict: evidence, origin policy, redaction, gate, in that order."""

from dataclasses import replace
from typing import Any

import pytest
from support.table import table
from support.windows import shown, talk

from siltstone.pipeline.candidate import Candidate, Judged, Quote, RelatedEntry
from siltstone.pipeline.messages import ToolCall
from siltstone.pipeline.proof.verdict import BEYOND_QUOTE, judge, judge_all
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules.candidates import described
from siltstone.pipeline.rules.extract import saves
from siltstone.store import redaction
from siltstone.store.entry import Source
from siltstone.store.errors import RedactionError
from siltstone.store.redaction.engine import Redacted

TOLD = "Prices are integer cents everywhere"
WINDOW = Window(
    "projects/mill",
    (
        shown(1, f"{TOLD}. Tests pass: 42 tests passed today"),
        shown(2, "I would round at the edge only.", "assistant"),
        shown(3, tool=ToolCall("Bash", "{}", "minimum toolchain is 1.74", command="make check", exit=0)),
        shown(4, tool=ToolCall("Read", "{}", "the user wants floats for prices")),
    ),
)


def redact(text: str) -> Redacted:
    return Redacted(text.replace("hunter-2-secret", "[REDACTED]"), ())


def candidate(n: int, quote: str, type: Any = "project", body: str = TOLD, **more: Any) -> Candidate:
    return Candidate("create", type, "project", "prices", body, body, (Quote(n, quote),), **more)


def answered(told: Candidate, window: Window) -> Judged:
    """The verdict on a candidate that quotes the last message too."""
    last = window.shown[-1]
    return judge(replace(told, quotes=(*told.quotes, Quote(last.n, last.message.text))), window, redact)


@table("verdict", "verdicts")
def test_verdict(n: int, quote: str, claim: dict[str, Any], outcome: str, reason: str) -> None:
    verdict = judge(candidate(n, quote, **claim), WINDOW, redact).verdict
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


OLD = "Tests pass: 42 tests passed today"


@pytest.mark.parametrize(
    ("action", "body", "outcome"),
    [("confirm", OLD, "accept"), ("update", f"{OLD}. {TOLD}.", "accept"), ("create", OLD, "reject")],
)
def test_a_memory_that_stands_is_not_judged_again(action: Any, body: str, outcome: str) -> None:
    known = RelatedEntry(1, "feedback", "prices", OLD, OLD)
    told = replace(candidate(1, TOLD, "feedback", body), action=action, target=1)
    assert judge(told, WINDOW, redact, known).verdict.outcome == outcome


@table("verdict", "claims")
def test_what_the_quotes_do_not_hold_is_cut(said: list[Any], claim: dict[str, Any], kept: str) -> None:
    """The last thing said is quoted whole. `kept`: the body that is promoted; "" when nothing is."""
    window = talk(*(one if isinstance(one, str) else tuple(one) for one in said))
    quotes = (Quote(len(said), said[-1] if isinstance(said[-1], str) else said[-1][1]),)
    told = {"type": "feedback", "scope": "project", "name": "x", "description": claim["body"], **claim}
    judged = judge(Candidate(action="create", quotes=quotes, **told), window, redact)
    assert (judged.candidate.body if judged.verdict.outcome == "accept" else "") == kept


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("sort seeds before each market day", "Sort seeds, since the greengrocer downstairs loathes chaff."),
        (
            "in tools/seeds/sorter.py sort by weight",
            "In tools/seeds/sorter.py, greengrocers loathe 40 bags of chaff.",
        ),
    ],
)
def test_a_claim_of_which_a_few_words_are_left_waits(said: str, claim: str) -> None:
    verdict = judge(candidate(1, said, "feedback", claim), talk(said), redact).verdict
    assert (verdict.outcome, verdict.reason) == ("quarantine", BEYOND_QUOTE)


@table("verdict", "quotations")
def test_what_cannot_be_proved_in_other_words_is_kept_in_those_of_the_talk(
    said: list[Any], quotes: dict[str, Any], claim: str, kept: str, action: Any
) -> None:
    """Once a second look has not helped: what was quoted, with the sentences that it stands in."""
    window = talk(*(one if isinstance(one, str) else tuple(one) for one in said))
    found = [
        Quote(int(n), text)
        for n, texts in quotes.items()
        for text in ([texts] if isinstance(texts, str) else texts)
    ]
    told = Candidate(
        action, "decision", "project", "x", claim, claim, tuple(found), target=1, quotable=True, whole=True
    )
    judged = judge(told, window, redact, RelatedEntry(1, "decision", "backups", "Backups", "Backups"))
    assert (judged.candidate.body if judged.verdict.outcome == "accept" else "") == kept


@pytest.mark.parametrize(
    ("between", "again", "kept"),
    [
        ("whats the q", "Answer with A or B.", True),
        ("whats the q", "How many jars are there?", False),
        ("no, none of these", "Answer with A or B.", False),
    ],
)
def test_a_label_answers_a_question_that_was_asked_for_once_more(
    between: str, again: str, kept: bool
) -> None:
    options = "How long are seeds kept?\n\n| A | Keep them a year |\n| B | Keep the seeds for nine years |"
    window = talk(("assistant", options), between, ("assistant", again), "B")
    told = candidate(1, "Keep the seeds for nine years", "decision", "The seeds are kept for nine years.")
    judged = answered(told, window)
    assert (judged.verdict.outcome == "accept") == kept


TWO = """## Question 1: {first}?

| A | {one} |
| B | {other} |

## Question 2: Who waters the beds?

| A | The miller |
| B | The baker |"""


@pytest.mark.parametrize(
    ("between", "answer", "kept"),
    [
        ("what about the mice?", "Mice take what lies in the mill.", True),
        ("Q1: tell me of the mice", "They eat them. Is Q1 settled then?", True),
        ("what about the mice?", "Shall I set traps or get a cat?", False),
        ("what about the mice?", "A is dry and B = full of mice.", False),
        ("Q1: none of them", "Mice take what lies in the mill.", False),
        ("forget the seeds, let us play", "Q1 which letter is second? Q2 which is first?", False),
        ("what else is there?", "Shall they be (A) dry or (B) wet, and (A) cold or (B) warm?", False),
        ("what is there to plant?", "Plant which?\nA. rye\nB. oats", False),
        ("and then?", TWO.format(first="When are seeds sown", one="In May", other="In June"), False),
    ],
)
def test_an_answer_to_each_question_may_come_behind_a_question_of_the_users(
    between: str, answer: str, kept: bool
) -> None:
    asked = TWO.format(first="Where are seeds kept", one="In the mill", other="In the dry loft of the barn")
    window = talk(("assistant", asked), between, ("assistant", answer), "Q1: B, Q2: A")
    told = candidate(
        1, "| B | In the dry loft of the barn |", "decision", "Seeds are kept in the dry loft of the barn."
    )
    assert (answered(told, window).verdict.outcome == "accept") == kept


@pytest.mark.parametrize(("answer", "kept"), [("B", True), ("A", False)])
def test_a_recommendation_goes_with_the_option_that_it_recommends(answer: str, kept: bool) -> None:
    options = (
        "**Recommended:** Option B - The loft is dry in winter.\n\n| A | In the mill |\n| B | In the loft |"
    )
    window = talk(("assistant", f"{options}\n\nYou can reply with the option letter."), answer)
    told = candidate(
        1, "Recommended:** Option B - The loft is dry in winter.", "decision", "The loft is dry in winter."
    )
    judged = answered(told, window)
    assert (judged.verdict.outcome == "accept") == kept


@table("verdict", "adopted")
def test_a_proposal_is_adopted_with_what_it_is_read_with(
    proposal: str, quote: str, answer: str, body: str, kept: str
) -> None:
    window = talk(("assistant", proposal), answer)
    told = candidate(1, quote, "decision", body)
    judged = answered(told, window)
    assert (judged.verdict.outcome, judged.candidate.body) == ("accept", kept)


@table("verdict", "takes")
def test_which_option_a_reply_takes(proposal: str, quote: str, answer: str, takes: bool) -> None:
    judged = answered(candidate(1, quote, "decision", quote), talk(("assistant", proposal), answer))
    assert (judged.verdict.outcome == "accept") == takes


def test_an_option_by_its_bold_name_answers_the_quoted_question() -> None:
    asked = "Which shed should we use for the lanterns?"
    window = talk(
        ("assistant", f"{asked}\n\n- **Cedarhill** (dry)\n- **Millbrook** (near the road)"), "Millbrook"
    )
    told = candidate(1, asked, "decision", "The shed for the lanterns is Millbrook.")
    assert answered(told, window).verdict.outcome == "accept"
    told = candidate(1, asked, "decision", "The shed for the lanterns is Cedarhill.")
    assert answered(told, window).verdict.outcome != "accept"


@table("verdict", "a_question_of_the_users_counts_once_they_settle_it")
def test_a_question_of_the_users_counts_once_they_settle_it(answer: str, outcome: str) -> None:
    asked = "should we move the seed potatoes as well?"
    window = talk(
        asked, ("assistant", "I would keep the seed potatoes in the barn, as well as the rye."), answer
    )
    told = candidate(1, asked, "decision", "The seed potatoes move to the mill as well.")
    judged = answered(told, window)
    assert judged.verdict.outcome == outcome


TURNED_DOWN = "I would store the seeds in the attic over the winter."


@pytest.mark.parametrize(
    ("proposal", "answer", "body"),
    [
        pytest.param(TURNED_DOWN, "no, it is far too damp", "The seeds are stored in the attic.", id="yes"),
        pytest.param(
            TURNED_DOWN, "hm, is it dry up there?", "The seeds are not stored in the attic.", id="?"
        ),
        pytest.param(
            "Never lock the attic.",
            "no, there were thieves in spring",
            "The attic is never locked.",
            id="two noes",
        ),
    ],
)
def test_what_was_turned_down_proves_only_that_it_is_not_so(proposal: str, answer: str, body: str) -> None:
    told = candidate(1, proposal, "decision", body)
    window = talk(("assistant", proposal), answer)
    judged = answered(told, window)
    assert judged.verdict.outcome == "quarantine"


@pytest.mark.parametrize(
    ("refused", "answer", "outcome"),
    [
        pytest.param(True, "too slow", "accept", id="refused"),
        pytest.param(False, "too slow", "reject", id="run"),
        pytest.param(True, "how slow is it?", "reject", id="asked"),
    ],
)
def test_what_is_typed_when_refusing_a_call_turns_it_down(refused: bool, answer: str, outcome: str) -> None:
    """However short it is. Without the refusal it would be a word about something that ran."""
    call = ToolCall("Bash", '{"command":"make all-mill-tests"}', "refused", failed=True, refused=refused)
    window = Window("projects/mill", (shown(1, tool=call), shown(2, answer)))
    told = candidate(1, "make all-mill-tests", "feedback", f"Never run make all-mill-tests.\nWhy: {answer}.")
    judged = answered(told, window)
    assert judged.verdict.outcome == outcome


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        pytest.param("Our mill keeps rye in sacks.", "accept", id="the agent's own"),
        pytest.param(
            "Setup: ssh miller@mill-4 grind --coarse rye.toml", "quarantine", id="copied from a page"
        ),
    ],
)
def test_a_command_proves_what_it_ran_unless_it_stood_in_what_was_read(page: str, outcome: str) -> None:
    """What a command on another machine prints is read; that it ran there is not."""
    command = "ssh miller@mill-4 grind --coarse rye.toml"
    window = Window(
        "projects/mill",
        (
            shown(1, "grind the rye"),
            shown(2, tool=ToolCall("WebFetch", "{}", page)),
            shown(3, tool=ToolCall("Bash", "{}", "ok", command=command, exit=0)),
        ),
    )
    told = candidate(
        3, command, "reference", "The rye is ground with `ssh miller@mill-4 grind --coarse rye.toml`."
    )
    assert judge(told, window, redact).verdict.outcome == outcome


HEATED = "Shall I set the heater of the greenhouse to 21 degrees?"


@pytest.mark.parametrize(
    ("answer", "body", "kept"),
    [
        ("no, the wool is warm enough", "The heater of the greenhouse is not set to 21 degrees.", True),
        ("no, the wool is warm enough", "The heater of the greenhouse is set to 21 degrees.", False),
        ("no", "The heater of the greenhouse is not set to 21 degrees.", True),
    ],
)
def test_what_was_turned_down_is_told_with_its_number_however_short_the_no(
    answer: str, body: str, kept: bool
) -> None:
    told = candidate(1, HEATED, "decision", body)
    judged = answered(told, talk(("assistant", HEATED), answer))
    assert (body in judged.candidate.body and judged.verdict.outcome == "accept") is kept


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("Yes, all of them do.", "accept"), ("No, the old ones keep local time.", "quarantine")],
)
def test_a_statement_that_wants_a_yes_is_one_unless_the_agent_says_no(answer: str, outcome: str) -> None:
    said = "the clocks of the scales keep UTC, right?"
    told = candidate(1, said, "project", "The clocks of the scales keep UTC.")
    assert judge(told, talk(said, ("assistant", answer)), redact).verdict.outcome == outcome


@pytest.mark.parametrize(
    ("asked", "body", "outcome"),
    [
        ("how do we treat moths in the seed jars?", "Moths in the seed jars are caught in traps.", "accept"),
        ("do we spray the seed jars with poison?", "The seed jars are sprayed with poison.", "quarantine"),
    ],
)
def test_a_question_of_the_users_tells_what_their_statement_is_about(
    asked: str, body: str, outcome: str
) -> None:
    stated = "I think they should be caught in traps"
    told = candidate(1, asked, "decision", body)
    window = talk(asked, ("assistant", "I found three places in the notes."), stated)
    judged = answered(told, window)
    assert judged.verdict.outcome == outcome


@pytest.mark.parametrize(("exit_", "outcome"), [(1, "accept"), (0, "quarantine")])
def test_a_status_tells_that_a_command_failed(exit_: int, outcome: str) -> None:
    """ "failed" stands elsewhere too: without the status it would be another's word."""
    call = ToolCall("Bash", "{}", "unknown mill north", "mill grind north", exit=exit_)
    other = shown(2, "The deploy failed.", "assistant")
    window = Window("projects/mill", (shown(1, tool=call), other))
    told = candidate(1, "mill grind north", body="`mill grind north` failed: unknown mill north.")
    assert judge(told, window, redact).verdict.outcome == outcome


@pytest.mark.parametrize(
    ("exit_", "body", "outcome"),
    [
        (1, "`mill grind north` grinds nothing: the gate needs oil.", "accept"),
        (0, "`mill grind north` grinds nothing: the gate needs oil.", "quarantine"),
        (1, "The gate of the mill needs no oil.", "quarantine"),
    ],
)
def test_a_command_that_failed_did_nothing_and_what_it_printed_holds(
    exit_: int, body: str, outcome: str
) -> None:
    call = ToolCall("Bash", "{}", "error: the gate needs oil", "mill grind north", exit=exit_)
    told = candidate(1, "the gate needs oil", body=body)
    assert judge(told, Window("projects/mill", (shown(1, tool=call),)), redact).verdict.outcome == outcome


@pytest.mark.parametrize(
    ("error", "body"),
    [
        ("zsh:1: command not found: ask-claude", "`ask-claude` is not found on this machine."),
        ("zsh:1: read-only variable: claude", "The variable claude is read-only on this machine."),
        ("mkdir: /opt/claude: Operation not permitted", "Operation not permitted: /opt/claude"),
    ],
)
def test_a_shells_own_error_tells_of_this_machine(error: str, body: str) -> None:
    """Whatever the command is called; that it was on this machine needs no word."""
    call = ToolCall("bash", "{}", error, "ask-claude --now", exit=127)
    window = Window("projects/mill", (shown(1, tool=call), shown(2, "Is this machine new?", "assistant")))
    assert judge(candidate(1, error, body=body), window, redact).verdict.outcome == "accept"


@pytest.mark.parametrize(
    ("exit_", "body", "outcome"),
    [
        (1, "La commande `mill grind north` échoue avec « unknown mill north » sur cette machine.", "accept"),
        (1, "El comando `mill grind north` falla con «unknown mill north» en esta máquina.", "accept"),
        (1, "Der Befehl `mill grind north` scheitert auf diesem Rechner mit „unknown mill north“.", "accept"),
        (1, "La commande `mill grind north` fonctionne sur cette machine.", "quarantine"),
        (0, "Der Befehl `mill grind north` scheitert auf diesem Rechner.", "quarantine"),
        (1, "`mill grind north` works on this machine.", "quarantine"),
        (0, "`mill grind north` crashes on this machine.", "quarantine"),
    ],
)
def test_what_a_command_did_is_told_in_the_users_language(exit_: int, body: str, outcome: str) -> None:
    call = ToolCall("Bash", "{}", "unknown mill north", "mill grind north", exit=exit_)
    elsewhere = shown(2, "Il fonctionne avec la machine; falla con esto; das scheitert mit dem.", "assistant")
    told = candidate(1, "mill grind north", body=body)
    window = Window("projects/mill", (shown(1, tool=call), elsewhere))
    assert judge(told, window, redact).verdict.outcome == outcome


def test_a_line_that_only_begins_a_text_does_not_stand_for_it() -> None:
    said = "the sails are tied down at night by whoever of the four families in the valley has the watch"
    said += " over the upper gate of the pond of the old mill"
    body = f"{said.capitalize()} and of the 12 geese."
    line = described(body)
    told = replace(candidate(1, said, "feedback", body, quotable=True), description=line)
    kept = judge(told, talk(said), redact).candidate
    assert line.endswith("…")
    assert kept.body == f"The user: “{said}”"


def test_a_text_that_says_more_than_its_first_line_may_begin_with_paths() -> None:
    first = "`scripts/mill/open-gate.sh` runs `scripts/shims/mill-run.sh`"
    body = f"{first}.\nWhy: the shim counts every turn of the wheel, and the gate must not open before that."
    told = replace(candidate(1, first, body=body), description=first)
    window = talk(body.replace(".\nWhy:", ", because"))
    assert judge(told, window, redact).verdict.outcome == "accept"
    assert judge(replace(told, body=first), window, redact).verdict.reason == "path_heavy"


def test_a_secret_leaves_no_evidence_behind() -> None:
    told = candidate(1, TOLD, body="The admin login is hunter-2-secret")
    assert judge(told, WINDOW, redact).verdict.evidence == ()


def test_what_cannot_be_checked_for_secrets_is_taken_for_one() -> None:
    def never_at_rest(text: str) -> Redacted:
        raise RedactionError("the text could not be freed of secrets")

    assert judge(candidate(1, TOLD), WINDOW, never_at_rest).verdict.reason == "secret"


def test_every_candidate_gets_a_verdict() -> None:
    given = (candidate(1, TOLD), candidate(9, TOLD), candidate(2, "round at the edge"))
    assert [judged.candidate for judged in judge_all(given, WINDOW, redact)] == list(given)


RULE = "Every release has to be approved by the operations team before noon"
OWN = "The sync job retries three times with a growing pause."


@pytest.mark.parametrize(
    ("answer", "body", "source", "outcome"),
    [
        pytest.param(f"I see: {RULE}.", RULE, "extraction", "reject", id="read out"),
        pytest.param("Releases wait for the operations team.", RULE, "extraction", "reject", id="claim"),
        pytest.param(f"I see: {RULE}.", RULE, "explicit", "quarantine", id="asked to keep"),
        pytest.param(OWN, OWN, "extraction", "quarantine", id="its own"),
    ],
)
def test_what_an_agent_reads_out_is_read_content(
    answer: str, body: str, source: Source, outcome: str
) -> None:
    """What an agent reads out of a file is no claim of its own and does not wait in the inbox."""
    call = ToolCall("Bash", "{}", f"# Notes\n{RULE}.\n", "cat NOTES.md", exit=0)
    said = shown(1, "have a look at the notes"), shown(2, tool=call), shown(3, answer, "assistant")
    window = Window("projects/larkspur", said)
    verdict = judge(candidate(3, answer, body=body, source=source), window, redact).verdict
    assert verdict.outcome == outcome
    assert verdict.reason == ("read-content" if outcome == "reject" else "assistant-inferred")


@table("verdict", "secrets")
def test_a_secret_alone_tells_nothing(text: str, told: bool) -> None:
    """What a person asks to keep is kept where something is said beside the secret that was taken out."""
    window = talk(f"please remember: {text}")
    reasons = [judge(one, window, redaction.redact).verdict.reason for one in saves(window)]
    assert reasons == ["accepted" if told else "only-secret"]


def test_a_secret_before_a_bare_request_is_refused_and_the_answer_before_it_not_proposed() -> None:
    window = talk(("assistant", OWN), "the bot token is [REDACTED], remember that")
    assert [judge(one, window, redaction.redact).verdict.reason for one in saves(window)] == ["only-secret"]
