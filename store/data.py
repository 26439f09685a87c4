"""Data files that stand beside the modules that read them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def data(module: str, name: str | None = None) -> dict[str, Any]:
    """The TOML file beside a module, which is named by its `__file__`; `name`: if it has another one."""
    path = Path(module)
    return tomllib.loads((path.with_name(name) if name else path.with_suffix(".toml")).read_text("utf-8"))
