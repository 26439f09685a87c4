"""Windows: the slice of messages that one model call sees (DESIGN.md "Extraction")."""

from collections import Counter
from dataclasses import dataclass, field

from siltstone.pipeline.messages import Message, Session

MAX_MESSAGES = 120
MAX_CHARS = 24_000


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as it stands in the prompt: numbered, trimmed and redacted.

    Evidence is checked against `message` here, never against what was on disk: the model can only
    quote what it was shown.
    """

    n: int
    session: Session
    message: Message
    context: bool = False
    """Repeated from an earlier window, for understanding only: it was counted there."""


@dataclass(frozen=True, slots=True)
class Window:
    """Messages of one scope, from one session or several short ones, in reading order."""

    scope: str
    """"global" or "projects/<slug>"."""
    shown: tuple[Shown, ...]
    filtered: Counter[str] = field(default_factory=Counter)
    """What was read beside them, by reason."""
