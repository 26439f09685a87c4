"""The parts of `pipeline/merge.py`: the store being changed, and one module for each hard question."""
