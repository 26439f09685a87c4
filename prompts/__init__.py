"""What a model is told. One template a prompt, rendered under StrictUndefined."""
