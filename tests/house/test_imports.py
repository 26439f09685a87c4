"""Who may import whom (docs/architecture.md): read from the sources, so that a lazy import counts too."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "store": set(),
    "prompts": set(),
    "recall": {"store", "prompts"},
    "pipeline": {"store", "prompts"},
    "agents": {"pipeline", "recall", "store", "prompts"},
    "cli": {"agents", "pipeline", "recall", "store", "prompts", "ui"},  # `silt ui` starts the page
    "ui": {"cli", "agents", "pipeline", "recall", "store", "prompts"},  # which calls what commands call
}


@cache
def imported(path: Path) -> frozenset[str]:
    """Modules and names that a file imports, dotted."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found)


def rooms_imported(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imported(path) if name.startswith("siltstone.")} & set(MAY_IMPORT)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    for path in sorted((ROOT / room).rglob("*.py")):
        above = rooms_imported(path) - MAY_IMPORT[room] - {room}
        assert not above, f"{path.relative_to(ROOT)} imports {', '.join(sorted(above))}"
        if room == "cli" and path.name != "ui.py":
            assert "ui" not in rooms_imported(path), f"{path.relative_to(ROOT)} imports ui"


@pytest.mark.parametrize(
    ("package", "module"),
    [
        ("litellm", "pipeline/model/litellm_model.py"),
        ("mcp", "cli/mcp/server.py"),
        ("rich", "cli/terminal.py"),
        ("starlette", "ui/server.py"),
        ("uvicorn", "ui/server.py"),
    ],
)
def test_only_one_module_imports_a_heavy_package(package: str, module: str) -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for room in MAY_IMPORT
        for path in sorted((ROOT / room).rglob("*.py"))
        if any(name.split(".")[0] == package for name in imported(path))
    ]
    assert users == [module]
