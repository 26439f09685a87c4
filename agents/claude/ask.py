"""Claude Code asked headlessly: `claude -p`.

Safe mode leaves out CLAUDE.md, hooks, plugins and MCP servers and keeps the login and the model of the
user's settings; it is asked for by its variable, which versions that do not know it pass over.
"""

import orjson

from siltstone.agents.ask import Call, HeadlessAgent, Question, Report, amount, dollars
from siltstone.agents.child import Ended
from siltstone.agents.values import integer, obj, string
from siltstone.pipeline.model.port import Usage

_OPTIONS = (
    "--print",
    "--output-format=json",
    "--no-session-persistence",
    "--tools=",
    "--strict-mcp-config",
    '--settings={"disableAllHooks":true}',
)
_CUT = "output token maximum"


def call(question: Question) -> Call:
    """See `HeadlessAgent`. Sessions that are not kept are not written."""
    environ = {
        "CLAUDE_CODE_SAFE_MODE": "1",
        "CLAUDE_CODE_MAX_RETRIES": "2",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.max_tokens),
    }
    return Call((*_OPTIONS, *question.model_option, f"--system-prompt={question.system}"), environ)


def report(ended: Ended) -> Report | None:
    """One object; with `verbose` in the settings a list that ends with it."""
    try:
        value = orjson.loads(ended.out)
    except orjson.JSONDecodeError:
        return None
    last = obj(value[-1] if isinstance(value, list) and value else value)
    if last.get("type") != "result":
        return None
    words, used = string(last.get("result")), obj(last.get("usage"))
    cached = amount(used.get("cache_read_input_tokens"))
    prompt = amount(used.get("input_tokens")) + cached + amount(used.get("cache_creation_input_tokens"))
    usage = Usage(prompt, amount(used.get("output_tokens")), cached, dollars(last.get("total_cost_usd")))
    if last.get("is_error") is not False or string(last.get("subtype")) != "success":
        if _CUT in words:
            return Report("", usage, cut=True)
        error = words or string(last.get("subtype")) or "it says that it failed"
        return Report(usage=usage, error=error, status=integer(last.get("api_error_status")))
    return Report(words, usage)


_INHERITED = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")
HEADLESS = HeadlessAgent("claude", "run `claude` and log in", _INHERITED, call, report)
