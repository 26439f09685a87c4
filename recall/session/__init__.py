"""The state of a running session: files, errors, decisions, core and working memory, context pressure.

`event` is the vocabulary that hooks and transcripts of all agents are mapped to, `apply` moves the state on
by one event, `render` shows it. All of that is pure: events carry their times, and the commands read and
write the rows. The state helps the session itself. It is no memory and never evidence.
"""
