"""Gemini CLI: its transcripts under `~/.gemini/tmp` (docs/transcripts.md)."""
