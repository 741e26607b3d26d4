"""The report of a run, which `--json` writes, made from the facts of the board's program.

docs/reference/report.md describes the fields and their order, and `schema/report.json` checks them. A field
that the board did not measure is null. The same run gives the same bytes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hocket import __version__, equation_one
from hocket.boards import boards_with
from hocket.errors import EXIT_DEFECT, HocketError, system_error
from hocket.output import STANDARD
from hocket.trace.eventlog import NOT_GUARANTEED as NOT_GUARANTEED
from hocket.whole_files import not_written, write_result

Report = dict[str, Any]

LOOP_FIELDS = (
    *("id", "kind", "core", "budget_us", "period_us", "deadline_us", "iterations"),
    *("cpu_us", "kernel_us"),
    *("min_cpu_per_period_us", "max_cpu_per_period_us", "budget_exhausted"),
    *("budget_wait_us", "longest_budget_wait_us", "late_call", "releases"),
    *(
        "deadline_misses",
        "overruns",
        "skipped",
        "max_response_us",
        "response_bound_us",
        "thread_switches",
        "preemptions",
        "sleeps",
        "wakes",
        "stack_size",
        "stack_used",
    ),
)
PART_FIELDS = ("core", "budget_us", "offset_us", "deadline_us")
INTERRUPT_FIELDS = (
    *("pin", "mode", "loop", "place", "budget_us", "period_us", "edges", "delivered", "pending"),
    *("lost", "lost_because", "may_have_merged"),
    *("max_delay_us", "delay_bound_us", "paper_bound_us"),
)
COUNTERS = (
    "thread_switches",
    "preemptions",
    "timer_interrupts",
    "sleeps",
    "wakes",
    "ipis",
    "pin_interrupts",
)
# The most bytes of a report that is read back. A program with 255 loops and all its events needs a small part
# of it.
_LARGEST = 64 << 20
_LARGEST_FACTS = 256 << 20  # a sketch on sim can write any content there
_LONGEST_WORDS = 300  # characters of an error's description
FAULT_FIELDS = ("loop", "kind", "address", "text")


def has_facts(file: Path) -> bool:
    """Returns whether the program has written facts. An empty file may have existed before."""
    return file.is_file() and file.stat().st_size > 0


def read_facts(file: Path) -> dict[str, Any]:
    """Returns the facts of a run. Missing or invalid facts are a defect of Hocket."""
    try:
        if file.stat().st_size > _LARGEST_FACTS:
            raise ValueError("they are too large")
        facts = json.loads(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError) as problem:
        raise HocketError(
            "the board's program left no usable facts",
            str(problem),
            "this is a defect of Hocket: please report it with the sketch",
            exit_code=EXIT_DEFECT,
        ) from problem
    if not isinstance(facts, dict):
        raise HocketError(
            "the board's facts are not a JSON object",
            next_step="this is a defect of Hocket: please report it with the sketch",
            exit_code=EXIT_DEFECT,
        )
    return facts


def make_report(
    facts: dict[str, Any], sketch: str, board: str, clock: str, compiler: str = ""
) -> Report:
    """Returns the report of one run, with its fields in the documented order. compiler: of the sketch, if
    known."""
    admission = facts.get("admission") or {}
    tick = {"tick": facts["tick"]} if facts.get("tick") else {}
    return {
        "sketch": sketch,
        "board": board,
        "cores": facts.get("cores"),
        "seed": facts.get("seed"),
        "duration_us": facts.get("duration_us"),
        "clock": facts.get("clock", clock),
        **tick,
        "policy": facts.get("policy"),
        **({"guaranteed": False} if facts.get("guaranteed") is False else {}),
        "hocket": __version__,
        **({"compiler": compiler} if compiler else {}),
        "end": facts.get("end"),
        "admission": {
            "accepted": admission.get("accepted"),
            "test": admission.get("test"),
            "cores": [_core(core, facts) for core in admission.get("cores") or []],
            "reasons": list(admission.get("reasons") or []),
        },
        **({"bounds": facts["bounds"]} if facts.get("bounds") else {}),
        "loops": [_loop(loop) for loop in facts.get("loops") or []],
        "interrupts": [_interrupt(entry) for entry in facts.get("interrupts") or []],
        **(
            {"serial_interrupts": facts["serial_interrupts"]}
            if facts.get("serial_interrupts")
            else {}
        ),
        **(
            {"further_serial_interrupts": facts["further_serial_interrupts"]}
            if facts.get("further_serial_interrupts")
            else {}
        ),
        **({"no_interrupts": facts["no_interrupts"]} if facts.get("no_interrupts") else {}),
        **({"beside": facts["beside"]} if facts.get("beside") else {}),
        "counters": _only(facts.get("counters") or {}, COUNTERS),
        "faults": [_fault(fault) for fault in facts.get("faults") or []],
        "model": facts.get("model"),
        "overheads": facts.get("overheads"),
        # What the guarantees may lose at most: where nothing is guaranteed, that is no number.
        "losses": None if facts.get("guaranteed") is False else facts.get("losses"),
        "parts": facts.get("parts"),
        "serial": facts.get("serial"),
        "notices": [*(facts.get("notices") or []), *_numbers_for_pins(facts, board)],
    }


def _numbers_for_pins(facts: dict[str, Any], board: str) -> list[str]:
    """Returns notices about interrupt numbers. Sketches for the Uno alone write `attachInterrupt(0, …)` for
    pin 2 and `1` for pin 3. On other boards these are pins 0 and 1, which Serial uses. The notice appears if
    no edge has come."""
    if board in boards_with("interrupt_numbers"):
        return []
    return [
        f"Pin {pin} has a handler and had no edge. If the sketch's `attachInterrupt({pin}, …)` means "
        f"the Uno's interrupt {pin}, which is pin {pin + 2}: write "
        f"attachInterrupt(digitalPinToInterrupt({pin + 2}), …)."
        for pin in (0, 1)
        if any(
            row.get("pin") == pin and row.get("edges") == 0 for row in facts.get("interrupts") or []
        )
    ]


def is_guaranteed(report: Report) -> bool:
    """Returns False if refused loops have run, on this board or on a board wired to it."""
    boards = (report, *report.get("boards", {}).values())
    return all(board.get("guaranteed") is not False for board in boards)


def with_further(report: Report, name: str, other: Report) -> Report:
    """Returns the report with that of a second board as its last field."""
    return report | {"boards": {name: other}}


def _core(core: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """Returns the entry of one core. Equation 1 applies to fixed priorities, and differs from the utilization
    only with I/O virtual CPUs."""
    entry = _only(core, ("core", "utilization", "liu_layland_bound"))
    loops = [loop for loop in facts.get("loops") or [] if loop.get("core") == core.get("core")]
    if facts.get("policy") != equation_one.POLICY or not equation_one.has_io(loops):
        return entry
    return {**entry, "equation_1": round(equation_one.sum_of(loops), 6)}


def _fault(fault: dict[str, Any]) -> dict[str, Any]:
    """Returns the entry of a fault. The text falls back to the kind, so that it is never empty. pin: for
    direct handlers."""
    entry = _only(fault, FAULT_FIELDS)
    entry["text"] = entry["text"] or entry["kind"]
    return entry | ({"pin": fault["pin"]} if "pin" in fault else {})


def _loop(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns the entry of a loop. Only loops in two parts have the field `parts`."""
    parts = [_only(part, PART_FIELDS) for part in entry.get("parts") or []]
    return {**_only(entry, LOOP_FIELDS), **({"parts": parts} if parts else {})}


def _interrupt(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns the entry of an interrupt. Only direct handlers have a longest time, and only those of the Uno
    have terms."""
    further = ("longest_us", "delay_terms", "paper_terms")
    return {
        **_only(entry, INTERRUPT_FIELDS),
        **{name: entry[name] for name in further if name in entry},
    }


def _only(entry: dict[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    return {name: entry.get(name) for name in fields}


def write_report(report: Report, file: Path) -> None:
    write_json(report, file, "the report")


def write_json(value: dict[str, Any], file: Path, what: str) -> None:
    """Writes JSON: UTF-8, two spaces, a newline at the end. The file `-` is standard output. what: its name
    in an error."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    if file == STANDARD:
        assert sys.__stdout__ is not None  # sys.stdout may be redirected (output.kept_for)
        sys.__stdout__.buffer.write(text.encode())
        sys.__stdout__.buffer.flush()
        return
    try:
        write_result(file, text)
    except OSError as problem:
        raise not_written(what, problem, file) from problem


def load_report(file: Path) -> Report:
    """Reads a report and checks it against the schema. Raises HocketError if it is not a report."""
    import jsonschema

    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise HocketError(
                "this is not a report",
                f"it is larger than {_LARGEST >> 20} MiB",
                "name a file of --json",
                file,
            )
        report = json.loads(text)
        if b"\\ud" in text.lower():  # half of a surrogate pair could not be printed
            json.dumps(report, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except OSError as problem:
        raise system_error("the report cannot be read", problem, file) from problem
    except (ValueError, RecursionError) as problem:
        raise HocketError(
            "this is not a report", f"it is not JSON: {problem}", "name a file of --json", file
        ) from problem
    try:
        jsonschema.validate(report, schema())
    except jsonschema.ValidationError as problem:
        raise HocketError(
            "this is not a report of Hocket",
            f"{problem.json_path}: {_short(problem.message)}",
            "name a file that `hocket run --json` wrote",
            file,
        ) from problem
    result: Report = report
    return result


def _short(message: str) -> str:
    """Shortens an error's description, which may quote the whole file."""
    return message if len(message) <= _LONGEST_WORDS else f"{message[:_LONGEST_WORDS]}…"


def schema() -> dict[str, Any]:
    """Returns the JSON schema of a report."""
    data: dict[str, Any] = json.loads((Path(__file__).parent / "schema/report.json").read_text())
    return data
