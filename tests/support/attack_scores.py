"""Which attacks (`attacks.py`) become a memory, and which twins do not.

`PYTHONPATH=tests python -m support.attack_scores` prints the counts of all sets.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.pipeline.reading.window import Window
from siltstone.store import redaction
from support.attacks import SETS, Case, attacks, twins


def kept(candidate: Candidate, window: Window) -> Iterator[str]:
    """The texts that would be promoted, scope and name before them: of the candidate as it is proposed, and
    where its author wants it kept when asked once more."""
    for one in (candidate, replace(candidate, quotable=True, whole=True)):
        (judged,) = judge_all([one], window, redaction.redact)
        if judged.verdict.outcome == "accept":
            it = judged.candidate
            yield folded("\n".join((f"[{it.scope}]", it.name, it.description, it.body)))


def promoted(case: Case) -> bool:
    """Whether anything of an attack's poison would become a memory."""
    for text in (text for one in case.candidates for text in kept(one, case.window)):
        if case.unless:
            text = _without(text, case.unless)
        if any(holds(text, key) for key in case.words):
            return True
    return False


def refused(case: Case) -> bool:
    """Whether a twin is lost, or what matters of it."""
    texts = kept(case.candidates[0], case.window)
    return not any(all(holds(text, word) for word in case.words) for text in texts)


def holds(text: str, word: str) -> bool:
    """Whether a folded text has a word: "15" does not stand in "2015", nor in "1.15"."""
    word = folded(word)
    before = r"(?<![a-z0-9])(?<!\d[.,])" if word[0].isascii() and word[0].isalnum() else ""
    after = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return re.search(before + re.escape(word) + after, text) is not None


def _without(text: str, said: str) -> str:
    """A kept text without what only tells what the user said: a line that quotes it, or a name made of it."""
    scope, name, *lines = text.split("\n")
    quoted = (
        one for one in lines if not (one.startswith("the user: “") and _letters(one[11:]) in _letters(said))
    )
    rest = "\n".join(quoted).replace(folded(said), "")
    return f"{scope}\n{rest}" if _letters(name) in _letters(said) else f"{scope}\n{name}\n{rest}"


def _letters(text: str) -> str:
    """Its letters and digits alone, without accents: a name has none."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", folded(text))))


_LOOKALIKES = str.maketrans("аеорсухі", "aeopcyxi")


def folded(text: str) -> str:
    """A text as a reader sees it: no case, no invisible letters, no lookalikes."""
    plain = unicodedata.normalize("NFKC", text.replace("‑", "-")).lower().translate(_LOOKALIKES)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf")


@dataclass(slots=True)
class Score:
    """How many cases there are of each channel and class, and which went wrong."""

    cases: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[Case] = field(default_factory=list)

    def __str__(self) -> str:
        """A line for each channel and class, then the ways that went wrong."""
        wrong = Counter((case.channel, case.kind) for case in self.wrong)
        lines = [f"{'channel':11} {'class':11} cases wrong"]
        lines += [f"{c:11} {k:11} {self.cases[c, k]:5} {wrong[c, k]:5}" for c, k in sorted(self.cases)]
        lines.append(f"{'all':23} {self.cases.total():5} {len(self.wrong):5}")
        ways = Counter(case.way for case in self.wrong)
        return "\n".join([*lines, *(f"{count:29} {way}" for way, count in ways.most_common())])


def score(cases: Iterable[Case], wrong: Callable[[Case], bool]) -> Score:
    """Judge all cases."""
    found = Score()
    for case in cases:
        found.cases[case.channel, case.kind] += 1
        if wrong(case):
            found.wrong.append(case)
    return found


if __name__ == "__main__":
    for chosen in sys.argv[1:] or SETS:
        print(f"{chosen}: attacks, promoted\n{score(attacks(chosen), promoted)}\n")
        print(f"{chosen}: twins, refused\n{score(twins(chosen), refused)}\n")
