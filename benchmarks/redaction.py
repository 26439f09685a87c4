"""Print how well secrets are redacted: misses by kind, harmed lines with their share, and the speed.

    PYTHONPATH=.:tests python benchmarks/redaction.py [--held] [--draws N] [--brief]
    PYTHONPATH=.:tests python benchmarks/redaction.py --told [--held]
    PYTHONPATH=.:tests python benchmarks/redaction.py --found FOLDER ... [--ends py,js] [--brief]
    PYTHONPATH=.:tests python benchmarks/redaction.py --speed [FILE ...]

Without --held only the open two thirds are looked at; with it, only the held-back third. --told looks at 500
passwords in each open place, or with --held in each one held out, and shows no text of those. --found prints
what is hidden in the files of folders: in published source and documentation it is a false alarm or an
invented credential. --speed takes the time of the corpus or of the files, and of texts made to be slow.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from support.redaction_corpus import blocks, cases
from support.redaction_score import Harm, Miss, distinct_lines, harms, misses
from support.told_passwords import told

from siltstone.store.redaction import MARK, redact


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="look at the held-back third")
    parser.add_argument("--draws", type=int, default=3, help="how often each case is drawn (default: 3)")
    parser.add_argument("--brief", action="store_true", help="figures only, no shapes and no lines")
    parser.add_argument("--told", action="store_true", help="look at told passwords instead")
    parser.add_argument("--found", action="store_true", help="print what is hidden in files instead")
    parser.add_argument("--ends", default="py,js,rs,md,rst,txt,html", help="how names of those files end")
    parser.add_argument("--speed", action="store_true", help="take the time instead")
    parser.add_argument("files", nargs="*", type=Path, help="what to look at, or to take the time of")
    options = parser.parse_args(arguments)
    if options.speed:
        _print_speed(options.files)
    elif options.told:
        _print_told(options.held)
    elif options.found:
        _print_found(options.files, tuple("." + end for end in options.ends.split(",")), options.brief)
    else:
        _print_misses(options.held, options.draws, options.brief)
        _print_harms(options.brief)


PASSWORDS = 500


def _print_told(held: bool) -> None:
    rows = list(told(PASSWORDS, held))
    left = [row for row in rows if row.left(_redacted(row.text))]
    places = len({row.place for row in rows})
    print(f"{len(left)} of {len(rows)} are left, {PASSWORDS} passwords in {places} places")
    if not held:
        for place, count in Counter(row.place for row in left).most_common():
            example = next(row for row in left if row.place == place)
            print(f"  {place}: {count}, {_redacted(example.text)!r}")


LARGEST = 2_000_000
"""Bytes of a file; a larger one is data."""


def _print_found(folders: Sequence[Path], ends: tuple[str, ...], brief: bool) -> None:
    """MB are millions of characters; a text that stands in two files counts once."""
    seen: set[int] = set()
    size = count = 0
    for file in sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in ends):
        if not file.is_file() or file.stat().st_size > LARGEST:
            continue
        text = file.read_text("utf-8", "replace")
        if hash(text) in seen:
            continue
        seen.add(hash(text))
        size += len(text)
        hidden = redact(text)
        count += len(hidden.found)
        for line in hidden.text.splitlines() if hidden.found and not brief else ():
            if MARK in line and MARK not in text:
                print(f"{file.name}: {line.strip()[:160]}")
    print(f"{count} found in {size / 1e6:.1f} MB of {len(seen)} files: {count / size * 1e6:.2f} a MB")


SLOW = ("key=", "token ", "密码是", "https://a:b@", "?sig=", "curl -u a:b ", "pat_", "-eyJ", "<private>")
SLOW_LENGTH = 20_000


def _print_speed(files: Sequence[Path]) -> None:
    """MB are millions of characters, seconds those of the processor."""
    texts = [file.read_text("utf-8", "replace") for file in files]
    texts = texts or [case.text for case in cases(3)] + ["\n".join(block.lines) for block in blocks()]
    size = sum(map(len, texts))
    for times in ("first", "again"):
        seconds = _seconds(texts)
        print(f"{times}: {len(texts) / seconds:,.0f} texts/s, {size / seconds / 1e6:.2f} MB/s")
    for piece in SLOW:
        once, twice = (
            _seconds([piece * (length // len(piece))]) for length in (SLOW_LENGTH, 2 * SLOW_LENGTH)
        )
        each = once / SLOW_LENGTH * 1e6
        print(f"{piece!r}: {each:.1f} µs a character, {twice / once:.1f} times as long for twice the length")


def _seconds(texts: Sequence[str]) -> float:
    begun = time.process_time()
    for text in texts:
        redact(text)
    return time.process_time() - begun


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
