"""What hooks need to be quick, made when they are installed, or behind the first one where nobody did: the
state database, which the first one would make, the compiled patterns that hooks keep (`store/compiled.py`),
and our bytecode in one file (`cli/bytecode.py`)."""

import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

from siltstone.cli import bytecode
from siltstone.cli.output import note
from siltstone.pipeline import hearing
from siltstone.recall.rules import Rules
from siltstone.recall.session.apply import apply
from siltstone.recall.session.event import Event
from siltstone.recall.session.state import SessionState
from siltstone.store import compiled
from siltstone.store.errors import SiltError
from siltstone.store.state.hooks import Hooks
from siltstone.store.state.light import Light
from siltstone.store.state.state import State

TYPED = (
    "Please remember that we use pnpm, not npm.",
    "Remember this: never edit the generated folder. It is the only one.",
    "Don't forget to always run the tests before you commit.",
    "From now on, use tabs instead of spaces everywhere.",
    "In future, use single quotes.",
    "I prefer short answers, as you know.",
    "Remember: this repo is built with make, not with npm!",
    "Remember that the API needs a key, and asks for a password.",
    "Remember: the importer listens on port 8042.",
    "Note to self: the CI is slow.",
    "Save this to memory: releases are cut on Mondays.",
    "Save to memory: releases are cut on Mondays.",
    "Keep in mind that the app should remember the scroll position.",
    "Make a note: our agents do not remember anything, so be it.",
    "Can you remember that Anna said the database is read-only?",
    "Bitte merk dir: wir verwenden überall pnpm statt npm. So will es die CI.",
    "Vergiss nicht, dass die Tests immer mit make test laufen.",
    "Ab sofort nur noch Englisch.",
    "Recuerda que usamos pnpm, no npm.",
    "Retiens que nous utilisons pnpm.",
    "请记住：所有的提交信息都用英文写，不要用中文。",
    "记住：用 pnpm，不要用 npm。",
    "从现在开始用 TypeScript。",
    "覚えておいてください：コミットメッセージは必ず英語で書くこと。例外はありません。",
    "기억해 주세요: 커밋 메시지는 영어로 씁니다.",
)
"""Requests as most are made. Those in other words compile what they need, and keep that."""
PASTED = (
    "Please fix the failing test in the importer: check it, do not edit it, and no summary, please.\n\n"
    "And remember: we always use pnpm here, never npm.\n\nReview this message.\n\nThe log says:\nit failed\n",
    'Remember: "no tabs". It said <b>so</b> // twice, and # once: see `make`.',
    'Why does its login end so soon? The cookie tokens are for a session, the password is "changeme".\n',
    """Why does this fail, and what is next? We decided to use the old one, but not to note it in src/app.py.
See src/auth/user_session.py.

# AGENTS.md

It is a task-runner's.

# Setup

> Steps: 1. Run `make`, as “usual”. Don't ask for more; another never does, says the author.

<system-reminder>Read AGENTS.md</system-reminder>

- [ ] Recovery codes: none, so far. Set `API_KEY="${API_KEY:-your-key}"`, or `--token <token>`.
- TODO: api-schlüssel und "user": "admin", password = get_password(user) …

```python
def login(user, password=None, *, token: str = os.environ["TOKEN_2"]):
    auth = ("admin", "secret")  # machine localhost login admin password hunter
    raise KeyError(f"{user}: https://example.org/a?key={token}&id=0f3a9c27e1b84d65, version v1.2.3")
```

Traceback (most recent call last):
  File "/srv/app/rows.py", line 12, in load
    token = session.get(key)
ValueError: invalid user id 1234567 for session 0f3a9c27-e1b8-4d65-a1b2-c3d4e5f60718
""",
    "Remember: the seeker never writes.\n\n```\n"
    + 'def seek():  # not yet. As on that page, in the notes:\n    here = "words that nobody ever said"\n'
    * 25
    + "```\n",
    "from pages import read\n\n"
    + 'def held(page: str) -> None:\n    """Its text: as it says, "in so many words of its own"."""\n'
    "    for log in get(page):\n        check(log, read, text)\n    return {}\n\n"
    * 25
    + "Remember: the seeker never writes.\n",
)
"""What is pasted with them, and what looks like secrets: rules of which few texts have need, and many
pastes."""
RAN = (
    ("npm test", "src/cart.ts(3,5): error TS2304: Cannot find name 'total'.\n1 failed, 2 passed\n", 1),
    ("npm install && cat src/cart.ts", "added 3 packages in 2s\nimport { total } from './total.ts'\n", 0),
)
"""Commands as an agent runs them, with what they print and their status."""


def make(folder: Path) -> None:
    """In a state folder. What cannot be made now is told, and left to the hooks."""
    try:
        with State.open(folder) as state:
            for complaint in state.complaints:
                note(complaint)
        _seen_to(folder)
    except SiltError as error:
        note(str(error))
    _apart(folder)


def renew(folder: Path) -> None:
    """The same for hooks that were called, where they changed since, or are a package's."""
    if (folder / compiled.FILE).exists() and bytecode.make():
        _apart(folder)


def drop(folder: Path) -> None:
    """Take away what only hooks need; the state is of use without them. Sessions that go on call their hooks
    still: none of these has it made again."""
    with suppress(SiltError):
        _seen_to(folder)
    compiled.drop(str(folder))
    bytecode.drop()


def _seen_to(folder: Path) -> None:
    """No hook has anything made from now on. Raises SiltError."""
    with closing(Light(str(folder))) as light:
        Hooks(light).mark_ready()


def _apart(folder: Path) -> None:
    """`main` in a process of its own: in this one, many patterns are compiled already, and those are not
    kept."""
    words = [sys.executable, "-P", "-m", __name__, str(folder.absolute())]
    with suppress(OSError):
        subprocess.run(words, check=False, stdin=subprocess.DEVNULL, capture_output=True)


def hear(folder: str) -> None:
    """Have the rules hear all this, so that their patterns are kept in a state folder."""
    idle = Event("idle", "silt", "s1", 0.0)
    events = [idle._replace(kind="message", role="user", text=text) for text in (*TYPED, *PASTED)]
    for command, output, status in RAN:
        events.append(idle._replace(kind="tool", name="Bash", command=command, output=output, exit=status))
    compiled.begin(folder)
    state = SessionState()
    for event in events:
        apply(SessionState(), event, hearing, Rules())  # each as the first of a session, and as a later one
        state = apply(state, event, hearing, Rules())
    compiled.end()


def main(folder: str) -> None:
    """Make patterns and bytecode."""
    hear(folder)
    bytecode.make()


if __name__ == "__main__":
    main(sys.argv[1])
