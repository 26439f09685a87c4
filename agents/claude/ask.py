"""Claude Code asked headlessly: `claude -p`.

Safe mode leaves out CLAUDE.md, hooks, plugins and MCP servers and keeps the login and the model of the
user's settings; it is asked for by its variable, which versions that do not know it pass over.
"""

import orjson

from siltstone.agents.ask import MODEL, Call, Question, Report, amount, dollars, model_option
from siltstone.agents.child import Ended
from siltstone.agents.values import Record, integer, obj, string
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


class _Claude:
    program = "claude"
    login = "run `claude` and log in"
    models = MODEL
    inherited = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")

    def call(self, asked: Question) -> Call:
        environ = {
            "CLAUDE_CODE_SAFE_MODE": "1",
            "CLAUDE_CODE_MAX_RETRIES": "2",
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(asked.max_tokens),
        }
        return Call((*_OPTIONS, *model_option(asked), f"--system-prompt={asked.system}"), asked.text, environ)

    def report(self, ended: Ended) -> Report | None:
        """One object; with `verbose` in the settings a list that ends with it."""
        try:
            value = orjson.loads(ended.out)
        except orjson.JSONDecodeError:
            return None
        last = value[-1] if isinstance(value, list) and value else value
        report = obj(last)
        if report.get("type") != "result":
            return None
        words = string(report.get("result"))
        usage = _usage(report)
        if report.get("is_error") is not False or string(report.get("subtype")) != "success":
            if _CUT in words:
                return Report("", usage, cut=True)
            trouble = words or string(report.get("subtype")) or "it says that it failed"
            return Report(usage=usage, trouble=trouble, status=integer(report.get("api_error_status")))
        return Report(words, usage)

    def tidy(self, asked: Question, call: Call) -> None:
        """Nothing is left: sessions that are not kept are not written."""


def _usage(report: Record) -> Usage:
    told = obj(report.get("usage"))
    cached = amount(told.get("cache_read_input_tokens"))
    prompt = amount(told.get("input_tokens")) + cached + amount(told.get("cache_creation_input_tokens"))
    return Usage(prompt, amount(told.get("output_tokens")), cached, dollars(report.get("total_cost_usd")))


ASKER = _Claude()
