"""Made-up text from a seed: output of tools, sentences, memories. The same seed, the same text."""

import random
from itertools import accumulate, product

_COMMON = """
the build server queue retries each request after a timeout of seconds because its cache was stale when
deploys began so workers reload config from storage and report metrics to dashboard while tests cover
parser tokens schema index column batch stream buffer socket thread signal handler logger router client
session cookie header payload invoice customer order basket shipping address currency rounding discount
release branch merge commit rebase review issue ticket owner deadline budget region bucket backup restore
"""
_SHORT = """
a i to of we it is and you that in my for on so was not be at do if but they have had me
"""
WORDS = _COMMON.split()
SHORT = _SHORT.split()
VOCABULARY = 20_000
LENGTHS = (1, 1, 2, 3, 5, 8, 15, 30, 60, 120, 200)
"""Lines of a tool's output, each length as likely as the next: half under ten, a few of hundreds."""
_CODE = (
    "/src/lib/x.py:10:",
    'error: "quoted"',
    "\timport os",
    "def run(self):",
    "-rw-r--r-- 1",
    "100%",
    "==",
)


class Prose:
    """A source of text."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
        self._words = [*WORDS, *_made_up(VOCABULARY - len(WORDS))]
        self._outputs = [self._output(length) for length in LENGTHS for _ in range(4)]
        self._blobs = [self._random.randbytes(n).hex() for n in range(200, 1000, 20)]

    def output(self) -> str:
        """What a tool printed: a few dozen bytes to ten kilobytes."""
        return self._random.choice(self._outputs)

    def blob(self) -> str:
        """What a provider seals of the model's thoughts: half a kilobyte to two."""
        return self._random.choice(self._blobs)

    def sentence(self, words: int) -> str:
        """Words, as common and as rare as in any language (Zipf), a capital and a full stop."""
        chosen = self._random.choices(self._words, cum_weights=self._weights, k=words)
        return " ".join(chosen).capitalize() + "."

    def sentences(self, count: int) -> str:
        """So many of them, of twelve words each."""
        return " ".join(self.sentence(12) for _ in range(count))

    def talk(self, words: int) -> str:
        """Plain English, as people chat: about four and a half characters a token."""
        pairs = zip(self._random.choices(SHORT, k=words), self._random.choices(WORDS, k=words), strict=True)
        return " ".join(pair[self._random.random() < 0.4] for pair in pairs).capitalize() + "."

    def made_up(self) -> str:
        """One word that hardly anybody uses."""
        return self._random.choice(self._words[-1000:])

    def number(self, below: int) -> int:
        return self._random.randrange(below)

    def _output(self, lines: int) -> str:
        pool = [*WORDS[::4], *_CODE]
        return "\n".join(" ".join(self._random.choices(pool, k=8)) for _ in range(lines))


def _made_up(count: int) -> list[str]:
    """Words of three syllables, all different."""
    syllables = [one + other for one, other in product("bdfgklmnprstvz", "aeiou")]
    step = len(syllables) ** 3 // count
    every = product(syllables, repeat=3)
    return ["".join(word) for number, word in enumerate(every) if number % step == 0][:count]
