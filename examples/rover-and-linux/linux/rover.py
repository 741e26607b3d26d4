"""Logs what the rover's loops say to a file, draws it, and sends the rover new speeds.

    python3 rover.py [RECORDS]

Reads /dev/hocket/fifo0: records of 12 bytes (Record in rover-and-linux.ino). Writes /dev/hocket/fifo1: a
percentage of the full speed, two bytes. The log is /tmp/rover.csv; the drawing goes to the console.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FROM_LOOPS, TO_LOOPS = "/dev/hocket/fifo0", "/dev/hocket/fifo1"
LOG = Path("/tmp/rover.csv")
RECORD = struct.Struct("<IhhbbH")
WISH = struct.Struct("<h")
LONGEST = 4088  # bytes of a record
NOTHING_AHEAD = 400

# After so many records, the first of which wait since before Linux was up: another speed. The last is none,
# and the rover says so.
SPEEDS = {25: 50, 40: 100, 50: -32768}


class Record(NamedTuple):
    at_ms: int
    cm: int
    percent: int
    left: int
    right: int
    lost: int


def picture(records: Sequence[Record], width: int = 40) -> str:
    """A line for each record: time, distance as a bar, what the rover does."""
    lines = []
    for record in records:
        bar = "#" * round(width * min(record.cm, NOTHING_AHEAD) / NOTHING_AHEAD)
        does = "turns" if record.left != record.right else "ahead"
        lines.append(
            f"{record.at_ms / 1000:6.1f} s |{bar:{width}}| {record.cm:3} cm {does} {record.percent:3} %"
        )
    return "\n".join(lines)


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    records: list[Record] = []
    source = os.open(FROM_LOOPS, os.O_RDONLY)
    pilot = os.open(TO_LOOPS, os.O_WRONLY)
    with LOG.open("w", encoding="ascii") as log:
        print(",".join(Record._fields), file=log)
        while len(records) < wanted:
            data = os.read(source, LONGEST)  # one record; waits for it
            if len(data) != RECORD.size:
                print(f"a record of {len(data)} bytes is none of the rover's", file=sys.stderr)
                continue
            records.append(Record(*RECORD.unpack(data)))
            print(",".join(map(str, records[-1])), file=log)
            if len(records) in SPEEDS:
                os.write(pilot, WISH.pack(SPEEDS[len(records)]))
    print(picture(records))
    print(f"{len(records)} records in {LOG}, {records[-1].lost} lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
