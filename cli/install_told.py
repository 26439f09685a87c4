"""What `silt install` and `silt uninstall` say of the files they change."""

from collections.abc import Iterable
from pathlib import Path

from siltstone.agents.installing import Change
from siltstone.cli.output import show
from siltstone.pipeline.words import counted
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import redact


def tell(changes: Iterable[Change], whole: bool) -> None:
    """Each change as a diff; files that are ours alone by their name, unless all is wanted. A secret that
    stands beside a change is not for the screen."""
    for change in changes:
        if change.is_one and change.is_of_us_alone and not whole:
            show(_named(change))
        elif change.is_one:
            try:
                show(redact(change.diff).text)
            except RedactionError:
                show(f"{change.path} changes; it is too long to be shown")


def tell_shown(project: Path, shown: Iterable[Path]) -> None:
    """The files of a project that git shows as changed."""
    for path in shown:
        name = path.relative_to(project)
        show(f"{'git':<9} shows the change to {name}; it names the silt of this machine: do not commit it")


def _named(change: Change) -> str:
    what = "new file" if change.now is None else "gone:" if change.then is None else "renewed:"
    return f"{what} {change.path}, {counted(len((change.then or change.now or b'').splitlines()), 'line')}"
