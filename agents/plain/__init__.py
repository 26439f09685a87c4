"""Anything else: JSONL with `{role, content, timestamp?, session?, cwd?}` a line."""
