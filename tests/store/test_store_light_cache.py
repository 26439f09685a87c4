"""What hot commands use in the place of `functools`, also while SQLite loads."""

import subprocess
import sys
from pathlib import Path

from siltstone.store.light_cache import lru_cache

ROOT = Path(__file__).resolve().parents[2]


def test_it_remembers_the_latest() -> None:
    asked: list[str] = []

    @lru_cache(maxsize=2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length(text) for text in ("a", "bb", "a", "ccc", "bb", "a")] == [1, 2, 1, 3, 2, 1]
    assert asked == ["a", "bb", "ccc", "bb", "a"]


def test_functools_is_itself_for_whoever_loads_it_later() -> None:
    code = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from siltstone.store.sqlite import sqlite3\n"
        "print(sqlite3.__name__, 'functools' in sys.modules)\n"
        "connection = sqlite3.connect(':memory:')\n"
        "print(sum(connection.execute(f'SELECT {n}').fetchone()[0] for n in [*range(300), *range(300)]))\n"
        "import functools, sqlite3\nprint(functools.reduce(max, [1, 2]), functools.lru_cache.__module__)\n"
        "print(sqlite3.connect(':memory:').execute('SELECT 3').fetchone()[0])\n"
    )
    said = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["_sqlite3 False", "89700", "2 functools", "3"]


def test_where_it_was_loaded_before_it_stays() -> None:
    code = (
        f"import sys, functools\nsys.path.insert(0, {str(ROOT)!r})\nbefore = functools\n"
        "from siltstone.store.sqlite import sqlite3\n"
        "print(sys.modules['functools'] is before)\n"
    )
    said = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "True\n"
