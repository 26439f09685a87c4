"""No secret reaches a model or a commit (invariant 8).

`redact` hides secrets in a text, `cleaned` does so for what may be dropped instead, `findings` names the
lines that hold one, and `hide_answer` hides a password that is nothing but an answer to a question. The
rules are split by what they look at: private tags and key `blocks`, bare `tokens`, `urls`, `headers`,
`labels` ("password: …"), and fixed `forms` (in commands and calls, recovery codes, a user and a password
told together). `judge` tells whether the value behind a label is a secret, by its `randomness` and by the
`benign` words that may stand in a secret's place. Words are in vocabulary.toml, forms in forms.toml.
"""

from siltstone.store.redaction.answers import asks_for_password, hide_answer
from siltstone.store.redaction.engine import MARK, Finding, Redacted, cleaned, findings, redact
