"""What a running session's texts mean: the same as the rules say, asked only where they may say something."""

import re
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_pipeline_explicit import REFUSED, SAVED
from test_pipeline_request_words import ASIAN, PHRASES, REFUSES

from siltstone.pipeline import explicit, explicit_table, hearing
from siltstone.pipeline.commands import reads
from siltstone.pipeline.explicit import find_saves
from siltstone.pipeline.words import keyword, pattern
from siltstone.store.late import fold

_WORDS = (*map(keyword, PHRASES), *(word for words, _ in explicit_table.CJK.parts for word in words))
BEFORE = (
    "please",
    "ok",
    "by the way",
    "so",
    "i want you to",
    "make sure you",
    "let's",
    ",",
    ":",
    "。",
    "请",
    "!",
)
EVERY_TRIGGER = "|".join(
    one.replace("(?P<en>", f"(?P<en{n}>").replace("(?P<on>", f"(?P<on{n}>")
    for n, one in enumerate(explicit_table.TRIGGERS.sources(fold(" ".join(_WORDS))))
)
"""All in one pattern: each with a name of its own, as there has to be, that begins with its kind's."""
BLOCK = """We did it.

Memory candidates:
- [decision] Use the npm cache for plugin loading, not npm link
- (none)"""
LOADED = """
import sys
from siltstone.pipeline import hearing
hearing.own("Now make the tests pass, please")
hearing.announced("user", "Now make the tests pass, please")
hearing.announced("assistant", "Done: the tests pass")
print(sorted(name for name in sys.modules if name.startswith("siltstone.pipeline.")))
"""


@pytest.mark.parametrize("text", [text for text, _ in SAVED.values()], ids=SAVED)
def test_a_save_that_the_rules_find_is_heard(text: str) -> None:
    for (_, heard), save in zip(hearing.announced("user", text), find_saves(text), strict=True):
        assert heard.startswith(save.body)


LOG = "2026-09-01 10:00:07 ERROR rows.py: cannot read row 7 of the file, not even once; see notes\n" * 40


@pytest.mark.parametrize("text", [text for text, _ in SAVED.values()], ids=SAVED)
def test_between_pastes_the_same_saves_are_found(text: str) -> None:
    alone = find_saves(text)
    found = find_saves(f"{LOG}\n\n{text}\n\n{LOG}")
    ahead = len(LOG) + 2
    assert [(one.start - ahead, one.end - ahead, one.body) for one in found if one.start >= ahead] == [
        (one.start, one.end, one.body) for one in alone
    ]


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_between_pastes_the_same_is_refused(text: str) -> None:
    ahead = len(LOG) + 2
    found = explicit.find_refusals(f"{LOG}\n\n{text}\n\n{LOG}")
    assert [one.end - ahead for one in found] == [one.end for one in explicit.find_refusals(text)]


@pytest.mark.parametrize(("filler", "heard"), [(100, True), (900, True), (1_100, False)])
def test_who_takes_something_back_says_so_first(filler: int, heard: bool) -> None:
    text = "It is well. " * (filler // 12) + "Actually no, don't remember that."
    assert hearing.takes_back(text) == heard


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_not_to_be_kept_is_left_out(text: str) -> None:
    assert hearing.kept(text) == ""
    assert hearing.kept(f"Fix the login page\n{text}").strip() in ("Fix the login page", "")


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(REFUSES)
def test_whatever_is_refused_is_left_out(text: str) -> None:
    found = explicit.find_refusals(text)
    assert hearing.kept(text) == explicit.without(text, [(one.start, one.end) for one in found])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Fix the login page", "Fix the login page"),
        ("Please remember: releases are cut on Fridays", ""),
        ("Please remember: releases are cut on Fridays. Fix the login page", " Fix the login page"),
        ("Releases are cut on Fridays. Remember this!", ""),
        ("remember this", "remember this"),
    ],
)
def test_what_is_asked_beside_a_save(text: str, left: str) -> None:
    assert hearing.wanted(text) == left


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    st.from_regex(pattern(EVERY_TRIGGER, ASIAN)),
    st.sampled_from(BEFORE),
    st.text(max_size=20),
)
def test_the_triggers_that_a_text_may_hold_find_what_all_find(asked: str, before: str, more: str) -> None:
    for text in (f"{asked} {more}", f"{more} {asked}", f"{more}{before} {asked}", f"{before}{asked}", more):
        chosen = explicit_table.TRIGGERS.finditer(text)
        every = pattern(EVERY_TRIGGER, text).finditer(text)
        assert [(one.span(), kind(one)) for one in chosen] == [(one.span(), kind(one)) for one in every]


def kind(found: "re.Match[str]") -> tuple[str, tuple[int, int]]:
    name = found.lastgroup or ""
    return name[:2], found.span(name)


@settings(max_examples=100)
@given(st.text(st.sampled_from("from now on remember this, _9-\né—🙂"), max_size=40))
def test_simple_bounds_find_the_same_where_no_asian_letter_stands(text: str) -> None:
    whole, simple = (pattern(EVERY_TRIGGER, chosen) for chosen in (ASIAN, "é"))
    assert simple.pattern != whole.pattern
    for said in (text, f"{text} remember it_{text}", f"x{text}9from now on {text}"):
        assert [one.span() for one in simple.finditer(said)] == [one.span() for one in whole.finditer(said)]


def test_the_candidate_block_of_a_summary_is_heard() -> None:
    told = [("decision", "Use the npm cache for plugin loading, not npm link")]
    assert hearing.announced("compaction", BLOCK) == told


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Fix it <system-reminder>be quick</system-reminder>", "Fix it"),
        ("Workspace memory (cross-session, verify if stale):\nfeedback:\n- x\n\nFix it", "Fix it"),
        ("Fix it", "Fix it"),
    ],
)
def test_what_machines_put_in_is_not_heard(text: str, own: str) -> None:
    assert hearing.own(text) == own


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("npm test", {"npm test": "observed"}),
        ("echo x && npm test", {"echo x": "said", "npm test": "observed"}),
        ("cat a.log; npm test", {"cat a.log": "read", "npm test": "observed"}),
        ("cd `git root` && npm test", {"cd `git root`": "read", "npm test": "observed"}),
        ('echo "$(cat a)"', {"echo $(cat a)": "read"}),
        ("npm test | grep x", {"npm test": "observed", "grep x": "observed"}),
        ("cat a | sort", {"cat a": "read", "sort": "read"}),
        ("bash -lc 'git log && npm test'", {"git log": "read", "npm test": "observed"}),
        ("cat > a.sh <<EOF\nnpm test\nEOF", {}),
        ("", {}),
    ],
)
def test_whose_words_each_part_prints(command: str, told: dict[str, str]) -> None:
    assert {" ".join(words): prints for words, prints in hearing.parts(command)} == told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("npm test", [("npm test", True)]),
        ("A=1 sudo npm test && ls -l", [("sudo npm test", True), ("ls -l", True)]),
        ("npm test | tail -5", [("npm test", False), ("tail -5", True)]),
        ("a; b &&\nc;", [("a", False), ("b", True), ("c", True)]),
        ("a && b || c", [("a", False), ("b", False), ("c", False)]),
        ("a || b && c", [("a", False), ("b", False), ("c", True)]),
        ("set -eo pipefail\na | b\nc", [("set -eo pipefail", True), *((one, True) for one in "abc")]),
        ("bash -lc 'a | b' && c", [("a", False), ("b", True), ("c", True)]),
        ("bash -c 'a' || true", [("a", False), ("true", False)]),
        ("if a; then b; fi", [("a", False), ("b", False), ("fi", True)]),
        ("echo 'a; b' 2>&1", [("echo a; b 2>&1", True)]),
        ("a &", [("a", False)]),
        ("", []),
    ],
)
def test_programs_and_what_a_status_vouches_for(command: str, told: list[tuple[str, bool]]) -> None:
    assert [(" ".join(words), sure) for words, sure in hearing.programs(command)] == told


@given(st.text("ab;|&!()'\"\\ \n-c$sh", max_size=60))
def test_any_command_line_is_taken_apart(command: str) -> None:
    assert all(words and all(words) for words, _ in hearing.programs(command))


@given(
    st.lists(
        st.sampled_from(
            ["cat a", "echo 'b; c'", "npm test", "sh -c 'cat a'", "$(x)", " ", "|", "&&", ";", "("]
        ),
        max_size=8,
    ).map(" ".join)
)
def test_a_line_reads_when_a_part_of_it_does(command: str) -> None:
    """One rule: what is told of the parts is what invariant 6 says of the whole."""
    assert reads(command) == any(prints != "observed" for _, prints in hearing.parts(command))


@pytest.mark.parametrize("piece", ["a;", "a|", "a&&", "'", "bash -c '", "(", "! ", "\\\n"])
def test_a_long_command_line_is_taken_apart_soon(piece: str) -> None:
    assert len(hearing.programs(piece * 200_000)) <= 20_000


def test_for_most_texts_no_rule_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['siltstone.pipeline.hearing', 'siltstone.pipeline.request_words']"


def test_to_hear_a_request_loads_what_finds_it_and_no_more() -> None:
    """What tells a remark behind a request from its reason is too dear for a hook."""
    asked = LOADED.replace(
        "Now make the tests pass, please", "Remember: prices are cents. I work from Lisbon."
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert "'siltstone.pipeline.explicit'" in done.stdout
    assert "siltstone.pipeline.claims" not in done.stdout
