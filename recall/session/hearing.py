"""What `apply` asks the pipeline, which knows of texts and commands what a session must not decide anew."""

from collections.abc import Sequence
from typing import Protocol


class Hearing(Protocol):
    """Answered by `pipeline/hearing.py`."""

    def parts(self, command: str) -> Sequence[tuple[Sequence[str], str]]:
        """The programs of a command line as their words, and what each prints: "observed" by the agent,
        "said" by it, or "read", what somebody else wrote: that tells no error."""
        ...

    def programs(self, command: str) -> Sequence[tuple[Sequence[str], bool]]:
        """The programs of a command line as their words, and whether its status of 0 vouches for each."""
        ...

    def own(self, text: str) -> str:
        """A text without what was put into it by machines."""
        ...

    def kept(self, text: str) -> str:
        """A typed text without what it asks not to keep."""
        ...

    def wanted(self, text: str) -> str:
        """A typed text without what it asks to keep: "" where it asks for nothing else."""
        ...

    def announced(self, kind: str, text: str) -> Sequence[tuple[str, str]]:
        """Type and text of the memories that a text ("user", "assistant", "compaction") asks to keep."""
        ...
