"""What Siltstone costs, measured against its budgets (docs/benchmarks.md): `python -m benchmarks`.

One module a budget. Whatever can be is measured as a ratio within one run, in interleaved rounds of
which the median counts, so that a busy machine changes little. Nothing here is a test: a figure that
misses its budget is reported, not failed.
"""
