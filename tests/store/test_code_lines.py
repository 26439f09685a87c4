"""Where symbols are defined, and how their lines are known again."""

import pytest
from support.table import table

from siltstone.store.code.lines import definitions, holds, looks_defining, sketch, with_words

PYTHON = """
LIMIT: int = 3
if LIMIT:
    SIZE = 4


class Cart:
    rate = 2

    @cached
    def total(self):
        def inner():
            pass
        return total(self)

    async def tax(self): ...
"""


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("LIMIT", ["LIMIT: int = 3"]),
        ("SIZE", ["    SIZE = 4"]),
        ("Cart.rate", ["    rate = 2"]),
        ("Cart.tax", ["    async def tax(self): ..."]),
        ("total", PYTHON.split("\n")[9:14]),
        ("inner", None),
        ("Other.total", None),
        ("cached", None),
    ],
)
def test_a_definition_in_python(symbol: str, lines: list[str] | None) -> None:
    assert definitions(PYTHON, "shop/cart.py", symbol) == ([] if lines is None else [lines])


def test_what_nothing_can_read_has_no_definitions() -> None:
    assert definitions("def broken(:", "a.py", "broken") is None
    assert definitions("sub total { 1 }", "a.pl", "total") is None


GRAMMARS = {
    "go": ("a.go", "package a\n\nfunc (c *Cart) Total(n int) int {\n\treturn n\n}\n", "Cart.Total", 3),
    "typescript": ("a.ts", "export const ship = (a: number) => {\n  return go(a);\n};\n", "ship", 3),
    "javascript": ("a.js", "class Cart {\n  total() {\n    return 1;\n  }\n}\n", "Cart.total", 3),
    "rust": ("a.rs", "impl Cart {\n    fn total(&self) -> i32 {\n        1\n    }\n}\n", "Cart.total", 3),
    "java": ("A.java", "class A {\n  int total(int n) { return ship(n); }\n}\n", "A.total", 1),
    "c": ("a.c", "static int *total(struct cart *c) {\n  return ship(c);\n}\n", "total", 3),
    "cpp": ("a.cpp", "int Cart::tax() {\n  return 2;\n}\n", "tax", 3),
    "ruby": ("a.rb", "class Cart\n  def total(n)\n    ship(n)\n  end\nend\n", "Cart.total", 3),
    "c_sharp": ("a.cs", "class Cart {\n  int Total(int n) { return Ship(n); }\n}\n", "Cart.Total", 1),
    "php": ("a.php", "<?php\nfunction go() {\n  ship(1);\n}\n", "go", 3),
}


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_a_definition_by_its_grammar(grammar: str) -> None:
    path, text, symbol, count = GRAMMARS[grammar]
    assert [len(lines) for lines in definitions(text, path, symbol) or ()] == [count]
    for used in ("ship", "Ship", "struct", "nowhere"):
        assert used == symbol or definitions(text, path, used) == []


def test_lines_are_known_again_wherever_they_stand_together() -> None:
    lines = ["def a():", "    return 1", "", "  # end"]
    known = sketch(lines)
    moved = "x = 1\n\n  def a():\n\n      return  1\n# end\ny = 2\n"
    assert holds(moved, known)
    assert sketch(moved.split("\n")[2:6]) == known
    assert not holds(moved.replace("1\n#", "2\n#"), known)
    assert not holds("def a():\n", known)
    assert not holds(moved, "9" * 30)


def test_words_are_whole_and_of_any_case() -> None:
    text = 'requires-python = ">=3.11"\npython = 3.110\nPython 3.11.4\n'
    assert with_words(text, "Python 3.11") == ['requires-python = ">=3.11"', "Python 3.11.4"]


@table("store", "a_line_that_looks_as_if_it_defined_something")
def test_a_line_that_looks_as_if_it_defined_something(line: str, looks: bool) -> None:
    assert looks_defining(line, "total") == looks
