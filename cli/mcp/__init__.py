"""Memory as tools for agents, over MCP (docs/mcp.md).

Each tool parses its arguments, calls the same function as the command of that name, and answers in plain
text. Only `server.py` knows the protocol.
"""
