"""Builds all sketches of a folder on several boards and reports which succeed
(docs/reference/command-line.md, `try`).

    folder ── find ──> sketches ── perform, many at once ──> outcomes ── tell ──> table, counts, JSON
"""
