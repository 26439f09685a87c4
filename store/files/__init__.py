"""The store as a file system for agents and people (docs/seeds.md D6–D14, E18).

One function an operation, each with a typed input, a typed result, and errors of one sentence; the
command line and an MCP server wrap the same ones (docs/files.md). All take an `Actor`: who acts, in which
session, and what they act on. What changes the store takes its lock, settles it first (invariants 3, 9),
and makes one commit with a `Silt-Op`.
"""

from siltstone.store.files.actor import Actor, Reader, Session
from siltstone.store.files.moving import Moved, RolledBack, delete, flush, move, rollback
from siltstone.store.files.reading import File, Tree, profile, read, tree
from siltstone.store.files.writing import Note, Written, confirm, edit, write
