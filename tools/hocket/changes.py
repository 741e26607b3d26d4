"""Which checks can a change have touched? For `hocket test --changed`.

C++ is asked of ninja, which knows what every object was made from. For what Python tests run there is no
such graph: a table says which of them look at which part. A file that no rule knows selects everything.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from hocket.compiled import compiled
from hocket.errors import HocketError
from hocket.paths import BUILD, ROOT

# Tests of whole sketches, which everything that is linked into a sketch or runs one can break.
WHOLE = ("tests/system", "tests/bench", "tests/counts")
AARCH64 = (
    *("tests/contract/aarch64", "tests/protection", "tests/drivers", "tests/system", "tests/bench"),
    *("tests/counts/test_aarch64_cost.py", "tests/unit/ports", "tests/unit/arduino/cores"),
)
UNO = ("tests/contract/avr8", "tests/uno", "tests/bench", "tests/unit/tools/test_flash_uno.py")

# The beginning of a path → the Python tests to run. The longest beginning counts; () is none.
PYTHON_TESTS: dict[str, tuple[str, ...]] = {
    "kernel/": (
        *("tests/unit/kernel", "tests/unit/arduino", "tests/contract", "tests/nocompile"),
        *("tests/protection", "tests/uno", "tests/simso", "tests/spin", "tests/symbolic", *WHOLE),
    ),
    "admission/": (
        *("tests/unit/kernel", "tests/unit/arduino", "tests/contract", "tests/nocompile"),
        *("tests/protection", "tests/uno", "tests/simso", "tests/bounds", *WHOLE),
    ),
    "port/": ("tests/nocompile", "tests/unit/kernel", "tests/contract", "tests/uno", *WHOLE),
    "ports/template/": ("tests/nocompile", "tests/unit/kernel", "tests/unit/arduino/runtime"),
    "ports/host/": WHOLE,
    "ports/aarch64/": AARCH64,
    "ports/avr8/": UNO,
    "ports/": ("tests",),
    "drivers/": ("tests/drivers", "tests/contract/aarch64", "tests/system"),
    "boards/sim/": WHOLE,
    "boards/virt/": AARCH64,
    "boards/rpi3/": AARCH64,
    "boards/uno/": UNO,
    "hybrid/protocol/": ("tests/unit/hybrid", "tests/spin", *WHOLE),
    "hybrid/loops/": ("tests/unit/hybrid", *WHOLE),
    "hybrid/linux/": ("tests/unit/hybrid",),
    "simulation/devices/": ("tests/unit/tools/scenario", "tests/uno", *WHOLE),
    "simulation/parts/": ("tests/unit/tools/scenario", "tests/uno", *WHOLE),
    "simulation/machine/": WHOLE,
    "simulation/peer/": ("tests/unit/simulation/peer", "tests/protection", *WHOLE),
    "simulation/program/": ("tests/unit/simulation/peer", "tests/uno", "tests/bounds", *WHOLE),
    "simulation/uno/": UNO,
    "arduino/": ("tests/unit/arduino", "tests/nocompile", "tests/uno", "tests/protection", *WHOLE),
    "arduino/cores/aarch64/": AARCH64,
    "arduino/cores/avr8/": UNO,
    "tools/hocket/": ("tests/unit/tools", "tests/nocompile", "tests/uno", *WHOLE),
    "tools/hocket/suite.py": ("tests/unit/tools",),
    "tools/hocket/changes.py": ("tests/unit/tools",),
    "tools/hocket/commands/test.py": ("tests/unit/tools",),
    "tests/neighbours/": ("tests/system/test_random_neighbours.py",),
    "bench/": ("tests/bench", "tests/counts", "tests/system/test_documentation.py"),
    "examples/": ("tests/system", "tests/unit/arduino/cores", "tests/uno"),
    "docs/": ("tests/system/test_documentation.py", "tests/unit/tools"),
    "README.md": ("tests/system/test_documentation.py",),
    "CONTRIBUTING.md": (),
    "LICENSE": (),
    ".clang-format": (),
    ".clang-tidy": (),
    ".gitignore": (),
}
ALWAYS = "tests/tree"  # rules that any file can break, in seconds


def changed_files(base: str) -> list[str]:
    """Files that differ from a commit, and new ones; HocketError when there is no such commit."""
    asked = [
        ["git", "diff", "--name-only", base, "--"],
        ["git", "ls-files", "--others", "--exclude-standard"],
    ]
    names: set[str] = set()
    for command in asked:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise HocketError(
                f"what has changed since {base!r} is not known",
                done.stderr.strip().splitlines()[0] if done.stderr.strip() else "git failed",
                "name a commit, a branch or a tag: hocket test --changed main",
            )
        names.update(done.stdout.splitlines())
    return sorted(names)


def python_tests(changed: Iterable[str]) -> list[str]:
    """Test files and folders for pytest; ["tests"] for all."""
    chosen: set[str] = set()
    for path in changed:
        chosen.update(_tests_of(path))
    if "tests" in chosen:
        return ["tests"]
    if chosen:
        chosen.add(ALWAYS)
    inside = {name for name in chosen if any(name.startswith(f"{other}/") for other in chosen)}
    return sorted(chosen - inside)


def _tests_of(path: str) -> tuple[str, ...]:
    known = [begin for begin in PYTHON_TESTS if path.startswith(begin)]
    if known:
        return PYTHON_TESTS[max(known, key=len)]
    return _tests_of_test(path) if path.startswith("tests/") else ("tests",)


def _tests_of_test(path: str) -> tuple[str, ...]:
    file = Path(path)
    if file.name.startswith("test_") and file.suffix == ".py":
        return (path,) if (ROOT / file).is_file() else ()
    if len(file.parts) == 2 and file.suffix == ".py":
        return ("tests",)  # what all tests share
    return (str(file.parent),) if _has_python_tests(ROOT / file.parent) else ()


def _has_python_tests(folder: Path) -> bool:
    return any(folder.rglob("test_*.py"))


def stale_objects(preset: str, changed: Iterable[str]) -> Callable[[str], bool]:
    """Tells of an object of a configured preset whether it is made from one of these files; one that was
    never made may be."""
    wanted = {str(ROOT / name) for name in changed}
    stale: dict[str, bool] = {}
    target = ""
    for line in _ninja(preset, "deps").splitlines():
        if not line.startswith(" "):
            target = line.partition(":")[0]
            stale[target] = False
        elif line.strip() in wanted:
            stale[target] = True
    return lambda name: stale.get(name, True)


def stale_tests(preset: str, changed: Iterable[str]) -> list[str]:
    """The programs with tests of a configured preset that these files are part of."""
    stale = stale_objects(preset, changed)
    rules = (line.split(": ") for line in _ninja(preset, "targets", "all").splitlines())
    programs = [Path(name) for name, *rule in rules if rule and "EXECUTABLE_LINKER" in rule[0]]
    chosen = []
    for program in filter(lambda name: _has_tests(BUILD / preset / name), programs):
        inputs = _ninja(preset, "inputs", str(program)).split()
        if any(stale(name) for name in inputs if name.endswith(".o")):
            chosen.append(program.name)
    return sorted(chosen)


def _has_tests(program: Path) -> bool:
    """ctest knows it; programs on demand and what comes of a link beside the program are none."""
    listed = program.parent / "CTestTestfile.cmake"
    tests = listed.read_text() if listed.is_file() else ""
    return f'/{program.name}"' in tests or f"/{program.name}[1]_include" in tests


def stale_sources(preset: str, changed: Iterable[str]) -> list[str]:
    """The sources of a configured preset that are compiled from one of these files."""
    stale = stale_objects(preset, changed)
    return sorted({one.source for one in compiled(BUILD / preset) if stale(one.object)})


def _ninja(preset: str, tool: str, *arguments: str) -> str:
    command = ["ninja", "-C", str(BUILD / preset), "-t", tool, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
