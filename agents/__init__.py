"""The four agents: where their transcripts are and how to read them (one folder an agent)."""
