"""From a candidate to its verdict (invariants 6 and 8).

    verdict.judge ─▶ quotes.prove ─▶ origin.find ─▶ commands.reads
          ├────────▶ coverage.covered ─▶ normal_form
          └────────▶ gate.gate

`quotes` finds every quote in its message and decides what the quotes prove together. `coverage` cuts what
of a claim they do not hold, comparing texts in their `normal_form`. `origin` decides whose words a quote is.
`commands` knows which shell commands print somebody else's text. `gate` rejects by content.
"""
