"""`silt config`: every setting and where it comes from, and changing one."""

import json
import re
from typing import Annotated, Any

import typer

from siltstone.agents.settings_toml import line_of, read
from siltstone.cli.context import Context
from siltstone.cli.models import RULES, Models, Names
from siltstone.cli.note import note
from siltstone.cli.options import Json
from siltstone.cli.output import emit_json, show
from siltstone.cli.settings import (
    MODELS,
    NONE,
    OLDER_NAMES,
    SPANS,
    Configured,
    Settings,
    checked,
    configure,
    named,
    survey,
)
from siltstone.recall.settings import UNITS
from siltstone.store.disk import Disk
from siltstone.store.errors import Misuse
from siltstone.store.plain_file import content

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?|true|false")

app = typer.Typer(name="config", invoke_without_command=True)


@app.callback()
def show_config(context: typer.Context, json: Json = False) -> None:
    """Show every setting: its value, where that came from, and the variable that sets it.

    Settings come from a TOML file (its path is shown) or from variables; variables win. Example: silt config
    """
    if context.invoked_subcommand is not None:
        return
    configured = survey()
    values = configured.settings.model_dump()
    if json:
        emit_json({name: {"value": v, "from": configured.origin[name]} for name, v in values.items()})
    else:
        older = {field: f", {name}" for name, field in OLDER_NAMES.items()}
        config = configured.places.config
        show(f"file    {config}{'' if config.exists() else ' (does not exist: defaults apply)'}")
        show(f"store   {configured.places.store} (SILT_HOME)")
        show(f"state   {configured.places.state} (SILT_STATE)")
        for name, value in values.items():
            by = f"{configured.origin[name]}; SILT_{name.upper()}{older.get(name, '')}"
            show(f"{name:<{max(map(len, values))}} = {in_words(name, value)}  ({by})")
        show("to change one: silt config set KEY VALUE")
    note(*configured.complaints)
    if configured.complaints:
        raise typer.Exit(Misuse.exit_code)


def in_words(name: str, value: Any) -> str:
    """A value as a person would write it: "10m", "true", "none"."""
    if value in (None, ()):
        return NONE
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value)
    if name in SPANS and value:
        return next(f"{value // size}{unit}" for unit, size in reversed(UNITS.items()) if value % size == 0)
    return str(value)


@app.command("set")
def set_config(
    key: Annotated[str, typer.Argument(help="A setting, as `silt config` shows it.")],
    value: Annotated[str, typer.Argument(help="Its value; a time may have a unit (90s, 10m, 12h, 2d).")],
) -> None:
    """Change one setting in the TOML file. Everything else in the file stays as it is.

    A model is checked before it is written. Example: silt config set idle 90s
    """
    show(*write_setting(configure(), key, value))


def write_setting(configured: Configured, key: str, value: str) -> list[str]:
    """Write it; returns lines with what was written and, if another one applies, its value. Raises Misuse for
    an invalid value, ModelError for no such model."""
    field, path = named(key), configured.places.config
    text = content(path).decode("utf-8-sig") if path.exists() else ""
    if value == NONE and Settings.model_fields[field].default in (None, ()):
        if text:
            Disk().write(path, with_line(text, field, "").encode("utf-8"))
        return [f"{field} is not set  ({path})", *_wins(configured, field)]
    written: Any = checked(field, value)
    lacking = ""
    if field in MODELS:
        with Context(configured, dry=True) as context:
            models = Models(context, Names(None if value == RULES else value, None))
            models.check()
            lacking = models.lacks()
    plain = isinstance(written, str) and NUMBER.fullmatch(written) and field not in MODELS
    path.parent.mkdir(parents=True, exist_ok=True)
    line = f"{field} = {written if plain else json.dumps(written, ensure_ascii=False)}"
    Disk().write(path, with_line(text, field, line).encode("utf-8"))
    return [f"{line}  ({path})", *([lacking] if lacking else []), *_wins(configured, field)]


def _wins(configured: Configured, field: str) -> list[str]:
    """Says so if a variable sets this field too."""
    by, value = configured.origin[field], in_words(field, getattr(configured.settings, field))
    return [] if by in ("default", "file") else [f"but the variable {by} is set and wins: {value}"]


def with_line(text: str, field: str, line: str) -> str:
    """The TOML text with one line added, or with one replacing those that set this field; "" for none."""
    lines, before, put = text.splitlines(), read(text), [line] if line else []
    key = field if field in before else field.removesuffix("_ms")
    wanted = {name: one for name, one in before.items() if name != key} | read(line)
    if key not in before:
        return "\n".join([*put, *lines]) + "\n"
    at = line_of(text, (key,)) - 1
    for end in range(at + 1, len(lines) + 1):  # a list may take several lines
        made = "\n".join([*lines[:at], *put, *lines[end:]]) + "\n"
        try:
            if read(made) == wanted:
                return made
        except ValueError:
            continue
    raise Misuse(f"{key} is written in a form that cannot be changed here; edit the file by hand.")
