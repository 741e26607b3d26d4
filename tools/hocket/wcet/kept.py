"""Bounds that are kept beside the program, and hold until it or the analysis changes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import astuple
from pathlib import Path

from hocket.builder import Image as Built
from hocket.builder import indirect_calls, pointed, stack_depth
from hocket.builder.compile import current
from hocket.builder.linking import write_stamp
from hocket.wcet.analysis import Bound, Bounds, Part, bounds_of
from hocket.wcet.point import Unknown
from hocket.whole_files import write_whole


def kept_bounds(built: Built, of_a_wait: int) -> Bounds:
    """Returns the bounds of a built sketch, from the file beside it if that is current. of_a_wait: the cycles
    of a wake-up."""
    program = built.sketch_elf
    file = program.with_name(f"{program.name}.wcet.json")
    stamp = program.with_name(f"{program.name}.wcet.stamp")
    command = ("wcet", str(of_a_wait))
    if current(stamp, command, file):
        return of_json(file.read_text())
    stamp.unlink(missing_ok=True)
    bounds = bounds_of(built, of_a_wait)
    write_whole(file, as_json(bounds))
    own = [Path(str(m.__file__)) for m in (indirect_calls, pointed, stack_depth)]
    own += sorted(Path(__file__).parent.rglob("*.py"))
    write_stamp(stamp, command, [file, program, *own])
    return bounds


def as_json(bounds: Bounds) -> str:
    parts = [
        [
            astuple(b.part),
            [b.work, b.charged, b.waits],
            [astuple(unknown) for unknown in b.unknown],
            list(b.by_line.items()),
        ]
        for b in bounds.parts
    ]
    return json.dumps([parts, bounds.loops, bounds.bounded, list(bounds.places.items())])


def of_json(text: str) -> Bounds:
    parts, loops, bounded, places = json.loads(text)
    return Bounds(
        [
            Bound(
                Part(*part),
                work,
                charged,
                waits,
                tuple(Unknown(*each) for each in unknown),
                Counter({None if line is None else (line[0], line[1]): n for line, n in lines}),
            )
            for part, (work, charged, waits), unknown, lines in parts
        ],
        loops,
        bounded,
        {at: None if line is None else (line[0], line[1]) for at, line in places},
    )
