"""The wires that agents speak to a model: what arrives, told as a chat, and an answer as each wants it.

OpenCode speaks chat completions, Codex responses, Claude Code messages, Gemini CLI generateContent.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer: a text, or a call of a tool, or a refusal."""

    text: str = ""
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    namespace: str = ""
    """Of the tool: Codex keeps those of an MCP server in one."""
    custom: bool = False
    """The tool takes a text, `args["input"]`, as Codex's apply_patch does."""
    tokens: int = 1000
    """What the model says the prompt took."""
    status: int = 200
    """Of the HTTP answer; another than 200 refuses, with `text` as the reason."""
    stall: bool = False
    """No answer, as long as the model listens."""


def chat(path: str, body: Body) -> Body:
    """A request as a chat completion's: `model`, `messages` of role and content, `tools` with their names,
    and `tool_choice` where none of them may be called."""
    model = body.get("model")
    if path.endswith("/responses"):
        messages = [_item(one) for one in body.get("input") or ()]
        names = [name for one in (body, *(body.get("input") or ())) for name in _names(one)]
        system = [{"role": "system", "content": body.get("instructions") or ""}]
    elif path.endswith("/messages"):
        messages = [part for one in body.get("messages") or () for part in _blocks(one)]
        names = [one.get("name") for one in body.get("tools") or ()]
        system = [{"role": "system", "content": body.get("system") or ""}]
    elif "enerateContent" in path:
        messages = [part for one in body.get("contents") or () for part in _parts(one)]
        names = [f["name"] for one in body.get("tools") or () for f in one.get("functionDeclarations") or ()]
        system = [{"role": "system", "content": (body.get("systemInstruction") or {}).get("parts") or ""}]
        model = path.rpartition("/")[2].partition(":")[0]
    else:
        return body
    told = {"model": model, "messages": system + messages}
    calling = ((body.get("toolConfig") or {}).get("functionCallingConfig") or {}).get("mode")
    choice = {"tool_choice": "none"} if calling == "NONE" else {}
    return {**told, **choice, "tools": [{"function": {"name": name}} for name in names]}


def answer(path: str, body: Body, step: Step, n: int) -> tuple[str, bytes]:
    """Content type and bytes of an answer; `n` tells answers apart."""
    if step.status != 200:
        return "application/json", json.dumps(_refusal(path, step)).encode()
    if path.endswith("/responses"):
        return _events((one["type"], one) for one in _responses(step, n))
    if path.endswith("/messages"):
        if not body.get("stream"):
            return "application/json", json.dumps(_message(step, n)).encode()
        return _events((one["type"], one) for one in _messages(step, n))
    if path.endswith(":generateContent"):
        return "application/json", json.dumps(_generated(step, n)).encode()
    if "enerateContent" in path:
        return _events([("", _generated(step, n))])
    return _events(("", one) for one in _chunks(step, n))


def _events(events: Iterable[tuple[str, Any]]) -> tuple[str, bytes]:
    lines = []
    for name, one in events:
        data = one if isinstance(one, str) else json.dumps(one)
        lines.append((f"event: {name}\n" if name else "") + f"data: {data}\n\n")
    return "text/event-stream", "".join(lines).encode()


def _refusal(path: str, step: Step) -> Body:
    if path.endswith("/messages"):
        return {"type": "error", "error": {"type": "error", "message": step.text}}
    code = "context_length_exceeded" if "context window" in step.text else "refused"
    return {"error": {"message": step.text, "type": code, "code": code, "status": "REFUSED"}}


def _chunks(step: Step, n: int) -> Iterator[Any]:
    base = {"id": f"chatcmpl-{n}", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    delta: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.tool:
        call = {"name": step.tool, "arguments": json.dumps(dict(step.args))}
        delta["tool_calls"] = [{"index": 0, "id": f"call_{n}", "type": "function", "function": call}]
    usage = {"prompt_tokens": step.tokens, "completion_tokens": 10, "total_tokens": step.tokens + 10}
    finish = "tool_calls" if step.tool else "stop"
    yield base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    yield base | {"choices": [], "usage": usage}
    yield "[DONE]"


def _responses(step: Step, n: int) -> Iterator[dict[str, Any]]:
    part = {"type": "output_text", "text": step.text, "annotations": []}
    item: dict[str, Any] = {"type": "message", "id": f"msg_{n}", "role": "assistant", "content": [part]}
    if step.tool:
        arguments = json.dumps(dict(step.args))
        item = {"type": "function_call", "id": f"fc_{n}", "call_id": f"call_{n}", "name": step.tool}
        item |= {"arguments": arguments, **({"namespace": step.namespace} if step.namespace else {})}
    if step.custom:
        item = {"type": "custom_tool_call", "id": f"ctc_{n}", "call_id": f"call_{n}", "name": step.tool}
        item |= {"input": step.args["input"]}
    usage = {"input_tokens": step.tokens, "output_tokens": 10, "total_tokens": step.tokens + 10}
    whole: dict[str, Any] = {"id": f"resp_{n}", "object": "response", "model": "scripted", "usage": usage}
    whole |= {"output": [item | {"status": "completed"}], "status": "completed"}
    yield {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item | {"status": "completed"}}
    yield {"type": "response.completed", "response": whole}


def _message(step: Step, n: int) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": step.text}
    if step.tool:
        block = {"type": "tool_use", "id": f"toolu_{n}", "name": step.tool, "input": dict(step.args)}
    return {
        "id": f"msg_{n}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [block],
        "stop_reason": "tool_use" if step.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": step.tokens, "output_tokens": 10},
    }


def _messages(step: Step, n: int) -> Iterator[dict[str, Any]]:
    whole = _message(step, n)
    (block,) = whole["content"]
    empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": step.text}
    if step.tool:
        empty = block | {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": whole["usage"]}
    yield {"type": "message_stop"}


def _generated(step: Step, n: int) -> dict[str, Any]:
    part: dict[str, Any] = {"text": step.text}
    if step.tool:
        part = {"functionCall": {"name": step.tool, "args": dict(step.args)}}
    counted = {"promptTokenCount": step.tokens, "candidatesTokenCount": 10}
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0, "finishReason": "STOP"}],
        "usageMetadata": counted | {"totalTokenCount": step.tokens + 10},
        "modelVersion": "scripted",
        "responseId": f"resp_{n}",
    }


def _names(item: Body) -> Iterator[str]:
    """Of the tools that a responses request has, or an item of it, in namespaces or not."""
    for tool in item.get("tools") or ():
        if tool.get("tools"):
            yield from _names(tool)
        else:
            yield str(tool.get("name") or tool.get("type"))


def _item(item: Body) -> dict[str, Any]:
    """An item of a responses request."""
    if str(item.get("type")).endswith("_output"):
        output = item.get("output")
        return {"role": "tool", "content": output if isinstance(output, str) else json.dumps(output)}
    role = str(item.get("role") or "assistant")
    return {"role": "system" if role == "developer" else role, "content": item.get("content") or ""}


def _blocks(message: Body) -> Iterator[dict[str, Any]]:
    """A message of a messages request: what tools returned stands in a user's, block by block."""
    content = message.get("content") or ""
    if isinstance(content, str):
        yield {"role": message["role"], "content": content}
        return
    for is_result, blocks in itertools.groupby(content, lambda one: one.get("type") == "tool_result"):
        for block in blocks if is_result else [list(blocks)]:
            told = block if isinstance(block, list) else block.get("content") or ""
            yield {"role": "tool" if is_result else message["role"], "content": told}


def _parts(content: Body) -> Iterator[dict[str, Any]]:
    """One of a generateContent request's contents."""
    role = "assistant" if content.get("role") == "model" else "user"
    for is_result, parts in itertools.groupby(
        content.get("parts") or (), lambda one: "functionResponse" in one
    ):
        if is_result:
            yield from (
                {"role": "tool", "content": json.dumps(one["functionResponse"], ensure_ascii=False)}
                for one in parts
            )
        else:
            yield {"role": role, "content": list(parts)}
