"""Which models a command asks, the one budget they share, and the user's agreement to each (invariant 14).

Agreeing to a run covers the transcripts and the memories that its models are sent; agreeing to
`silt compact` covers memories alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from siltstone.agents import MODEL_PREFIX
from siltstone.agents.ask import AgentModel, agent_model
from siltstone.agents.child import Stop
from siltstone.cli.context import Context, now
from siltstone.cli.settings import Configured, Settings
from siltstone.pipeline.model.budget import Budget, Metered
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.model.port import Model

RULES = "rules"
"""The name of the embedded model, which is asked nothing."""
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "MISTRAL_API_KEY")
TRANSCRIPTS, MEMORIES = "consent", "consent-compact"
"""Prefixes of the state values that say since when the user agrees to a model."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the models a command asks; None: the embedded rules work."""

    extract: str | None
    compact: str | None
    summary: str | None = None

    @property
    def all(self) -> list[str]:
        return [*dict.fromkeys(filter(None, (self.extract, self.compact, self.summary)))]


def names(settings: Settings, option: str | None) -> Names:
    """What `--model` says, for both; else the settings, where `compact_model` may name another (C31).
    Summaries are asked for only where `summary_model` names a model.

    A stage that is switched off asks nothing.
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
        """What a command may take, whichever models it asks (invariant 15)."""
        settings = self.context.configured.settings
        return Budget(self.context.state.spend, now, settings.max_usd_per_day, settings.max_tokens_per_run)

    def plain(self, name: str, stop: Stop | None = None) -> Model:
        """A model as such, without a budget: for estimates, which ask nothing. An agent's call ends by
        `stop`. Raises Misuse for an agent that there is none of."""
        if name.lower().startswith(MODEL_PREFIX):
            return self._agent(name, stop)
        configured = self.context.configured
        base, seconds = configured.settings.api_base, configured.settings.model_timeout / 1_000
        # Local servers want no key, but the client library does: any word will do.
        key = "none" if base is not None and not keys(configured) else None
        return LitellmModel(name, base, key, seconds)

    def metered(self, name: str | None) -> Model | None:
        """A model to be asked, within the budget; None for the embedded rules."""
        if name is None:
            return None
        model = self.plain(name, self.context.stop if name.startswith(MODEL_PREFIX) else None)
        return Metered(model, self.budget, self.keep)

    def _agent(self, name: str, stop: Stop | None = None) -> AgentModel:
        configured = self.context.configured
        model = agent_model(name, configured.places.state / "asking", configured.environ, stop)
        model.seconds = configured.settings.model_timeout / 1_000
        return model

    def see_agents(self) -> None:
        """Raises ModelError for an agent whose program is not there, Misuse for one that there is none of."""
        for name in self.names.all:
            if name.lower().startswith(MODEL_PREFIX):
                self._agent(name).program()

    def check(self) -> None:
        """Raise ModelError or Misuse for a model that cannot be asked, before anything is read for it."""
        self.see_agents()
        for name in self.names.all:
            if not name.lower().startswith(MODEL_PREFIX):
                LitellmModel(name, self.context.configured.settings.api_base).check()

    def _needed(self) -> Iterator[tuple[str, str]]:
        """What the user has to agree to: what is sent, and to which model."""
        wanted = self.names
        for name in filter(None, (wanted.extract, wanted.summary)):
            yield TRANSCRIPTS, name
        if wanted.compact is not None and wanted.compact != wanted.extract:
            yield MEMORIES, wanted.compact

    def has_agreed(self) -> bool:
        """Whether the user agreed to each of these models. Who agreed to transcripts agreed to memories."""
        value = self.context.state.value
        return all(
            value(f"{sent}:{name}") is not None or value(f"{TRANSCRIPTS}:{name}") is not None
            for sent, name in self._needed()
        )

    def agree(self) -> None:
        """Note that the user agrees to these models."""
        at = now().isoformat()
        for sent, name in self._needed():
            self.context.state.set_value(f"{sent}:{name}", at)


def keys(configured: Configured) -> list[str]:
    """Variables that hold a provider's key, as far as they are set."""
    return [name for name in KEYS if configured.environ.get(name)]


def key_alone(variable: str) -> str:
    """What is told where a key is set and no model is named (invariant 14)."""
    return (
        f"{variable} is set but no model is named: the embedded rules work and nothing is sent; name "
        'one with `model = "…"` in the config file, or with SILT_MODEL'
    )
