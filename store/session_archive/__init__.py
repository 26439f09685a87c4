"""What was said in past sessions, for search: `sessions.sqlite3` (docs/sessions.md).

Conversation, without secrets and trimmed: no memory and no evidence. Texts stand in compressed blocks of one
session, and the index holds their words alone, so that none is stored twice. A message is numbered by the
second in which it was said, so that the newest come first without sorting.

Agents delete their transcripts, so this file is not derived: it is migrated, and set aside when damaged.
"""

from siltstone.store.session_archive.archive import FILE, Filter, Line, Mark, Past, Said, SessionArchive
from siltstone.store.session_archive.query import Found, search, snippet
