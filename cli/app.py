"""`silt`: the command groups, put together."""

import typer

app = typer.Typer(name="silt", no_args_is_help=True, add_completion=False)


@app.callback()
def silt() -> None:
    """Durable memory for coding agents."""
