"""Claude Code: its transcripts under `$CLAUDE_CONFIG_DIR/projects` (docs/transcripts.md)."""
