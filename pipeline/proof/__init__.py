"""From a candidate to its verdict (invariants 6 and 8).

    verdict.judge ─▶ quotes.prove ─▶ origin.find ─▶ commands.reads
          │                └───────▶ choices.takes ─▶ options.items_of
          ├────────▶ coverage.covered ─▶ ground, clauses ─▶ normal_form
          ├────────▶ quotation.quotation
          └────────▶ gate.gate

`quotes` finds every quote in its message and decides what the quotes prove together. `options` knows what an
agent's message offers, and `choices` which of it a reply takes. `coverage` cuts what of a claim the quotes do
not hold: it is compared with the `ground` that was said, in its `normal_form`, and `clauses` tells which of
its parts say no. `quotation` keeps what was said in its place. `origin` decides whose words a quote is.
`commands` knows which shell commands print somebody else's text. `gate` rejects by content.
"""
