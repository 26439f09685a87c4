"""A reading as lines that an eye can compare with the raw records."""

from collections import Counter
from collections.abc import Iterable

from siltstone.pipeline.messages import Filtered, Message, Step, ToolCall


def outline(steps: Iterable[Step]) -> list[str]:
    """One line a message (line breaks shown as ⏎), then one line a reason of what was filtered."""
    lines: list[str] = []
    filtered: Counter[str] = Counter()
    for step in steps:
        if isinstance(step.item, Filtered):
            filtered[step.item.reason] += 1
        else:
            lines.append(_line(step.item))
    return lines + [f"({filtered[reason]} {reason})" for reason in sorted(filtered)]


def _line(message: Message) -> str:
    if message.tool:
        return _tool_line(message.tool)
    role = "final" if message.final else message.role
    return f"{role}: {_flat(message.text)}"


def _tool_line(tool: ToolCall) -> str:
    ending = "" if tool.exit is None else f" exit {tool.exit}"
    failed = " failed" if tool.failed else ""
    return f"{tool.name}{ending}{failed}: {_flat(tool.command or tool.input)} → {_flat(tool.output)}"


def _flat(text: str) -> str:
    flat = text.replace("\n", "⏎")
    return flat if len(flat) <= 160 else f"{flat[:120]}… {len(text)} characters"


def sections(text: str) -> dict[str, list[str]]:
    """A golden file: `## name`, then the outline."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("## "):
            found[line[3:]] = current = []
        elif line:
            current.append(line)
    return found
