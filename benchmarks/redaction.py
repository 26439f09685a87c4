"""Print how well secrets are redacted: misses by kind, harmed lines with their share.

    PYTHONPATH=.:tests python benchmarks/redaction.py [--held] [--draws N] [--brief]

Without --held only the open two thirds are looked at; with it, only the held-back third.
"""

import argparse
import sys
from collections import Counter

from support.redaction_corpus import blocks, cases
from support.redaction_score import Harm, Miss, distinct_lines, harms, misses

from siltstone.store.redaction import redact


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="look at the held-back third")
    parser.add_argument("--draws", type=int, default=3, help="how often each case is drawn (default: 3)")
    parser.add_argument("--brief", action="store_true", help="figures only, no shapes and no lines")
    options = parser.parse_args(arguments)
    _print_misses(options.held, options.draws, options.brief)
    _print_harms(options.brief)


def _redacted(text: str) -> str:
    return redact(text).text


def _print_misses(held: bool, draws: int, brief: bool) -> None:
    drawn = [case for case in cases(draws) if case.held is held]
    shapes = {(case.kind, case.shape) for case in drawn}
    found = misses(_redacted, drawn)
    missed = Counter((miss.case.kind, miss.case.shape) for miss in found)
    kinds = len({kind for kind, _ in shapes})
    print(f"{'held' if held else 'open'}: {len(shapes)} cases of {kinds} kinds, {draws} draws each")
    missed_kinds = len({kind for kind, _ in missed})
    print(f"missed: {len(missed)} cases ({len(found)} of {len(drawn)} draws) of {missed_kinds} kinds")
    if not brief:
        for (kind, shape), count in missed.items():
            example = next(miss for miss in found if (miss.case.kind, miss.case.shape) == (kind, shape))
            print(f"  {kind}: {count}/{draws} {shape}\n      {_extent(example)}")


def _extent(miss: Miss) -> str:
    return "whole" if miss.survivor in miss.case.secrets else f"in part: {miss.after[:200]!r}"


def _print_harms(brief: bool) -> None:
    benign = blocks()
    lines = distinct_lines(benign)
    found = harms(_redacted, benign)
    share = len(found) / lines.total()
    print(f"benign: {lines.total()} lines of {len(lines)} kinds, harmed {len(found)} ({share:.2%})")
    if not brief:
        for harm in found:
            print(f"  {_line(harm)}")


def _line(harm: Harm) -> str:
    return f"{harm.kind}: {harm.before[:160]}"


if __name__ == "__main__":
    main(sys.argv[1:])
