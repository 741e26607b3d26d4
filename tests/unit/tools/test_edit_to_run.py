"""What the build makes anew between an edit of the kernel and the next run on sim."""

from __future__ import annotations

from pathlib import Path

from hocket.boards import find_board
from hocket.builder import prepare_board
from hocket.changes import stale_objects
from hocket.compiled import compiled
from hocket.paths import BUILD

# What a sketch for sim is linked with.
LIBRARIES = (
    *("hocket_sim_system", "hocket_sim_host", "hocket_live", "hocket_program"),
    *("hocket_sim_devices", "hocket_machine", "hocket_arduino"),
)
HEADER = "kernel/sched/scheduler.h"


def made_anew() -> dict[str, str]:
    """Of what every sketch is linked with, the objects that are made from the header, with their targets."""
    prepare_board(find_board("sim"))
    stale = stale_objects("sim", [HEADER])
    found = {}
    for one in compiled(BUILD / "sim"):
        target = one.object.partition("CMakeFiles/")[2].partition(".dir/")[0]
        if target in LIBRARIES and stale(one.object):
            found[one.object] = target
    return found


def test_an_edit_of_the_scheduler_compiles_only_the_kernel() -> None:
    found = made_anew()
    assert set(found.values()) == {"hocket_sim_system"}, found
    names = {Path(name).name for name in found}
    assert "sketch.cpp.o" in names
    assert names.isdisjoint({"main.cpp.o", "set_loops.cpp.o", "wishes.cpp.o"})


def test_its_files_read_the_kernel_from_a_precompiled_header() -> None:
    commands = (BUILD / "sim" / "compile_commands.json").read_text().splitlines()
    prepare_board(find_board("sim"))
    without = [
        Path(name).name
        for name in made_anew()
        if not any(f" -o {name} " in line and "-include-pch" in line for line in commands)
    ]
    assert without == ["cmake_pch.hxx.pch"]
