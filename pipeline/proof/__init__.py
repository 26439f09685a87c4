"""From a candidate to its verdict (invariants 6 and 8).

    verdict.judge ─▶ evidence.prove ─▶ origin.find ─▶ commands.reads
          └────────▶ gate.gate

`evidence` finds every quote in its message and decides what the quotes prove together. `origin` decides
whose words a quote is. `commands` knows which shell commands print somebody else's text. `gate` rejects by
content.
"""
