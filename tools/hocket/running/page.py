"""Writes the page of a run that has just ended."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hocket.errors import EXIT_REFUSED
from hocket.report import Report
from hocket.webreport.material import Material, Serial, read_log_bounded, read_waves_bounded
from hocket.webreport.page import write_page

if TYPE_CHECKING:
    from hocket.builder import Image
    from hocket.running.request import Request
    from hocket.simulator import Ended

# Makes the program report when each line of Serial had been sent (the first 10,000 lines).
LINE_ENDS = ["--note-text", "\n"]


def write_html(
    request: Request,
    report: Report,
    facts: Mapping[str, Any],
    image: Image,
    ended: Ended,
    log_file: Path,
    waves_file: Path | None,
) -> None:
    assert request.html is not None
    ran = ended.status != EXIT_REFUSED  # a refused sketch has no timeline and no waves
    log, log_left_out = read_log_bounded(log_file) if ran else (None, 0)
    waves, cut = read_waves_bounded(waves_file) if ran and waves_file is not None else (None, False)
    ends = [
        text["times_ns"]
        for text in facts.get("texts") or []
        if text["text"] == "\n" and text["port"] == 0
    ]
    material = Material(
        report,
        [shlex.quote(word) for word in (*request.words(), "--html", str(request.html))],
        log,
        log_left_out,
        waves,
        cut,
        Serial(ended.serial, ends[0] if ends else ()),
        pinned_loops(image),
    )
    write_page(material, request.html)


def pinned_loops(image: Image) -> frozenset[int]:
    """Returns the numbers of the loops whose declaration has onCore()."""
    return frozenset(
        loop.id
        for loop in image.translation.loops
        if loop.id is not None
        and any(token.text == "onCore" for argument in loop.arguments for token in argument)
    )
