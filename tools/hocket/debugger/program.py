"""The files that gdb reads about a built sketch: its program, and a script."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile

from hocket.builder import Image
from hocket.debugger import uno_dwarf
from hocket.paths import ROOT
from hocket.whole_files import keep_current

IN_GDB = Path(__file__).parent / "in_gdb"
START = IN_GDB / "start.py"


def script_for(image: Image, cores: int) -> Path:
    """Writes NAME.gdb beside the program: `gdb -x NAME.gdb` knows the sketch. (The board: session.py.)"""
    program = image.sketch_elf
    lines = ["set confirm off", "set pagination off", "set breakpoint pending on"]
    if image.board.architecture == "avr":
        program = mended(image.sketch_elf)
        lines.append(f"set $hocket_current = {running_on_uno(image.sketch_elf):#x}")
    lines.append(f"file {quoted(program)}")
    around = image.program_for(cores)
    if around != image.sketch_elf:  # a separate kernel
        lines.append(f"add-symbol-file {quoted(around)}")
    lines += [
        # Needed if a compiler cache has made paths relative.
        f"set substitute-path ../.. {quoted(ROOT)}",
        f'set $hocket_processor = "{image.board.processor}"',
        f"set $hocket_folder = {quoted(image.sketch.folder)}",
        # Versions of gdb differ in whether `source` accepts quotes, so Python reads the file.
        f"python __file__ = {str(START)!a}",
        'python exec(compile(open(__file__, "rb").read(), __file__, "exec"))',
    ]
    script = image.sketch_elf.with_name(f"{image.sketch.name}.gdb")
    return keep_current(script, "\n".join(lines) + "\n")


def quoted(path: Path) -> str:
    """Returns a path in the quotes that gdb's commands and expressions require."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def mended(elf: Path) -> Path:
    """Returns a copy of the Uno's program that gdb can use (uno_dwarf.py)."""
    program = bytearray(elf.read_bytes())
    with elf.open("rb") as file:
        sections = {section.name: section for section in ELFFile(file).iter_sections()}
        abbreviations = sections[".debug_abbrev"].data()
        for name, mend in (
            (".debug_info", lambda data: uno_dwarf.mended(data, abbreviations)),
            (".debug_ranges", uno_dwarf.mended_ranges),
        ):
            if name in sections:
                data = mend(sections[name].data())
                at = sections[name]["sh_offset"]
                program[at : at + len(data)] = data
    return keep_current(elf.with_name(f"{elf.name}.debug"), bytes(program))


def running_on_uno(elf: Path) -> int:
    """Returns the address of the kernel's pointer to the running thread (arduino/cores/avr8/layout.h:
    KernelLayout). 0: the sketch has no kernel."""
    with elf.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".hocket_declared")
        data = section.data() if section is not None else b""
    at = 0
    while at + 6 <= len(data):
        size = int.from_bytes(data[at : at + 2], "little")
        if data[at + 2] == 0:
            return int.from_bytes(data[at + 4 : at + 6], "little")
        at += max(size, 2)
    return 0
