"""Tokens in the forms that vendors give out, drawn by chance: no file holds one."""

import random
from collections.abc import Callable
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_ALNUM = ascii_letters + digits
_B64 = _ALNUM + "-_"
_CAPS = ascii_uppercase + "234567"
_HEX = "0123456789abcdef"
_LOWER = ascii_lowercase + digits

Part = str | tuple[str, int]
"""Text as it stands, or an alphabet and how many characters are drawn from it."""

SHAPES: dict[str, tuple[Part, ...]] = {
    "aws-key-id": ("AK", "IA", (_CAPS, 16)),
    "aws-session-id": ("AS", "IA", (_CAPS, 16)),
    "alibaba": ("LT", "AI", (_ALNUM, 20)),
    "tencent": ("AK", "ID", (_ALNUM, 32)),
    "google-api": ("AI", "za", (_B64, 35)),
    "google-oauth": ("ya", "29.", (_B64, 60)),
    "google-client": ("GOC", "SPX-", (_B64, 28)),
    "facebook": ("EA", "A", (_ALNUM, 60)),
    "jwt": ("ey", "J", (_B64, 30), ".ey", "J", (_B64, 40), ".", (_B64, 43)),
    "nuget": ("oy", "2", (_LOWER, 43)),
    "sendgrid": ("S", "G.", (_B64, 22), ".", (_B64, 43)),
    "vault": ("hv", "s.", (_ALNUM, 24)),
    "age": ("AGE-SEC", "RET-KEY-1", (ascii_uppercase + digits, 58)),
    "launchdarkly": ("sd", "k-", (_HEX, 8), "-", (_HEX, 4), "-", (_HEX, 4), "-", (_HEX, 4), "-", (_HEX, 12)),
    "square": ("sq", "0csp-", (_B64, 43)),
    "slack-bot": ("xo", "xb-", (digits, 12), "-", (digits, 12), "-", (_ALNUM, 24)),
    "slack-app": ("xa", "pp-1-", (_CAPS, 11), "-", (digits, 13), "-", (_HEX, 64)),
    "doppler": ("dp", ".pt.", (_ALNUM, 43)),
    "yandex": ("AQ", "VN", (_B64, 36)),
    "openai": ("s", "k-", (_ALNUM, 48)),
    "openai-project": ("s", "k-proj-", (_B64, 74)),
    "anthropic": ("s", "k-ant-api03-", (_B64, 95)),
    "deepseek": ("s", "k-", (_HEX, 32)),
    "stripe": ("s", "k_live_", (_ALNUM, 24)),
    "stripe-restricted": ("r", "k_live_", (_ALNUM, 24)),
    "mailgun": ("ke", "y-", (_HEX, 32)),
    "twilio": ("S", "K", (_HEX, 32)),
    "mailchimp": ((_HEX, 32), "-u", "s12"),
    "github": ("gh", "p_", (_ALNUM, 36)),
    "github-fine": ("github", "_pat_", (_ALNUM, 22), "_", (_ALNUM, 59)),
    "gitlab": ("gl", "pat-", (_B64, 20)),
    "npm": ("np", "m_", (_ALNUM, 36)),
    "pypi": ("py", "pi-AgEIcHlwaS5vcmc", (_B64, 100)),
    "hugging-face": ("h", "f_", (_ALNUM, 34)),
    "groq": ("gs", "k_", (_ALNUM, 52)),
    "xai": ("xa", "i-", (_ALNUM, 80)),
    "shopify": ("sh", "pat_", (_HEX, 32)),
    "digital-ocean": ("do", "p_v1_", (_HEX, 64)),
    "rubygems": ("ruby", "gems_", (_HEX, 48)),
    "linear": ("li", "n_api_", (_ALNUM, 40)),
    "nvidia": ("nv", "api-", (_B64, 64)),
    "replicate": ("r", "8_", (_ALNUM, 37)),
    "supabase": ("sb", "p_", (_HEX, 40)),
    "docker": ("dck", "r_pat_", (_B64, 27)),
    "grafana": ("gl", "sa_", (_ALNUM, 32), "_", (_HEX, 8)),
    "webhook": ("wh", "sec_", (_ALNUM, 32)),
    "planetscale": ("ps", "cale_tkn_", (_B64, 43)),
    "brevo": ("xk", "eysib-", (_HEX, 64), "-", (_ALNUM, 16)),
    "postman": ("PM", "AK-", (_HEX, 24), "-", (_HEX, 34)),
    "hubspot": ("pa", "t-na1-", (_HEX, 8), "-", (_HEX, 4), "-", (_HEX, 4), "-", (_HEX, 4), "-", (_HEX, 12)),
    "langsmith": ("ls", "v2_pt_", (_HEX, 32), "_", (_HEX, 10)),
    "sonar": ("sq", "u_", (_HEX, 40)),
    "firecrawl": ("f", "c-", (_HEX, 32)),
    "resend": ("r", "e_", (_ALNUM, 8), "_", (_ALNUM, 24)),
    "databricks": ("da", "pi", (_HEX, 32)),
    "atlassian": ("AT", "ATT3xFfGF0", (_B64, 180)),
    "telegram": ((digits, 10), ":A", "A", (_B64, 33)),
    "discord": ("M", (_ALNUM, 25), ".", (_B64, 6), ".", (_B64, 38)),
    "terraform": ((_ALNUM, 14), ".atlas", "v1.", (_ALNUM, 67)),
    "openshift": ("sha25", "6~", (_B64, 43)),
    "azure-client": ((_ALNUM, 3), "8", "Q~", (_ALNUM, 34)),
}  # fmt: skip


def draw(shape: str, seed: object) -> str:
    """A token of the shape; the same seed gives the same one."""
    chance = random.Random(f"{shape} {seed}")  # noqa: S311 - repeatable
    parts = SHAPES[shape]
    while True:
        token = "".join(part if isinstance(part, str) else _drawn(chance.choice, *part) for part in parts)
        # Nobody can tell a sign at the end of a token from one that joins it to the next word.
        if token[-1].isalnum():
            return token


def _drawn(choice: Callable[[str], str], alphabet: str, count: int) -> str:
    return "".join(choice(alphabet) for _ in range(count))
