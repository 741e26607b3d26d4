"""Runs of built sketches: what is asked for, the board's program and its words, what a run brings."""
