"""From transcripts to proven memories: one module a stage; only run.py knows the order."""
