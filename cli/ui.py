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
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address, but do not open a browser.")
    ] = False,
) -> None:
    """Open a page in your browser: what is waiting for you, every memory, a graph, the timeline, costs.

    It runs only on this machine, for whoever has the address, until you press Ctrl-C. Example: silt ui
    """
    try:
        from siltstone.ui.server import serve
    except ModuleNotFoundError:
        raise Misuse("`silt ui` needs a web server; get it with pip install 'siltstone[ui]'.") from None
    with Context() as context:
        context.store.check_git()
        environ = context.configured.environ
    # Without a screen, what is found may be a browser that takes this terminal.
    screen = sys.platform == "darwin" or environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")

    def tell(address: str) -> None:
        show(address, "press Ctrl-C to stop")
        sys.stdout.flush()

    serve(tell, webbrowser.open if screen and not no_open else None)
