"""The bytecode of our modules in one file, for hot commands (docs/benchmarks.md).

A hook loads some sixty modules, and to find and to open each takes a fifth of its time. The file is made
when hooks are installed (`cli/hook_ready.py`), and stands in `__pycache__`, beside what Python keeps of each
module, and is trusted no more than that. As there, the time and the size of a source stand with its bytecode:
a module that was changed since is loaded as ever. So is every one where there is no such file; it may be
deleted at any time.
"""

import _imp
import marshal
import os
import sys

import siltstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Stamp = tuple[int, int]
    """Time of the last change in nanoseconds, and bytes."""
    Index = dict[str, tuple[Stamp, int, int]]
    """By the name of a module: of its source, and where behind the index its bytecode begins, and how long it
    is."""

_ROOT = os.path.dirname(siltstone.__file__)
_KIND = f"siltstone 1 {sys.version}\n".encode()
"""How a file begins that this Python wrote: no other is looked at, for `marshal` trusts its bytes."""
_WIDTH = 8
"""Bytes behind that, which tell how long the index is; it follows, and then all bytecode."""
_UNREADABLE = (OSError, ValueError, EOFError, TypeError)
"""What a torn file raises."""


def use() -> None:
    """Take modules from the file from now on, where there is one."""
    try:
        handle = _open()
    except OSError:
        return
    try:
        sys.meta_path.insert(0, _Finder(handle, *_index(handle)))
    except _UNREADABLE:
        os.close(handle)


def make() -> bool:
    """Make the file where it is not as the sources are; whether it was made. Where none can be written, there
    is none."""
    if sys.dont_write_bytecode or not _path():
        return False
    stamps = dict(_stamps())
    try:
        handle = _open()
        try:
            index, _ = _index(handle)
        finally:
            os.close(handle)
        if {name: stamp for name, (stamp, _, _) in index.items()} == stamps:
            return False
    except _UNREADABLE:
        pass
    return _write(stamps)


def drop() -> None:
    """Take the file away."""
    _unlink(_path())


class _Finder:
    """Finds and loads modules that are as they were when the file was made."""

    def __init__(self, handle: int, index: "Index", behind: int) -> None:
        self._handle = handle
        self._index = index
        self._behind = behind

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """As `importlib.abc.MetaPathFinder` has it."""
        stamp, at, length = self._index.get(name, (None, 0, 0))
        if stamp is None:
            return None
        source = _source(name)
        try:
            if _stamp(source) != stamp:
                return None
            code = marshal.loads(os.pread(self._handle, length, self._behind + at))  # noqa: S302
        except _UNREADABLE:
            return None
        if code.co_filename != source:  # the folder was moved
            _imp._fix_co_filename(code, source)  # type: ignore[attr-defined]
        spec: ModuleSpec = type(siltstone.__spec__)(name, self, origin=source, loader_state=code)  # type: ignore[arg-type]
        spec.has_location = True
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """As `importlib.abc.Loader` has it: an ordinary module."""

    def exec_module(self, module: "ModuleType") -> None:
        """As `importlib.abc.Loader` has it."""
        spec: Any = module.__spec__
        exec(spec.loader_state, module.__dict__)  # noqa: S102


def _path() -> str:
    """Of the file; "" where Python keeps no bytecode."""
    kept = siltstone.__spec__ and siltstone.__spec__.cached
    if not kept or sys.flags.optimize:
        return ""
    return os.path.join(os.path.dirname(kept), f"modules.{sys.implementation.cache_tag}")


def _open() -> int:
    """Raises OSError. A pipe in its place is not waited for."""
    return os.open(_path(), os.O_RDONLY | os.O_NONBLOCK)


def _index(handle: int) -> "tuple[Index, int]":
    """The index, and where it ends. Raises what is in _UNREADABLE."""
    if os.read(handle, len(_KIND)) != _KIND:
        raise ValueError("of another Python")
    length = int.from_bytes(os.read(handle, _WIDTH), "little")
    index: Index = marshal.loads(os.read(handle, length))  # noqa: S302
    return index, len(_KIND) + _WIDTH + length


def _source(name: str) -> str:
    return os.path.join(_ROOT, *name.split(".")[1:]) + ".py"


def _stamp(path: str) -> "Stamp":
    """Raises OSError."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


def _stamps() -> "Iterator[tuple[str, Stamp]]":
    """Of our modules, without packages: beside those stands data, for which their own loader is asked."""
    for folder, folders, files in os.walk(_ROOT, followlinks=True):
        folders[:] = [one for one in folders if one.isidentifier() and one != "__pycache__"]
        within = os.path.relpath(folder, os.path.dirname(_ROOT)).split(os.sep)
        for file in files:
            name, ending = os.path.splitext(file)
            if ending != ".py" or not name.isidentifier() or name.startswith("__"):
                continue
            try:
                stamp = _stamp(os.path.join(folder, file))
            except OSError:
                continue  # it went away, or is a link to nothing
            yield ".".join([*within, name]), stamp


def _write(stamps: "dict[str, Stamp]") -> bool:
    """Whether it could be written."""
    beside = f"{_path()}.{os.getpid()}"
    try:
        with open(beside, "wb") as file:  # first, for to compile all takes a second
            file.write(_whole(stamps))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, _path())
    except OSError:
        _unlink(beside)
        return False
    return True


def _whole(stamps: "dict[str, Stamp]") -> bytes:
    from importlib.machinery import SourceFileLoader

    codes: list[bytes] = []
    index: Index = {}
    at = 0
    for name, stamp in stamps.items():
        try:
            code = SourceFileLoader(name, _source(name)).get_code(name)
        except (OSError, SyntaxError, ValueError):
            continue  # whoever loads it is told
        codes.append(marshal.dumps(code))
        index[name] = (stamp, at, len(codes[-1]))
        at += len(codes[-1])
    told = marshal.dumps(index)
    return b"".join([_KIND, len(told).to_bytes(_WIDTH, "little"), told, *codes])


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
