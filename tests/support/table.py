"""Tables of cases that are data: tests/data/cases/NAME.json holds several, a line of one is one case."""

import json
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).resolve().parents[1] / "data" / "cases"


def rows(file: str, name: str) -> list[dict[str, Any]]:
    """The rows of a table."""
    tables: dict[str, list[dict[str, Any]]] = json.loads((CASES / f"{file}.json").read_text("utf-8"))
    return tables[name]


def lines(name: str) -> list[dict[str, Any]]:
    """The rows of a scored set, tests/data/NAME.jsonl."""
    return [json.loads(line) for line in (CASES.parent / f"{name}.jsonl").read_text("utf-8").splitlines()]


def table(file: str, name: str, *made: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Parametrise a test by a table: what a row names are its arguments, and "id" how the case is called.

    `made` are more cases, whose values no file should hold: a long text, a number beside a constant.
    """
    found = rows(file, name)
    names = [key for key in found[0] if key != "id"]
    cases = [pytest.param(*(row[key] for key in names), id=row.get("id")) for row in found]
    cases += [pytest.param(*case, id=f"made-{number}") for number, case in enumerate(made, 1)]
    return pytest.mark.parametrize(names, cases)
