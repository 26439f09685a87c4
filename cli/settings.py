"""What the user may set, and where each value came from.

Order: a command's own options, then the environment, then the TOML file, then the default. The
environment is read here and nowhere else. `SILT_*` names follow the fields; the MEMORY_* names of
docs/seeds.md C31 work too.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails

from siltstone.agents.settings_json import Unreadable
from siltstone.agents.settings_toml import line_of, read
from siltstone.cli.note import wrong_value
from siltstone.recall.brief import Mode
from siltstone.recall.settings import LIMITS, LayoutName, RecallSettings, keyword_trouble, milliseconds
from siltstone.store.entry import DEFAULT_LIMIT, MAX_LIMIT
from siltstone.store.errors import Misuse
from siltstone.store.files.reading import PROFILE
from siltstone.store.layout import MAX_DEPTH
from siltstone.store.places import config_file, state_folder, store_folder
from siltstone.store.plain_file import content

OLDER_NAMES = {
    "MEMORY_EXTRACT_ENABLED": "extract_enabled",
    "MEMORY_EXTRACT_DEBOUNCE_MS": "idle_ms",
    "MEMORY_EXTRACT_MODEL": "model",
    "MEMORY_COMPACT_ENABLED": "compact_enabled",
    "MEMORY_COMPACT_CHURN": "compact_churn",
    "MEMORY_COMPACT_MIN_ENTRIES": "compact_min_entries",
    "MEMORY_COMPACT_INTERVAL_MS": "compact_interval_ms",
    "MEMORY_COMPACT_POLL_MS": "compact_poll_ms",
    "MEMORY_COMPACT_MODEL": "compact_model",
}
_PARTED_BY = {"exclude": os.pathsep, "keyword_patterns": "\n"}
"""What separates several values in a variable."""
MAX_SHOWN = 80
"""How many characters of a wrong value a message repeats."""
TEN_YEARS_MS = 315_360_000_000
Duration = Annotated[int, Field(ge=0, le=TEN_YEARS_MS), BeforeValidator(milliseconds)]
"""Milliseconds, given as such or with a unit: "90s", "10m", "12h", "2d"."""
MODELS = ("model", "compact_model", "summary_model")
NONE = "none"
"""A setting without a value, as it is shown and typed."""


def _for_hooks(name: str) -> Any:
    """A setting that hooks read too, with their limits and default."""
    least, most = LIMITS[name]
    return Field(getattr(RecallSettings(), name), ge=least, le=most)


def _folder(pattern: str) -> str:
    """A pattern of `exclude` as it is compared with absolute paths: `~` written out."""
    try:
        whole = os.path.normpath(Path(pattern).expanduser()) if pattern.strip() else ""
    except RuntimeError:
        raise ValueError(f"there is no home folder for {pattern!r}; write the path out") from None
    if not whole.startswith(("/", "*")) and not Path(whole).is_absolute():
        raise ValueError(
            f"{pattern!r} is not a place; begin it with / or ~/, or with */ for a folder anywhere"
        )
    return whole


def _keyword(pattern: str) -> str:
    if reason := keyword_trouble(pattern):
        raise ValueError(reason)
    return pattern


class Settings(BaseModel):
    """Every setting there is, and below each its row in docs/settings.md. Unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = None
    """The model that extracts: any litellm name ("openai/gpt-5-mini"), or one of your own agents, as
    `agent:claude` or `agent:claude/haiku` ([own-agent.md](own-agent.md)). The first run with it says what it
    would send, and sends nothing until you agree. Without it, rules do the work."""
    compact_model: str | None = None
    """The model that compacts; `model` unless set (C31)."""
    summary_model: str | None = None
    """The model that summarizes a project's last session; without one, rules do it (E16)."""
    api_base: str | None = None
    """Endpoint of a local or compatible server."""
    model_timeout: Annotated[Duration, Field(ge=1_000)] = 600_000
    """The longest that one call to a model may take; then it is not sent again before the next run."""
    extract_enabled: bool = True
    """Off: sessions are read by rules, only for what you asked to remember, and none of it is sent to a model
    (C31)."""
    compact_enabled: bool = True
    """Off: `silt run` compacts nothing (C31)."""
    archive_enabled: bool = True
    """Keep what sessions say for search ([sessions.md](sessions.md)). Off: nothing is kept or shown."""
    archive_max_age: Duration = 31_536_000_000
    """How long after its last message a session is dropped from the archive."""
    archive_max_mb: Annotated[int, Field(ge=1)] = 1_000
    """Size of the archive in megabytes; beyond it, the oldest sessions are dropped."""
    idle_ms: Duration = 60_000
    """Quiet time before a session is read (C12)."""
    pool_time: Duration = 86_400_000
    """With hooks, `silt watch` or `silt schedule`: how long short sessions of the project you work in may
    wait, so that a model is asked about several at once; 0 asks after each. What you asked to remember is
    kept at once, and `silt run` by hand reads everything."""
    compact_churn: Annotated[int, Field(ge=1)] = 8
    """Writes since the last compaction that make one due (C23)."""
    compact_min_entries: Annotated[int, Field(ge=0), AfterValidator(lambda given: max(given, 2))] = 2
    """With fewer memories nothing is compacted; less than two counts as two (C23)."""
    compact_interval_ms: Duration = 43_200_000
    """Time after which a compaction is due if anything has changed (C23)."""
    compact_model_interval: Duration = 43_200_000
    """Least time between two compactions with a model, with which a run looks back at sessions, as each costs
    money; `silt compact` does not wait."""
    compact_poll_ms: Annotated[Duration, AfterValidator(lambda given: max(given, 60_000))] = 600_000
    """How often `silt watch` runs a batch when no session asks for one; less than a minute counts as one
    (C23)."""
    auto_commit_debounce_ms: Duration = 2000
    """Quiet time before `silt watch` commits your edits (D5)."""
    max_usd_per_day: Annotated[float, Field(ge=0)] = 1.0
    """Spending ceiling for a UTC day, in USD (invariant 15)."""
    max_tokens_per_run: Annotated[int, Field(ge=0)] = 500_000
    """Token ceiling for a run (invariant 15)."""
    default_limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    """Characters that the body of a memory made by `silt write` may have (D5)."""
    max_tree_depth: Annotated[int, Field(ge=1)] = MAX_DEPTH
    """Levels that `silt tree` shows (D5); a store has at most three."""
    max_profile_items: Annotated[int, Field(ge=1)] = PROFILE
    """Memories that `silt profile` shows (E19)."""
    init_mode: Mode = "auto"
    """Whether agents are shown lines of a project's own README and manifests: `auto` if they say something,
    `strict` always, even if only the files' names, `off` never (E5, E20)."""
    cache_ttl: Annotated[int, BeforeValidator(milliseconds)] = _for_hooks("cache_ttl")
    """How long after an answer a running session may be shown a changed block (D5, D19)."""
    refresh_threshold_percentage: float = _for_hooks("refresh_threshold_percentage")
    """Context usage above which a changed block is shown at once (D5)."""
    refresh_on_promote_demote: bool = True
    """Show every session a new block after `silt promote` and `silt demote` (D5)."""
    similarity_threshold: float = _for_hooks("similarity_threshold")
    """Smallest share of a question that a memory must cover to be shown for it (E19)."""
    max_memories: int = _for_hooks("max_memories")
    """Most memories that are shown for a question (E19)."""
    layout: LayoutName = "default"
    """Form of what agents are shown: `default`, `memfs`, `sections` ([layouts.md](layouts.md)) (D15, E7)."""
    turn_summary_interval: int = _for_hooks("turn_summary_interval")
    """Turns after which a running session is summarized again (E16, E19)."""
    keyword_patterns: tuple[Annotated[str, AfterValidator(_keyword)], ...] = ()
    """Regular expressions for words of your own that ask to keep something, as "remember" does: `["jot
    down:?"]`. `SILT_KEYWORD_PATTERNS` has one a line (E19)."""
    exclude: tuple[Annotated[str, AfterValidator(_folder)], ...] = ()
    """Folders whose sessions are never read. A pattern starts with `/`, `~/`, or `*/` (any place).
    `SILT_EXCLUDE` separates them by `:`."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_switch(cls, value: object, field: ValidationInfo) -> object:
        """`default_limit = true` would be 1."""
        if isinstance(value, bool) and cls.model_fields[str(field.field_name)].annotation is not bool:
            raise ValueError("is not a switch, so true and false do not apply")
        return value


SPANS = {
    name for name, field in Settings.model_fields.items() if BeforeValidator(milliseconds) in field.metadata
}
"""Settings that are durations."""


def hook_rules(settings: Settings) -> RecallSettings:
    """The settings that hooks need, out of all of them (`hooks/common.py` reads these alone)."""
    return RecallSettings(*(getattr(settings, field) for field in RecallSettings._fields))


class Places(NamedTuple):
    """Where things are."""

    store: Path
    state: Path
    config: Path

    @property
    def has_store(self) -> bool:
        """Whether there is a store, or something to be opened as one."""
        return self.store.exists() and not (self.store.is_dir() and set(os.listdir(self.store)) <= {".git"})


class Configured(NamedTuple):
    """The settings, and for each field who set it: "default", "file" or a variable's name."""

    settings: Settings
    origin: Mapping[str, str]
    places: Places
    environ: Mapping[str, str]
    """As it was at the start; the readers look up their agents' own variables in it."""
    complaints: tuple[str, ...] = ()
    """One sentence for each thing that is wrong with the settings; `survey` alone returns such."""


def configure(environ: Mapping[str, str] | None = None) -> Configured:
    """Read the environment and the config file. Raises Misuse naming the key that is wrong."""
    configured = survey(environ)
    if configured.complaints:
        raise Misuse(configured.complaints[0])
    return configured


def survey(environ: Mapping[str, str] | None = None) -> Configured:
    """The same for commands that report what is wrong: an invalid setting gets its default."""
    env = dict(os.environ if environ is None else environ)
    for name in ("SILT_HOME", "SILT_STATE", "SILT_CONFIG"):
        if os.path.expanduser(env.get(name, "")).startswith("~"):
            raise Misuse(f"{name}: there is no home folder for {env[name]!r}; write the path out.")
    places = Places(Path(store_folder(env)), Path(state_folder(env)), Path(config_file(env)))
    complaints: list[str] = []
    text, values = "", dict[str, Any]()
    try:
        text, values = _file(places.config)
    except Misuse as error:
        complaints.append(str(error))
    as_written = {full(key): key for key in values}
    values = {full(key): value for key, value in values.items()}
    origin = dict.fromkeys(values, "file")
    # Later names win: our own over the older ones.
    variables = OLDER_NAMES | {f"SILT_{field.upper()}": field for field in Settings.model_fields}
    for name, field in variables.items():
        if env.get(name):
            values[field] = env[name].split(_PARTED_BY[field]) if field in _PARTED_BY else env[name]
            origin[field] = name
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        for field, one in {str(one["loc"][0]): one for one in error.errors()}.items():
            name = origin[field]  # a variable, or the file
            at = line_of(text, (as_written.get(field, field),))
            where = f"{places.config}, line {at}" if name == "file" else name
            complaints.append(f"{where}: {_complaint(one)}")
            del values[field], origin[field]
        settings = Settings.model_validate(values)
    origins = {field: origin.get(field, "default") for field in Settings.model_fields}
    return Configured(settings, origins, places, env, tuple(complaints))


def full(key: str) -> str:
    """The full name of a setting: the `_ms` of a time in milliseconds may be left out."""
    return f"{key}_ms" if f"{key}_ms" in Settings.model_fields else key


def named(key: str) -> str:
    """The setting that a key means. Raises Misuse, which names similar ones."""
    if full(key) not in Settings.model_fields:
        raise Misuse(_unknown(key))
    return full(key)


def _unknown(key: str) -> str:
    near = get_close_matches(key, [one.removesuffix("_ms") for one in Settings.model_fields], 1)
    told = f"did you mean {near[0]}?" if near else "`silt config` lists them all."
    return f"there is no setting {key!r}; {told}"


def checked(field: str, value: str) -> str | list[str]:
    """A setting's value as it is written, from what was typed. Raises Misuse."""
    written = value.split(_PARTED_BY[field]) if field in _PARTED_BY else value
    try:
        Settings.model_validate({field: written})
    except ValidationError as error:
        raise Misuse(_complaint(error.errors()[0])) from None
    return written


def _file(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of the config file and its values; empty if there is none. Raises Misuse."""
    if str(path) == os.devnull:
        return "", {}
    try:
        text = content(path).decode("utf-8-sig")
        return text, read(text)
    except FileNotFoundError:
        return "", {}
    except OSError as error:
        raise Misuse(f"{path} cannot be read ({error.strerror}); make it a file that you can read.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Misuse(f"{path}, line {line}, is not UTF-8; save the file as UTF-8.") from None
    except Unreadable as error:
        raise Misuse(f"{path}, line {error.line}, is not valid TOML ({error}); correct that line.") from None


def _complaint(error: ErrorDetails) -> str:
    field = error["loc"][0]
    if error["type"] == "extra_forbidden":
        return _unknown(str(field))
    said = wrong_value(str(error["msg"]))
    if error["type"] == "tuple_type":
        said = f'it must be a list, as in {field} = ["…"]'
    given = repr(error["input"])
    given = given if len(given) <= MAX_SHOWN else f"{given[:MAX_SHOWN]}…"
    return f"{field} = {given} cannot be used: {said[:1].lower()}{said[1:]}."
