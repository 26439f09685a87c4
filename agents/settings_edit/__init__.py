"""Edits of other programs' settings that touch only our entries.

`tree` reads JSON with comments and remembers where everything stands, `splice` changes single members and
items of it, `hooks` knows the shape that the agents give their hooks, `toml_table` puts one table into a
TOML file and takes it out. All are functions from text to text; nothing here reads or writes a file.
"""
