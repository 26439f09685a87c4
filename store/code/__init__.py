"""A project's code as memories are bound to it: its git, read only; symbols and lines; what changed since."""
