"""`silt ui`."""

import sys
import webbrowser
from typing import Annotated

import typer

from siltstone.cli.context import Context
from siltstone.cli.output import show
from siltstone.store.errors import Misuse

app = typer.Typer()


@app.command("ui")
def open_page(
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address, open no browser.")] = False,
) -> None:
    """Open a page to review on: what waits for you, every memory, a graph, the timeline, the cost.

    It runs on this machine alone, for whoever has the address, until you press Ctrl-C. Example: silt ui
    """
    try:
        from siltstone.ui.server import serve
    except ModuleNotFoundError:
        raise Misuse(
            "`silt ui` needs a web server: install siltstone with it, pip install 'siltstone[ui]'."
        ) from None
    with Context() as context:
        context.store.check_git()
        environ = context.configured.environ
    # Without a screen, what is found may be a browser that takes this terminal.
    screen = sys.platform == "darwin" or environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")

    def tell(address: str) -> None:
        show(address, "Ctrl-C ends it")
        sys.stdout.flush()

    serve(tell, webbrowser.open if screen and not no_open else None)
