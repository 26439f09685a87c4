"""Fill the slots of the redaction corpus with seeded random material.

The corpus holds shapes, never secrets: `⟨36 alnum⟩` becomes 36 letters and digits when a test
runs. The same seed gives the same text on every machine and every Python.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

_SLOT = re.compile("⟨([^⟨⟩]*)⟩")
_LETTERS = ascii_lowercase + ascii_uppercase
_BECH = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
ALPHABETS: Mapping[str, str] = {
    "digit": digits,
    "hex": digits + "abcdef",
    "HEX": digits + "ABCDEF",
    "lower": ascii_lowercase,
    "upper": ascii_uppercase,
    "letter": _LETTERS,
    "alnum": _LETTERS + digits,
    "lowernum": ascii_lowercase + digits,
    "uppernum": ascii_uppercase + digits,
    "b32": ascii_uppercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "b64": _LETTERS + digits + "+/",
    "url": _LETTERS + digits + "-_",
    "bech": _BECH,
    "BECH": _BECH.upper(),
    "pun": _LETTERS + digits + "!@#$%^&*(-_=+)",
}


def words(file: Path) -> dict[str, tuple[str, ...]]:
    """Read lists of words, a list a line: `name: word word …`."""
    lines = file.read_text("utf-8").splitlines()
    return {name: tuple(rest.split()) for name, _, rest in (line.partition(": ") for line in lines)}


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills slots out of one random generator and the lists of words."""

    random: Random
    lists: Mapping[str, Sequence[str]]

    def fill(self, template: str) -> str:
        """The template with each slot filled; an unknown slot raises KeyError."""
        return _SLOT.sub(lambda slot: self._value(slot[1]), template)

    def _value(self, slot: str) -> str:
        name, *rest = slot.split()
        if name.isdigit():
            return self.letters(int(name), rest[0])
        makers: dict[str, Callable[..., str]] = {
            "b64json": self._docker,
            "b64pem": self._packed_pem,
            "b64pw": lambda: _b64(self.password()),
            "basic": lambda user: _b64(f"{user}:{self.password()}"),
            "begin": lambda *what: f"-----BEGIN {' '.join(what)}-----",
            "end": lambda *what: f"-----END {' '.join(what)}-----",
            "int": lambda low, high: str(self.random.randint(int(low), int(high))),
            "join": lambda: "",
            "jwt": self._jwt,
            "pem": lambda count: "\n".join(self._pem(count)),
            "pem1": lambda count: "\\n".join(self._pem(count)),
            "pemdiff": lambda count: "\n+".join(self._pem(count)),
            "pemin": lambda count: "\n    ".join(self._pem(count)),
            "phrase": self._phrase,
            "pick": lambda of: self.random.choice(self.lists[of]),
            "pw": self.password,
            "pw2": lambda: self.password("!#*+-=?_~"),
            "pwplain": lambda: self.password(""),
            "pwurl": lambda: self.password("-_.~!*"),
            "seed": lambda count: " ".join(self.random.choices(self.lists["seed"], k=int(count))),
            "subject": lambda: self.random.choice(self.lists["subject"]).replace("_", " "),
            "uuid": self._uuid,
            "weak": self._weak,
            "word": lambda: self.random.choice(self.lists["word"]),
        }
        return makers[name](*rest)

    def letters(self, count: int, alphabet: str) -> str:
        return "".join(self.random.choices(ALPHABETS[alphabet], k=count))

    def password(self, marks: str = "!#%&*+-=?@^_~") -> str:
        """A strong password: a letter, then letters, digits and some of the marks; 10 to 16 long."""
        alphabet = _LETTERS + digits * 3 + marks * 2
        body = "".join(self.random.choices(alphabet, k=self.random.randint(7, 13)))
        return self.random.choice(_LETTERS) + body + self.random.choice(digits) + self.random.choice(_LETTERS)

    def _phrase(self, count: str) -> str:
        return self.random.choice(" -").join(self.random.sample(self.lists["strong"], int(count)))

    def _weak(self) -> str:
        """A password as people choose them: a word, a number, perhaps a mark."""
        word = self.random.choice(self.lists["strong"])
        mark = self.random.choice(["", "", "-", "_", "!", "."])
        return self.random.choice([word, word.title()]) + mark + str(self.random.randint(10, 2099))

    def _pem(self, count: str) -> list[str]:
        lines = [self.letters(64, "b64") for _ in range(int(count))]
        lines[0] = "MII" + lines[0][3:]
        lines[-1] = lines[-1][:46] + "=="
        return lines

    def _packed_pem(self) -> str:
        mark = "RSA PRIVATE KEY-----\n"
        return _b64(f"-----BEGIN {mark}" + "\n".join(self._pem("4")) + f"\n-----END {mark}")

    def _docker(self) -> str:
        auth = {"auths": {"ghcr.io": {"auth": _b64(f"ci:{self.password()}")}}}
        return _b64(json.dumps(auth))

    def _jwt(self) -> str:
        head = {"alg": self.random.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
        claims = {"sub": self._uuid(), "iat": self.random.randint(1700000000, 1800000000), "role": "service"}
        parts = [_b64url(json.dumps(part, separators=(",", ":"))) for part in (head, claims)]
        return ".".join([*parts, self.letters(43, "url")])

    def _uuid(self) -> str:
        return "-".join(self.letters(count, "hex") for count in (8, 4, 4, 4, 12))


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _b64url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
