"""Bounds of execution times from the linked program (docs/decisions/bound-of-c.md)."""
