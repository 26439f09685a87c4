"""Hooks that OpenCode calls on the plugin, one after another."""

from typing import Any

MAIN, SUB = "ses_main", "ses_sub"
TYPED = [{"id": "prt_1", "sessionID": MAIN, "messageID": "msg_1", "type": "text", "text": "Which manager?"}]
IN: dict[str, Any] = {"sessionID": MAIN}
TOOL: dict[str, Any] = {**IN, "tool": "bash", "args": {"command": "make"}}
Step = list[Any]


def message(parts: list[dict[str, Any]] | None = None, session: str = MAIN) -> Step:
    output = {
        "message": {"id": "msg_1", "model": {"providerID": "p", "modelID": "m"}},
        "parts": parts or TYPED,
    }
    return ["chat.message", {"sessionID": session}, output]


def system(head: str = "You are opencode", session: str = MAIN) -> Step:
    return ["experimental.chat.system.transform", {"sessionID": session}, {"system": [head]}]


def event(type: str, **properties: Any) -> Step:
    return ["event", {"event": {"type": type, "properties": properties}}]


def tool(output: object = "a\nb\nc", session: str = MAIN, **metadata: Any) -> Step:
    told = {"title": "make", "output": output, "metadata": metadata}
    return ["tool.execute.after", {**TOOL, "sessionID": session}, told]


def answer(text: str, id: str = "msg_2") -> Step:
    return ["experimental.text.complete", {**IN, "messageID": id, "partID": "prt_2"}, {"text": text}]
