"""Entry point of `silt` and `python -m siltstone`.

What agents call at every turn (`cli/hot.py`) never loads the command line library: the budget is
30 ms over bare python (docs/benchmarks.md). Nor does `silt mcp`, which an agent waits for as it starts.
"""

import gc
import os
import sys


def main() -> None:
    """Run the command line."""
    # Looking for garbage is a fifth of what loading takes, and of what is loaded nothing ever is.
    gc.disable()
    try:
        from siltstone.cli import bytecode

        bytecode.use()

        from siltstone.cli import hot
        from siltstone.store import closing

        words = sys.argv[1:]
        if hot.is_hot(words):
            # To take the interpreter apart takes a tenth. All that was said is written (`hot.put`, and whole
            # lines to standard error).
            closing.leave_open()
            os._exit(hot.main(words))

        if words[:1] == ["mcp"] and not {"-h", "--help"} & set(words):
            from siltstone.cli.mcp_start import main as serve

            sys.exit(serve(words[1:]))

        from siltstone.cli.app import main as run
        from siltstone.cli.output import prepare

        gc.freeze()  # nor is it gone through as the process ends
        gc.enable()
        prepare()
        run()
    except KeyboardInterrupt:
        # While modules load, before there is a command that could tell of it.
        sys.stderr.write("silt: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
