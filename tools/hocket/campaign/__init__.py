"""Campaigns: many runs of one sketch that differ in their seeds, in loops' budgets and in the parts around it
(docs/guide/campaigns.md).

    seeds, variations ── sampling ──> planned runs ── performing, many at once ──> outcomes

Outcomes are reported as distributions and failures (telling), or determine the next runs (searching).
"""
