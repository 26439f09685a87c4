"""The commands that agents' hooks call at every turn: told apart by their first word, started lightly.

Nothing here or below may import more than the standard library's light half (a test holds it). Each is
a module `cli/<word>.py` with `run(argv) -> int`; `cli/hot_help.py` shows the same commands to people.
"""

import os
import sys

from siltstone.store import compiled
from siltstone.store.closing import let_go
from siltstone.store.errors import Misuse, SiltError
from siltstone.store.places import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: nothing here is loaded for what types alone need
    from collections.abc import Sequence

    from siltstone.store.state.light import Light

MOST_LEFT = 400 * 1024
"""Bytes that are left beside the state database: each hot command that opens it goes through them."""
COMMANDS = frozenset({"event", "hook", "inject", "prune"})


def is_hot(words: "Sequence[str]") -> bool:
    """Whether these words of a command line are for `main`; help is the command line library's."""
    return bool(words) and words[0] in COMMANDS and not {"-h", "--help"} & set(words[1:])


def main(words: "Sequence[str]") -> int:
    """Run a hot command; its exit status. An agent that calls it is never broken: whatever goes wrong is
    one sentence on standard error and status 0. Only misuse, which a person must mend, is status 2, and
    output that cannot be written status 1."""
    try:
        _keep_patterns()
        name = f"siltstone.cli.{words[0]}"
        __import__(name)  # `importlib` takes longer to load than the command's own module
        status: int = sys.modules[name].run(list(words[1:]))
    except Misuse as error:
        note(str(error))
        return Misuse.exit_code
    except Unheard as error:
        note(str(error))
        return Unheard.exit_code
    except SiltError as error:
        note(str(error))
        return 0
    except Exception as error:  # the one broad net of the project: the boundary to a running agent
        _fell(words, f"{words[0]} failed ({type(error).__name__}: {error}); run `silt doctor`")
        return 0
    finally:
        compiled.end()
    return status


def _keep_patterns() -> None:
    try:
        compiled.begin(state_folder(os.environ))
    except OSError:
        return  # the folder we stand in is gone: a command that has to know it says so


def _fell(words: "Sequence[str]", sentence: str) -> None:
    """Tell of a fault nobody thought of; of a hook's in its log, for what it prints is its agent's."""
    if words[0] != "hook":
        note(sentence)
        return
    import time

    from siltstone.cli.hook_log import log

    log(state_folder(os.environ), " ".join(words[1:2]), sentence, time.time())


def given(most: int = -1) -> bytes:
    """Standard input to its end, or so many bytes of it; where it is closed nothing, with a remark."""
    if sys.stdin is None:
        note("standard input is closed, so nothing was told and nothing is done")
        return b""
    return sys.stdin.buffer.read(most)


class Unheard(SiltError):
    """Standard output cannot be written."""


def say(text: str) -> None:
    """As `put`, where a reader that went away is no failure. Raises Unheard."""
    try:
        put(text)
    except BrokenPipeError:
        return
    except OSError as error:
        raise Unheard(
            f"standard output cannot be used ({error.strerror}); mend that, and run this again"
        ) from error


def put(text: str) -> None:
    """To standard output, as UTF-8 whatever the terminal knows. Raises OSError."""
    data = text.encode("utf-8", "replace")
    stream = sys.stdout
    if stream is None:
        return
    try:
        if hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(data)
            stream.buffer.flush()
        else:
            stream.write(data.decode())
    except OSError:
        # What is left in the buffer would fail again as the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


def note(line: str) -> None:
    """A remark beside the result: one line on standard error, with no control characters."""
    if sys.stderr is not None:
        sys.stderr.write(f"silt: {printable(line)}\n")  # which escapes what its encoding lacks


def printable(line: str) -> str:
    """The line with a sign in the place of each character that is none to be shown."""
    # The sign by its number: by its name, compiling this would load `unicodedata`.
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


class State:
    """The state database of one command: opened when it is first wanted, let go at the end of the block. One
    hook in many closes it, and one that deleted something, so that this is gone.

    What could not be opened is not tried again: each try may wait for another process.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._light: Light | None = None
        self._error: SiltError | None = None

    def light(self) -> "Light":
        """The open database; what was wrong with the file is said once. Raises StateError and Locked."""
        if self._error is not None:
            raise self._error
        if self._light is None:
            from siltstone.store.state.light import Light

            try:
                self._light = Light(self.folder)
            except SiltError as error:
                self._error = error
                raise
            for complaint in self._light.complaints:
                note(complaint)
        return self._light

    def __enter__(self) -> "State":
        return self

    def __exit__(self, *_: object) -> None:
        if self._light is None:
            return
        if self._light.erased or self._light.unplaced() > MOST_LEFT:
            self._light.close()
        else:
            let_go(self._light)


def options(argv: "Sequence[str]", valued: "Sequence[str]", flags: "Sequence[str]" = ()) -> dict[str, str]:
    """`--name value`, `--name=value` and flags (with the value "") by name without dashes.

    Raises Misuse for anything else. Of one that is given twice the last counts.
    """
    found: dict[str, str] = {}
    words = iter(argv)
    for word in words:
        name, mark, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in {*valued, *flags}:
            known = ", ".join(f"--{one}" for one in (*valued, *flags))
            raise Misuse(f"{word[:80]!r} is no option here; there are {known}.")
        if name in flags:
            if mark:
                raise Misuse(f"--{name} takes no value.")
            found[name] = ""
            continue
        said = value if mark else next(words, None)
        if said is None:
            raise Misuse(f"--{name} wants a value.")
        found[name] = said
    return found


def whole_number(name: str, said: str, least: int, most: int) -> int:
    """The value of an option that counts something. Raises Misuse."""
    if not (said.isascii() and said.isdigit() and len(said) < 10 and least <= int(said) <= most):
        raise Misuse(f"--{name} wants a number from {least} to {most}, not {said[:40]!r}.")
    return int(said)
