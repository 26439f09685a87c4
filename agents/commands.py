"""The commands that a person types to an agent (`/silt:status`, …), from one table for all agents.

What a person types after a command is never put into a shell line by us: the agent quotes it, or its own
escaping does. OpenCode's plugin has its commands inside.
"""

import json
import shlex
from typing import NamedTuple

from siltstone.agents.entries import Words


class Command(NamedTuple):
    """One word of `silt` that agents offer."""

    name: str
    description: str
    wants: str = ""
    """What is to be typed after it; "" for nothing."""


COMMANDS = (
    Command("status", "Show what Siltstone remembers, and when it last read transcripts"),
    Command("search", "Search what Siltstone remembers", "WORDS"),
    Command("remember", "Have Siltstone remember a sentence now", "SENTENCE"),
    Command("forget", "Have Siltstone forget a memory", "NAME"),
    Command("flush", "Commit edits made by hand in Siltstone's store"),
)
_ANSWER = "Tell the user what it says, and do no more."
_QUOTED = "given as one argument, quoted so that the shell changes nothing of it"


def call(silt: Words, command: Command) -> str:
    """The shell line of a command, up to what is typed after it."""
    return shlex.join([*silt, command.name, *(["--"] if command.wants else [])])


def claude(silt: Words, command: Command) -> str:
    """A file `commands/silt/NAME.md` of Claude Code."""
    line = call(silt, command)
    head = [f"description: {command.description}", f"allowed-tools: Bash({line}:*)"]
    if command.wants:
        head.append(f"argument-hint: {command.wants}")
        body = f"Run `{line}` with the text below, {_QUOTED}. {_ANSWER}\n\n$ARGUMENTS"
    else:
        body = f"This is what `{shlex.join(['silt', command.name])}` says:\n\n!`{line}`\n\n{_ANSWER}"
    return "\n".join(["---", *head, "---", body, ""])


def gemini(silt: Words, command: Command) -> str:
    """A file `commands/silt/NAME.toml` of Gemini CLI, which escapes the arguments inside `!{…}` itself."""
    line = call(silt, command) + (" {{args}}" if command.wants else "")
    prompt = f"This is what `silt {command.name}` says:\n\n!{{{line}}}\n\n{_ANSWER}"
    values = {"description": command.description, "prompt": prompt}
    return "".join(f"{key} = {json.dumps(text)}\n" for key, text in values.items())


def codex(silt: Words) -> str:
    """A file `skills/silt/SKILL.md` of Codex, which has no commands of a user's own."""
    names = ", ".join(one.name for one in COMMANDS)
    rows = [f"- `{f'{call(silt, one)} {one.wants}'.rstrip()}`: {one.description}\n" for one in COMMANDS]
    return f"""\
---
name: silt
description: Only when the user asks for silt ({names})
---
Run the line that the user asks for, with what belongs to it {_QUOTED}. {_ANSWER}

{"".join(rows)}"""
