"""A session of each agent in which somebody typed prompts, as short as its reader takes it."""

import json
from contextlib import closing
from pathlib import Path

from agents_claude_records import record, transcript
from codex_home import Home as CodexHome
from codex_home import typed
from opencode_home import Home as OpenCodeHome

AT = "2026-11-21T10:00:00.000Z"


def lay(agent: str, root: Path, *prompts: str) -> None:
    """One session of `agent` below `root`."""
    if agent == "claude":
        ids = [f"u{n}" for n in range(len(prompts))]
        transcript(root, *map(record, ["user"] * len(ids), ids, [None, *ids], prompts))
    elif agent == "codex":
        CodexHome(root).write(*(typed(f"u{n}", text) for n, text in enumerate(prompts)))
    elif agent == "opencode":
        home = OpenCodeHome(root)
        with closing(home.db):
            home.session("ses_1")
            for n, text in enumerate(prompts):
                home.said("ses_1", f"msg_{n}", n, text)
    elif agent == "gemini":
        header = {"sessionId": "s1", "projectHash": "h", "startTime": AT, "kind": "main"}
        said = [
            {"id": f"u{n}", "timestamp": AT, "type": "user", "content": text}
            for n, text in enumerate(prompts)
        ]
        _write(root / "tmp/demo/chats/session-2026-11-21T10-00-s1.jsonl", header, *said)
    else:
        _write(root / "log.jsonl", *({"role": "user", "content": text} for text in prompts))


def _write(path: Path, *records: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
