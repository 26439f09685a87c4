"""Anything else: JSONL with `{role, content, timestamp?, session?, cwd?}` a line."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.plain.reader import PlainReader


def reader(root: Path | None, env: Mapping[str, str]) -> PlainReader:
    """The reader of `root`, one file or a folder of `*.jsonl`; without one it finds nothing.

    `env` is not looked at: no agent keeps such files at a place of its own.
    """
    return PlainReader(root)
