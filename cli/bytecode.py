"""The bytecode of our modules in one file, for hot commands (docs/benchmarks.md).

A hook loads some sixty modules, and to find and to open each takes a fifth of its time. The file is made
when hooks are installed, or behind the first one (`cli/hook_ready.py`), stands in `__pycache__`, beside what
Python keeps of each module, and is trusted no more than that. As there, the time and the size of a source
stand with its bytecode: a module that was changed since is loaded as ever. So is every one where there is no
such file; it may be deleted at any time. Of Python's modules in C that hooks load, it says where they are.
"""

import _frozen_importlib_external as _external
import _imp
import marshal
import os
import sys

import siltstone
from siltstone.store.light_cache import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Stamp = tuple[int, int]
    """Time of the last change in nanoseconds, and bytes."""
    Index = dict[str, bytes]
    """By the name of a module, as `marshal` has them, for a hook needs few: its file, below our folder or
    absolute, and its stamp; where behind the index its bytecode begins, and how long it is; 0 for one in
    C."""

_ROOT = os.path.dirname(siltstone.__file__)
_PACKAGE = f"{os.sep}__init__.py"
_NAME = "modules."
_KIND = f"siltstone 2 {sys.version}\n".encode()
"""How a file begins that this Python wrote: no other is looked at, for `marshal` trusts its bytes."""
_WIDTH = 8
"""Bytes behind that, which tell how long the index is; it follows, and then all bytecode."""
_IN_C = ("_json", "_sqlite3", "math", "select")
"""Modules of Python's that are looked for in five folders, unless they are part of the interpreter."""
_UNREADABLE = (OSError, ValueError, EOFError, TypeError, AttributeError, OverflowError)
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
    files = dict(_files())
    try:
        handle = _open()
        try:
            index, _ = _index(handle)
        finally:
            os.close(handle)
        if {name: marshal.loads(told)[:2] for name, told in index.items()} == files:  # noqa: S302
            return False
    except _UNREADABLE:
        pass
    return _write(files)


def drop() -> None:
    """Take the file away, of whichever Python."""
    from siltstone.store.compiled import unlink_all

    if _path():
        unlink_all(os.path.dirname(_path()), _NAME)


class _Finder:
    """Finds and loads modules that are as they were when the file was made."""

    def __init__(self, handle: int, index: "Index", behind: int) -> None:
        self._handle = handle
        self._index = index
        self._behind = behind

    def find_spec(self, name: str, within: object = None, target: object = None) -> "ModuleSpec | None":
        """As `importlib.abc.MetaPathFinder` has it."""
        told = self._index.get(name)
        if told is None:
            return None
        try:
            path, stamp, at, length = marshal.loads(told)  # noqa: S302
            path = os.path.join(_ROOT, path)
            if _stamp(path) != stamp:
                return None
            if not length:
                return _spec(name, _external.ExtensionFileLoader(name, path), path)
            code = marshal.loads(os.pread(self._handle, length, self._behind + at))  # noqa: S302
            if code.co_filename != path:  # the folder was moved
                _imp._fix_co_filename(code, path)  # type: ignore[attr-defined]
        except _UNREADABLE:
            return None
        spec = _spec(name, self, path, code)
        spec.cached = _path()  # whence it comes; else Python makes up the name of a file for each
        if path.endswith(_PACKAGE):
            spec.submodule_search_locations = [path.removesuffix(_PACKAGE)]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """As `importlib.abc.Loader` has it: an ordinary module."""

    def exec_module(self, module: "ModuleType") -> None:
        """As `importlib.abc.Loader` has it."""
        spec: Any = module.__spec__
        exec(spec.loader_state, module.__dict__)  # noqa: S102


def _spec(name: str, loader: "Any", path: str, state: object = None) -> "ModuleSpec":
    spec: ModuleSpec = type(siltstone.__spec__)(name, loader, origin=path, loader_state=state)
    spec.has_location = True
    return spec


@lru_cache(maxsize=1)
def _path() -> str:
    """Of the file; "" where Python keeps no bytecode."""
    kept = siltstone.__spec__ and siltstone.__spec__.cached
    if not kept or sys.flags.optimize:
        return ""
    return os.path.join(os.path.dirname(kept), f"{_NAME}{sys.implementation.cache_tag}")


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


def _stamp(path: str) -> "Stamp":
    """Raises OSError."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size


def _files() -> "Iterator[tuple[str, tuple[str, Stamp]]]":
    """Of our modules and of those in C the files, as the index has them, and their stamps."""
    paths = list(_in_c())
    for folder, folders, files in os.walk(_ROOT, followlinks=True):
        folders[:] = [one for one in folders if one.isidentifier() and one != "__pycache__"]
        for file in files:
            name, ending = os.path.splitext(file)
            if ending == ".py" and name.isidentifier():
                path = os.path.join(os.path.relpath(folder, _ROOT), file).removeprefix(f".{os.sep}")
                paths.append((_name(path), path))
    for name, path in paths:
        try:
            yield name, (path, _stamp(os.path.join(_ROOT, path)))
        except OSError:
            continue  # it went away, or is a link to nothing


def _in_c() -> "Iterator[tuple[str, str]]":
    """Python's own modules in C, and where they stand: in its own folder, whatever paths whoever began this
    process has put before that."""
    from sysconfig import get_config_var

    folder = get_config_var("DESTSHARED")
    for name in _IN_C if folder else ():
        spec = _external.PathFinder.find_spec(name, [folder])
        if spec and spec.origin and isinstance(spec.loader, _external.ExtensionFileLoader):
            yield name, spec.origin


def _name(path: str) -> str:
    """Of the module in a file below our folder."""
    return f"siltstone{os.sep}{path}".removesuffix(_PACKAGE).removesuffix(".py").replace(os.sep, ".")


def _write(found: "dict[str, tuple[str, Stamp]]") -> bool:
    """Whether it could be written."""
    beside = f"{_path()}.{os.getpid()}"
    try:
        with open(beside, "wb") as file:  # first, for to compile all takes a second
            file.write(_whole(found))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, _path())
    except OSError:
        from siltstone.store.compiled import unlink

        unlink(beside)
        return False
    return True


def _whole(found: "dict[str, tuple[str, Stamp]]") -> bytes:
    codes: list[bytes] = []
    index: Index = {}
    at = 0
    for name, (path, stamp) in found.items():
        if name in _IN_C:
            index[name] = marshal.dumps((path, stamp, 0, 0))
            continue
        try:
            code = _external.SourceFileLoader(name, os.path.join(_ROOT, path)).get_code(name)
        except (OSError, SyntaxError, ValueError):
            continue  # whoever loads it is told
        codes.append(marshal.dumps(code))
        index[name] = marshal.dumps((path, stamp, at, len(codes[-1])))
        at += len(codes[-1])
    told = marshal.dumps(index)
    return b"".join([_KIND, len(told).to_bytes(_WIDTH, "little"), told, *codes])
