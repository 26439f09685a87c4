"""`python -m benchmarks [--write] [NAME ...]`, from the root of a checkout.

`python -m benchmarks anchors REPO [BRANCH]` measures memories bound to code, over any repository's history.
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Run what is named, or everything; with --write put the figures into docs/benchmarks.md."""
    sys.path.insert(0, str(ROOT / "tests"))  # the fake model and the planted sessions are the tests' own
    from benchmarks import anchors
    from benchmarks.report import document, lines
    from benchmarks.suite import ALL, ALONE, chosen, run

    if sys.argv[1:2] == ["anchors"] and len(sys.argv) > 2:
        anchors.main(Path(sys.argv[2]), *sys.argv[3:4])
        return
    names = [benchmark.name for benchmark in (*ALL, *ALONE)]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=sys.modules["benchmarks"].__doc__
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)} (default: all but kill)"
    )
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md; wants all of them")
    options = parser.parse_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"there is no benchmark {unknown.pop()!r}; there are {', '.join(names)}")
    if options.write and options.names:
        parser.error("--write writes all figures, so it takes no names")
    results = run(
        chosen(options.names), lambda benchmark, figures: print(lines(benchmark, figures), flush=True)
    )
    if options.write:
        text = document(results, datetime.now(UTC).date())
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
