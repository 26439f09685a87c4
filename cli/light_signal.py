"""Signals for hot commands (docs/benchmarks.md): the part of `signal` that is written in C, if Python has it.

The rest of it only gives the numbers names that are shown; for that it loads `enum`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    try:
        import _signal as signal
    except ImportError:
        import signal

__all__ = ["signal"]
