"""What `silt install` asks once: who finds what is worth remembering, and whether to read past sessions. No
answer means the rules, which send nothing."""

import math
import os
import shutil
from collections.abc import Iterator

from siltstone.cli import terminal
from siltstone.cli.batch import Options, Work, run_batch
from siltstone.cli.config import write_setting
from siltstone.cli.context import Context, now
from siltstone.cli.models import RULES
from siltstone.cli.note import note
from siltstone.cli.output import show, show_styled
from siltstone.cli.parts import readers, rebuild
from siltstone.cli.review import key_of
from siltstone.cli.run import note_failures, print_report
from siltstone.cli.settings import Configured, configure
from siltstone.pipeline.progress import tell_nobody
from siltstone.pipeline.run import LANES
from siltstone.pipeline.words import counted
from siltstone.recall.prepared import FILE as PREPARED
from siltstone.store.errors import SiltError

OWN = {
    "claude": "agent:claude/haiku",
    "codex": "agent:codex",
    "gemini": "agent:gemini",
    "opencode": "agent:opencode",
}
"""The model that each of the user's agents runs: a small one if the agent has a name for it."""
KEYED = {
    "OPENAI_API_KEY": "openai/gpt-5-mini",
    "ANTHROPIC_API_KEY": "anthropic/claude-haiku-4-5",
    "GEMINI_API_KEY": "gemini/gemini-2.5-flash",
}
"""A small model from the provider whose key is set."""
MODELS_FIND = "far more: your decisions, preferences and corrections"
MODELS_SEND = "your words, the agents' answers and shortened output, without secrets"
BYTES_A_SECOND = 2_000_000
"""Bytes of transcripts that the rules read in a second, on an ordinary machine."""
CALL = 30
"""Seconds that a model needs for an answer."""
MANY = 20
"""Up to this many sessions, no estimate of the time is shown."""


def choices(configured: Configured) -> Iterator[tuple[str, str]]:
    """The models that can extract here, the user's own agents first, each with where it is and what it
    costs."""
    path = configured.environ.get("PATH")
    for agent, model in OWN.items():
        if shutil.which(agent, path=path):
            yield model, f"your {agent}; costs its quota"
    for variable, model in KEYED.items():
        if configured.environ.get(variable):
            ceiling = f"at most {configured.settings.max_usd_per_day:g} USD a day"
            yield model, f"with {variable}; costs by usage, {ceiling}"


def first_steps(configured: Configured) -> None:
    """Ask, on a terminal. A question that was answered is not asked again."""
    found, chosen = list(choices(configured)), RULES
    if configured.settings.model is None and found:  # else there are only the rules
        chosen = _ask_who(configured, found)
    configured = configure()
    with Context(configured, makes=True) as context:
        if not (configured.places.state / PREPARED).exists():
            rebuild(context)  # from the first session on, hooks know that nothing is remembered yet
        sources = [one for reader in readers(configured, None) for one in reader.discover()]
        new = [one for one in sources if context.state.sources.get(one.agent, one.key) is None]
        files = {one.file for one in new}
        size = sum(os.path.getsize(file) for file in files if os.path.exists(file))
        if new:
            _ask_past(context, len(new), size)
        elif chosen != RULES:  # invariant 14: what it is sent was said before it was chosen
            Work(context, Options(yes=True), tell_nobody).consent()
            show(f"what you say from now on is sent to {chosen}; to stop that: silt config set model {RULES}")


def _ask_who(configured: Configured, found: list[tuple[str, str]]) -> str:
    """The model that was chosen and written into the settings, or the rules."""
    told = [("\nWho should find what is worth remembering in your sessions?", "bold"), ("  1  rules", "bold")]
    told += [("     finds what you ask to remember, and a few plain statements", "")]
    told += [("     sends nothing; costs nothing", "dim")]
    told += [("  or a model, which", ""), (f"     finds {MODELS_FIND}", "")]
    told += [(f"     is sent {MODELS_SEND}", "dim")]
    for number, (model, where) in enumerate(found, 2):
        told += [(f"  {number}  {model}", "bold"), (f"     {where}", "dim")]
    show_styled(told)
    show("Enter chooses the rules. Change it any time: silt config set model NAME")
    named = [RULES, *(model for model, _ in found)]
    chosen = named[int(key_of([f"[{number}]" for number, _ in enumerate(named, 1)], nothing="1")) - 1]
    try:
        show(*write_setting(configured, "model", chosen))
    except SiltError as error:
        note(f"{error} Until then, the rules do the work.")
        return RULES
    return chosen


def _ask_past(context: Context, sessions: int, size: int) -> None:
    """Offer to read past sessions now, later or never."""
    model = context.configured.settings.model
    by_rules = model in (None, RULES)
    show_styled([(f"\nRead your agents' {counted(sessions, 'past session')} now?", "bold")])
    with terminal.progress() as tell:
        work = Work(context, Options(yes=True), tell)
        if by_rules:
            took = f"about {terminal.lasting(size / BYTES_A_SECOND)}" if sessions > MANY else "a moment"
        else:
            estimate = work.estimate()
            took = f"about {terminal.lasting(len(estimate.reading.prompts) * CALL / LANES)}"
    show(f"  {took}; Ctrl-C stops it, and `silt run` continues from there")
    if not by_rules:  # invariants 14 and 15
        show(f"  {estimate.in_words()}")
        settings, tokens = context.configured.settings, estimate.reading.tokens
        if (runs := math.ceil(tokens / max(settings.max_tokens_per_run, 1))) > 1:
            a_day = f"a day at most {settings.max_usd_per_day:g} USD; later runs start by themselves"
            show(f"  in about {runs} runs: one takes at most {settings.max_tokens_per_run:,} tokens, {a_day}")
        show(f"  yes and never both agree that new sessions are sent to {model}; later sends nothing")
    key = key_of(["[y]es", "[l]ater", "[n]ever: only new sessions from now on"], nothing="l")
    if key == "l":
        return
    with terminal.progress() as tell:
        options = Options(yes=True) if key == "y" else Options(since=now())
        report = run_batch(work := Work(context, options, tell))
    print_report(report, work.models.names.extract, brief=False)
    note_failures(report)
