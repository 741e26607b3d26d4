"""Runs of built sketches: the request, the board's program and its messages, and the results."""
