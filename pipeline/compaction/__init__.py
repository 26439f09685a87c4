"""Compaction: keep the store small and consistent (docs/architecture.md; docs/seeds.md C22–C27).

    due ─▶ groups ─▶ (model or plain rules) ─▶ plan ─▶ check ─▶ apply

Every step is pure; run.py asks the model, holds the lock and hands the changes to the store, which
checkpoints first (invariant 10).
"""
