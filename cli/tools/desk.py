"""What the tools and resources do, by name. Loaded with the first call: it takes as long as all before it."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from siltstone.cli.tools import changing, reading, resources, session
from siltstone.cli.tools.asking import caller
from siltstone.cli.tools.calls import Caller, Work, answered, sendable
from siltstone.cli.tools.table import Answer, Resource, Told, Tool

TOOLS: Work = {**reading.WORK, **changing.WORK, **session.WORK}


def call(tool: Tool, arguments: Mapping[str, Any], told: Told, patience: float) -> Answer:
    """Call a tool for whoever tells that of themselves."""
    return answer(tool, arguments, caller(told), patience)


def answer(tool: Tool, arguments: Mapping[str, Any], who: Caller, patience: float) -> Answer:
    """Call a tool. Whatever is wrong with the call, the store or the disk is one sentence."""
    try:
        asked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        return Answer(sendable(f"{tool.name}: {_first(error)}"), failed=True)
    return answered(who, patience, lambda call: TOOLS[tool.name](call, asked))


def read(resource: Resource, told: Told, patience: float) -> Answer:
    """The text of a resource, made as it is read; what is wrong is one sentence."""
    return answered(caller(told), patience, resources.WORK[resource.uri])


def _first(error: ValidationError) -> str:
    """The first thing that is wrong with the arguments."""
    wrong = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in wrong["loc"])[:60]
    if wrong["type"] == "missing":
        return f"`{name}` is missing."
    if wrong["type"] == "extra_forbidden":
        return f"there is no argument `{name}`."
    return f"`{name}` will not do: {wrong['msg'][:200]}."
