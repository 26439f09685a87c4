"""From judged candidates to file changes."""
