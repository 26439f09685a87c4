"""Lines of code: where a symbol is defined, which lines hold words, and sketches to know them again.

Python is read by `ast`; other languages by tree-sitter where its packages are installed (the extra
`symbols`). A sketch is found again without either, as long as the same lines stand together.
"""

import ast
import importlib
import re
import warnings
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

GRAMMARS = {
    "c": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "cs": "c_sharp",
    "go": "go",
    "h": "c",
    "hpp": "cpp",
    "java": "java",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "php": "php.language_php",
    "rb": "ruby",
    "rs": "rust",
    "ts": "typescript.language_typescript",
    "tsx": "typescript.language_tsx",
}
"""File extension → the package `tree_sitter_…` and, where it has several grammars, the function."""
_DEFINES = re.compile(
    r"(?!parameter|import|export|jsx|package|using|namespace_use|optional|required|formal)"
    r"(.*(declaration|definition|declarator|item|spec|elem|signature|specifier)$|class$|module$|.*method$)"
)
"""Types of tree-sitter's nodes that define what stands in their field `name`."""
_SKETCH = re.compile(r"(\d{1,6})-([0-9a-f]{8})-[0-9a-f]{12}")
MAX_LINE = 500
"""Characters of a line that are looked at: what is longer was written by a program."""
MAX_STARTS = 50
"""Lines like the first one of a sketch, from which the others are looked for."""
_DEFINING = (
    r"\b(?:func|function|def|fn|class|type|interface|struct|enum|trait|module|record|const|let|var|val|static)"
    r"\s+(?:\([^)]*\)\s*)?(?:[\w:<>,*&\[\]]+\s+){{0,2}}(?:[\w]+[.:]+)?[*&]*{0}(?!\w)"
    r"|\bfunc\s*\([^)]*(?<!\w){0}(?:\[[^)]*)?\)|(?<!\w){0}\s*\([^)]*\)[^;=]*\{{\s*$|^\s*{0}\s*(?::[^=]*)?=(?!=)"
)


def definitions(text: str, path: str, symbol: str) -> list[list[str]] | None:
    """The lines of each definition of a symbol (`Git.run`, `run`) in a file.

    None where nothing can tell: the language is not known, or the file does not parse.
    """
    extension = path.rpartition(".")[2].lower()
    spans: Sequence[tuple[str, int, int]] | None = None
    if extension in ("py", "pyi"):
        spans = _in_python(text)
    elif extension in GRAMMARS:
        spans = _by_grammar(text, GRAMMARS[extension], symbol.rpartition(".")[2])
    if spans is None:
        return None
    lines = text.split("\n")
    wanted = f".{symbol}"
    return [lines[start:end] for name, start, end in spans if f".{name}".endswith(wanted)]


@lru_cache(maxsize=64)
def _in_python(text: str) -> tuple[tuple[str, int, int], ...] | None:
    """(dotted name, first line, line behind the last) of what modules and classes define.

    None for what is no Python.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

    def walk(body: Sequence[ast.stmt], above: str) -> Iterator[tuple[str, int, int]]:
        for node in body:
            end = node.end_lineno or node.lineno
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                yield f"{above}{node.name}", first - 1, end
                if isinstance(node, ast.ClassDef):
                    yield from walk(node.body, f"{above}{node.name}.")
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for one in targets:
                    if isinstance(one, ast.Name):
                        yield f"{above}{one.id}", node.lineno - 1, end
            elif isinstance(node, (ast.If, ast.Try)):
                yield from walk([*node.body, *node.orelse], above)

    return tuple(walk(tree.body, ""))


def _by_grammar(text: str, grammar: str, name: str) -> list[tuple[str, int, int]] | None:
    """The same for all that is called `name`; None where the grammar is not installed."""
    if _parser(grammar) is None:
        return None
    data = text.encode("utf-8", "replace")
    found = {}
    for match in re.finditer(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)", data):
        node = _tree(grammar, data).root_node.descendant_for_byte_range(match.start(), match.end())
        defined = _definition(node)
        if defined is not None:
            span = (defined.start_point[0], defined.end_point[0] + 1)
            found[span] = (f"{_owner(defined, data)}{name}", *span)
    return list(found.values())


def _definition(name: Any) -> Any:
    """The node that defines what the node of a name names; None where the name is only used."""
    node = name
    while node.parent is not None:
        above = node.parent
        if above.child_by_field_name("declarator") == node and above.type != "init_declarator":
            node = above  # C: the name stands below the declarator
            if above.type.endswith("definition"):
                return above
            continue
        named = above.child_by_field_name("name") == node
        if named and above.type == "qualified_identifier":
            node = name = above  # C++: Cart::tax
            continue
        if named and node == name and _DEFINES.match(above.type):
            is_used = above.type.endswith("_specifier") and above.child_by_field_name("body") is None
            return None if is_used else above
        return None
    return None


def _owner(node: Any, data: bytes) -> str:
    """ "Git." of a method of Git."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:  # Go
        words = re.findall(rb"\w+", data[receiver.start_byte : receiver.end_byte])
        return f"{words[1 if len(words) > 1 else 0].decode()}." if words else ""
    above = node.parent
    while above is not None:
        named = above.child_by_field_name("name") or (
            above.child_by_field_name("type") if above.type == "impl_item" else None
        )
        if named is not None and re.search("class|struct|interface|trait|impl|enum|module", above.type):
            return f"{data[named.start_byte : named.end_byte].decode('utf-8', 'replace')}."
        above = above.parent
    return ""


@lru_cache(maxsize=32)
def _parser(grammar: str) -> Any:
    package, _, function = grammar.partition(".")
    try:
        tree_sitter = importlib.import_module("tree_sitter")
        language = getattr(importlib.import_module(f"tree_sitter_{package}"), function or "language")
        return tree_sitter.Parser(tree_sitter.Language(language()))
    except (ImportError, AttributeError, TypeError, ValueError):
        return None


@lru_cache(maxsize=32)
def _tree(grammar: str, data: bytes) -> Any:
    return _parser(grammar).parse(data)


def with_words(text: str, words: str) -> list[str]:
    """The lines that hold all of the words, in any case."""
    found = text.split("\n")
    for word in words.split():
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.I)
        found = [line for line in found if pattern.search(line)]
    return found


def looks_defining(line: str, name: str) -> bool:
    """Whether a line looks as if it defined a name, in any language."""
    return re.search(_DEFINING.format(re.escape(name)), line[:MAX_LINE]) is not None


def sketch(lines: Sequence[str]) -> str:
    """By what lines are known again, white space aside: their number, a mark of the first, a mark of all."""
    told = _plain(lines)
    whole = sha256("\n".join(told).encode("utf-8", "replace")).hexdigest()[:12]
    return f"{len(told)}-{_mark(told[0]) if told else ''}-{whole}"


def holds(text: str, known: str) -> bool:
    """Whether the lines of a sketch still stand together somewhere in a text."""
    form = _SKETCH.fullmatch(known)
    if form is None:
        return False
    lines = _plain(text.split("\n"))
    starts = [at for at, line in enumerate(lines) if _mark(line) == form[2]]
    return any(sketch(lines[at : at + int(form[1])]) == known for at in starts[:MAX_STARTS])


def _plain(lines: Sequence[str]) -> list[str]:
    return [plain for line in lines if (plain := " ".join(line.split()))]


def _mark(line: str) -> str:
    return f"{zlib.crc32(line.encode('utf-8', 'replace')):08x}"
