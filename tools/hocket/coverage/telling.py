"""Writes the table of coverage and its files: lcov for editors and services, HTML for a browser. gcovr makes
both."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hocket.console import say
from hocket.coverage.asking import Coverage
from hocket.coverage.lines import Lines
from hocket.errors import EXIT_DONE, EXIT_FAULT, EXIT_USAGE, HocketError, shorten
from hocket.own_python import python_module
from hocket.tables import print_table


def tell(lines: Lines, asked: Coverage, status: int, unknown: Sequence[Path] = ()) -> int:
    """Prints the table and writes the files. Returns the command's status: that of the run, or 1 if the run
    was normal and too few lines ran. unknown: sketches without known lines, because they do not compile."""
    rows, run_lines, all_lines = table_of(lines, unknown)
    print_table(("file", "lines", "covered", "%"), rows)
    sys.stdout.flush()
    share = percent(run_lines, all_lines)
    if lines:
        _write(lines, asked.folder)
        say(f"wrote {asked.folder / 'index.html'} and {asked.folder / 'lcov.info'}")
    if unknown:
        _tell_unknown(unknown, "" if lines else f"; nothing was written to {asked.folder}")
        status = EXIT_USAGE if status == EXIT_DONE else status
    if asked.least is None or (share is not None and share >= asked.least and not unknown):
        return status
    if share is None:
        say(f"no line is known, so coverage is not the {asked.least:g} % of --coverage-min")
    elif share < asked.least:
        say(f"coverage is {share:.1f} %, less than the {asked.least:g} % of --coverage-min")
    return EXIT_FAULT if status == EXIT_DONE else status


def _tell_unknown(unknown: Sequence[Path], rest: str) -> None:
    """Reports sketches that do not compile, whose lines are unknown: that is an error of its own."""
    names = ", ".join(shorten(sketch) for sketch in unknown)
    error = HocketError(
        f"there is no coverage of {names}{rest}",
        "no test of it could be built and run",
        "mend what is said above, then run the tests again",
    )
    print(error, file=sys.stderr)


def table_of(
    lines: Lines, unknown: Sequence[Path] = ()
) -> tuple[list[tuple[str, str, str, str]], int, int]:
    """Returns rows, with the sum if there are several files, the number of lines that ran, and the number of
    lines."""
    rows = []
    run_lines = all_lines = 0
    for file, each in sorted(lines.items()):
        ran = sum(1 for times in each.values() if times)
        rows.append(_row(shorten(file), len(each), ran))
        run_lines, all_lines = run_lines + ran, all_lines + len(each)
    rows += [(shorten(sketch), "–", "–", "–") for sketch in unknown]
    if len(rows) != 1:
        whole = _row("all", all_lines, run_lines)
        rows.append((*whole[:3], "–") if unknown else whole)
    return rows, run_lines, all_lines


def _row(name: str, count: int, ran: int) -> tuple[str, str, str, str]:
    share = percent(ran, count)
    return name, str(count), str(ran), "–" if share is None else f"{share:.1f}"


def percent(ran: int, count: int) -> float | None:
    """Returns the percentage, or None if there are no lines."""
    return 100 * ran / count if count else None


def _write(lines: Lines, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise HocketError(
            f"the coverage cannot be written to {folder}",
            problem.strerror or str(problem),
            "name a folder of yours: --coverage-to FOLDER",
        ) from problem
    root = Path(os.path.commonpath([str(file.parent) for file in lines] or [str(Path.cwd())]))
    with tempfile.TemporaryDirectory(prefix="hocket-") as name:
        tracefile = Path(name) / "lines.json"
        tracefile.write_text(json.dumps(_for_gcovr(lines, root)), encoding="utf-8")
        command: list[str | Path] = [
            *python_module("gcovr"),
            "--root",
            root,
            "--add-tracefile",
            tracefile,
        ]
        command += ["--html-details", folder.absolute() / "index.html", "--html-single-page"]
        command += ["--html-self-contained", "--html-title", "Coverage of the sketch"]
        command += ["--lcov", folder.absolute() / "lcov.info"]
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, errors="replace", check=False
        )
    if done.returncode != 0:
        raise HocketError(
            f"the coverage cannot be written to {folder}",
            done.stderr.strip()[-1000:],
            "name a folder of yours: --coverage-to FOLDER",
        )


def _for_gcovr(lines: Lines, root: Path) -> dict[str, object]:
    from gcovr.data_model.version import FORMAT_VERSION

    files = [
        {
            "file": str(file.relative_to(root)),
            "lines": [
                {
                    "line_number": line,
                    "count": times,
                    "branches": [],
                    "gcovr/md5": sums[line - 1] if line <= len(sums) else "",
                }
                for line, times in sorted(each.items())
            ],
            "functions": [],
        }
        for file, each in sorted(lines.items())
        for sums in [_sums(file)]
    ]
    return {"gcovr/format_version": FORMAT_VERSION, "files": files}


def _sums(file: Path) -> list[str]:
    """Returns a checksum of each line, by which readers of lcov detect that a file has changed."""
    try:
        text = file.read_bytes()
    except OSError:
        return []
    return [hashlib.md5(line, usedforsecurity=False).hexdigest() for line in text.splitlines()]
