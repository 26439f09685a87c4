"""The embedded rules, which need no key and no network (docs/architecture.md).

Only what the user typed is looked at. The rules keep what the user asks to keep, in seven languages, and a
few kinds of plain statements in English and Chinese. Precision first: in doubt nothing is kept.
"""
