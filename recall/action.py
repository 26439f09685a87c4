"""What an agent is about to do, in the terms under which memories are indexed (`steering.py`).

Each part takes time linear in what the call holds, which may be anything.
"""

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import dropwhile, islice
from typing import NamedTuple

from siltstone.recall.session.event import Action
from siltstone.store.data import data

FILE, FOLDER, ENDING, COMMAND, NAME, PACKAGE = "f:", "d:", "e:", "c:", "n:", "p:"
"""Begin a term: a path (of a file or a folder), a folder, a file's ending, a program, a name in code, a
package."""
MOST_PATHS, MOST_DEPTH, MOST_PROGRAMS = 50, 24, 200
MOST_TEXT = 200_000
"""Characters of changed text in which names are looked for."""
MOST_NAMES = 5_000
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,5}(\s?\()?")
_MODULE = r"(@?\w[\w-]*(?:[./:]+[\w-]+)*)"
_PACKAGE = re.compile(
    rf"(?m:^\s{{0,40}}(?:import|from|use|using|gem|require|extern crate|#include)\s{{1,9}}[\"'<]?{_MODULE})"
    rf"|\b(?:from|import|require)\s?\(?\s?[\"']{_MODULE}|[\"'](@?[\w-]+(?:/[\w.-]+)*)[\"']\s?:"
    r"|(?m:^\s{0,40}([\w-]+)(?:\[[\w,]+\])?\s?[=~<>!]=)"
    r"|(?m:^\s{0,40}(?:\w{1,40}\s)?\"([\w-]+\.[\w.-]*/[\w./-]+)\"$)"
)
_WORDS = {name: frozenset(text.split()) for name, text in data(__file__).items()}
_BEHIND_PREFIX = re.compile(r"-|\w+=|\d")
_REDIRECT = re.compile(r"[\d&]?>{1,2}\|?(.*)")


class Touched(NamedTuple):
    """What an action touches."""

    paths: tuple[tuple[str, ...], ...]
    """The parts of each path below the project's top; of one elsewhere all parts."""
    programs: tuple[tuple[str, ...], ...]
    """Name and arguments of each program that runs."""
    names: frozenset[str]
    """In code that changes."""
    packages: frozenset[str]
    """That it imports or installs."""

    def terms(self) -> set[str]:
        """All terms at which a memory may be given."""
        found = {NAME + name for name in self.names | self.packages}
        found |= {PACKAGE + name for name in self.packages}
        found |= {COMMAND + words[0] for words in self.programs}
        for parts in self.paths:
            for start in range(len(parts)):
                for end in range(start + 1, len(parts) + 1):
                    path = "/".join(parts[start:end])
                    found |= {FILE + path, FOLDER + path}
            found.add(f"{ENDING}{os.path.splitext(parts[-1])[1]}")
        return found

    def fits(self, term: str, rest: str, unless: str) -> bool:
        """Whether what must be true beside a term is true of this action."""
        if any(self._runs(line.split()) for line in unless.splitlines()):
            return False
        if term.startswith(COMMAND):
            return self._runs([term.removeprefix(COMMAND), *rest.split()])
        return not rest or any(_fits_glob(parts, rest) for parts in self.paths)

    def _runs(self, words: Sequence[str]) -> bool:
        return any(
            one[0] == words[0] and all(_given(word, one[1:]) for word in words[1:]) for one in self.programs
        )


def touched(
    action: Action, programs: Sequence[Sequence[str]], cwd: str, top: str, branch: str = ""
) -> Touched:
    """What an action in the folder `cwd` of the project at `top` ("" for none) touches; `programs` are those
    of its command, each with its arguments. What git commits and pushes goes to the `branch` checked out."""
    run, paths, at = list[tuple[str, ...]](), [*action.paths], os.path.join(cwd, action.folder)
    for words in programs:
        while words and len(run) < MOST_PROGRAMS:
            name, *given = os.path.basename(words[0]), *words[1:]
            to = [branch] if branch and name == "git" and {"commit", "push"} & {*given} else []
            run.append((name, *given, *to))
            at = os.path.join(at, os.path.expanduser(given[0])) if name == "cd" and given else at
            paths += [os.path.join(at, os.path.expanduser(path)) for path in _written(run[-1])]
            words = list(dropwhile(_BEHIND_PREFIX.match, given)) if name in _WORDS["prefixes"] else ()
    is_prose = bool(action.paths) and all(
        path.lower().endswith(tuple(_WORDS["prose"])) for path in action.paths
    )
    text = "" if is_prose else _changed(action.before, action.after)
    packages = {_bare_package(word) for words in run for word in _installed(words)} | set(_imported(text))
    parts = (_parts(path, cwd, top) for path in dict.fromkeys(paths[:MOST_PATHS]))
    return Touched(tuple(filter(None, parts)), tuple(run), frozenset(_names(text)), frozenset(packages))


def _parts(path: str, cwd: str, top: str) -> tuple[str, ...]:
    whole = os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))
    inside = os.path.relpath(whole, top) if top and whole.startswith(f"{top}{os.sep}") else whole
    return tuple(part for part in inside.casefold().split(os.sep) if part)[-MOST_DEPTH:]


def _changed(before: str, after: str) -> str:
    """The lines of either text that the other has not."""
    old, new = before[:MOST_TEXT].splitlines(), after[:MOST_TEXT].splitlines()
    kept = {*old} & {*new}
    return "\n".join(line for line in (*old, *new) if line not in kept)


def _names(text: str) -> Iterator[str]:
    """Names in code that are called or look like nothing else."""
    found = 0
    for match in _DOTTED.finditer(text):
        whole = match[0].rstrip("( ")
        *parts, last = whole.split(".")
        chain = [".".join(parts[:end]) for end in range(2, len(parts) + 1)]
        marked = [part for part in (*parts, last) if "_" in part[1:] or part[1:] != part[1:].lower()]
        for name in {*marked, *chain, *([last] if match[1] else ()), *([whole] if parts else ())}:
            yield name
            found += 1
        if found > MOST_NAMES:
            break


def _imported(text: str) -> Iterator[str]:
    for package in islice(_PACKAGE.finditer(text), MOST_NAMES):
        name = next(group for group in package.groups() if group)
        yield name
        yield _bare_package(name)
        yield re.split(r"[./:]", name.lstrip("@"), maxsplit=1)[0]


def _installed(words: Sequence[str]) -> Iterator[str]:
    verb = next((n for n, word in enumerate(words[1:4], 1) if word in _WORDS["adds"]), 0)
    if verb:
        yield from (word for word in words[verb + 1 :] if not word.startswith("-"))


def _bare_package(word: str) -> str:
    """The package that an argument or import names, without version, extras and what is in it."""
    scope, word = ("@", word[1:]) if word.startswith("@") else ("", word)
    bare = re.split(r"[@=<>~!\[;]", word, maxsplit=1)[0]
    return scope + "/".join(bare.split("/")[: 2 if scope else 1])


def _written(words: Sequence[str]) -> Iterator[str]:
    """The files that a program is told to change, and those that its output goes to."""
    rest = [word for word in words[1:] if not word.startswith("-")]
    if words[0] == "git":
        yield from rest[1:] if rest and rest[0] in _WORDS["git_writers"] else ()
    elif words[0] in _WORDS["writers"] or (
        words[0] in ("sed", "perl") and any(word.startswith(("-i", "--in-place")) for word in words)
    ):
        yield from (word for word in rest if not _REDIRECT.fullmatch(word))
    for number, word in enumerate(words):
        target = _REDIRECT.fullmatch(word)
        if target is not None and not target[1].startswith("&"):
            yield from [target[1]] if target[1] else words[number + 1 : number + 2]


def _given(word: str, arguments: Sequence[str]) -> bool:
    """Whether a word stands among a program's arguments; of short options each letter counts, and `--force`
    is given as `-f` too."""
    if not word.startswith("-"):
        return word in arguments
    if word.startswith("--"):
        return any(
            one.partition("=")[0] == word or (_is_short(one) and word[2:3] in one) for one in arguments
        )
    given = {letter for one in arguments if _is_short(one) for letter in one[1:]}
    return {*word[1:]} <= given or word in arguments


def _is_short(word: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-"


def _fits_glob(parts: Sequence[str], glob: str) -> bool:
    path, glob = "/".join(parts), glob.replace("[", "[[]")
    return any(fnmatchcase(f"/{path}", f"*/{one}") for one in (glob, glob.replace("**/", "")))
