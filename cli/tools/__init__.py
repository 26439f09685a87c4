"""What agents may do with memory, as tools: one table, which `silt mcp` offers (docs/mcp.md).

Each tool parses its arguments, calls the same function as the command of that name, and answers in plain
text. Nothing here knows the protocol: that is `cli/mcp_server.py`.
"""
