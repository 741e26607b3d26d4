"""The test suite as a table: the steps of `hocket self-test`, in order. To add a step, add a row.

A step is a name, one line that says what it checks, and commands that run in the project's folder. Every step
can be run alone: `hocket self-test NAME`. `hocket self-test --changed` runs the parts of each step that a
change can affect (changes.py, recorded/).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hocket.boards import NAMES, first_with
from hocket.builder.board import configuration, jobs
from hocket.changes import stale_sources, stale_tests
from hocket.paths import BUILD, ROOT

Command = list[str]


@dataclass(frozen=True)
class Step:
    """commands: created when the step runs, each after the previous one has ended. closing: the line of the
    output with the result. changed: the commands for changed files, or a pattern: all commands if a file
    matches. for_one_processor: further processors would not make the step faster."""

    name: str
    checks: str
    commands: Callable[[], Iterable[Command]]
    changed: Callable[[list[str]], Iterable[Command]] | str
    closing: str = ""
    for_one_processor: bool = False

    def commands_for(self, changed: list[str] | None) -> Iterable[Command]:
        if changed is None:
            return self.commands()
        if isinstance(self.changed, str):
            pattern = re.compile(self.changed)
            return self.commands() if any(map(pattern.search, changed)) else ()
        return self.changed(changed)


def _tracked(*patterns: str) -> list[str]:
    """Returns the project's files by pattern: those under version control, and new ones that are not
    ignored."""
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


# The contract suite on this computer, on both time bases.
CONTRACT = ("contract_host", "contract_host_tick")


def _python(*arguments: str) -> Command:
    return [sys.executable, "-m", *arguments]


def _configure(preset: str) -> Command:
    return [*configuration(preset, BUILD / preset), "--log-level=WARNING"]


def _build(preset: str, *targets: str) -> Command:
    of_board = [str(BUILD / preset)] if preset in NAMES else ["--preset", preset]
    command = ["cmake", "--build", *of_board, "--parallel", str(jobs())]
    return [*command, "--target", *targets] if targets else command


def _ctest(preset: str, *chosen: str) -> Command:
    return ["ctest", "--preset", preset, *chosen, "--parallel", str(jobs()), "--progress"]


def _cpp(changed: list[str]) -> Iterable[Command]:
    """Builds and runs the test programs of the preset `host` that contain these files."""
    yield _configure("host")
    programs = stale_tests("host", changed)
    if programs:
        yield _build("host", *programs)
        yield _ctest("host", "-L", f"^({'|'.join(programs)})$")


# The programs of `hocket self-test kernel`, of the preset `host`, each in one process.
KERNEL = {
    "tests/unit/admission/analysis_test": ["--gtest_brief=1"],
    "tests/unit/kernel/kernel_test": ["--gtest_brief=1"],
    "tests/unit/kernel/task/comms_test": ["--gtest_brief=1"],
    "tests/property/property_tests": ["--gtest_brief=1", "--gtest_filter=Kernel*"],
    "tests/contract/contract_host": ["1", "4"],
    "tests/contract/contract_host_tick": ["1", "4"],
}


def _kernel() -> Iterable[Command]:
    yield _configure("host")
    yield _build("host", *(name.rpartition("/")[2] for name in KERNEL))
    for name, arguments in KERNEL.items():
        program = str(BUILD / "host" / name)
        yield ["cmake", "-E", "env", "RC_PARAMS=seed=1 max_success=100", program, *arguments]


def _clang_tidy(changed: list[str] | None = None) -> Iterable[Command]:
    """Checks the board sim with all that it shares, then the files that only the AArch64 boards and Cortex-M
    have."""
    tree = f"^{re.escape(str(ROOT))}"
    shared = f"{tree}/(kernel|admission|port|ports|drivers|boards|arduino|hybrid|simulation)/"
    emulated = first_with("kernel_tests")
    cores = "arduino/cores/(aarch64|protected)|arduino/surroundings"
    only = f"{tree}/(ports/aarch64|{cores}|boards/{emulated})/.*[.]cpp$"
    cortex_m = f"{tree}/(ports/cortex_m|tests/contract/cortex_m)/.*[.]cpp$"
    for preset, files in (("sim", shared), (emulated, only), ("cortex_m", cortex_m)):
        yield _configure(preset)
        chosen = [files]
        if changed is not None:
            stale = [name for name in stale_sources(preset, changed) if re.search(files, name)]
            chosen = [f"^{re.escape(name)}$" for name in stale]
        if chosen:
            yield _python("hocket.lint", preset, shared, *chosen)


def _formatted(files: list[str]) -> list[Command]:
    return [["clang-format-19", "--dry-run", "-Werror", *files]] if files else []


def _pytest() -> list[Command]:
    # Two more than there are processors: each waits for a quarter of its time, for programs and browsers that
    # start, for other workers' builds, for what is interrupted.
    return [_python("pytest", "tests", "-n", str(jobs() + 2), "--dist", "worksteal")]


def _kernel_for(*flags: str) -> Callable[[], list[Command]]:
    """Compiles every file of the kernel and of admission separately, for a processor without an operating
    system."""
    base = ["clang++-19", "-std=c++20", "-fsyntax-only", "-ffreestanding", "-fno-exceptions"]
    base += ["-fno-rtti", "-Wall", "-Wextra", "-Werror", "-I.", *flags]

    def commands() -> list[Command]:
        files = _tracked("kernel/*.h", "kernel/*.cpp", "admission/*.h")
        return [[*base, "-Wno-pragma-once-outside-header", "-x", "c++", *files]]

    return commands


_AVR = (
    "--target=avr",
    "-mmcu=atmega328p",
    "-isystem/usr/lib/avr/include",
    "-D__HAS_DELAY_CYCLES=0",
)

_CPP = r"\.(cpp|h)$"
_PY = r"\.py$|pyproject\.toml$"
_KERNEL_ONLY = r"^(kernel|admission|port)/|suite\.py$"
_CTEST = r"\d+% tests passed.*"

STEPS = (
    Step(
        "format-cpp",
        "C++ files are formatted by .clang-format",
        lambda: _formatted(_tracked("*.cpp", "*.h", "*.c")),
        lambda changed: _formatted(
            _tracked("*.cpp", "*.h", "*.c")
            if ".clang-format" in changed
            else [name for name in changed if re.search(_CPP, name) and (ROOT / name).is_file()]
        ),
        for_one_processor=True,
    ),
    Step(
        "format-python",
        "Python files are formatted by ruff",
        lambda: [_python("ruff", "format", "--check", "--quiet", ".")],
        _PY,
        for_one_processor=True,
    ),
    Step(
        "lint-python",
        "ruff's rules",
        lambda: [_python("ruff", "check", ".")],
        _PY,
        for_one_processor=True,
    ),
    Step(
        "types-python",
        "mypy's strict types",
        lambda: [_python("mypy", "tools/hocket", "tests")],
        _PY,
        for_one_processor=True,
    ),
    Step(
        "kernel-avr",
        "the kernel and admission compile for 8-bit AVR",
        _kernel_for(*_AVR),
        _KERNEL_ONLY,
        for_one_processor=True,
    ),
    Step(
        "kernel-aarch64",
        "the kernel and admission compile for AArch64",
        _kernel_for("--target=aarch64-none-elf", "-mgeneral-regs-only"),
        _KERNEL_ONLY,
        for_one_processor=True,
    ),
    Step(
        "kernel-cortex-m",
        "the kernel and admission compile for Cortex-M, with the least that one has (Armv6-M)",
        _kernel_for("--target=thumbv6m-none-eabi", "-mcpu=cortex-m0"),
        _KERNEL_ONLY,
        for_one_processor=True,
    ),
    Step(
        "contract",
        "the contract of a port, and the kernel on it: all of it, with its declared costs",
        lambda: [
            _configure("sim"),
            _build("sim"),
            _build("sim", *CONTRACT),
            _ctest("sim"),
        ],
        r"^(kernel|admission|port|ports/host|tests/contract)/",
        closing=_CTEST,
    ),
    Step(
        "cpp",
        "unit and property tests of C++, with AddressSanitizer and UndefinedBehaviorSanitizer",
        lambda: [_configure("host"), _build("host"), _ctest("host")],
        _cpp,
        closing=_CTEST,
    ),
    Step(
        "threads",
        "stress tests with ThreadSanitizer",
        lambda: [_configure("tsan"), _build("tsan"), _ctest("tsan", "-L", "stress")],
        r"^(kernel/(base|task)|arduino/hocket|tests/stress)/",
        closing=_CTEST,
    ),
    Step("lint-cpp", "clang-tidy", _clang_tidy, _clang_tidy),
    Step(
        "python",
        "tests of the command line, of whole sketches, of the models (pytest)",
        lambda: _pytest(),
        lambda changed: [_python("hocket.recorded.perform")],
        closing=r"=+ .*\b(passed|failed|error).* =+",
    ),
)

# Not part of the whole suite, which includes these checks. They are for quick runs between edits.
SHORTCUTS = (
    Step(
        "kernel",
        "of the above: the kernel's unit and property tests and its contract on the host, in a minute",
        _kernel,
        lambda changed: [],
        closing=r"\[  PASSED  \].*|\d+ passed, \d+ failed",
    ),
)
