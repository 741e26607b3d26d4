"""The kernel on AArch64 beside its peers, in instructions, and the image's size by part.

bench_kernel (main.cpp) runs in QEMU with a clock that counts instructions, so the figures are the same in
every run. The peers' were measured on the same emulator.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hocket.builder.board import configuration
from hocket.builder.lock import locked
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.paths import BUILD, ROOT

# Zephyr 3.4 (uniprocessor), FreeRTOS 11.1, ThreadX 6.4: GCC 12 -O2, Cortex-A53, no assertions.
Peers = tuple[float, float, float]
PATHS: dict[str, Peers] = {
    "yield and switch": (111, 108.5, 81),
    "semaphore ping-pong round": (332, 939, 356),
    "semaphore give to woken thread": (187, 300, 153),
    "vector to first instruction of a handler": (51, 26, 44),
    "vector to a woken thread's code": (261, 366, 234),
    "vector to the interrupted thread's code, through a woken one": (431, 973, 439),
    "thread resumed, runs, suspends itself, back": (312, 491, 351),
}
THREAD_METRIC: dict[str, Peers] = {
    "cooperative": (128, 109.6, 83.0),
    "preemptive": (224.8, 400.8, 265.6),
    "interrupt": (192, 223, 156),
    "interrupt preemption": (391, 565, 422),
    "message, 16 bytes": (196.8, 253.6, 142.3),
    "synchronisation": (67, 186, 62),
    "memory, 128 bytes": (73, 271, 63),
}
CORES = (1, 8)  # what the image is built for; it runs on one
# What a path takes where all the core's virtual CPUs are there, 8 of them and 64.
CROWD = "semaphore ping-pong round, every slot taken"
CROWDED = "bench_kernel_slots64"

Cell = str | int | float | None


@dataclass(frozen=True)
class Figures:
    """One image's: median and most of a path, instructions of one count of a test."""

    paths: dict[str, tuple[int, int]]
    thread_metric: dict[str, float]


def _run(command: list[str | Path], seconds: int) -> str:
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False
    )
    if done.returncode != 0:
        raise HocketError(
            f"{Path(command[0]).name} failed while the kernel was measured on AArch64",
            (done.stdout + done.stderr)[-2000:],
            "if hocket doctor finds nothing, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
    return done.stdout + done.stderr


def build() -> dict[int, Path]:
    """The images, by the number of cores they are built for."""
    folder = BUILD / "virt"
    targets = {cores: f"bench_kernel_cores{cores}" for cores in CORES}
    with locked(folder):
        _run([*configuration("virt", folder), "--log-level=WARNING"], 120)
        _run(["ninja", "-C", folder, *targets.values()], 600)
    place = folder / "bench" / "kernel" / "aarch64"
    return {cores: place / f"{target}.elf" for cores, target in targets.items()}


def growth() -> tuple[int, int]:
    """A ping-pong round among 8 virtual CPUs and among 64, on the image for one core."""
    few = measure(build()[1]).paths[CROWD][0]
    folder = BUILD / "virt"
    with locked(folder):
        _run(["ninja", "-C", folder, CROWDED], 600)
    many = measure(folder / "bench" / "kernel" / "aarch64" / f"{CROWDED}.elf").paths[CROWD][0]
    return few, many


def measure(image: Path) -> Figures:
    command: list[str | Path] = ["qemu-system-aarch64", "-M", "virt,gic-version=3", "-m", "128M"]
    command += ["-cpu", "cortex-a53,cntfrq=1000000000", "-icount", "shift=0,sleep=off"]
    command += ["-nodefaults", "-display", "none", "-serial", "none", "-monitor", "none"]
    command += ["-semihosting-config", "enable=on,target=native", "-kernel", image]
    paths, metric = {}, {}
    for line in _run(command, 120).splitlines():
        name, *values = line.split("|")
        if len(values) == 2:
            paths[name] = (int(values[0]), int(values[1]))
        elif len(values) == 1:
            metric[name] = round(float(values[0]), 1)
    return Figures(paths, metric)


def rows_of(figures: dict[int, Figures]) -> list[list[Cell]]:
    """Each path and test: ours on the image for one core and for eight, then the peers."""
    rows: list[list[Cell]] = []
    for name, peers in PATHS.items():
        ours = [figures[cores].paths[name] for cores in CORES]
        rows.append([name, *(f"{median}, {most}" for median, most in ours), *peers])
    for name, peers in THREAD_METRIC.items():
        ours_too = [figures[cores].thread_metric[name] for cores in CORES]
        rows.append([f"thread_metric: {name}", *(f"{one:.1f}" for one in ours_too), *peers])
    return rows


# --- Size ---

KINDS = ("text", "rodata", "data", "bss")


def sizes(image: Path) -> dict[str, dict[str, int]]:
    """Bytes of the image by folder of the source and kind: what each symbol's compile unit says.

    Templates of the kernel belong to the folder of their header: the line table tells it.
    """
    found: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(KINDS, 0))
    with image.open("rb") as file:
        elf = ELFFile(file)
        sections = {i: s.name for i, s in enumerate(elf.iter_sections())}
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = [
            (s["st_value"], s["st_size"], sections[s["st_shndx"]], s["st_info"]["type"])
            for s in table.iter_symbols()
            if s["st_size"] > 0 and s["st_shndx"] in sections
        ]
    seen: set[int] = set()
    wanted = []
    for address, size, section, kind in symbols:
        if address in seen or kind not in ("STT_FUNC", "STT_OBJECT"):
            continue
        seen.add(address)
        wanted.append((address, size, _kind(section), kind))
    for (_, size, kind, _), folder in zip(wanted, _folders(image, wanted), strict=True):
        found[folder][kind] += size
    return dict(sorted(found.items()))


def _kind(section: str) -> str:
    name = section.removeprefix(".")
    return {"zero": "bss", "kept": "data"}.get(name, name)


def _folders(image: Path, wanted: list[tuple[int, int, str, str]]) -> list[str]:
    """Where each symbol was written, by llvm-symbolizer."""
    asked = "\n".join(
        f"{'CODE' if kind == 'STT_FUNC' else 'DATA'} {address:#x}" for address, _, _, kind in wanted
    )
    done = subprocess.run(
        ["llvm-symbolizer-19", "-e", str(image), "--output-style=LLVM"],
        input=asked, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    answers = done.stdout.strip().split("\n\n")
    return [_folder(answer) for answer in answers]


def _folder(answer: str) -> str:
    for line in reversed(answer.splitlines()):  # the last frame: the function itself
        path = os.path.normpath(line.partition(":")[0])  # a build may use relative ones
        if path.startswith(str(ROOT)):
            parts = Path(path).relative_to(ROOT).parent.parts
            return "/".join(parts[:2])
    return "(no line)"


def size_rows(image: Path) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for folder, by_kind in sizes(image).items():
        rows.append([folder, *(by_kind[kind] for kind in KINDS)])
    totals = [sum(int(row[1 + i] or 0) for row in rows) for i in range(len(KINDS))]
    rows.append(["in all", *totals])
    return rows
