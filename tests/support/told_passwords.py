"""Passwords as people make them up, each told in twenty ways: nothing of one may survive redaction."""

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_letters, digits
from typing import NamedTuple

WORDS = [
    *("otter", "kelp", "harbour", "maple", "lantern", "copper", "velvet", "trawler"),
    *("bluebell", "meadow", "Sommer", "Blaubeere", "Fenster", "tournesol", "girasol", "soleil"),
    *("zonnebloem", "pumpkin", "falcon", "ember", "willow", "granite", "saffron", "Bergsee"),
    *("Kranich",),
]
SIGNS = "!#%&*+-=?^_~"


def _title(random: Random) -> str:
    return random.choice(WORDS).capitalize()


def _number(random: Random) -> str:
    return str(random.randint(10, 2099))


def _strong(random: Random) -> str:
    inner = "".join(random.choices(ascii_letters + digits * 2 + SIGNS, k=random.randint(8, 14)))
    return f"{random.choice(ascii_letters)}{inner}{random.choice(digits)}{random.choice(ascii_letters)}"


def _leet(random: Random) -> str:
    return (
        random.choice(WORDS).translate(str.maketrans("aeio", "4310")) + random.choice("!&#") + _number(random)
    )


SHAPES: tuple[Callable[[Random], str], ...] = (
    lambda random: f"{_title(random)}.{_title(random)}_{_number(random)}",
    lambda random: f"{_title(random)}_{_title(random)}.{_number(random)}",
    lambda random: f"my{random.choice(('Secret', 'Pass', 'Password'))}{_number(random)}@",
    lambda random: f"{_title(random)}{_number(random)}!",
    lambda random: f"{random.choice(WORDS)}{_number(random)}",
    lambda random: f"{random.choice(WORDS)}-{random.choice(WORDS)}-{_number(random)}",
    lambda random: f"{_title(random)}#{_title(random)}{_number(random)}",
    lambda random: f"{_title(random)}@{_number(random)}",
    _leet,
    _strong,
)
"""Forms of passwords; one in ten ends in @, another looks like an attribute of code."""
PLACES = {
    "curl, quoted behind the colon": "curl -u deploy:'{}' https://build.example/api",
    "curl, quoted": 'curl -s --user "deploy:{}" https://build.example/api',
    "curl --user, quoted behind the colon": 'curl --user deploy:"{}" https://build.example/api',
    "httpie, quoted behind the colon": "http -a deploy:'{}' GET build.example/api",
    "label": "password: {}",
    "label in a sentence": "the staging password: {} (ask Mira before you rotate it)",
    "told": "The password is {} and the user is deploy.",
    "told, German, twice labelled": "Das Kennwort lautet: Passwort: {}",
    "told, French": "Le mot de passe est {}",
    "told, Chinese": "数据库密码是 {} ，请不要外传",
    "changed": "I have changed the root password to {} this morning",
    "first": "use {} as the password for the test account",
    "environment": "DB_PASSWORD={}",
    "json": '{{"user": "deploy", "password": "{}"}}',
    "code": "connect(host='db', user='deploy', password='{}')",
    "option": "tool login --user deploy --password {} --verbose",
    "mysql": "mysql -u root -p'{}' shop",
    "sshpass": "sshpass -p '{}' ssh deploy@build.example",
    "database URL": "postgres://deploy:{}@db.example:5432/shop",
    "login": "username: deploy, password: {}",
}


class Told(NamedTuple):
    """A text with a password in it."""

    place: str
    text: str
    password: str


def told(passwords: int, seed: int = 18) -> Iterator[Told]:
    """Each of so many passwords in each place."""
    random = Random(seed)  # noqa: S311 - the same ones each time
    for number in range(passwords):
        password = SHAPES[number % len(SHAPES)](random)
        for place, form in PLACES.items():
            yield Told(place, form.format(password), password)
