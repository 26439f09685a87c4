"""What a model is told. One template a prompt, rendered under StrictUndefined.

A template of a prompt has two blocks: `system`, the same for every call (so that providers can
cache it), and `user`, what this call is about. `protocol.j2` is the single source of the rules: it
is written to PROTOCOL.md as it stands and included in the prompts.

What stands in a transcript, a memory or a reply is untrusted. Templates show it through three filters:
`line` (one line), `hang` (further lines indented by a space) and `fenced` (a wrapper named after a hash
of what it holds). So no text can begin a line at the margin, where the prompt's own marks stand, and
none can name the wrapper it stands in. Indentation is white space, which evidence checking folds.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent

INTERNAL = "siltstone-internal"
"""Opens every prompt's user part, so that readers know our own calls in an agent's transcripts and
never mine them (invariant 7)."""

_LINE_ENDS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNSENDABLE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_HIDDEN = re.compile("[\U000e0000-\U000e007f]")
"""Tag characters: invisible to the user, legible to a model."""
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered template, in the two messages it is sent as."""

    system: str
    user: str


def render(name: str, **values: object) -> str:
    """The whole of template `name` ("extract", "repair", "compact").

    Raises jinja2.UndefinedError when the template uses a value that is not given.
    """
    return _environment().get_template(f"{name}.j2").render(**values).strip() + "\n"


def protocol() -> str:
    """The rules as they are written to PROTOCOL.md: `protocol.j2` as it stands."""
    return (FOLDER / "protocol.j2").read_text(encoding="utf-8").strip() + "\n"


def prompt(name: str, **values: object) -> Prompt:
    """The `system` and `user` blocks of template `name`. Raises as `render`."""
    template = _environment().get_template(f"{name}.j2")
    parts = {
        block: "".join(template.blocks[block](template.new_context(dict(values)))).strip()
        for block in ("system", "user")
    }
    return Prompt(**parts)


@cache
def _environment() -> "Environment":
    # Here, for who keeps a memory renders no prompt, and is waited for by a hook.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(FOLDER, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=select_autoescape(()),  # the prompts are no HTML: see the filters below
    )
    environment.filters.update(line=line, hang=hang, fact=fact, fenced=fenced, day=day)
    environment.globals["internal"] = INTERNAL
    return environment


# The filters call str() because that is where StrictUndefined speaks up.


def tame(text: str) -> str:
    """Without what cannot be sent (lone surrogates) and what nobody sees (control and tag characters)."""
    return _HIDDEN.sub("", _CONTROL.sub(" ", _UNSENDABLE.sub("\ufffd", text)))


def line(text: str) -> str:
    """`text` on one line."""
    return " ".join(tame(_LINE_ENDS.sub(" ", str(text))).split())


def hang(text: str) -> str:
    """`text` with every line after its first indented by one space."""
    lines = [part.rstrip() for part in _LINE_ENDS.split(tame(str(text)))]
    return "\n".join([lines[0], *(f" {part}" if part else "" for part in lines[1:])]).rstrip("\n")


def fact(description: str, body: str) -> str:
    """What a memory says: its body, and before it the description unless the body begins so."""
    head, rest = line(description), hang(body)
    if line(body).startswith(head.rstrip("…")):
        return rest
    return f"{head}\n {rest}" if rest else head


def day(at: datetime) -> str:
    """The date of a time, or "undated": what has none is kept as the start of 1970."""
    return at.date().isoformat() if at > _UNDATED else "undated"


def fenced(text: str, name: str) -> str:
    """`text` in a wrapper that it cannot close, for its name is made of the text's own hash."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"<{name} {mark}>\n{text.strip()}\n</{name} {mark}>"
