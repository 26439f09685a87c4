"""Siltstone: durable memory for coding agents, laid down from their transcripts and kept in git."""

__version__ = "0.1.0"
