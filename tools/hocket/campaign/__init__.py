"""Campaigns: many runs of one sketch that differ in their seeds, in loops' budgets and in the parts around it
(docs/guide/campaigns.md).

seeds, what varies ── sampling ──> planned runs ── performing, many at once ──> outcomes

Outcomes are told as distributions and failures (telling), or lead to the next runs (searching).
"""
