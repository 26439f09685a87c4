"""No secret reaches a model or a commit (invariant 8).

`redact` hides secrets in a text, `cleaned` does so for what may be dropped instead, `findings` names the
lines that hold one. The rules are split by what they look at: private tags and key `blocks`, bare `tokens`,
`codes`, `urls`, `headers`, `labels` ("password: …"), `commands`, and `logins` (a user and a password told
together). What tells a secret from a name is in `shape` (chance), `benign` (what may stand in a secret's
place) and `judge`.
"""

from siltstone.store.redaction.engine import MARK, Finding, Redacted, cleaned, findings, redact

__all__ = ["MARK", "Finding", "Redacted", "cleaned", "findings", "redact"]
