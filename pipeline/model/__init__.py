"""The port to language models: asking, retrying, reading the reply, counting and limiting cost."""
