"""Text that somebody wants to put into a memory: freed of secrets, within its limit, readable again."""

import re

from siltstone.store import frontmatter
from siltstone.store.entry import UNDATED, Change, Entry, Evidence, Stored, Write
from siltstone.store.entry_form import one_line, plain_body
from siltstone.store.entry_reader import MAX_BYTES
from siltstone.store.errors import EntryError, Misuse, RedactionError
from siltstone.store.files.actor import Actor
from siltstone.store.names import MAX_CHARS, in_inbox, slug
from siltstone.store.redaction import findings, redact
from siltstone.store.words import words

MAX_DESCRIPTION = 200
"""Characters: a description is one line of an index."""
MAX_QUOTE = 400
"""Characters of a text that its evidence quotes."""


def body(text: str) -> tuple[str, bool]:
    """A body without secrets, control characters and blank lines around it; whether it had a secret.

    Raises Misuse when nothing is left, EntryError for git's conflict markers, which would make the file
    unreadable, RedactionError when it cannot be checked.
    """
    clean = redact(text)
    kept = plain_body(clean.text)
    if not any(char.isalnum() for char in kept.replace("[REDACTED]", "")):
        raise Misuse("that text is empty; `silt forget` deletes a memory.")
    if line := frontmatter.marker_line(f"\n{kept}"):
        raise EntryError(
            f"line {line - 1} of the text has git conflict markers: resolve them, and write it again"
        )
    return kept, bool(clean.found)


def description(text: str) -> tuple[str, bool]:
    """A description on one line, and whether it had a secret; raises Misuse when it is too long for one."""
    clean = redact(text)
    line = one_line(clean.text)
    if len(line) > MAX_DESCRIPTION:
        raise Misuse(
            f"a description is one line of at most {MAX_DESCRIPTION} characters, not {len(line)}; "
            "put the rest into the text."
        )
    return line, bool(clean.found)


def headline(old: Entry, body: str) -> str:
    """The description that goes with a new body: the old one, unless it was the beginning of the old body, or
    has words that the new body lost."""
    begins = one_line(old.body).startswith(old.description.rstrip(" .…"))
    lost = {*words(old.body)} - {*words(body)}
    return first_line(body) if begins or not lost.isdisjoint(words(old.description)) else old.description


def first_line(body: str, most: int = MAX_DESCRIPTION) -> str:
    """The first line of a body, as a description of at most so many characters."""
    return one_line(body.split("\n", 1)[0], most)


def name(text: str) -> str:
    """A memory's name; raises Misuse for one that cannot be typed."""
    if not text.strip() or len(text) > MAX_CHARS * 2 or not text.isprintable():
        raise Misuse(
            f"{text[:60]!r} cannot be a name: give a few printable words, at most {MAX_CHARS * 2} characters."
        )
    if text.strip().startswith("."):
        raise Misuse(
            f"{text[:60]!r} would be a hidden file, and by another name: leave out the dot before it."
        )
    # Its words, and its ends from each word on: a dash joins words in names, and in keys as well.
    ends = (text[mark.end() :] for mark in re.finditer(r"[\W_]", text))
    if any(map(findings, {text, *re.split(r"[\W_]+", text), *ends})):
        raise Misuse("that name contains a secret; give another.")
    return slug(text)


def said(actor: Actor, words: str) -> Evidence:
    """Evidence of what somebody writes now, in their own words."""
    now = actor.clock().replace(microsecond=0)
    return Evidence(
        now, actor.session.agent, actor.session.id, now.strftime("%Y%m%dT%H%M%SZ"), words[:MAX_QUOTE]
    )


def quote(new: str, body: str) -> str:
    """What an edit put in, without secrets; the whole body where that alone says nothing."""
    clean = plain_body(redact(new).text)
    return clean if clean in body and any(map(str.isalnum, clean)) else body


def with_evidence(entry: Entry, one: Evidence) -> Entry:
    """The entry with what a session said of it last: one piece of evidence for each session that writes."""
    told = [old for old in entry.evidence if (old.agent, old.session) != (one.agent, one.session)]
    # A note that gave no date has one from now on.
    created = one.at if entry.created == UNDATED else entry.created
    return entry._replace(evidence=tuple(sorted([*told, one])), created=created, updated=max(one.at, created))


def change(path: str, entry: Entry, there: Stored | None) -> Change:
    """The file that says `entry`; unknown keys and comments of what is there stay.

    Raises Misuse over the limit, RedactionError when a secret shows only now that all is together.
    """
    if len(entry.body) > entry.limit:
        raise Misuse(
            f"{path} would be {len(entry.body)} characters and exceeds its limit of {entry.limit}: "
            "shorten it, or keep one fact a memory"
        )
    waiting = in_inbox(path)
    if there is None:
        text = frontmatter.render(entry, inbox=waiting)
    else:
        text = frontmatter.edit(there.text, entry, inbox=waiting)
    if len(text.encode()) > MAX_BYTES:
        raise Misuse(f"{path} would be larger than {MAX_BYTES:,} bytes: keep one fact a memory")
    if findings(entry.claim):
        raise RedactionError(f"{path} would contain a secret: remove it from the text")
    return Write(path, text, there.hash if there is not None else None)
