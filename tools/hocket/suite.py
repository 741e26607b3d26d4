"""The test suite as a table: what `hocket test` runs, in order. To add a step, add a row.

A step is a name, one line that says what it checks, and commands that run in the project's folder.
Every step can be run alone: `hocket test NAME`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from hocket.builder.board import jobs
from hocket.paths import BUILD, ROOT

Command = list[str]


@dataclass(frozen=True)
class Step:
    """commands: made when the step runs. closing: the line of the output that says how it went."""

    name: str
    checks: str
    commands: Callable[[], list[Command]]
    closing: str = ""


def _tracked(*patterns: str) -> list[str]:
    """Files of the project by pattern: those under version control and new ones not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
        return sorted(set(names))
    hidden = re.compile(r"^(build|results|\.[^/]*)/")  # a copy without version control
    found = (p.relative_to(ROOT) for pattern in patterns for p in ROOT.rglob(pattern))
    return sorted({str(p) for p in found if not hidden.match(str(p))})


# The contract suite on this computer, on either time base.
CONTRACT = ("contract_host", "contract_host_tick")


def _python(*arguments: str) -> Command:
    return [sys.executable, "-m", *arguments]


def _cmake(preset: str, *chosen: str) -> list[Command]:
    """Configure, build and run the tests of one preset of CMakePresets.json."""
    return [
        ["cmake", "--preset", preset, "--log-level=WARNING"],
        ["cmake", "--build", "--preset", preset, "--parallel", str(jobs())],
        ["ctest", "--preset", preset, *chosen, "--parallel", str(jobs()), "--progress"],
    ]


def _clang_tidy() -> list[Command]:
    """The board sim with all that it shares, then what only the AArch64 boards have."""
    shared = f"^{re.escape(str(ROOT))}/(kernel|port|ports|drivers|boards|arduino)/"
    only = (
        f"^{re.escape(str(ROOT))}/(ports/aarch64|boards/(aarch64/(kernel|sketch)|virt))/.*[.]cpp$"
    )
    commands: list[Command] = []
    for preset, files in (("sim", shared), ("virt", only)):
        tidy = ["run-clang-tidy-19", "-quiet", "-p", str(BUILD / preset), "-j", str(jobs())]
        commands += [
            ["cmake", "--preset", preset, "--log-level=WARNING"],
            [*tidy, f"-header-filter={shared}", files],
        ]
    return commands


def _kernel_for(*flags: str) -> Callable[[], list[Command]]:
    """Every file of the kernel by itself, for a processor without an operating system."""
    base = ["clang++-19", "-std=c++20", "-fsyntax-only", "-ffreestanding", "-fno-exceptions"]
    base += ["-fno-rtti", "-Wall", "-Wextra", "-Werror", "-I.", *flags]

    def commands() -> list[Command]:
        files = _tracked("kernel/*.h", "kernel/*.cpp")
        return [[*base, "-Wno-pragma-once-outside-header", "-x", "c++", *files]]

    return commands


_AVR = (
    "--target=avr",
    "-mmcu=atmega328p",
    "-isystem/usr/lib/avr/include",
    "-D__HAS_DELAY_CYCLES=0",
)

STEPS = (
    Step(
        "format-cpp",
        "C++ files are formatted by .clang-format",
        lambda: [["clang-format-19", "--dry-run", "-Werror", *_tracked("*.cpp", "*.h")]],
    ),
    Step(
        "format-python",
        "Python files are formatted by ruff",
        lambda: [_python("ruff", "format", "--check", "--quiet", ".")],
    ),
    Step("lint-python", "ruff's rules", lambda: [_python("ruff", "check", ".")]),
    Step("types-python", "mypy's strict types", lambda: [_python("mypy", "tools/hocket", "tests")]),
    Step("kernel-avr", "the kernel compiles for 8-bit AVR", _kernel_for(*_AVR)),
    Step(
        "kernel-aarch64",
        "the kernel compiles for AArch64",
        _kernel_for("--target=aarch64-none-elf", "-mgeneral-regs-only"),
    ),
    Step(
        "contract",
        "the contract of a port, and the kernel on it: all of it, with its declared costs",
        lambda: [
            ["cmake", "--preset", "sim", "--log-level=WARNING"],
            ["cmake", "--build", "--preset", "sim", "--parallel", str(jobs())],
            ["cmake", "--build", "--preset", "sim", "--target", *CONTRACT],
            ["ctest", "--preset", "sim", "--parallel", str(jobs()), "--progress"],
        ],
        closing=r"\d+% tests passed.*",
    ),
    Step(
        "cpp",
        "unit and property tests of C++, with AddressSanitizer and UndefinedBehaviorSanitizer",
        lambda: _cmake("host"),
        closing=r"\d+% tests passed.*",
    ),
    Step(
        "threads",
        "stress tests with ThreadSanitizer",
        lambda: _cmake("tsan", "-L", "stress"),
        closing=r"\d+% tests passed.*",
    ),
    Step("lint-cpp", "clang-tidy", _clang_tidy),
    Step(
        "python",
        "tests of the command line, of whole sketches, of the models (pytest)",
        lambda: [_python("pytest", "tests", "-n", str(jobs()), "--dist", "worksteal")],
        closing=r"=+ .*\b(passed|failed|error).* =+",
    ),
)
