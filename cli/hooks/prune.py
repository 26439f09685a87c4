"""Shorten a tool's output, from standard input to standard output; lines with
errors stay.

Below the level high, only listings, trees and logs are cut. A line says how
much is missing.
Example: ls -R | silt prune --tool ls --level high
"""

from siltstone.cli.hooks.common import Answer, Work, read_input, say
from siltstone.cli.hooks.options import Options
from siltstone.recall.session.pruning import RULES, prune
from siltstone.recall.session.state import load

SHORT_OUTPUT = 2_000
"""Characters of a tool's output that a hook never cuts."""


def run(argv: list[str]) -> int:
    """The command. Raises Misuse. If pruning fails the text is printed whole: no output is lost."""
    options = Options("prune", __doc__)
    options.add_argument("--tool", default="", metavar="NAME", help="the agent's name for the tool")
    options.add_argument("--level", choices=RULES, default="safe", help="pressure (default: safe)")
    synthetic = "the agent made the text itself: nothing is cut"
    options.add_argument("--synthetic", action="store_true", help=synthetic)
    asked = options.parse_args(argv)
    text = shown = read_input().decode("utf-8", "replace")
    try:
        shown = prune(text, asked.tool, asked.level, asked.synthetic)
    finally:
        say(shown)
    return 0


def step(work: Work, answer: Answer) -> None:
    """Cut the output of a hook's tool as the session's pressure asks for (docs/seeds.md B6-B9)."""
    call = work.call
    output = call.events[-1].output
    if len(output) < SHORT_OUTPUT:
        return
    level = load(work.state.open().sessions.get(call.agent, call.session)).pressure.level
    if level != "safe" and len(cut := prune(output, call.tool, level)) < len(output):
        answer.output = cut
