"""Cutting tool output under pressure (SEEDS.md B6–B9): `prune` cuts, `shapes` says what a text is."""
