"""The optional parts of a run. Each adds options to the board's program and processes its results at the
end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hocket.builder import Image
from hocket.console import say
from hocket.errors import EXIT_DONE, EXIT_FAULT, EXIT_REFUSED, shorten
from hocket.report import Report, is_guaranteed, write_report
from hocket.running.further import add_further, build_further, further_options
from hocket.running.request import Request, duration_of
from hocket.scenario import Scenario
from hocket.simulator import Ended
from hocket.whole_files import not_written, write_result

if TYPE_CHECKING:
    from hocket.coverage.lines import Lines
    from hocket.expect.evidence import Expectation
    from hocket.scenario.further import Further

Words = Sequence[str | Path]


@dataclass
class Ran:
    """A run whose program has ended. The pieces complete the report and the status one after the other."""

    image: Image
    ended: Ended
    facts: dict[str, Any]
    report: Report
    status: int
    lines: Lines | None = None  # the sketch's lines that ran


class Piece:
    """Base class of a run's optional parts. All hooks are empty."""

    keeps_serial = False

    def words(self) -> Words:
        """Returns options for the board's program, and writes the files of this run that they name."""
        return ()

    def environment(self) -> Mapping[str, str | Path]:
        """Returns environment variables for the board's program."""
        return {}

    def conclude(self, ran: Ran) -> None:
        """Processes the results when the program has ended."""


def pieces_of(
    request: Request, scenario: Scenario, image: Image, folder: Path, serial_input: bytes
) -> list[Piece]:
    """Returns the requested pieces in the order in which they conclude. Temporary files lie in `folder`."""
    pieces: list[Piece] = []
    log, own_waves = folder / "log.hklog", folder / "pins.vcd"
    expects_waves = False
    if scenario.expectations:
        from hocket.expect.judging import signals_of

        expects_waves = bool(signals_of(scenario.expectations))
    waves = None
    if request.vcd is not None or request.html is not None or expects_waves:
        waves = own_waves
    if serial_input:
        pieces.append(Input(serial_input, folder))
    if request.trace is not None or request.html is not None:
        pieces.append(Log(log))
    if waves is not None:
        pieces.append(Waves(waves))
    if scenario.further is not None:
        other = build_further(scenario.further, image.board)
        joined = own_waves if request.vcd is not None else None
        pieces.append(SecondBoard(scenario.further, other, folder, joined))
    if scenario.expectations:
        duration = duration_of(request, scenario)
        pieces.append(Expectations(scenario.expectations, waves, duration))
    if request.report is not None:
        pieces.append(ReportFile(request.report))
    if request.trace is not None:
        pieces.append(Trace(log, request.trace))
    if request.vcd is not None:
        pieces.append(WaveFile(own_waves, request.vcd))
    if request.html is not None:
        pieces.append(Page(request, log, waves))
    if request.coverage is not None:
        pieces.append(Covered(folder / "visits"))
    return pieces


@dataclass(frozen=True)
class Input(Piece):
    """Sends bytes to Serial when it is opened."""

    serial: bytes
    folder: Path

    def words(self) -> Words:
        file = self.folder / "input"
        file.write_bytes(self.serial)
        return ("--input", file)


@dataclass(frozen=True)
class Log(Piece):
    """Records the kernel's log for other pieces."""

    file: Path

    def words(self) -> Words:
        return ("--log", self.file)

    def conclude(self, ran: Ran) -> None:
        if not is_guaranteed(ran.report) and self.file.is_file() and self.file.stat().st_size:
            from hocket.trace.eventlog import mark_refused

            mark_refused(self.file)


@dataclass(frozen=True)
class Waves(Piece):
    """Records the pins' waves for other pieces."""

    file: Path

    def words(self) -> Words:
        return ("--vcd", self.file.absolute())


@dataclass(frozen=True)
class WaveFile(Piece):
    """Copies the waves to the user's file. A refused sketch has none."""

    waves: Path
    file: Path

    def conclude(self, ran: Ran) -> None:
        if not self.waves.is_file() or ran.ended.status == EXIT_REFUSED:
            return
        try:
            if not is_guaranteed(ran.report):
                _mark_refused(self.waves)
            with self.waves.open("rb") as content:
                write_result(self.file, content)
        except OSError as problem:
            raise not_written("the wave file", problem, self.file) from problem


def _mark_refused(waves: Path) -> None:
    """Adds a comment at the beginning of the waves that says that the loops were refused."""
    from hocket.trace.vcd import REFUSED_COMMENT

    whole = waves.read_bytes()
    waves.write_bytes(f"{REFUSED_COMMENT}\n".encode() + whole)


@dataclass(frozen=True)
class SecondBoard(Piece):
    """The scenario's second board, which is wired to the first."""

    further: Further
    image: Image
    folder: Path
    waves: Path | None

    def words(self) -> Words:
        return further_options(self.further, self.image, self.folder, self.waves is not None)

    def conclude(self, ran: Ran) -> None:
        ran.report = add_further(ran.report, self.further, self.image, self.folder, self.waves)


@dataclass(frozen=True)
class Expectations(Piece):
    """Checks the scenario's expectations. If one is not met, a run that ended normally fails."""

    expectations: Sequence[Expectation]
    waves: Path | None
    duration: int  # the requested time in nanoseconds

    def words(self) -> Words:
        from hocket.expect.judging import texts_of

        return [word for text in texts_of(self.expectations) for word in ("--note-text", text)]

    def conclude(self, ran: Ran) -> None:
        from hocket.expect.judging import judge_run

        judged = judge_run(self.expectations, ran.report, ran.facts, self.waves, self.duration)
        ran.report["expectations"] = judged
        if ran.status == EXIT_DONE and any(each["met"] is False for each in judged):
            ran.status = EXIT_FAULT


@dataclass(frozen=True)
class ReportFile(Piece):
    file: Path

    def conclude(self, ran: Ran) -> None:
        write_report(ran.report, self.file)


@dataclass(frozen=True)
class Trace(Piece):
    """Writes a trace for Perfetto. A refused sketch has none."""

    log: Path
    file: Path

    def conclude(self, ran: Ran) -> None:
        from hocket.trace.convert import convert

        if ran.ended.status != EXIT_REFUSED:
            convert(self.log, self.file)


@dataclass(frozen=True)
class Page(Piece):
    """Writes the run as a page for a browser."""

    keeps_serial = True
    request: Request
    log: Path
    waves: Path | None

    def words(self) -> Words:
        from hocket.running.page import LINE_ENDS

        return LINE_ENDS

    def conclude(self, ran: Ran) -> None:
        from hocket.running.page import write_html

        assert self.request.html is not None
        write_html(self.request, ran.report, ran.facts, ran.image, ran.ended, self.log, self.waves)
        say(f"wrote {shorten(self.request.html)}")


@dataclass(frozen=True)
class Covered(Piece):
    """Records which lines of the sketch ran."""

    visits: Path

    def environment(self) -> Mapping[str, str | Path]:
        from hocket.coverage.asking import VISITS

        return {VISITS: self.visits}

    def conclude(self, ran: Ran) -> None:
        from hocket.coverage.lines import lines_of

        ran.lines = lines_of(ran.image.sketch_elf, self.visits, ran.image.sketch.folder)
