"""What is known about a running session: files, errors, decisions, core and working memory, pressure.

`event` is the vocabulary every agent's hooks and transcripts are mapped to, `apply` moves the state on by
one event, `render` shows it. All of it is pure: events carry their times, and only `silt event` reads
and writes rows. The state is a help for the session itself; it is no memory and never evidence.
"""
