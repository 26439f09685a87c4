"""The settings that hot commands need, without what reads settings: that takes half a second.

With no settings file and none of their variables set, the defaults hold. Else they are read as always,
once, and noted in a file of the state folder together with what they were read from: the file's size and
time and the variables. Whatever changes there makes the note worthless.
"""

import os

from siltstone.cli import hot
from siltstone.recall.rules import Rules
from siltstone.store.errors import Misuse
from siltstone.store.places import config_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from siltstone.cli.settings import Settings

NOTE = "settings.noted"
VARIABLES = tuple(f"SILT_{field.upper()}" for field in Rules._fields)


def rules_of(folder: str, environ: "Mapping[str, str]") -> Rules:
    """The settings in force; the defaults, with a remark, when they cannot be read."""
    made_of = _made_of(environ)
    if made_of is None:
        return Rules()
    note = os.path.join(folder, NOTE)
    return _noted(note, made_of) or _read(note, made_of, environ)


def rules_among(settings: "Settings") -> Rules:
    """Those settings that hot commands need, for whoever has all of them."""
    return Rules(*(getattr(settings, field) for field in Rules._fields))


def _made_of(environ: "Mapping[str, str]") -> str | None:
    """What the settings follow from, on one line; None when nothing is set."""
    path = config_file(environ)
    said = [environ.get(name, "") for name in VARIABLES]
    try:
        found = os.stat(path)
    except OSError:
        return repr(said) if any(said) else None
    return repr((path, found.st_mtime_ns, found.st_size, said))


def _noted(note: str, made_of: str) -> Rules | None:
    try:
        with open(note, encoding="utf-8", errors="replace") as file:
            head, _, values = file.read(100_000).partition("\n")
        ttl, percentage, threshold, most, turns = values.split()
        found = Rules(int(ttl), float(percentage), float(threshold), int(most), int(turns))
    except (OSError, ValueError):
        return None
    return found if head == made_of else None


def _read(note: str, made_of: str, environ: "Mapping[str, str]") -> Rules:
    from siltstone.cli.settings import configure

    try:
        settings = configure(environ).settings
    except Misuse as error:
        hot.note(f"the settings are left out: {error}")
        return Rules()
    rules = rules_among(settings)
    beside = f"{note}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8", errors="replace") as file:
            file.write(f"{made_of}\n{' '.join(map(str, rules))}\n")
        os.replace(beside, note)
    except OSError as error:
        hot.note(f"the settings are read anew each time: {note} cannot be written ({error.strerror})")
    return rules
