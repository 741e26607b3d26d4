"""The script that gdb reads at its start (`source`, or -x). It makes Hocket's loops known to gdb.

`$hocket_processor` and `$hocket_folder` (the sketch's) must have been set before.
"""

import sys
from pathlib import Path

import gdb

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import hocket.debugger.in_gdb.commands
from hocket.debugger.in_gdb import processors

# Code into which only steps would lead: each basic block of a sketch on sim, and the kernel's own work.
SKIPPED = (
    "*/ports/*",
    "*/kernel/*",
    "*/admission/*",
    "*/arduino/runtime/*",
    "*/simulation/*",
    "*/arduino/cores/*",
)

processor = gdb.parse_and_eval("$hocket_processor").string()
processors.register(processor)
hocket.debugger.in_gdb.commands.define(processor, gdb.parse_and_eval("$hocket_folder").string())
for pattern in SKIPPED:
    gdb.execute(f"skip -gfile {pattern}", to_string=True)
