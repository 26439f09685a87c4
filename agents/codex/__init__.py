"""Codex CLI: its rollout files, of every era since 0.57 (docs/transcripts.md)."""
