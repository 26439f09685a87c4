"""What files are called: safe, portable names made by code, never by a model (C2, C28, invariant 5).

A name is a slug: letters and digits of any script after Unicode folding, joined by single hyphens, so
that `feedback-提交前先跑测试.md` stays readable. Nothing in it can climb, hide, clash by case or by
Unicode form, or be a device name.

`find` is the way back: the memory that a name, file name or path refers to.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from siltstone.store.entry import GLOBAL, TYPES, Stored, Type
from siltstone.store.errors import EntryError, Misuse

MAX_CHARS = 60
MAX_BYTES = 120
"""Of one slug in UTF-8: with type, suffix and `.md` far below the 255 bytes file systems allow."""
MAX_NAMED = 6
"""Most memories that an error message lists."""
WHERE_ALL_ARE = "`silt list` shows them all, `silt search` finds one"

_READ_CHARS = 400
_WORDS = re.compile(r"[^-]+")
_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ACCENTS = re.compile("[\u0300-\u036f]")
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
_PROJECT = re.compile(r"projects/([^/\0]+)\Z")
_ENTRY = re.compile(
    r"(?:(?P<inbox>inbox)|(?P<scope>global|projects/[^/\0]+)(?:/(?P<folder>system|archive))?)"
    r"/(?P<stem>[^/\0.][^/\0]*)\.md\Z"
)
_GENERATED = frozenset({"MEMORY", "PROTOCOL", "_CONFLICTS"})
_KINDS: dict[str | None, Literal["memory", "pinned", "archived"]] = {
    None: "memory",
    "system": "pinned",
    "archive": "archived",
}


class Place(NamedTuple):
    """What a path in the store says about the entry there."""

    scope: str | None
    """None in the inbox: there the file itself names its scope."""
    kind: Literal["memory", "pinned", "archived", "inbox"]
    stem: str
    """File name without `.md`."""

    @property
    def type(self) -> Type | None:
        """The type that the file name starts with (C2); None when it starts with none."""
        return next((known for known in TYPES if known == self.stem.partition("-")[0]), None)

    @property
    def name(self) -> str:
        """The stem without its type."""
        head, _, rest = self.stem.partition("-")
        return rest if rest and head in TYPES else self.stem


def scope_of_path(path: str) -> str:
    """The scope of a file in the store; "inbox" for one of the inbox."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "projects" else parts[0]


def stem(path: str) -> str:
    """The file name of an entry, without `.md`."""
    return path.rpartition("/")[2].removesuffix(".md")


def in_inbox(path: str) -> bool:
    """Whether what stands at `path` waits for the user's review."""
    return path.startswith("inbox/")


def place(path: str) -> Place | None:
    """Where `path` (relative, forward slashes) stands; None when no entry can stand there."""
    found = _ENTRY.match(path)
    if found is None or found["stem"] in _GENERATED or "/../" in path or "/./" in path:
        return None
    if found["inbox"]:
        return Place(None, "inbox", found["stem"])
    return Place(found["scope"], _KINDS[found["folder"]], found["stem"])


def in_force(path: str) -> bool:
    """Whether a memory holds that stands at `path`: not one of the archive or the inbox."""
    found = place(path)
    return found is not None and found.kind in ("memory", "pinned")


def is_scope(text: str) -> bool:
    """Whether `text` is "global" or "projects/<slug>"."""
    found = _PROJECT.match(text)
    return text == GLOBAL or (found is not None and is_slug(found[1]))


def is_slug(text: str) -> bool:
    """Whether `text` is a name as `slug` makes them (the safe pattern of C28)."""
    if len(text) <= MAX_CHARS and _PLAIN.fullmatch(text) and not _DEVICES.fullmatch(text):
        return True  # nearly all are, and folding and cutting changes nothing in them
    return bool(text) and slug(text) == text


def slug(text: str) -> str:
    """A safe kebab-case name out of any text; never empty.

    Letters of every script stay (NFKC, case folded, Latin accents dropped). Text without a letter or
    digit becomes "note-" and 8 hex digits of its hash. At most MAX_CHARS characters and MAX_BYTES
    bytes, cut between words where that keeps half of it.
    """
    folded = text[:_READ_CHARS]
    for _ in range(4):  # case folding and compatibility forms undo each other's work
        before, plain = folded, unicodedata.normalize("NFKD", folded.casefold())
        folded = unicodedata.normalize("NFKC", _ACCENTS.sub("", plain))
        if folded == before:
            break
    kept = "".join(ch if ch.isalnum() or unicodedata.category(ch)[0] == "M" else "-" for ch in folded)
    words = [word for word in _WORDS.findall(kept) if any(map(str.isalnum, word))]
    whole = "-".join(words)
    name = whole[:MAX_CHARS].encode()[:MAX_BYTES].decode(errors="ignore")
    if name != whole and whole[len(name)] != "-":
        head = name.rpartition("-")[0]
        name = head if len(head) * 2 > len(name) else name
    name = name.strip("-")
    if not name:
        return f"note-{_digest(text)}"
    if _DEVICES.fullmatch(name):
        return f"{name}-{_digest(text)[:4]}"
    return name


def entry_path(scope: str, type: str, name: str, taken: Collection[str]) -> str:
    """A free path `<scope>/<type>-<slug of name>.md`; on a clash with `taken` "-2", "-3", … follow.

    `scope` may be any folder of entries ("global", "projects/x/archive", "inbox"); `taken` holds
    store paths, which people may have written in any case.
    """
    base = slug(name)
    if base.startswith(f"{type}-"):
        base = base.removeprefix(f"{type}-")
    stem = f"{scope}/{type}-{base}"
    used = {one.casefold() for one in taken}
    path, n = f"{stem}.md", 1
    while path in used:
        n += 1
        path = f"{stem}-{n}.md"
    return path


def title(name: str) -> str:
    """A name as a person reads it: "free-shipping-threshold" → "Free shipping threshold"."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]


def find(
    entries: Sequence[Stored],
    wanted: str,
    left_out: Mapping[str, str],
    here: Sequence[str] = (),
    *,
    any_part: bool = False,
) -> Stored:
    """The one entry whose path, file name or name is `wanted`.

    With `any_part` a part of a name or file name is enough, its start before any other: for commands that
    only read. `left_out` maps paths of files that could not be read to the reason. Among entries of the same
    name, the first scope in `here` that has one decides. Raises EntryError with the reason when `wanted` is
    a file that was left out, and Misuse when there is no such entry or there are several.
    """
    wanted = wanted.strip().removesuffix("/")
    found = _called(entries, wanted, left_out, here)
    if not found:
        # Those whose name or file name begins so, else those with it anywhere in one.
        part = wanted.casefold()
        called = [(one, (one.entry.name.casefold(), stem(one.path).casefold())) for one in entries if part]
        begin = [one for one, names in called if any(name.startswith(part) for name in names)]
        held = begin or [one for one, names in called if any(part in name for name in names)]
        current = [stored for stored in held if not stored.archived]
        similar = [stored for stored in current if not in_inbox(stored.path)] or current or held
        if similar and not any_part:
            name = similar[0].entry.name
            raise Misuse(f"there is no memory {wanted!r}; write the full name, for example {name}.")
        by_scope = ([stored for stored in similar if stored.entry.scope == scope] for scope in here)
        found = next(filter(None, by_scope), similar)
    if not found:
        _raise_if_left_out(left_out, wanted, str.__contains__)
    return only(found, wanted)


def exactly(entries: Sequence[Stored], wanted: str) -> list[Stored]:
    """The entries called `wanted`, as it is or as code makes a name of it: by path, else by file name, else
    by name. None for an empty text."""
    if not wanted:
        return []
    words = {wanted, slug(wanted)}
    paths = [one for one in entries if wanted in (one.path, one.path.removesuffix(".md"))]
    files = [one for one in entries if not words.isdisjoint((f"{stem(one.path)}.md", stem(one.path)))]
    return paths or files or [one for one in entries if one.entry.name in words]


def _called(
    entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str], here: Sequence[str]
) -> list[Stored]:
    """The entries called `wanted` in the first scope of `here` that has any, else in all. What waits in
    the inbox counts only where no memory is called so, and archived ones come last.

    An unreadable file of that name raises EntryError, in a scope of `here` at once: an entry elsewhere must
    not be taken for it.
    """
    current = [stored for stored in entries if not stored.archived]
    kept = [stored for stored in current if not in_inbox(stored.path)]
    for among in (kept, current, entries):
        for scope in here:
            if found := exactly([stored for stored in among if stored.entry.scope == scope], wanted):
                return found
            unreadable = {path: why for path, why in left_out.items() if path.startswith(f"{scope}/")}
            _raise_if_left_out(unreadable, wanted, str.__eq__)
        if found := exactly(among, wanted):
            return found
    _raise_if_left_out(left_out, wanted, str.__eq__)
    return []


def _raise_if_left_out(left_out: Mapping[str, str], wanted: str, fits: Callable[[str, str], bool]) -> None:
    for path, why in left_out.items():
        # The name in an unreadable file is unknown, so take it from the file name.
        if wanted and any(fits(name, wanted) for name in names_of(path)):
            raise EntryError(why)


def names_of(path: str) -> tuple[str, ...]:
    """What a file may be called: its path and file name, with and without `.md`, and that behind the type."""
    name = stem(path)
    return path, path.removesuffix(".md"), f"{name}.md", name, name.partition("-")[2]


def only(found: Sequence[Stored], wanted: str) -> Stored:
    """The one entry found; raises Misuse for none and for several."""
    if not found:
        raise Misuse(f"there is no memory {wanted!r}; {WHERE_ALL_ARE}.")
    if len(found) > 1:
        paths = ", ".join(stored.path for stored in found[:MAX_NAMED])
        more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
        raise Misuse(f"{wanted!r} fits {len(found)} memories: {paths}{more}; give the path of one.")
    return found[0]
