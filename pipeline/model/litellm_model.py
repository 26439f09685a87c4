"""Any model that litellm knows, behind the port in `port.py`. The only module that imports litellm.

The import takes seconds, so it happens at the first call or price. litellm does not retry here; `retry.py`
does. Every litellm error is mapped to one of ours. Which ones to retry was measured: a refused connection
and a missing key both arrive as InternalServerError.
"""

import logging
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from threading import Lock
from typing import Any

from pydantic import BaseModel

from siltstone.pipeline.model import retry
from siltstone.pipeline.model.port import MAX_TOKENS, TIMEOUT, Reply, Turn, Usage, count_tokens
from siltstone.prompts import line
from siltstone.store.errors import ModelError, Overflow, SiltError, Unavailable

ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_RUST": "0",
}
"""Set before litellm is imported: no price list fetched from the network, no `.env` read, HTTP by Python."""

TOO_LARGE = 413
_loading = Lock()

_NO_ACCESS = re.compile(
    r"missing (?:\w+ )?(?:api[ _]?key|credentials)|unable to locate credentials", re.IGNORECASE
)
_NO_PROVIDER = "LLM Provider NOT provided"
_SPENT = "insufficient_quota", "exceeded your current quota"
_PREFIX = re.compile(r"\A(?:(?:litellm\.)?[A-Za-z]+(?:Error|Exception)\b\s*[:-]\s*)+")


@cache
def litellm() -> Any:
    """The library, imported once. It asks for no key and touches no network."""
    with _loading:
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm as library

            library.ModelResponse()  # builds its pydantic schemas, which warn of litellm's own types
        library.suppress_debug_info = True
        library.drop_params = True
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        return library


def _base_error() -> Any:
    """What all of litellm's errors of calls derive from (its own OpenAIError is not it)."""
    import openai

    return openai.OpenAIError


@dataclass(frozen=True, slots=True)
class LitellmModel:
    """A model by its litellm name ("openai/gpt-5-mini", "ollama/qwen3"), at `api_base` if given.

    Keys are looked up by litellm in the provider's own variables unless `api_key` is given.
    """

    name: str
    api_base: str | None = None
    api_key: str | None = None
    timeout: float = TIMEOUT
    policy: retry.Policy = field(default_factory=retry.Policy)

    def check(self) -> None:
        """Raise ModelError for a name whose provider litellm does not know. Nothing is sent."""
        try:
            litellm().get_llm_provider(self.name, api_base=self.api_base)
        except _base_error() as error:
            raise mapped(error, self.name, datetime.now(UTC)) from error

    def missing_keys(self) -> list[str]:
        """Variables that the provider's client wants and that are not set; none where a key was given."""
        if self.api_key is not None:
            return []
        missing = litellm().validate_environment(self.name, api_base=self.api_base)["missing_keys"]
        # An address has a default, and who has no AWS_SECRET_ACCESS_KEY may have a profile.
        return [name for name in missing if name.endswith("_API_KEY")]

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """One reply, with transient errors retried. Raises Overflow, Unavailable, ModelError."""
        return self.policy.run(lambda: self._once(turns, schema, max_tokens))

    def count(self, turns: Sequence[Turn]) -> int:
        return count_tokens(turns)

    def price(self, prompt: int, completion: int) -> float | None:
        """USD by litellm's own price list; None when the model is not in it."""
        library = litellm()
        try:
            parts = library.cost_per_token(
                model=self.name, prompt_tokens=prompt, completion_tokens=completion
            )
        except (library.exceptions.ModelNotMappedError, _base_error()):
            return None
        return float(sum(parts))

    def _once(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        library = litellm()
        known = library.model_cost.get(self.name) or library.model_cost.get(self.name.partition("/")[2]) or {}
        shape = {"name": schema.__name__, "schema": bare(schema.model_json_schema()), "strict": True}
        try:
            response = library.completion(
                model=self.name,
                messages=[{"role": turn.role, "content": turn.content} for turn in turns],
                response_format={"type": "json_schema", "json_schema": shape},
                max_tokens=min(max_tokens, known.get("max_output_tokens") or max_tokens),
                timeout=self.timeout,
                api_base=self.api_base,
                api_key=self.api_key,
                num_retries=0,
                max_retries=0,
            )
        except _base_error() as error:
            raise mapped(error, self.name, datetime.now(UTC)) from error
        if response is None:  # what litellm makes of a 422 when it may drop parameters
            raise ModelError(f"{self.name} does not accept the request (422); name another model.")
        return self._reply(response, turns)

    def _reply(self, response: Any, turns: Sequence[Turn]) -> Reply:
        choice = response.choices[0] if response.choices else None
        text = (choice.message.content if choice else None) or ""
        counts = getattr(response, "usage", None)
        prompt = _tokens(counts, "prompt_tokens") or self.count(turns)
        completion = _tokens(counts, "completion_tokens") or self.count([Turn("assistant", text)])
        cached = _tokens(getattr(counts, "prompt_tokens_details", None), "cached_tokens")
        library = litellm()
        try:  # of the whole answer, discounts for cached tokens and all
            cost: float | None = float(library.completion_cost(completion_response=response, model=self.name))
        except (library.exceptions.ModelNotMappedError, _base_error()):
            cost = self.price(prompt, completion)
        usage = Usage(prompt, completion, cached, cost)
        return Reply(text, usage, cut=choice is not None and choice.finish_reason == "length")


def _tokens(counts: object, name: str) -> int:
    """A count that the service reports; 0 for what cannot be one, so that it fools no ceiling."""
    count = getattr(counts, name, None)
    return count if isinstance(count, int) and 0 < count <= MAX_TOKENS else 0


def bare(schema: Any) -> Any:
    """A JSON schema without its titles and docstrings, which are tokens in every call, and closed to
    further properties, as OpenAI's strict mode wants it."""
    if isinstance(schema, list):
        return [bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: {name: bare(part) for name, part in value.items()}
        if key in ("properties", "$defs")
        else bare(value)
        for key, value in schema.items()
        if key not in ("title", "description")
    }
    return made | {"additionalProperties": False} if "properties" in made else made


def mapped(error: BaseException, name: str, now: datetime) -> SiltError:
    """Our error for one of litellm's: Overflow, Unanswered (asked again), Unavailable (asked by a later run)
    or ModelError (for good)."""
    known = litellm().exceptions
    status = getattr(error, "status_code", None)
    why = _reason(error)
    if isinstance(error, known.ContextWindowExceededError) or status == TOO_LARGE:
        return Overflow(f"{name}: the window is too large for the model; less must be sent at a time.")
    if isinstance(error, known.AuthenticationError | known.PermissionDeniedError) or _NO_ACCESS.search(why):
        return ModelError(f"{name} denied access ({why}); set the key that its provider requires.")
    if any(sign in why for sign in _SPENT):
        return ModelError(f"{name}: the account's quota is used up ({why}); top it up or name another model.")
    if any(isinstance(cause, ImportError) for cause in _chain(error)):
        return ModelError(f"{name} needs a package that is not installed ({why}); install it.")
    if any(isinstance(cause, TimeoutError) for cause in _chain(error)):
        # Not asked again at once: the service may still be at work on it, and bills both.
        return Unavailable(f"{name} did not answer within model_timeout; raise that, or try again later.")
    # By its class where that says it, for litellm's statuses do not always: else by its status.
    stays = known.JSONSchemaValidationError | known.NotFoundError | known.ContentPolicyViolationError
    passes = known.Timeout | known.APIConnectionError | known.RateLimitError | known.InternalServerError
    passes |= known.ServiceUnavailableError | known.BadGatewayError
    if not isinstance(error, stays) and (isinstance(error, passes) or retry.is_passing(status)):
        headers = dict(getattr(error, "litellm_response_headers", None) or {})
        return retry.Unanswered(
            f"{name} did not answer ({why}); try again later.", retry.seconds_asked(headers, now)
        )
    if _NO_PROVIDER in why:
        return ModelError(f"{name} does not say which provider it is from; name it as PROVIDER/MODEL.")
    return ModelError(f"{name} refused the request ({why}); check the model's name and settings.")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from, each once."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _reason(error: BaseException) -> str:
    """Why it failed, on one line: the service's words, then the system's own."""
    said = str(error)[: retry.MOST_READ].partition("Traceback (most recent")[0]
    text = retry.error_text(_PREFIX.sub("", line(said)))
    system = next((line(str(cause)) for cause in _chain(error) if isinstance(cause, OSError)), "")
    return f"{text}: {system[: retry.MOST_SAID]}" if system and system not in text else text
