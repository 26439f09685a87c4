"""Entries as files: what is read, what is refused, and what an edit leaves alone."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store import entry_form
from siltstone.store.entry import (
    IMPORTANCES,
    ORIGINS,
    SOURCES,
    TOPICS,
    TYPES,
    UNDATED,
    Anchor,
    Entry,
    Evidence,
)
from siltstone.store.errors import EntryError
from siltstone.store.frontmatter import edit, kept, parse, render
from siltstone.store.names import slug

AT = datetime(2026, 11, 20, 10, 1, 58, tzinfo=UTC)
PATH = "projects/larkspur/feedback-package-manager-pnpm.md"
ENTRY = Entry(
    scope="projects/larkspur",
    name="package-manager-pnpm",
    type="feedback",
    topic="tech-context",
    description="Package manager is pnpm, never npm (lockfile and CI depend on it)",
    body="Use pnpm for every install.\nRelated: [[ci-checks]]",
    source="explicit",
    origin="user-said",
    created=AT,
    updated=AT,
    evidence=(Evidence(AT, "opencode", "ses_1", "msg_2", "use pnpm, not npm"),),
)
DATA = Path(__file__).resolve().parents[1] / "data" / "store"
FILE = (DATA / "ours.md").read_text("utf-8")
BY_HAND = (DATA / "by_hand.md").read_text("utf-8")

texts = st.text(st.characters(), max_size=40)
words = st.sampled_from(
    ["null", "no", "~", "2026-01-02", "1e5", "0x1f", "a: b", "- a", "#x", "'", '"', "\\", "é£", "包"]
)
times = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5))])).filter(
    lambda at: 2 < at.year < 9998
)
evidences = st.builds(
    Evidence, at=times, agent=texts | words, session=texts | words, message=texts | words, quote=texts | words
)
whole = (texts | words).map(entry_form.whole)
paths = st.sampled_from(["a.py", "null", ".github/x.yml", "a b/ü.py", "src/..a", "1.2", "[x]/*"])
digits = st.text("0123456789abcdef", max_size=12)
since = st.sampled_from(["said", "bound"])
anchors = st.builds(Anchor, paths, whole, whole, digits, whole, digits, whole, since)
entries = st.builds(
    Entry,
    scope=st.sampled_from(["global", "projects/larkspur"]),
    name=texts.map(slug),
    type=st.sampled_from(TYPES),
    description=texts | words,
    body=texts | st.text("-=<> \n\r\ta#{[", max_size=60),
    source=st.sampled_from(SOURCES),
    origin=st.sampled_from(ORIGINS),
    created=times,
    updated=times,
    evidence=st.lists(evidences, max_size=3).map(tuple),
    topic=st.none() | st.sampled_from(TOPICS),
    importance=st.none() | st.sampled_from(IMPORTANCES),
    limit=st.integers(0, 10**8),
    readonly=st.booleans(),
    enforce=st.booleans(),
    agrees_with=st.lists(texts.map(entry_form.whole), max_size=2).map(tuple),
    superseded_by=st.none() | texts.map(entry_form.whole),
    superseded_at=st.none() | times,
    replaces=st.none() | texts.map(entry_form.whole),
    anchors=st.lists(anchors, max_size=2).map(tuple),
)


def path_of(entry: Entry, inbox: bool = False) -> str:
    return f"{'inbox' if inbox else entry.scope}/{entry.type}-{entry.name}.md"


def test_an_entry_is_written_in_the_form_of_the_design() -> None:
    assert render(ENTRY) == FILE


@settings(max_examples=100)
@given(entry=entries, inbox=st.booleans())
def test_what_is_written_is_read_back(entry: Entry, inbox: bool) -> None:
    text = render(entry, inbox=inbox)
    text.encode()
    assert parse(path_of(entry, inbox), text) == kept(entry)


@settings(max_examples=100)
@given(old=entries, new=entries, inbox=st.booleans())
def test_an_edit_of_our_own_form_is_the_new_form(old: Entry, new: Entry, inbox: bool) -> None:
    assert edit(render(kept(old), inbox=inbox), new, inbox=inbox) == render(new, inbox=inbox)


@settings(max_examples=100)
@given(new=entries, inbox=st.booleans(), newline=st.sampled_from(["\n", "\r\n"]))
def test_an_edit_of_a_hand_written_file_keeps_what_it_does_not_speak_of(
    new: Entry, inbox: bool, newline: str
) -> None:
    text = edit(BY_HAND.replace("\n", newline), new, inbox=inbox)
    assert parse(path_of(new, inbox), text) == kept(new)
    for left in ("# mine", "colour: [red, {deep: blue}]", "    # where it came from", "    mood: calm"):
        assert newline + left + newline in text
    assert ("\r" in text) == (newline == "\r\n")


@table("store", "an_anchor_that_code_cannot_have_made_is_refused")
def test_an_anchor_that_code_cannot_have_made_is_refused(anchor: str) -> None:
    with pytest.raises(EntryError, match="line 11: 'anchors' holds one that is none of ours"):
        parse(PATH, FILE.replace("  evidence:", f"  anchors:\n    - {{{anchor}}}\n  evidence:"))


def test_an_edit_changes_only_the_span_of_its_key() -> None:
    old = parse(PATH, BY_HAND)
    text = edit(BY_HAND, old._replace(description="Use pnpm: always"))
    assert text == BY_HAND.replace("'Package manager is pnpm'", '"Use pnpm: always"').replace(
        "    mood: calm\n", "    mood: calm\n    type: feedback\n"
    ).replace("readonly: no\n", "readonly: no\nname: package-manager-pnpm\n")


def test_an_edit_that_changes_nothing_returns_the_same_bytes() -> None:
    text = BY_HAND.replace("# mine\n", "name: package-manager-pnpm\n").replace(
        "    mood: calm\n", "    mood: calm\n    type: feedback\n"
    )
    assert edit(text, parse(PATH, text)) == text


def test_a_key_that_ends_is_dropped_with_its_line() -> None:
    text = FILE.replace("limit: 5000\n", "# keep\nlimit: 5000\n")
    assert edit(text, ENTRY._replace(topic=None)) == text.replace("  topic: tech-context\n", "")


@table("store", "an_edit_works_on_every_layout")
def test_an_edit_works_on_every_layout(text: str) -> None:
    out = edit(text, ENTRY)
    assert parse(PATH, out) == ENTRY
    assert edit(out, ENTRY) == out


def test_an_edit_that_would_change_more_is_refused() -> None:
    text = "---\ndescription: a\nmine: |+\n  lines that keep\n\n  their end\n\n\n---\nBody\n"
    with pytest.raises(EntryError, match="touching more"):
        edit(text, ENTRY)


def test_an_edit_that_would_not_say_what_was_asked_is_refused() -> None:
    with pytest.raises(EntryError, match="edit it by hand"):
        edit(BY_HAND, ENTRY._replace(superseded_by="global/\ud800.md"))


def test_an_accepted_inbox_entry_loses_its_scope_line() -> None:
    text = render(ENTRY, inbox=True)
    assert "  scope: projects/larkspur\n" in text.replace('"', "")
    assert edit(text, ENTRY) == FILE


def test_a_bare_note_gets_defaults_from_its_place() -> None:
    entry = parse("global/system/reference-wiki-of-the-team.md", "See https://wiki.example\n")
    assert entry == Entry(
        scope="global",
        name="wiki-of-the-team",
        type="reference",
        description="Wiki of the team",
        body="See https://wiki.example",
        source="manual",
        origin="user-said",
        created=UNDATED,
        updated=UNDATED,
    )


def test_a_hand_written_file_is_read_with_its_dates_and_evidence() -> None:
    entry = parse(PATH, BY_HAND)
    assert entry.created == datetime(2026, 1, 2, tzinfo=UTC)
    assert entry.evidence == (
        Evidence(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "claude", "s1", "m1", "use pnpm, not npm\n"),
    )
    assert entry.description == "Package manager is pnpm"
    assert entry.body == "# Heading\n\nUse pnpm."


@table(
    "store",
    "what_cannot_be_read_is_named_with_its_line",
    ("---\nx: " + "[" * 50_000 + "\n---\n", 2, "nested more than"),
    ("---\n" + "- " * 50_000 + "\n---\n", 2, "nested more than"),
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, line: int | None, said: str | None) -> None:
    if line is None or said is None:
        assert parse(PATH, text).body == "---"
        return
    with pytest.raises(EntryError, match=said) as error:
        parse(PATH, text)
    assert f"{PATH}, line " in str(error.value)
    assert len(str(error.value)) < 300


@settings(max_examples=100)
@given(text=st.text(st.characters(), max_size=80).map(lambda text: f"---\n{text}\n---\n") | st.text())
def test_any_file_is_read_or_refused(text: str) -> None:
    with suppress(EntryError):
        parse(PATH, text)


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "global/MEMORY.md", "notes.md", "global/a/b.md", "global/x.txt"]
)
def test_a_file_where_no_entry_can_stand_is_refused(path: str) -> None:
    with pytest.raises(EntryError, match="a memory cannot be here"):
        parse(path, FILE)


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(EntryError, match="no time zone"):
        render(ENTRY._replace(created=datetime(2026, 1, 1)))


@table("store", "importance_is_read_where_the_user_wrote_it_and_left_there")
def test_importance_is_read_where_the_user_wrote_it_and_left_there(head: str, said: str | None) -> None:
    text = f"---\n{head}---\nPort 8080.\n"
    entry = parse("global/reference-ports.md", text)
    assert entry.importance == said
    changed = edit(text, entry._replace(body="Port 9090."))
    assert changed.count("importance:") == 1
    assert head.rstrip() in changed
