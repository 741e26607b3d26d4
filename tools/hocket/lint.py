"""clang-tidy over a configured preset, as `hocket self-test lint-cpp` runs it: each source once, in units.

    python -m hocket.lint PRESET HEADERS SOURCES …

HEADERS and SOURCES are patterns of paths: in which headers mistakes are reported, which sources are read.
Most of the time goes into the headers that a source includes, the C++ library's above all. So

- a source that a preset compiles for several targets is read for the first of them, save those of TWICE;
- the sources of one target are read as one unit. Its name has to begin with "UnifiedSource": in files that
  such a one includes the analyzer follows paths, as it does in a main file. A unit that cannot be read
  together, or in which something is found, is read in halves: what is found in a source alone counts;
- the analyzer follows the paths of what runs on a board; of the simulators and their parts, which the tests
  run under AddressSanitizer, only in the long form (HOCKET_LONG);
- a unit in which nothing was found is not read again before something changes that it is made from: a
  source, a header, the flags, .clang-tidy, clang-tidy itself, this file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hocket.builder.board import jobs
from hocket.compiled import compiled
from hocket.paths import BUILD, ROOT

TIDY = "clang-tidy-19"
TOGETHER = 10  # sources in one unit: as many as leave work for all processors to the end

# Whose paths the analyzer follows in the long form alone.
NOT_ON_A_BOARD = f"{ROOT}/simulation/"

# A source to be read with a definition of a further target as well: for headers that no other target has.
TWICE = {("arduino/runtime/sketch.cpp", "-DHOCKET_KERNEL_POLICY=hybrid_edf")}


@dataclass(frozen=True)
class Unit:
    """Sources of one target, with the same flags."""

    name: str
    sources: tuple[str, ...]
    compiler: str
    flags: tuple[str, ...]

    def checks(self) -> list[str]:
        """What is left out of .clang-tidy's checks."""
        left_out = []
        if len(self.sources) > 1:
            left_out.append("-bugprone-suspicious-include")
        on_a_board = not all(source.startswith(NOT_ON_A_BOARD) for source in self.sources)
        if not on_a_board and not os.environ.get("HOCKET_LONG"):
            left_out.append("-clang-analyzer-*")
        return left_out

    def halves(self) -> list[Unit]:
        """The same in two units."""
        middle = len(self.sources) // 2
        return [
            Unit(f"{self.name}-{side}", sources, self.compiler, self.flags)
            for side, sources in (("a", self.sources[:middle]), ("b", self.sources[middle:]))
        ]


def units(preset: str, chosen: re.Pattern[str]) -> list[Unit]:
    """What is to be read of a configured preset."""
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
    return [
        Unit(f"{target}-{first // TOGETHER}", tuple(sources[first : first + TOGETHER]), compiler, flags)
        for (target, compiler, flags), sources in together.items()
        for first in range(0, len(sources), TOGETHER)
    ]  # fmt: skip


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
        """Whether nothing is found in a unit, and what is."""
        record = self.folder / f"{unit.name}.json"
        if self._is_known(unit, record):
            return True, ""
        made_from = {file: _digest(file) for file in self._made_from(unit)}
        clean, found = self._found_in(unit)
        if clean and made_from:
            record.write_text(json.dumps({"with": self._with(unit), "made from": made_from}))
        return clean, found

    def _found_in(self, unit: Unit) -> tuple[bool, str]:
        """The verdict on each source that is not clean together with others: often it is one of ten whose
        name clashes with another's, so the rest is read together."""
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

    def _made_from(self, unit: Unit) -> list[str]:
        """The sources and all they include; none when the compiler cannot say."""
        files: set[str] = set()
        for source in unit.sources:
            asked = subprocess.run(
                [unit.compiler, *unit.flags, "-M", source],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            if asked.returncode != 0:
                return []
            files.update(asked.stdout.partition(":")[2].replace("\\\n", " ").split())
        return sorted(files)

    def _tidy(self, unit: Unit) -> tuple[bool, str]:
        """clang-tidy's own verdict, and its findings."""
        options = ["-quiet", f"-header-filter={self.headers}"]
        file = unit.sources[0]
        if len(unit.sources) > 1:
            file = str(self.folder / f"UnifiedSource-{unit.name}.cpp")
            Path(file).write_text("".join(f'#include "{source}"\n' for source in unit.sources))
        if left_out := unit.checks():
            options += [f"-checks={','.join(left_out)}", f"-config-file={ROOT / '.clang-tidy'}"]
        done = subprocess.run(
            [TIDY, *options, file, "--", *unit.flags],
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
