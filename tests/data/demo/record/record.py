#!/usr/bin/env python3
"""Plays scenario.toml on the real agents and ships what they leave.

    record.py OPENCODE_CODEX CLAUDE_GEMINI RAW

The first two are the folders of the laid-out kits with the four agents installed; RAW is a new folder
for the home as the agents left it. Needs Linux, root (for a network, mount and host name of its own:
the agents reach nothing but the scripted model, and live in /home/dev), git, node and Python 3.11.
A Gemini session has to fit into one minute, or Gemini itself loses it: record.py waits for a new one.
"""

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ship
from scenario import HOME, Session, for_anthropic_and_gemini, for_openai, lay, sessions

PATH = "/usr/local/bin:/usr/bin:/bin"
OPENAI_PORT, OTHER_PORT = 18080, 18765
GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}
ENVIRONMENT = {
    "HOME": str(HOME),
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "TZ": "UTC",
    "NO_COLOR": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{OTHER_PORT}",
    "ANTHROPIC_API_KEY": "none",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_UPDATES": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_API_KEY": "none",
    "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{OTHER_PORT}",
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
    "GEMINI_TELEMETRY_ENABLED": "false",
}


class Stage:
    """The folders of the kits, and running an agent in them."""

    def __init__(self, openai: Path, other: Path) -> None:
        self.openai, self.other = openai, other

    def play(self, session: Session) -> None:
        """All turns of a session, each as one headless call that resumes the one before."""
        play = {
            "claude": self._claude,
            "codex": self._codex,
            "gemini": self._gemini,
            "opencode": self._opencode,
        }
        play[session.agent](session)

    def _claude(self, session: Session) -> None:
        agent = self.other / "npm-claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
        name = str(uuid.uuid4())
        rights = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash", "Read", "Write", "Edit"]
        for n, turn in enumerate(session.turns):
            self._run(session, agent, "-p", turn.say, "--resume" if n else "--session-id", name, *rights)

    def _gemini(self, session: Session) -> None:
        agent = self.other / "npm-gemini/node_modules/.bin/gemini"
        model = ["--approval-mode", "yolo", "-m", "gemini-2.5-flash"]
        for n, turn in enumerate(session.turns):
            again = ["--resume", "latest"] if n else []
            self._run(session, "node", agent, *again, "-p", turn.say, *model)

    def _codex(self, session: Session) -> None:
        thread = ""
        for turn in session.turns:
            resume = ["resume", thread] if thread else []
            told = self._run(session, self.openai / "bin/codex", "exec", *resume, "--json", turn.say)
            thread = thread or next(
                line["thread_id"] for line in _lines(told) if line.get("type") == "thread.started"
            )

    def _opencode(self, session: Session) -> None:
        name = ""
        for turn in session.turns:
            again = ["-s", name] if name else []
            told = self._run(
                session, self.openai / "bin/opencode", "run", *again, "--format", "json", turn.say
            )
            name = name or next(line["sessionID"] for line in _lines(told) if "sessionID" in line)

    def _run(self, session: Session, *command: str | Path) -> str:
        path = f"{self.openai}/bin:{PATH}"
        done = subprocess.run(
            [str(part) for part in command],
            cwd=session.folder,
            env=ENVIRONMENT | {"PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise SystemExit(
                f"{session.id}: {command[0]} ended with {done.returncode}: {done.stderr[-2000:]}"
            )
        return done.stdout


def _lines(told: str) -> Iterator[dict[str, str]]:
    for line in told.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def _settle(kit: Path) -> None:
    """The home: git's name, the agents' settings, the toy projects as repositories."""
    (HOME / ".gitconfig").write_text("[user]\n\tname = dev\n\temail = dev@example.invalid\n")
    for folder, name in ((".codex", "codex-config.toml"), (".config/opencode", "opencode.json")):
        (HOME / folder).mkdir(parents=True)
        to = HOME / folder / name.replace("codex-config", "config")
        to.write_text((kit / "kit" / name).read_text())
    (HOME / ".gemini").mkdir()
    (HOME / ".gemini/settings.json").write_text(json.dumps(GEMINI_SETTINGS))
    env = {"HOME": str(HOME), "PATH": PATH, "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z"}
    env["GIT_COMMITTER_DATE"] = env["GIT_AUTHOR_DATE"]
    for project in ("heron", "otter"):
        lay(project)
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "initial"]):
            subprocess.run(["git", *words], cwd=HOME / project, env=env, check=True)


@contextmanager
def _model(script: Path, port: int, *arguments: str) -> Iterator[None]:
    """A scripted model of the kit, up when the block begins."""
    server = subprocess.Popen([sys.executable, script, *arguments], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.wait()


def main(openai: Path, other: Path, raw: Path) -> None:
    """Play everything, then ship it to the folders beside this one."""
    stage, told, spans = Stage(openai, other), sessions(), []
    _settle(openai)
    (raw / "openai.json").write_text(json.dumps(for_openai(told)))
    (raw / "other.json").write_text(json.dumps(for_anthropic_and_gemini(told)))
    first = ["--port", str(OPENAI_PORT), "--scenarios", f"{raw}/openai.json", "--log", f"{raw}/openai.log"]
    second = [str(OTHER_PORT), f"{raw}/other.log", f"{raw}/other.json"]
    with (
        _model(openai / "kit/fakellm.py", OPENAI_PORT, *first),
        _model(other / "kit/fake_llm.py", OTHER_PORT, *second),
    ):
        for session in told:
            print(session.id, session.agent, session.project, flush=True)
            if session.agent == "gemini":
                time.sleep(61 - time.gmtime().tm_sec)
            begin = time.time()
            stage.play(session)
            spans.append((session.id, begin, time.time()))
    (raw / "spans.json").write_text(json.dumps(spans))
    ship.ship(raw)


def _alone(raw: Path) -> None:
    """This script again, where /home/dev is a folder of RAW and there is no network but loopback."""
    (raw / "home").mkdir(parents=True)
    script = (
        f"ip link set lo up && hostname demo && mount -t tmpfs none /home && mkdir {HOME}"
        f' && mount --bind "$RAW/home" {HOME} && exec "$@"'
    )
    inside = ["unshare", "--net", "--mount", "--uts", "sh", "-ec", script, "sh", sys.executable, *sys.argv]
    os.execvpe("unshare", inside, os.environ | {"RAW": str(raw)})


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    places = [Path(one).resolve() for one in sys.argv[1:]]
    if "RAW" not in os.environ:
        _alone(places[2])
    main(*places)
