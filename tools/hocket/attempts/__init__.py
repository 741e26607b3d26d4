"""Tries which sketches of a folder build on which boards (docs/reference/command-line.md, `try`).

folder ── find ──> sketches ── perform, many at once ──> outcomes ── tell ──> table, counts, JSON
"""
