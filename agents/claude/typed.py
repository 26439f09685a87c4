"""What of a prompt in Claude Code a person typed. On the hot path (cli/hot.py)."""

HEADLESS = "sdk-cli"
"""The entry point of `claude -p`, as its hooks' environment and its transcripts tell it."""
ENTRY = "CLAUDE_CODE_ENTRYPOINT"


def typed(prompt: str, entry: object) -> str:
    """All of it; of `claude -p` the first line: what is piped into it stands behind the prompt in the next
    one, and nothing marks it."""
    return prompt.lstrip().partition("\n")[0].rstrip() if entry == HEADLESS else prompt
