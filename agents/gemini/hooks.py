"""Gemini CLI's hooks (docs/transcripts.md, "Doors").

Context arrives as `<hook_context>`, escaped. No hook reports a compaction (PreCompress comes before every
call of the model): the transcript is looked at with each prompt. No hook says whether it is a sub-agent's.
SessionEnd may come several times. What is answered before a tool can hold the call, but is not read; it could
ask the user, and then waits for ever where nobody is there (`gemini -p`).

A hook gets what a prompt came to: with the content of the files that it names, and for a command of the
user's, the text of that command's file. The transcript (`displayContent`) knows better what was typed.
"""

import os
import re
import tomllib
from binascii import crc32
from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.hooks import AgentHooks, Hook, HookCall, Means, Payload, inner, name, text
from siltstone.pipeline.rules.language import hinted
from siltstone.recall.session.event import Event, compact
from siltstone.store.plain_file import content, opened

OURS = "This is what `silt "
"""How the prompts of our own commands begin (`agents/commands.py`)."""
SHELL = "run_shell_command"
EDITORS = ("replace", "write_file")
_EXIT = re.compile(r"(?m)^Exit Code: (\d{1,9})$")
EXIT_TAIL = 2_000
"""Characters at the end of a command's output, where its status stands."""
MOST = 200
"""Files of commands that are looked at. With more, a prompt may be any of them."""
HOOK, _END = "<hook_context>", "</hook_context>"
_RESTATED, _SNAPSHOT, _SNAPSHOT_END = b'{"$set":{"messages":', b"<state_snapshot>", b"</state_snapshot>"
_LOOKED_AT = 4 * 2**20
"""Bytes at the end of a transcript in which its last compaction is looked for."""
_LONGEST = 100_000
"""Bytes of a command's file."""
_FILES = "--- Content from referenced "
_REFERENCED = re.compile(rf"(?m)^{_FILES}\w+ ---[ \t]*$")
STEERING = "User steering update:\n<user_input>\n"
"""Begins what was typed while the agent worked, as the agent hands it on: in one line."""
_BACKGROUND = "[Background command completed "
"""Begins what it hands on in the same way when a command ends."""
_TAKES_IN = re.compile(r"(?s)(\{\{args\}\}|[!@]\{.*?\}+)")
"""What a command's prompt takes in: arguments, a shell's output, a file."""


def typed_text(prompt: str) -> str:
    """What stands before the content of files: everything after the first such line may be a file's."""
    if prompt.startswith(STEERING):
        return prompt.removeprefix(STEERING).partition("\n")[0].partition(_BACKGROUND)[0].rstrip()
    found = _REFERENCED.search(prompt) if _FILES in prompt else None
    return prompt[: found.start()].rstrip() if found else prompt


def without_hooks(text: str) -> str:
    """The text without what hooks put into it: nothing we or others injected is read back."""
    kept, hook, rest = text.partition(HOOK)
    while hook:
        before, hook, rest = rest.partition(_END)[2].partition(HOOK)
        kept += before
    return kept


def status_of(output: str) -> int:
    """The exit status of a command that ran: its output tells, with its last line of that kind, for what the
    command printed stands before it; none means success."""
    return int((_EXIT.findall(output[-EXIT_TAIL:]) or [0])[-1])


def _prompt(payload: Payload, environ: Mapping[str, str]) -> str:
    typed = typed_text(without_hooks(text(payload, "prompt"))).lstrip()
    return "" if typed.startswith(("/", OURS)) else typed


def _result(event: Event, payload: Payload) -> Event:
    """A failed command is reported as a success."""
    result = inner(payload, "tool_response")
    output = text(result, "llmContent") or compact(result.get("llmContent") or result.get("error"))
    failed = bool(result.get("error"))
    status = status_of(output) if event.command and not failed else None
    return event._replace(output=output, exit=status, failed=failed)


def _particular(call: HookCall, means: Means, payload: Payload, environ: Mapping[str, str]) -> HookCall:
    if means == "start":
        # What is shown here stands before the prompt, and "/silt:status" would then be no command.
        source = text(payload, "source")
        return call._replace(show="resumed" if source == "resume" else "", anew=source == "clear")
    if means != "prompt":
        return call
    call = call._replace(show="first", compaction=_compaction(name(payload, "transcript_path")))
    if hinted(call.typed) and may_be_a_command(call.typed, call.cwd, environ):
        return call._replace(query="", events=(), typed="")  # the transcript knows what was typed
    return call


def _compaction(path: str) -> str:
    """A checksum of the last summary in a transcript; "" where it has none or cannot be read.

    A compaction restates all messages, and so does a resumption, but then the summary stays the same.
    """
    try:
        with opened(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOOKED_AT))
            data = file.read(_LOOKED_AT)
    except OSError:
        return ""
    # From summary to summary: to cut megabytes into lines takes five times as long.
    start = len(data)
    while (at := data.rfind(_SNAPSHOT, 0, start)) >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if data.startswith(_RESTATED, start):
            line = data[at:].partition(b"\n")[0]
            return f"{crc32(line[: line.find(_SNAPSHOT_END)]):08x}"
    return ""


def may_be_a_command(prompt: str, cwd: str, environ: Mapping[str, str]) -> bool:
    """Whether a command of the user's, a project's or an extension's may have come to this prompt.

    Those of MCP servers are in no file and cannot be known.
    """
    typed = "".join(prompt.split())
    home = environ.get("GEMINI_CLI_HOME") or environ.get("HOME") or ""
    places = dict.fromkeys(Path(one) for one in (home, cwd, environ.get("GEMINI_PROJECT_DIR")) if one)
    files = (
        file
        for place in places
        for folder in (".gemini/commands", ".gemini/extensions/*/commands")
        for file in place.glob(f"{folder}/**/*.toml")
    )
    return any(number >= MOST or _may_come_to(file, typed) for number, file in enumerate(files))


def _may_come_to(file: Path, typed: str) -> bool:
    """Whether the pieces of a command's prompt occur, in their order, in what was typed (without blanks). A
    file that cannot be read may come to anything."""
    try:
        if file.stat().st_size > _LONGEST:
            return True
        prompt = tomllib.loads(content(file).decode("utf-8")).get("prompt")
    except (OSError, UnicodeDecodeError):
        return True
    except (ValueError, RecursionError):
        return False  # Gemini CLI takes no such file
    if not isinstance(prompt, str) or prompt.startswith(OURS):
        return False  # ours are known by how they begin
    at = 0
    for piece in _TAKES_IN.split(prompt)[::2]:
        bare = "".join(piece.split())
        found = typed.find(bare, at)
        if found < 0:
            return False
        at = found + len(bare)
    return True


HOOKS = AgentHooks(
    hooks=(
        Hook("SessionStart", "start", 5_000, "*"),  # one of its sources by its exact name, or all: no pattern
        Hook("BeforeAgent", "prompt", 5_000),
        Hook("BeforeTool", "acting", 5_000, "|".join((*EDITORS, SHELL))),
        Hook("AfterTool", "tool", 5_000, "*"),
        Hook("AfterAgent", "answered", 5_000),
        Hook("SessionEnd", "ended", 5_000),
    ),
    prompt=_prompt,
    result=_result,
    shells=(SHELL,),
    editors=EDITORS,
    advises_after=True,
    subagent_key="",
    answer_key="prompt_response",
    particular=_particular,
)
