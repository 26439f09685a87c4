"""The local page of `silt ui`: what waits for the user, every memory, the timeline, the cost.

It shows what the commands show and calls the functions that the commands call. Only loopback reaches it
(server.py), and what it shows is text, whatever is in it (show.py).
"""
