"""What a model would make of planted sessions 02, 05 and 08: the same for the same prompt, always.

Answers follow from the prompt alone, so that any order of windows, any cut and any second try ends in
the same store. Prompts over `LARGE` characters overflow, so that a run has several windows.
"""

import re
import tomllib

from support.bench import DATA, memory
from support.fake_model import Answering, Asked

from siltstone.store.errors import Overflow

SESSIONS = ("02", "05", "08")
LARGE = 14_000
SEEN_BEFORE = re.compile(r"^\[\d+\] \w+ \(seen before\): .*\n(?: .*\n)*", re.M)
"""A message that is repeated before a window: nothing new."""
FACTS = tomllib.loads((DATA / "planted" / "larkspur.toml").read_text("utf-8"))["fact"]


def reply(asked: Asked) -> Answering:
    """What every fact in the prompt makes of it."""
    if len(asked.text) > LARGE:
        return Overflow("the window is too large for the model")
    shown = SEEN_BEFORE.sub("", asked.text[asked.text.rindex("<transcript") :])
    return {"memories": [_item(asked, **fact) for fact in FACTS if fact["quote"] in shown]}


def _item(asked: Asked, quote: str, body: str, target: str = "", **fields: object) -> dict[str, object]:
    head = asked.text[: asked.text.rindex("<transcript")]
    found = re.search(rf"^#(\d+) [^\n]*{re.escape(target)}", head, re.M) if target else None
    if target and not found:
        fields.pop("action")
    number = int(found[1]) if found else None
    return memory(asked, quote, target=number, description=body[:80], body=body, **fields)
