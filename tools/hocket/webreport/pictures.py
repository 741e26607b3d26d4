"""Pictures of what displays showed at the end, for the page."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

from PIL import Image

_LARGEST = 1024  # points of a side
_ZOOM = 3


def picture_of(facts: dict[str, Any]) -> str | None:
    """Returns a PNG for `src` from the `rows` of a part (hexadecimal digits, one bit for each point). None:
    the part has no rows."""
    rows = facts.get("rows")
    if not isinstance(rows, list) or not 0 < len(rows) <= _LARGEST:
        return None
    if not all(isinstance(r, str) and re.fullmatch("(?:[0-9a-fA-F]{2})+", r) for r in rows):
        return None
    width = len(rows[0]) * 4
    if width > _LARGEST or any(len(row) * 4 != width for row in rows):
        return None
    image = Image.frombytes("1", (width, len(rows)), bytes.fromhex("".join(rows)))
    larger = image.resize((width * _ZOOM, len(rows) * _ZOOM), Image.Resampling.NEAREST)
    made = io.BytesIO()
    larger.save(made, "PNG")
    return f"data:image/png;base64,{base64.b64encode(made.getvalue()).decode()}"
