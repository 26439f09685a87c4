"""Running batches without being asked: `silt watch`, and the waiter that hooks start."""

WATCH = "watch"
"""The lease of the one `silt watch` for a state folder: it ends with its process."""
