"""The agents: where their transcripts are and how to read them (one folder an agent)."""

MODEL_PREFIX = "agent:"
"""Begins the names of models that are an agent of the user's ("agent:claude")."""
