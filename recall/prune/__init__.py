"""Cutting tool output under pressure (docs/seeds.md B6–B9): `prune` cuts, `shapes` says what a text is."""
