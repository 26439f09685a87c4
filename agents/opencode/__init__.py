"""OpenCode: its SQLite database, and the JSON files it kept before (docs/transcripts.md)."""
