"""Which memories of a scope may be about the same thing, found by the rare words they share.

Near linear: a memory is compared with its few best neighbours, never with all others.
"""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from siltstone.pipeline.merging.likeness import content, fold
from siltstone.store.entry import Stored

COMMON = 24
"""A word that more entries of a scope hold says nothing about them."""
RARE_WORDS = 6
NEIGHBOURS = 4
NEAREST = 24
"""Neighbours of one entry, where only that entry is looked at."""


def related(ordered: Sequence[Stored]) -> list[tuple[int, int]]:
    """Pairs of positions that may be related, the most alike first: each entry with its few best."""
    bags = [content(s.entry.claim) for s in ordered]
    count = Counter(word for bag in bags for word in bag)
    holders: dict[str, list[int]] = defaultdict(list)
    for position, bag in enumerate(bags):
        for word in _rarest(bag, count):
            holders[word].append(position)
    pairs: dict[tuple[int, int], float] = {}
    for position, bag in enumerate(bags):
        scores: Counter[int] = Counter()
        for word in _rarest(bag, count):
            for other in holders[word]:
                scores[other] += 1
        del scores[position]
        best = sorted(scores, key=lambda other: (-scores[other], other))[:NEIGHBOURS]
        for other in best:
            alike = _alike(bag, bags[other], count)
            pairs[min(position, other), max(position, other)] = alike
    return [pair for pair, _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))]


def _rarest(bag: frozenset[str], count: Counter[str]) -> list[str]:
    shared = [word for word in bag if 2 <= count[word] <= COMMON]
    return sorted(shared, key=lambda word: (count[word], word))[:RARE_WORDS]


def _alike(one: frozenset[str], other: frozenset[str], count: Counter[str]) -> float:
    return sum(1 / count[word] for word in one & other) / (1 + min(len(one), len(other)))


def nearest(text: str, texts: Sequence[str]) -> list[int]:
    """Positions of the texts that are most like one, the most alike first."""
    bag = content(text)
    # The words of a bag occur in the text as they are, so most texts need not be cut into words.
    hint = re.compile("|".join(map(re.escape, sorted(bag))))
    bags = {n: content(other) for n, other in enumerate(texts) if bag and hint.search(fold(other))}
    count = Counter(chain.from_iterable(map(bag.intersection, bags.values())))
    scores = {n: alike for n, other in bags.items() if (alike := _alike(bag, other, count))}
    return heapq.nsmallest(NEAREST, scores, key=lambda n: (-scores[n], n))
