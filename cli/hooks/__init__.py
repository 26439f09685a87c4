"""`silt hook`, `inject`, `event` and `prune`: the commands that agents call at every turn.

They must start fast, so nothing they import may bring in typer, pydantic, litellm, rich, jinja2 or yaml
(tests/cli/test_cli_hooks_start.py). `main.py` finds the command; each command is a module with `run(argv)`.
"""
