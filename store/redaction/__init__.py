"""No secret reaches a model or a commit (invariant 8).

`redact` hides secrets in a text, `findings` names the lines that hold one. The rules are split by what
they look at: `private` tags, key `blocks`, bare `tokens`, `codes`, `urls`, `headers`, `labels`
("password: …"), `commands`, told `pairs` and `tables`. What tells a secret from a name is in `shape`
(chance), `benign` (what may stand in a secret's place) and `judge`.
"""

from siltstone.store.redaction.engine import Finding, Redacted, findings, redact

__all__ = ["Finding", "Redacted", "findings", "redact"]
