"""Where quoted words come from, and when they prove something (invariants 6 and 7)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table
from support.windows import shown

from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.messages import Role, Session, ToolCall
from siltstone.pipeline.proof.commands import reads
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.proof.quotes import prove
from siltstone.pipeline.reading import echo
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.store.entry import Origin


def said(text: str, role: Role = "user", n: int = 1) -> Shown:
    return shown(n, text, role, session=SESSION)


def ran(command: str | None, output: str, n: int = 2, name: str = "Bash", exit_: int | None = 0) -> Shown:
    """A call with its status; without one it failed."""
    return shown(n, tool=ToolCall(name, "{}", output, command, exit_, failed=exit_ is None))


def origin_of(shown: Shown, quote: str) -> Origin | None:
    return getattr(find(shown, quote), "origin", None)


def window(*shown: Shown) -> Window:
    return Window("projects/mill", shown)


SESSION = Session("claude", "s1", "/home/ada/src/mill")


def candidate(*quotes: tuple[int, str], body: str = "Prices are cents.") -> Candidate:
    quoted = tuple(Quote(n, text) for n, text in quotes)
    return Candidate("create", "project", "project", "prices", "Prices are cents", body, quoted)


@table("origin", "typed")
def test_origin_of_typed_words(text: str, quote: str, origin: str | None) -> None:
    assert origin_of(said(text), quote) == origin


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("the mill is at 10.0.0.2, log in with\nada\n[REDACTED]\nand never stop it at noon", "user-said"),
        ("[REDACTED]@mill:~$ make\nand never stop it at noon\n[REDACTED]@mill:~$ exit", "read-content"),
    ],
)
def test_a_hidden_secret_tells_nothing_of_who_wrote_the_text(text: str, origin: str) -> None:
    assert origin_of(said(text), "and never stop it at noon") == origin


def test_the_quote_comes_back_verbatim() -> None:
    found = find(said("So: “Prices  are cents”, ok"), '"prices are cents"')
    assert found is not None
    assert found.text == "Prices  are cents"


@table("origin", "other")
def test_origin_of_other_words(command: str | None, output: str, quote: str, origin: str) -> None:
    assert origin_of(ran(command, output, name="Bash" if command else "WebFetch"), quote) == origin


def test_the_error_of_a_command_may_ask_for_something() -> None:
    error = "fatal: please set an upstream first"
    assert origin_of(ran("git push", error, exit_=1), error) == "tool-observed"
    assert origin_of(ran("git push", error), error) == "read-content"


@pytest.mark.parametrize(
    ("command", "error", "origin"),
    [
        (
            "ls mill/gates.txt",
            "ls: cannot access 'mill/gates.txt': No such file or directory",
            "tool-observed",
        ),
        ("cat a | jq .x", "(eval):6: read-only variable: status", "tool-observed"),
        ("sudo sed -i s/a/b/ x", "sudo: no tty present and no askpass program specified", "tool-observed"),
        ("sudo sed -i s/a/b/ x", "sudo: a password is required", "tool-observed"),
        ("cat a", "ls: cannot access 'mill/gates.txt': No such file or directory", "read-content"),
        ("cat a", "cat: the wheel is oiled with tallow", "read-content"),
        ("cat a", "cat: command not found is what the wheel says, oil it", "read-content"),
        ("curl x", "curl: (22) not found: the wheel moved to the other bank", "read-content"),
    ],
)
def test_a_reader_that_failed_says_so_itself(command: str, error: str, origin: str) -> None:
    """In its own name and in words that errors have. Beside anything else it may be what was read."""
    assert origin_of(ran(command, f"Exit code 1\n{error}", exit_=1), error) == origin
    assert origin_of(ran(command, f"All about mills\n{error}", exit_=1), error) == "read-content"
    assert origin_of(ran(command, error), error) == "read-content"


def test_a_reader_that_was_stopped_says_so_itself() -> None:
    """Also where the transcript tells no status, but that it failed."""
    late = "command timed out after 24037 milliseconds"
    assert origin_of(ran("rg wheel", late, exit_=124), late) == "tool-observed"
    assert origin_of(ran("rg wheel", f"All about mills\n{late}", exit_=124), late) == "read-content"
    gone = "cat: mill/gates.txt: No such file or directory"
    assert origin_of(ran("cat mill/gates.txt", gone, exit_=None), gone) == "tool-observed"


def test_an_error_behind_its_place_may_ask_for_something() -> None:
    error = "src/Mill.cs(3,5): error CS0103: please name the wheel"
    assert origin_of(ran("dotnet build", error, exit_=1), error) == "tool-observed"
    assert origin_of(ran("dotnet build", error), error) == "read-content"


@pytest.mark.parametrize("verb", ["merge", "view"])
def test_what_failed_to_change_something_says_why(verb: str) -> None:
    """Where it succeeds it may print a title, which somebody else wrote."""
    said, command = "the pull request is still a draft", f"cd mill && gh pr {verb} 12"
    failed = "tool-observed" if verb == "merge" else "read-content"
    assert origin_of(ran(command, said, exit_=1), said) == failed
    assert origin_of(ran(command, said), said) == "read-content"


def test_origin_of_a_status_and_of_an_answer() -> None:
    assert origin_of(ran("make check", "", exit_=2), "exit code 2") == "tool-observed"
    assert origin_of(said("rustc 1.74 it is", "assistant"), "rustc 1.74 it is") == "assistant-inferred"


@table("origin", "readers", ('make "' + '\\"' * 100000, False))
def test_readers(command: str, reader: bool) -> None:
    assert reads(command) is reader


def test_proof_of_what_the_user_said() -> None:
    proof = prove(candidate((1, "prices are integer cents")), window(said("Prices are integer cents, ok?")))
    assert (proof.origin, proof.reason) == ("user-said", None)
    [evidence] = proof.evidence
    assert (evidence.agent, evidence.session, evidence.message) == ("claude", "s1", "m1")
    assert evidence.quote == "Prices are integer cents"


@table("origin", "proves_nothing")
def test_what_proves_nothing(quotes: list[tuple[int, str]], reason: str) -> None:
    shown = window(said("Prices are cents here"), ran("cat a", "Prices are cents in the file"))
    assert prove(candidate(*quotes), shown).reason == reason


def test_six_cjk_letters_prove_something() -> None:
    assert prove(candidate((1, "价格一律用分")), window(said("价格一律用分"))).reason is None
    assert prove(candidate((1, "价格用分")), window(said("价格用分"))).reason == "too-short"


@table("origin", "adopted")
def test_adopted_proposal(answer: str, word: str, adopted: bool) -> None:
    shown = window(said("I would keep prices in cents.", "assistant", 1), said(answer, n=2))
    proof = prove(candidate((1, "keep prices in cents"), (2, word)), shown)
    assert ("keep prices in cents" in [one.text for one in proof.said]) is adopted


@table("origin", "offered")
def test_what_the_user_chose_or_confirmed_is_adopted(
    offer: str, quote: str, answer: str, adopted: bool
) -> None:
    shown = window(said(offer, "assistant", 1), said(answer, n=2))
    proof = prove(candidate((1, quote), (2, answer)), shown)
    assert (quote in [one.text for one in proof.said]) is adopted


@pytest.mark.parametrize(
    ("offer", "quote", "answer", "denied"),
    [
        (
            "Plan:\n1. Sweep the attic\n2. Ring\n\nA few ways:\n\n- Slates\n- Tar\n\nWhich is best?",
            "1. Sweep the attic",
            "the first one sounds good",
            [],
        ),
        (
            "Done:\n1. Swept the yard\n2. Rang\n\nWhich one?\nA) Slates of the mill\nB) Tar\nC) Straw",
            "A) Slates of the mill",
            "A + B",
            ["C) Straw"],
        ),
    ],
)
def test_only_what_was_offered_can_be_turned_down(
    offer: str, quote: str, answer: str, denied: list[str]
) -> None:
    shown = window(said(offer, "assistant", 1), said(answer, n=2))
    assert [one.text for one in prove(candidate((1, quote), (2, answer)), shown).denied] == denied


def test_several_options_of_a_menu_may_be_taken_in_one_line() -> None:
    options = "\n- A lock, of iron: It is heavy.\n- A bell: It rings.\n- A dog: It barks."
    menu = f"How do we keep the gate shut?{options}"
    shown = window(said(menu, "assistant", 1), said("A lock, of iron, A bell", n=2))
    adopted = " ".join(one.text for one in prove(candidate((2, "A lock, of iron, A bell")), shown).said)
    assert ("It is heavy" in adopted, "It rings" in adopted, "It barks" in adopted) == (True, True, False)


@table("origin", "a_pasted_review_is_adopted_by_a_word_beside_it")
def test_a_pasted_review_is_adopted_by_a_word_beside_it(beside: str, adopted: bool) -> None:
    review = "Consider passing the timeout to every request."
    shown = window(said(f"Medium severity\n\nThe timeouts are lost.\n{review}\n\n{beside}"))
    proof = prove(candidate((1, review), (1, beside)), shown)
    assert (review in [one.text for one in proof.said]) is adopted


def test_a_yes_adopts_the_sentence_that_it_answers_and_no_other() -> None:
    told = said("Prices could be floats, I read.", "assistant", 1), said("ok", n=2)
    asked = said("I would keep prices in cents.", "assistant", 3), said("yes, do that", n=4)
    quotes = (1, "Prices could be floats"), (3, "keep prices in cents"), (4, "yes, do that")
    proof = prove(candidate(*quotes), window(*told, *asked))
    assert [one.shown.n for one in proof.said] == [4, 3]


@pytest.mark.parametrize(("place", "adopted"), [(1, False), (4, True)])
def test_what_the_agent_writes_down_after_the_yes_was_agreed_before(place: int, adopted: bool) -> None:
    """A file that says it before the agent does is read out; one that is written afterwards is not."""
    proposal = "Prices are kept in cents, and rounded at the edge."
    talk = [said(proposal, "assistant", 2), said("yes, do that", n=3)]
    talk.insert(0 if place == 1 else 2, ran(None, proposal, place, name="Write"))
    proof = prove(candidate((2, proposal), (3, "yes, do that")), window(*talk))
    assert (proof.origin == "user-said") is adopted


def test_a_yes_in_another_agents_session_adopts_nothing() -> None:
    shown = window(said("I would keep prices in cents.", "assistant", 1), said("yes, do that", n=2))
    theirs = shown.shown[1]._replace(session=shown.shown[1].session._replace(agent="codex"))
    both = replace(shown, shown=(shown.shown[0], theirs))
    assert prove(candidate((1, "keep prices in cents"), (2, "yes")), both).origin == "assistant-inferred"


def test_a_yes_to_something_else_adopts_nothing() -> None:
    shown = window(
        said("I would keep prices in cents.", "assistant", 1),
        said("hm", n=2),
        said("yes, run the tests", n=3),
    )
    assert prove(candidate((1, "keep prices in cents"), (3, "yes")), shown).origin == "assistant-inferred"


def test_a_refused_sentence_is_no_evidence() -> None:
    shown = window(said("The demo port is 9000 this week. Don't remember this"))
    assert prove(candidate((1, "The demo port is 9000")), shown).reason == "negated_request"


@given(st.text(max_size=200), st.text(max_size=40))
@settings(max_examples=100)
def test_any_text_and_quote_are_taken(text: str, quote: str) -> None:
    for one in (said(text), ran(text, text)):
        located = find(one, quote)
        assert located is None or located.text


@table("origin", "echo")
def test_echo_is_stripped(text: str, left: str) -> None:
    assert echo.strip(text) == left
