"""Which models a command calls, the one budget they share, the user's agreement to each (invariant 14), and
what they would be sent, in words and for `--json`.

Agreeing to a run covers the transcripts and memories that its models are sent; agreeing to `silt compact`
covers only memories.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from siltstone.agents import MODEL_PREFIX
from siltstone.agents.ask import AgentModel, agent_model
from siltstone.agents.child import Stop
from siltstone.cli.context import Context, now
from siltstone.cli.settings import Configured, Settings
from siltstone.pipeline.estimate import Estimate
from siltstone.pipeline.extraction.session_summary import MOST_CHARS
from siltstone.pipeline.model.budget import Budget, Metered
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.words import counted
from siltstone.store.errors import ModelError

RULES = "rules"
"""The name of the embedded rules, which call no model."""
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "MISTRAL_API_KEY")
TRANSCRIPTS, MEMORIES = "consent", "consent-compact"
"""Prefixes of the state values that say since when the user agrees to a model."""


class Names(NamedTuple):
    """Names of the models a command calls; None: the embedded rules do the work."""

    extract: str | None
    compact: str | None
    summary: str | None = None

    @property
    def all(self) -> list[str]:
        return [*dict.fromkeys(filter(None, (self.extract, self.compact, self.summary)))]


def names(settings: Settings, option: str | None) -> Names:
    """What `--model` says, for both; else the settings, where `compact_model` may name another (C31).
    A model summarizes only if `summary_model` names one.

    A stage that is switched off calls no model.
    """
    extract = option or settings.model
    compact = option or settings.compact_model or settings.model
    return Names(
        extract if settings.extract_enabled and extract != RULES else None,
        compact if settings.compact_enabled and compact != RULES else None,
        settings.summary_model if settings.extract_enabled and settings.summary_model != RULES else None,
    )


class Models:
    """The models of one command, within one budget, and the user's agreement to them."""

    def __init__(self, context: Context, wanted: Names, keep: Path | None = None) -> None:
        self.context, self.names = context, wanted
        self.keep = keep
        """The folder that prompts are kept in."""

    @cached_property
    def budget(self) -> Budget:
        """What a command may spend, whichever models it calls (invariant 15)."""
        settings = self.context.configured.settings
        return Budget(self.context.state.spend, now, settings.max_usd_per_day, settings.max_tokens_per_run)

    def plain(self, name: str, stop: Stop | None = None) -> AgentModel | LitellmModel:
        """A bare model without a budget: for estimates, which send nothing. `stop` ends an agent's call.
        Raises Misuse for an unknown agent."""
        configured = self.context.configured
        base, seconds = configured.settings.api_base, configured.settings.model_timeout / 1_000
        if name.lower().startswith(MODEL_PREFIX):
            agent = agent_model(name, configured.places.state / "asking", configured.environ, stop)
            agent.seconds = seconds
            return agent
        # Local servers want no key, but the client library does: any word will do.
        key = "none" if base is not None and not keys(configured) else None
        return LitellmModel(name, base, key, seconds)

    def metered(self, name: str | None) -> Model | None:
        """A model to call, within the budget; None for the embedded rules."""
        if name is None:
            return None
        model = self.plain(name, self.context.stop if name.startswith(MODEL_PREFIX) else None)
        return Metered(model, self.budget, self.keep)

    def check(self) -> None:
        """Raise ModelError or Misuse for a model that cannot be called, before anything is read for it."""
        for name in self.names.all:
            model = self.plain(name)
            if isinstance(model, AgentModel):
                model.program()
            else:
                model.check()

    def lacks(self) -> str:
        """What keeps these models from answering, in a sentence; "" if nothing is known to."""
        plain = ((name, self.plain(name)) for name in self.names.all)
        for name, model in plain:
            if isinstance(model, LitellmModel) and (missing := model.missing_keys()):
                return f"{name} has no key: set {' and '.join(missing)}"
        return ""

    def _needed(self) -> Iterator[tuple[str, str]]:
        """What the user has to agree to: what is sent, and to which model."""
        wanted = self.names
        for name in filter(None, (wanted.extract, wanted.summary)):
            yield TRANSCRIPTS, name
        if wanted.compact is not None and wanted.compact != wanted.extract:
            yield MEMORIES, wanted.compact

    def has_agreed(self) -> bool:
        """Whether the user agreed to each of these models. Agreeing to transcripts includes memories."""
        value = self.context.state.value
        return all(
            value(f"{sent}:{name}") is not None or value(f"{TRANSCRIPTS}:{name}") is not None
            for sent, name in self._needed()
        )

    def agree(self) -> None:
        """Keep that the user agrees to these models. Raises ModelError for one that has no key."""
        if lacking := self.lacks():
            raise ModelError(f"{lacking}, then run this again.")
        at = now().isoformat()
        for sent, name in self._needed():
            self.context.state.set_value(f"{sent}:{name}", at)


def keys(configured: Configured) -> list[str]:
    """Variables that hold a provider's key, as far as they are set."""
    return [name for name in KEYS if configured.environ.get(name)]


def key_alone(variable: str) -> str:
    """The remark when a key is set and no model is named (invariant 14)."""
    return (
        f"{variable} is set but no model is named: the embedded rules do the work and nothing is sent; "
        "name a model with `silt config set model NAME`"
    )


class Estimates(NamedTuple):
    """What a batch would send to which models."""

    names: Names
    reading: Estimate
    sums: Estimate | None
    """None: no model summarizes sessions."""
    asking: Estimate | None
    """What is due for compaction now; None: no model compacts."""
    looks: Estimate | None = None
    """At which sessions the reading model looks back then; None: it does not."""

    @property
    def sends_nothing(self) -> bool:
        sums, asking = self.sums, self.asking
        return not (self.reading.prompt or (sums and sums.prompts) or (asking and asking.groups))

    def in_words(self) -> str:
        reading, sums, names = self.reading, self.sums, self.names
        sessions = counted(reading.sessions.total(), "session")
        if names.extract is None:
            pieces = [f"{sessions} would be read by the embedded rules; nothing would be sent anywhere"]
        else:
            now = f"{sessions}, {_size(reading)}, would be sent to"
            pieces = [f"{now if reading.prompt else 'no session would be sent now to'} {names.extract}"]
        if sums is not None and not sums.prompts:
            pieces.append(
                f"no session needs a summary now; from later ones at most {MOST_CHARS:,} characters each "
                f"would be sent to {names.summary}"
            )
        elif sums is not None:
            end = f"the end of {counted(len(sums.prompts), 'session')}, {_size(sums)}"
            pieces.append(f"{end}, would be sent to {names.summary} for a summary")
        if self.asking is not None:
            pieces.append(compaction_in_words(str(names.compact), self.asking))
        if self.looks is not None and self.looks.prompts:
            prompts = counted(len(self.looks.prompts), "prompt")
            pieces.append(
                f"what was typed in their sessions, {prompts}, {_size(self.looks)}, would be sent to "
                f"{names.extract} to look back"
            )
        return "; ".join(pieces)

    def as_json(self) -> Mapping[str, Any]:
        reading, sums, asking = self.reading, self.sums, self.asking
        summaries = compaction = None
        if sums is not None:
            summaries = {"model": self.names.summary, "sessions": len(sums.prompts), **_sizes(sums)}
        if asking is not None:
            groups = [
                {
                    "scope": group.scope,
                    "tokens": tokens,
                    "memories": [stored.path for stored in group.entries],
                }
                for group, tokens in zip(asking.groups, asking.prompts, strict=False)
            ]
            compaction = {"model": self.names.compact, "groups": groups, **_sizes(asking)}
        return {
            "dry_run": True,
            "model": self.names.extract,
            "sessions": reading.sessions.total(),
            "windows": len(reading.prompts),
            **_sizes(reading),
            "summaries": summaries,
            "compaction": compaction,
            "looking_back": None if self.looks is None else _sizes(self.looks),
        }


def compaction_in_words(model: str, asking: Estimate) -> str:
    """What a compaction would send, and to which model."""
    if not asking.prompts:
        return f"no memories need compacting now; later ones would be sent to {model} when compaction is due"
    memories = counted(sum(len(group.entries) for group in asking.groups), "memory")
    more = "" if len(asking.prompts) == len(asking.groups) else " and what is learned"
    what = f"{memories}{more}".removeprefix("0 memories and ")
    groups = counted(len(asking.prompts), "group")
    return f"{what} in {groups}, {_size(asking)}, would be sent to {model} for compaction"


def _sizes(one: Estimate) -> dict[str, Any]:
    return {"tokens": {"prompt": one.prompt, "completion": one.completion}, "cost": one.cost}


def _size(one: Estimate) -> str:
    cost = one.cost
    dear = "no known price" if cost is None else f"about {cost:.2f} USD" if cost >= 0.01 else "under 0.01 USD"
    return f"about {one.tokens:,} tokens ({dear})"
