"""What of a prompt in Codex a person typed. On the hot path (cli/hot.py)."""

from siltstone.store.late import LatePattern

_PIPED = LatePattern(r"(?m)^<stdin>$")


def typed(prompt: str) -> str:
    """What stands before `<stdin>`, behind which `codex exec` puts what was piped into it: what comes then
    is somebody else's to the end, for it may hold the mark itself."""
    if "<stdin>" not in prompt:
        return prompt
    found = _PIPED.search(prompt)
    return prompt[: found.start()].rstrip() if found else prompt
