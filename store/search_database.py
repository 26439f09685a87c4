"""`search.sqlite3`: words of entries (`search.py`), and what each file held (`entry_index.py`)."""

import sqlite3
from pathlib import Path

from siltstone.store.derived_database import DerivedDatabase

FILE = "search.sqlite3"
_TABLES = Path(__file__).with_suffix(".sql").read_text("utf-8")


def _check(db: sqlite3.Connection) -> None:
    db.execute("select doc.id from doc, word where word match 'a' limit 1").fetchone()


SEARCH_DATABASE = DerivedDatabase(5, _TABLES, _check)
