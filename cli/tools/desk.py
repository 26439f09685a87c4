"""What the tools and resources do, by name. Loaded with the first call, those that change something with the
first of theirs: that takes as long as all before it."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from pydantic import ValidationError

from siltstone.cli.tools import resources
from siltstone.cli.tools.asking import caller
from siltstone.cli.tools.calls import Caller, Work, answered, sendable
from siltstone.cli.tools.offered import CHANGING, READING, SESSION
from siltstone.cli.tools.table import Answer, Resource, Told, Tool

MODULES = {"reading": READING, "changing": CHANGING, "session": SESSION}
"""Which tools are done in which module beside this one."""


def call(tool: Tool, arguments: Mapping[str, Any], told: Told, patience: float) -> Answer:
    """Call a tool for whoever tells that of themselves."""
    return answer(tool, arguments, caller(told), patience)


def answer(tool: Tool, arguments: Mapping[str, Any], who: Caller, patience: float) -> Answer:
    """Call a tool. Whatever is wrong with the call, the store or the disk is one sentence."""
    try:
        asked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        return Answer(sendable(f"{tool.name}: {_first(error)}"), failed=True)
    work = _work(tool)
    return answered(who, patience, lambda call: work[tool.name](call, asked), reads=tool.reads)


def read(resource: Resource, told: Told, patience: float) -> Answer:
    """The text of a resource, made as it is read; what is wrong is one sentence."""
    return answered(caller(told), patience, resources.WORK[resource.uri], reads=True)


def _work(tool: Tool) -> Work:
    module = next(name for name, tools in MODULES.items() if tool in tools)
    work: Work = import_module(f"siltstone.cli.tools.{module}").WORK
    return work


def _first(error: ValidationError) -> str:
    """The first thing that is wrong with the arguments."""
    wrong = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in wrong["loc"])[:60]
    if wrong["type"] == "missing":
        return f"`{name}` is missing."
    if wrong["type"] == "extra_forbidden":
        return f"there is no argument `{name}`."
    return f"`{name}` will not do: {wrong['msg'][:200]}."
