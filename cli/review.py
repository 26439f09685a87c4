"""Going one by one through what waits for the user, with single keys. Each answer can be undone."""

import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import typer

from siltstone.cli import terminal
from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.output import show, show_styled
from siltstone.cli.parts import actor, rebuild
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.errors import Misuse, SiltError
from siltstone.store.undo import undo


class Answer(NamedTuple):
    label: str
    """What the key does; in a terminal with the key's letter or digit in brackets: "keep [1]"."""
    do: Callable[[], str]
    """Does it; returns what was done, in a sentence."""


class Item(NamedTuple):
    lines: Sequence[tuple[str, str]]
    """What the question shows: text and style of each line."""
    answers: Mapping[str, Answer]
    """By key."""
    stands: Callable[[], bool]
    """Whether it is still waiting: it may have been settled elsewhere."""


def can_ask() -> bool:
    """Whether a person is at a terminal and can press keys."""
    return terminal.here() and sys.stdin.isatty()


def go_through(context: Context, items: Sequence[Item]) -> None:
    """Ask about each item until it is settled or left for later, or the user quits. The last answer can be
    undone too."""
    store, done, at = context.store, list[tuple[int, str]](), 0
    while at < len(items) or done:
        answers: Mapping[str, Answer] = {}
        if at == len(items):
            show("\nthat was the last one")
        elif not items[at].stands():
            at += 1
            continue
        else:
            answers = items[at].answers
            show_styled([(f"\n{at + 1} of {len(items)}", "bold"), *items[at].lines])
        others = [*(["[l]ater"] if answers else []), *(["[u]ndo"] if done else []), "[q]uit"]
        key = key_of([*(one.label for one in answers.values()), *others])
        if key == "q":
            break
        if key == "u":
            at, commit = done.pop()
            undo(store, commit, store.clock)
            rebuild(context)
            show("undone")
        elif key == "l":
            at += 1
        else:
            before = store.git.head()
            try:
                show(answers[key].do())
            except SiltError as error:
                note(str(error))
            if (after := store.git.head()) and after != before:
                done.append((at, after))
    left = sum(item.stands() for item in items)
    show(f"{counted(len(done), 'answer')} given, {left or 'nothing'} left")


def key_of(labels: Sequence[str], nothing: str = "q") -> str:
    """The key pressed, out of those in brackets; `nothing` for Enter and at the end of the input."""
    keys = {label[label.index("[") + 1] for label in labels}
    sys.stdout.write(f"{', '.join(labels)}: ")
    sys.stdout.flush()
    while True:
        try:
            pressed = typer.getchar().lower()
        except EOFError:
            pressed = "\r"
        except KeyboardInterrupt:
            show("")
            raise
        pressed = nothing if pressed in ("\r", "\n") else pressed
        if pressed in keys:
            show(pressed)
            return pressed


def edit_files(context: Context, paths: Sequence[str]) -> str:
    """Open memories in the user's editor, and commit what was saved as the user's. Raises Misuse."""
    environ = context.configured.environ
    editor = environ.get("VISUAL") or environ.get("EDITOR")
    whole = [str(context.store.root / path) for path in paths]
    if not editor:
        raise Misuse(f"set EDITOR, or edit {' and '.join(whole)} yourself and delete what is wrong.")
    code = subprocess.run([*shlex.split(editor), *whole], check=False).returncode
    if code:
        raise Misuse(f"{editor} exited with status {code}; nothing was settled.")
    settled = files.flush(actor(context))
    note(*settled.refused)
    return f"saved {', '.join(settled.edited)}" if settled.edited else "nothing was changed"
