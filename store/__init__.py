"""Memories in a git repository: files, commits, locks, redaction and state."""
