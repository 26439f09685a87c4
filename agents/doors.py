"""The agents that Siltstone can be installed in, and which of them are there."""

import os
import shutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

from siltstone.agents.hooks import AGENTS
from siltstone.agents.pieces import Door
from siltstone.store.errors import Misuse

ALL = "all"


def door(agent: str) -> Door:
    """The door of an agent of AGENTS."""
    return cast(Door, import_module(f"siltstone.agents.{agent}.install"))


def found(agent: str, environ: Mapping[str, str], home: Path) -> str:
    """How one sees that an agent is there: its program, else its folder; "" when neither is."""
    one = door(agent)
    program = shutil.which(one.PROGRAM, path=environ.get("PATH"))
    folder = one.folder(environ, home)
    return program or (str(folder) if os.path.isdir(folder) else "")


def chosen(named: list[str] | None, environ: Mapping[str, str], home: Path) -> list[str]:
    """The agents that are named; with none, or `all`, those that are there. Raises Misuse."""
    unknown = sorted(set(named or ()) - {*AGENTS, ALL})
    if unknown:
        raise Misuse(f"there is no agent {unknown[0]!r}; there are {', '.join(AGENTS)}.")
    if named and ALL not in named:
        return [agent for agent in AGENTS if agent in named]
    return [agent for agent in AGENTS if found(agent, environ, home)]
