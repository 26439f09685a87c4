"""What a tool is, as agents are told of it. Light: it is loaded before a server answers its first words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict


class Arguments(BaseModel):
    """Arguments of a tool: what is unknown is refused by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its name and what an agent is told of it. What it does stands in `desk.py`."""

    name: str
    does: str
    arguments: type[Arguments]
    reads: bool = False
    """It changes nothing."""
    destroys: bool = False
    """It takes something away, or puts something else in its place."""

    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, without the titles that pydantic repeats the names in."""
        schema = self.arguments.model_json_schema()
        fields: Mapping[str, dict[str, Any]] = schema.get("properties", {})
        told = {name: {k: v for k, v in one.items() if k != "title"} for name, one in fields.items()}
        kept = {key: value for key, value in schema.items() if key not in ("title", "description")}
        return {**kept, "properties": told}


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource; its text is markdown."""

    uri: str
    name: str
    does: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call comes back with."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says of who calls; "" where it says nothing."""

    agent: str = ""
    session: str = ""
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What is known without asking: of this process and of the machine."""

    environ: Mapping[str, str]
    here: str
    """The folder that this process stands in; "" when it is gone."""
    made: str
    """A session id for the case that none is told."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that tells who calls."""

    asked: Asked
    around: Around
    client: str
    """The client's own name for itself; "" when it has none."""
    meta: Mapping[str, Any]
    """What came with the call."""
    roots: tuple[str, ...]
    """URIs of the folders that it works in, as far as it says."""
