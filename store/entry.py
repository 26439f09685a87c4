"""One memory: the value behind one markdown file of the store (docs/store-format.md).

The file format (frontmatter, body) is read and written by `frontmatter.py`. Here are the values, the
`[[name]]` links in a body (docs/seeds.md C5), and how often evidence was repeated (A25).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

Type = Literal["user", "feedback", "project", "decision", "reference"]
Topic = Literal[
    "architecture", "tech-context", "product-context", "project-config", "error-solution", "learned-pattern"
]
Source = Literal["explicit", "extraction", "manual"]
Importance = Literal["low", "normal", "high"]
Origin = Literal["user-said", "tool-observed", "assistant-inferred", "read-content"]

TYPES: tuple[Type, ...] = get_args(Type)
TOPICS: tuple[Topic, ...] = get_args(Topic)
SOURCES: tuple[Source, ...] = get_args(Source)
IMPORTANCES: tuple[Importance, ...] = get_args(Importance)
ORIGINS: tuple[Origin, ...] = get_args(Origin)

GLOBAL = "global"
UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""`created` and `updated` of a file that gives neither dates nor evidence."""
DEFAULT_LIMIT = 5000
"""Characters of body an entry may hold unless its frontmatter says otherwise (D14)."""
MAX_LIMIT = 1_000_000
"""Characters: the largest limit."""


HEARD = "hook:"
"""Prefix of the message id in evidence that a hook saved while it was typed. The transcript has another id
for the message, which takes its place once the transcript is read."""


class Evidence(NamedTuple):
    """Where a fact was said: the words, verbatim, and the message that holds them."""

    at: datetime
    """When the message was written; aware, UTC."""
    agent: str
    session: str
    message: str
    quote: str

    @property
    def message_hash(self) -> str:
        return message_hash(self.agent, self.session, self.message)

    @property
    def words_hash(self) -> str:
        """The same for the words alone, for a message that only a hook has seen, so that it has no id yet."""
        return message_hash(self.agent, self.session, f"{HEARD}{self.quote}")


def message_hash(agent: str, session: str, message: str) -> str:
    """sha256 hex of a message's agent, session and id: all that is kept of a message that was purged."""
    return sha256("\0".join((agent, session, message)).encode("utf-8", "replace")).hexdigest()


class Anchor(NamedTuple):
    """What a memory names in its project's code, as it was when the fact was said (docs/store-format.md).

    One of three: a file as a whole, the definition of a `symbol` in it, or its lines that hold all `words`.
    """

    path: str = ""
    """In the project's repository, with forward slashes."""
    symbol: str = ""
    words: str = ""
    blob: str = ""
    """First digits of the file's object id in git; "" for a folder, of which only its being there counts."""
    lines: str = ""
    """The sketch of the symbol's lines, or of those with the words (`code.lines.sketch`)."""
    commit: str = ""
    """First digits of the commit it was bound at."""
    branch: str = ""
    """Checked out then; "" when none was."""
    since: str = "said"
    """What the commit is: "said", checked out when the fact was said, or "bound", when it was bound."""


class Entry(NamedTuple):
    """A memory. `scope` is the folder in the store: "global" or "projects/<slug>"."""

    scope: str
    name: str
    """Kebab-case slug without the type, e.g. "package-manager-pnpm" (C4)."""
    type: Type
    description: str
    body: str
    source: Source
    origin: Origin
    created: datetime
    updated: datetime
    evidence: tuple[Evidence, ...] = ()
    topic: Topic | None = None
    importance: Importance | None = None
    """What the user says it weighs (A21); None where nothing is said."""
    limit: int = DEFAULT_LIMIT
    readonly: bool = False
    enforce: bool = False
    """The user is asked before an agent's call that it speaks of. Nothing but their own editor sets it."""
    agrees_with: tuple[str, ...] = ()
    """Store paths of entries that the user said are true beside this one (`both` in _CONFLICTS.md)."""
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    replaces: str | None = None
    """In the inbox, of an agent's new text for the memory of this scope, type and name: the `body_mark`
    of what that memory said when the agent wrote."""
    anchors: tuple[Anchor, ...] = ()
    """Made by code alone, when a memory of a project is written (`pipeline/binding.py`)."""

    @property
    def claim(self) -> str:
        """What it says: description and body."""
        return f"{self.description}\n{self.body}"

    @property
    def quotes(self) -> str:
        """All that it quotes, each on lines of its own."""
        return "\n".join(proof.quote for proof in self.evidence)

    @property
    def sessions(self) -> set[tuple[str, str]]:
        """Agent and id of every session that its evidence is from."""
        return {(one.agent, one.session) for one in self.evidence}


def body_mark(body: str) -> str:
    """A mark by which a body is known: the first 12 hex digits of its sha256."""
    return sha256(body.encode("utf-8", "replace")).hexdigest()[:12]


class Stored(NamedTuple):
    """An entry as it stands in a file."""

    path: str
    """Relative to the store, with forward slashes: "projects/larkspur/project-free-shipping.md"."""
    text: str
    """The whole file, as it is."""
    hash: str
    """sha256 hex of the file's bytes: write conflicts are found by it (invariant 9)."""
    entry: Entry
    user_written: bool = False
    """The body was last changed by the user's own commit: merge, rewrite and delete are refused."""
    pinned: bool = False
    """It stands in `system/`: hot, shown whole (D1)."""
    archived: bool = False
    code: str = ""
    """What became of the code that it is bound to (`code.status`); "" where nobody looked."""


class TextFile(NamedTuple):
    """A file that is no entry, as it stands."""

    text: str
    hash: str
    """sha256 hex of its bytes, of which some may be no UTF-8."""


Read = Callable[[Sequence[str]], Sequence[Stored]]
"""Paths → the entries there, as far as they may be shown."""


class Snapshot(NamedTuple):
    """The entries in force at one moment, of which only some have to be read."""

    hashes: Mapping[str, str]
    """Path → hash of each."""
    read: Read


class Write(NamedTuple):
    """Put `text` at `path`. `expected` is the hash it was decided on; None = the file must not exist."""

    path: str
    text: str
    expected: str | None


class Delete(NamedTuple):
    """Remove `path`, if it still has the hash the decision was made on."""

    path: str
    expected: str


Change = Write | Delete
"""A move is a Delete and a Write in one pass."""


_LINK = re.compile(r"\[\[([^\[\]\n|]{1,120})((?:\|[^\[\]\n]{0,120})?)\]\]")


def links(text: str) -> frozenset[str]:
    return frozenset(match[1].strip() for match in _LINK.finditer(text))


def relink(text: str, renamed: Mapping[str, str]) -> str:
    """The text with links to renamed memories pointing to their new names; a label (`|…`) stays."""

    def point(match: re.Match[str]) -> str:
        name = match[1].strip()
        return f"[[{renamed[name]}{match[2]}]]" if name in renamed else match[0]

    return _LINK.sub(point, text)


MIN_APART = 3_600.0
"""Seconds."""
MAX_COUNT = 6


def reinforcements(evidence: Iterable[Evidence]) -> int:
    """How often a memory was said again: 0 to 6. The first telling does not reinforce itself."""
    told: list[Evidence] = []
    for item in sorted(evidence):
        if all(stacks(item, earlier) for earlier in told):
            told.append(item)
    return min(max(len(told) - 1, 0), MAX_COUNT)


def stacks(one: Evidence, other: Evidence) -> bool:
    """Whether two tellings count as two: other sessions, other UTC days, an hour apart."""
    return (
        (one.agent, one.session) != (other.agent, other.session)
        and one.at.date() != other.at.date()
        and abs((one.at - other.at).total_seconds()) >= MIN_APART
    )
