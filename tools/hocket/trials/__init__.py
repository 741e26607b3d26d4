"""Tests of a user's sketches: scenarios with expectations, on one board or several (docs/guide/testing.md).

folders ── find ──> trials ── perform, many at once ──> outcomes ── tell ──> summary, JUnit, annotations
"""
