"""Entry point of `silt` and `python -m siltstone`.

The commands that agents call at every turn (`cli/hooks/`) do not load typer.
"""

import gc
import sys

from siltstone.cli.hooks.main import COMMANDS as HOOK_COMMANDS
from siltstone.cli.hooks.main import main as run_hook_command


def main() -> None:
    """Run the command line."""
    try:
        words = sys.argv[1:]
        if words and words[0] in HOOK_COMMANDS:
            gc.disable()  # it would search for garbage ten times while modules load, and find none
            sys.exit(run_hook_command(words))
        gc.set_threshold(20_000)  # modules and the rows of a store are no garbage, and are many
        from siltstone.cli.app import main as run
        from siltstone.cli.output import prepare

        prepare()
        run()
    except KeyboardInterrupt:
        # While modules load, there is no command yet that could report this.
        sys.stderr.write("silt: interrupted\n")
        sys.exit(130)
    finally:
        gc.freeze()  # else all objects are searched for garbage at the end: a tenth of a hook's time


if __name__ == "__main__":
    main()
