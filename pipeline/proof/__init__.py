"""From a candidate to its verdict (invariants 6 and 8).

    verdict.judge ─▶ quotes.prove ─▶ origin.find ─▶ commands.reads
          └────────▶ gate.gate

`quotes` finds every quote in its message, decides what the quotes prove together, and whether a claim goes
beyond them. `origin` decides whose words a quote is. `commands` knows which shell commands print somebody
else's text. `gate` rejects by content.
"""
