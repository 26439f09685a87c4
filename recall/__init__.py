"""What an agent is shown."""
