"""How much random work a test does: a little in every run of the suite, much in `hocket test --long`."""

from __future__ import annotations

import os

LONG = bool(os.environ.get("HOCKET_LONG"))


def rounds(suite: int, campaign: int, variable: str) -> int:
    """suite: in every run. campaign: with --long. An environment variable of that name decides by itself."""
    return int(os.environ.get(variable, campaign if LONG else suite))
