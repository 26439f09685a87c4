"""`lru_cache` for hot commands (docs/benchmarks.md): the part of `functools` that is written in C, if Python
has it. The rest takes a hook a twentieth of its time to load."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from functools import lru_cache as lru_cache
else:
    try:
        from _functools import _lru_cache_wrapper
    except ImportError:
        from functools import lru_cache
    else:

        def lru_cache(maxsize):
            """As functools.lru_cache, without the function's name, its docstring and `cache_info`."""
            return lambda function: _lru_cache_wrapper(function, maxsize, False, tuple)
