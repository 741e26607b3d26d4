"""Reports the outcomes of tests: lines and a summary, and JUnit XML and annotations for other programs."""

from __future__ import annotations

import os
import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path

from hocket.errors import shorten, system_error
from hocket.started import command
from hocket.trials.perform import ERROR, FAILED, PASSED, SKIPPED, Outcome
from hocket.whole_files import write_result

_PLACED = re.compile(r"hocket: (?:(?P<file>.+?):(?P<line>\d+): )?(?P<text>.*)")
_COMPILER = re.compile(r"(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>.*)")
_NOT_JUDGED = re.compile(r"hocket: \d+ expectations? not judged: .*")
_CAUSE, _NEXT = "  cause: ", "  next:  "
_PLACES = re.compile(r"\(((?:[^():]+:\d+(?:, |(?=\))))+)\)")
_COUNT = re.compile(r"hocket: \d+ of \d+ expectations? not met")
# Characters that XML 1.0 does not allow, even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Once:
    """Shows an error of several tests of a sketch on one board, for example that it does not compile, for the
    first one only."""

    def __init__(self) -> None:
        self._first: dict[tuple[Path, str, tuple[str, ...]], Outcome] = {}

    def earlier(self, outcome: Outcome) -> Outcome | None:
        """Returns the earlier outcome with the same error, or None."""
        if outcome.verdict != ERROR:
            return None
        key = (outcome.trial.sketch, outcome.trial.board, tuple(outcome.said))
        first = self._first.setdefault(key, outcome)
        return None if first is outcome else first


def lines_of(outcome: Outcome, earlier: Outcome | None = None) -> Iterator[str]:
    """Yields the verdict, and the reason if it is not ok. earlier: an outcome for which the same was
    printed."""
    if earlier is not None:
        yield f"{outcome.verdict:<8}{outcome.trial.name()}  the same as {shorten(earlier.trial.scenario)}"
        return
    tail = {
        PASSED: f"  {_count(outcome.count(), 'expectation')}",
        SKIPPED: f"  {''.join(outcome.said)}",
    }.get(outcome.verdict, "")
    yield f"{outcome.verdict:<8}{outcome.trial.name()}{tail}"
    if outcome.verdict in (FAILED, ERROR):
        both = (*outcome.faults, *outcome.said)
        said = (line for line in both if not _COUNT.fullmatch(line))
        yield from (f"        {line.removeprefix('hocket: ')}" for line in said)


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    counts = {
        "passed": _of(outcomes, PASSED),
        "failed": _of(outcomes, FAILED),
        "could not be run": _of(outcomes, ERROR),
        "skipped": _of(outcomes, SKIPPED),
    }
    told = [f"{len(some)} {what}" for what, some in counts.items() if some]
    lines = [f"{_count(len(outcomes), 'test')}: {', '.join(told)}"]
    for each in (*counts["failed"], *counts["could not be run"]):
        words = [shorten(each.trial.scenario), "--board", each.trial.board]
        lines.append(f"again: {command()} test {shlex.join(words)}")
    return lines


def _of(outcomes: Sequence[Outcome], verdict: str) -> list[Outcome]:
    return [each for each in outcomes if each.verdict == verdict]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def complaints(outcome: Outcome) -> Iterator[tuple[Path, int | None, str]]:
    """Yields errors with file and line: each fault, each expectation that was not met, else the messages."""
    yield from _placed(outcome, outcome.faults)
    wrong = [each for each in outcome.judged if each["met"] is False]
    for each in wrong:
        yield outcome.trial.scenario, each["line"], f"{each['text']}; {each['seen']}"
    if not wrong and not outcome.faults and outcome.verdict in (FAILED, ERROR):
        yield from _placed(outcome, outcome.said)


def _placed(outcome: Outcome, said: Sequence[str]) -> Iterator[tuple[Path, int | None, str]]:
    """Yields the messages with their places. The compiler's own errors come instead of the message that the
    sketch does not compile."""
    compiled = [found for line in said if (found := _COMPILER.fullmatch(line))]
    if compiled:
        for found in compiled:
            yield Path(found["file"]), int(found["line"]), found["text"]
        return
    refused = _places_of_refused(said)
    for number, line in enumerate(said):
        placed = None if _says_nothing(line) else _PLACED.fullmatch(line)
        if placed is None:
            continue
        text = placed["text"] + _cause_below(said, number)
        if placed["file"]:
            yield Path(placed["file"]), int(placed["line"]), text
        elif text.startswith("refused: ") and refused:
            yield *refused.pop(0), text
        else:
            yield outcome.trial.scenario, None, text


def _says_nothing(line: str) -> bool:
    """Returns whether the line says only that other lines are of consequence."""
    return _NOT_JUDGED.fullmatch(line) is not None or _COUNT.fullmatch(line) is not None


def _cause_below(said: Sequence[str], number: int) -> str:
    below = said[number + 1] if number + 1 < len(said) else ""
    return f": {below.removeprefix(_CAUSE)}" if below.startswith(_CAUSE) else ""


def _places_of_refused(said: Sequence[str]) -> list[tuple[Path, int]]:
    """Returns the places of refused loops, which the next step names, in the order of the refusals. Empty if
    it does not name one for each."""
    refused = sum(line.startswith("hocket: refused: ") for line in said)
    named = (_PLACES.search(line) for line in said if line.startswith(_NEXT))
    words = [word for found in named if found is not None for word in found[1].split(", ")]
    places = [(Path(word.rpartition(":")[0]), int(word.rpartition(":")[2])) for word in words]
    return places if len(places) == refused else places[:1] * refused


def github_lines(outcome: Outcome) -> Iterator[str]:
    """Yields GitHub's workflow commands (docs.github.com, "Workflow commands": Setting an error message)."""
    top = Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()
    for file, line, text in complaints(outcome):
        place = file.resolve()
        shown = place.relative_to(top) if place.is_relative_to(top) else place
        where = [f"file={_property(str(shown))}"]
        if line is not None:
            where.append(f"line={line}")
        where.append(f"title={_property(outcome.trial.name())}")
        yield f"::error {','.join(where)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def write_junit(outcomes: Sequence[Outcome], file: Path) -> None:
    """Writes JUnit's XML for Jenkins, GitLab and others: one suite, with a case for each test."""
    suites = ET.Element("testsuites")
    seconds = f"{sum(each.seconds for each in outcomes):.3f}"
    suite = ET.SubElement(
        suites,
        "testsuite",
        name="hocket",
        tests=str(len(outcomes)),
        failures=str(len(_of(outcomes, FAILED))),
        errors=str(len(_of(outcomes, ERROR))),
        skipped=str(len(_of(outcomes, SKIPPED))),
        time=seconds,
    )
    for each in outcomes:
        _add_case(suite, each)
    ET.indent(suites)
    try:
        write_result(file, ET.tostring(suites, encoding="utf-8", xml_declaration=True))
    except OSError as problem:
        raise system_error("the JUnit file cannot be written", problem, file) from problem


def _add_case(suite: ET.Element, outcome: Outcome) -> None:
    trial = outcome.trial
    case = ET.SubElement(
        suite,
        "testcase",
        classname=_xml(".".join(Path(shorten(trial.scenario.parent)).parts)),
        name=_xml(f"{trial.scenario.name} on {trial.board}"),
        file=_xml(shorten(trial.scenario)),
        time=f"{outcome.seconds:.3f}",
    )
    if outcome.verdict == SKIPPED:
        ET.SubElement(case, "skipped", message=_xml(" ".join(outcome.said)))
        return
    if outcome.verdict in (FAILED, ERROR):
        texts = [text for _, _, text in complaints(outcome)]
        kind = "failure" if outcome.verdict == FAILED else "error"
        entry = ET.SubElement(case, kind, message=_xml(texts[0] if texts else "it ended badly"))
        entry.text = _xml("\n".join((*outcome.faults, *outcome.said)))
    ET.SubElement(case, "system-out").text = _xml(outcome.serial)


def _xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
