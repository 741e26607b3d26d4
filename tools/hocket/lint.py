"""Runs clang-tidy over a configured preset, for `hocket self-test lint-cpp`: each source once, in units.

    python -m hocket.lint PRESET HEADERS SOURCES …

HEADERS and SOURCES are patterns of paths: the headers in which findings are reported, and the sources to
check.

Most of the time is spent on the headers that a source includes, above all those of the C++ library. So:
- A source that a preset compiles for several targets is checked for the first of them, except those of TWICE.
- The sources of one target are checked as one unit. Its name must begin with "UnifiedSource": the analyzer
  then follows paths in the included files, as in a main file. Sources whose names clash with others' are a
  unit of their own. A unit that has findings is split in halves. Only a single source's findings count.
- The analyzer follows the paths of code that runs on a board. For the simulators and their parts, which the
  tests run under AddressSanitizer, it does so only in the long form (HOCKET_LONG). So does the check for
  parameters that are copied without need, which takes 40 % of all checks there and none on a board.
- A unit without findings is not checked again until something that it is made from changes: a source, a
  header, the flags, .clang-tidy, clang-tidy itself, this file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hocket.builder.board import jobs
from hocket.compiled import compiled
from hocket.paths import BUILD, ROOT

TIDY = "clang-tidy-19"
# Sources in a unit. Where the analyzer follows paths, it takes most of the time: few enough to keep all
# processors busy to the end. Elsewhere the headers do: of one more source, 2 % of what these take.
TOGETHER = 10
TOGETHER_WITHOUT_PATHS = 40

# Code for which some checks are left to the long form.
NOT_ON_A_BOARD = f"{ROOT}/simulation/"
LONG_ONLY = ("-clang-analyzer-*", "-performance-unnecessary-value-param")

# A source to be checked with the definition of another target as well, for headers that only that target
# includes.
TWICE = {("arduino/runtime/sketch.cpp", "-DHOCKET_KERNEL_POLICY=hybrid_edf")}


@dataclass(frozen=True)
class Unit:
    """Sources of one target, with the same flags."""

    name: str
    sources: tuple[str, ...]
    compiler: str
    flags: tuple[str, ...]

    def checks(self) -> list[str]:
        """Returns the checks of .clang-tidy to leave out."""
        left_out = []
        if len(self.sources) > 1:
            left_out.append("-bugprone-suspicious-include")
        if _without_paths(self.sources):
            left_out.extend(LONG_ONLY)
        return left_out

    def halves(self) -> list[Unit]:
        """Returns two units with half of the sources each."""
        return self.parts(self.sources[: len(self.sources) // 2])

    def parts(self, first: Sequence[str]) -> list[Unit]:
        """Returns a unit of these sources and one of the others."""
        others = [source for source in self.sources if source not in first]
        return [
            Unit(f"{self.name}-{side}", tuple(sources), self.compiler, self.flags)
            for side, sources in (("a", first), ("b", others))
        ]


def _without_paths(sources: Iterable[str]) -> bool:
    """Returns whether the analyzer leaves these sources to the long form."""
    on_a_board = not all(source.startswith(NOT_ON_A_BOARD) for source in sources)
    return not on_a_board and not os.environ.get("HOCKET_LONG")


def units(preset: str, chosen: re.Pattern[str]) -> list[Unit]:
    """Returns the units of a configured preset."""
    seen: set[str] = set()
    together: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for one in compiled(BUILD / preset):
        source, words = one.source, one.command
        output = words.index("-o")
        compiler = next(i for i, word in enumerate(words) if "clang" in Path(word).name)
        flags = words[compiler + 1 : output]
        again = any(source == str(ROOT / name) and flag in flags for name, flag in TWICE)
        if not chosen.search(source) or (source in seen and not again):
            continue
        seen.add(source)
        target = re.sub(r".*CMakeFiles/(.*?)\.dir/.*", r"\1", one.object)
        together.setdefault((target, words[compiler], flags), []).append(source)
    found = []
    for (target, program, given), sources in together.items():
        size = TOGETHER_WITHOUT_PATHS if _without_paths(sources) else TOGETHER
        for number, first in enumerate(range(0, len(sources), size)):
            some = tuple(sources[first : first + size])
            found.append(Unit(f"{target}-{number}", some, program, given))
    return found


@cache
def _digest(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


@cache
def _version() -> str:
    return subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=False).stdout


class Linter:
    def __init__(self, preset: str, headers: str) -> None:
        self.folder = BUILD / "lint" / preset
        self.headers = headers
        self.folder.mkdir(parents=True, exist_ok=True)

    def read(self, unit: Unit) -> tuple[bool, str]:
        """Returns whether a unit has no findings, and the findings."""
        record = self.folder / f"{unit.name}.json"
        if self._is_known(unit, record):
            return True, ""
        made_from: dict[str, str] = {}
        parts = self._compiled(unit, made_from)
        read = [self._found_in(part) for part in parts]
        clean = all(passed for passed, _ in read)
        if clean and made_from:
            record.write_text(json.dumps({"with": self._with(unit), "made from": made_from}))
        return clean, "".join(text for _, text in read)

    def _found_in(self, unit: Unit) -> tuple[bool, str]:
        """Checks a unit, and its halves if it is not clean."""
        clean, found = self._tidy(unit)
        if clean or len(unit.sources) == 1:
            return clean, found
        halves = [self._found_in(half) for half in unit.halves()]
        return all(passed for passed, _ in halves), "".join(text for _, text in halves)

    def _with(self, unit: Unit) -> str:
        parts = [_version(), _digest(str(ROOT / ".clang-tidy")), _digest(__file__), self.headers]
        parts += [*unit.sources, unit.compiler, *unit.flags, *unit.checks()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _is_known(self, unit: Unit, record: Path) -> bool:
        try:
            known = json.loads(record.read_text())
        except (OSError, ValueError):
            return False
        made_from: dict[str, str] = known["made from"]
        return bool(known["with"] == self._with(unit)) and all(
            _digest(file) == digest for file, digest in made_from.items()
        )

    def _compiled(self, unit: Unit, made_from: dict[str, str]) -> list[Unit]:
        """Returns units of these sources that can be compiled: those whose names clash with others' are
        apart. Adds the files that they are made from; a source that cannot be compiled has none."""
        listed = self.folder / f"{unit.name}.d"
        asked = subprocess.run(
            [*(unit.compiler, *unit.flags, "-fsyntax-only", "-w", "-ferror-limit=0"),
             *("-MD", "-MF", str(listed), self._file(unit))],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        if asked.returncode == 0:
            files = listed.read_text().partition(":")[2].replace("\\\n", " ").split()
            made_from.update(
                (file, _digest(file)) for file in files if str(self.folder) not in file
            )
            return [unit]
        if len(unit.sources) == 1:
            return [unit]
        clash = set(re.findall(r"^(/[^:]+):\d+:\d+: error: ", asked.stderr, re.MULTILINE))
        rest = [source for source in unit.sources if source not in clash]
        apart = unit.parts(rest) if 0 < len(rest) < len(unit.sources) else unit.halves()
        return [each for part in apart for each in self._compiled(part, made_from)]

    def _file(self, unit: Unit) -> str:
        """Returns the unit's only source, or writes one that includes all of them."""
        if len(unit.sources) == 1:
            return unit.sources[0]
        file = self.folder / f"UnifiedSource-{unit.name}.cpp"
        file.write_text("".join(f'#include "{source}"\n' for source in unit.sources))
        return str(file)

    def _tidy(self, unit: Unit) -> tuple[bool, str]:
        """Returns clang-tidy's verdict and its findings."""
        options = ["-quiet", f"-header-filter={self.headers}"]
        if left_out := unit.checks():
            options += [f"-checks={','.join(left_out)}", f"-config-file={ROOT / '.clang-tidy'}"]
        done = subprocess.run(
            [TIDY, *options, self._file(unit), "--", *unit.flags],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode == 0, done.stdout + done.stderr


def lint(preset: str, headers: str, chosen: Iterable[str]) -> bool:
    linter = Linter(preset, headers)
    passed = True
    with ThreadPoolExecutor(jobs()) as pool:
        all_units = units(preset, re.compile("|".join(chosen)))
        for unit, (clean, found) in zip(all_units, pool.map(linter.read, all_units), strict=True):
            print(
                f"{unit.name}: {len(unit.sources)} sources{'' if clean else ': FOUND'}", flush=True
            )
            if not clean:
                print(found, flush=True)
            passed = passed and clean
    return passed


if __name__ == "__main__":
    sys.exit(0 if lint(sys.argv[1], sys.argv[2], sys.argv[3:]) else 1)
