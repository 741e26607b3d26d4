"""The tables and sentences of a page: the facts that the terminal shows, from the report alone.

A value that the board could not measure is shown as –, never as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hocket import timing
from hocket.bus_waits import bus_lines
from hocket.durations import format_microseconds as us
from hocket.masked_bytes import masked_bytes_lines
from hocket.report import NOT_GUARANTEED, Report, is_guaranteed
from hocket.webreport.material import Serial
from hocket.webreport.pictures import picture_of

NONE = "–"
MOST_SERIAL = 200_000  # shown: the first and the last half
MOST_LINES = 4_000  # shown: the first and the last half
_LONG_FACT = 400  # characters


@dataclass(frozen=True)
class Table:
    """A table. reached: for each row the share of its bound that was reached, or None."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    reached: Sequence[float | None] = ()
    bound: str = ""


@dataclass(frozen=True)
class Part:
    name: str
    facts: Sequence[tuple[str, str]]
    picture: str | None


def verdict(report: Report) -> tuple[str, str]:
    """Returns good, poor or bad, and a sentence with the reason."""
    reasons = report["admission"]["reasons"]
    if not is_guaranteed(report):
        return "bad", f"{NOT_GUARANTEED}. {_late(report) or 'No deadline was missed in this run.'}"
    if report["end"] == "refused" or report["admission"]["accepted"] is False:
        return "bad", f"Refused: {reasons[0]}" if reasons else "Refused by admission control."
    if report["faults"]:
        return "bad", f"Fault: {timing.fault_line(report['faults'][0])}"
    unmet = [e for e in report.get("expectations", []) if e["met"] is False]
    if unmet:
        return "bad", f"{len(unmet)} of {len(report['expectations'])} expectations not met."
    if late := _late(report):
        return "bad", late
    if report["loops"] and all(loop["deadline_misses"] is None for loop in report["loops"]):
        return "good", "It ran. This board does not tell misses of a sketch without loops."
    ended = timing.ending(report)
    if report["end"] in ("interrupted", "setup", "serial limit", "failed"):
        return "poor", f"{ended[:1].upper()}{ended[1:]}."
    return "good", "No deadline was missed." if report["loops"] else "It ran."


def _late(report: Report) -> str:
    names = [
        f"{loop['kind']} {loop['id']} ({loop['deadline_misses']})"
        for loop in report["loops"]
        if loop["deadline_misses"]
    ]
    return f"Deadlines missed by {', '.join(names)}." if names else ""


def timing_table(report: Report) -> Table:
    columns, rows = timing.timing_rows(report)
    reached = [
        _share(loop["max_response_us"], loop["response_bound_us"]) for loop in report["loops"]
    ]
    return Table(columns, rows, reached, "response")


def interrupt_table(report: Report) -> Table:
    columns, rows = timing.interrupt_rows(report)
    reached = [_share(e["max_delay_us"], e["delay_bound_us"]) for e in report["interrupts"]]
    return Table(columns, rows, reached, "delay")


def _share(value: float | None, bound: float | None) -> float | None:
    return value / bound if value is not None and bound else None


def core_table(report: Report) -> Table:
    columns, shares = timing.core_rows(report)
    rows = []
    for core, row in zip(report["admission"]["cores"], shares, strict=True):
        names = [
            f"{loop['kind']} {loop['id']}"
            for loop in report["loops"]
            if core["core"] in [part["core"] for part in loop.get("parts") or [loop]]
        ]
        rows.append((*row, ", ".join(names) or NONE))
    return Table((*columns, "loops"), rows)


def placement_table(report: Report, pinned: frozenset[int] | None) -> Table:
    """Returns why each loop got its core, in the order of placement (docs/reference/scheduling.md)."""
    loops = [loop for loop in report["loops"] if loop["budget_us"] and loop["period_us"]]
    order = sorted(
        loops,
        key=lambda loop: (
            loop["id"] not in (pinned or ()),
            -loop["budget_us"] / loop["period_us"],
            loop["id"],
        ),
    )
    refused = report["admission"]["accepted"] is False and is_guaranteed(report)
    rows = []
    for loop in order:
        share = f"{100 * loop['budget_us'] / loop['period_us']:.1f} %"
        row = (f"{loop['id']} {loop['kind']}", share, timing.cores_text(loop))
        why = (
            _tried(loop, report["board"])
            if refused
            else _why(loop, pinned, report["cores"], is_guaranteed(report))
        )
        rows.append((*row, us(loop["response_bound_us"]), why))
    return Table(("loop", "asks for", "core", "response bound", "why there"), rows)


def _tried(loop: dict[str, Any], board: str) -> str:
    if timing.tells_where_tried(board):
        return timing.tried_text(loop)
    return "not placed: the sketch is refused"


def _why(
    loop: dict[str, Any], pinned: frozenset[int] | None, cores: int | None, guaranteed: bool
) -> str:
    if loop["core"] is None:
        return NONE
    if not guaranteed:
        return "placed all the same (--anyway)"
    if loop.get("parts"):
        return "fits on no core whole: two parts"
    if loop["id"] in (pinned or ()):
        return "pinned by onCore()"
    if cores == 1:
        return "the only core: all fits"
    return (
        "the first core on which all fits"
        if pinned is not None
        else "pinned, or the first that fits"
    )


def figures(report: Report) -> list[tuple[str, str]]:
    """Returns the conditions of the run: names and values."""
    told = [
        ("board", f"{report['board']}, {timing.count(report['cores'], 'core')}"),
        ("ran for", f"{us(report['duration_us'])} of {report['clock']} time"),
        ("ended", timing.ending(report)),
        ("seed", _text(report["seed"])),
        ("policy", _text(report["policy"])),
        ("time", report.get("tick") or timing.model_line(report["model"])),
        ("Hocket", _text(report["hocket"])),
    ]
    if isinstance(model := report["model"], dict):
        known = {key: value for key, value in model.items() if value is not None}
        told.append(("model", timing.pairs(known)))
    if isinstance(report["overheads"], dict):
        told.append(("overheads", timing.overheads_line(report)))
    if report["losses"]:
        told.append(("lost at most", timing.losses_line(report["losses"])))
    counters = {k: v for k, v in report["counters"].items() if v is not None}
    if counters:
        told.append(("counters", timing.pairs(counters)))
    for serial in timing.serial_ports(report):
        told.append(("serial interrupts", timing.serial_line(serial)))
    told += [("bus", line) for line in bus_lines(report)]
    told += [("masked", line) for line in masked_bytes_lines(report)]
    for line in timing.sections_lines(report):
        name, _, said = line.partition(": ")
        told.append((name, said))
    if beside := report.get("beside"):
        told.append(("beside", timing.beside_line(beside)))
    return told


def parts(report: Report) -> list[Part]:
    made = []
    for name, facts in (report["parts"] or {}).items():
        facts = facts if isinstance(facts, dict) else {"value": facts}
        picture = picture_of(facts)
        told = [
            (_fact_name(k), _fact(k, v)) for k, v in facts.items() if not picture or k != "rows"
        ]
        made.append(Part(name, told, picture))
    return made


def _fact_name(name: str) -> str:
    """Returns a fact's name without `_us`: a time is shown with its unit."""
    return name.removesuffix("_us").replace("_", " ")


def _fact(name: str, value: Any) -> str:
    if name.endswith("_us") and isinstance(value, (int, float)) and not isinstance(value, bool):
        return us(value)
    text = _plain(value)
    return text if len(text) <= _LONG_FACT else f"{text[:_LONG_FACT]}… ({len(text)} characters)"


def _plain(value: Any) -> str:
    """Returns a fact in words: lists and mappings are not shown in Python's notation."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return (
            ", ".join(f"{_fact_name(str(k))} {_fact(str(k), v)}" for k, v in value.items()) or NONE
        )
    if isinstance(value, list):
        between = "; " if any(isinstance(each, (dict, list)) for each in value) else ", "
        return between.join(map(_plain, value)) or NONE
    return _text(value)


def ports(report: Report) -> Table:
    """Returns the ports that sent or received something."""
    busy = [port for port in report["serial"] or [] if isinstance(port, dict) and any(
        isinstance(v, (int, float)) and v for k, v in port.items() if k != "port")]  # fmt: skip
    columns = ("port", "sent", "received", "lost", "waited, transmitter full")
    keys = ("bytes_sent", "bytes_received", "bytes_lost")
    rows = [
        (_text(p.get("port")), *(_text(p.get(k)) for k in keys), us(p.get("transmitter_full_us")))
        for p in busy
    ]
    return Table(columns, rows)


def serial_lines(serial: Serial) -> tuple[list[tuple[str, str]], str]:
    """Returns the lines, each with the time at which it had been sent, and a sentence about what is left out.
    Control characters are made visible."""
    said = ""
    lines = serial.sent.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    times = [us(at / 1000) for at in serial.line_ends[: len(lines)]]
    times += [""] * (len(lines) - len(times))
    told = list(zip(times, (_shown(line) for line in lines), strict=True))
    if len(serial.sent) > MOST_SERIAL or len(lines) > MOST_LINES:
        first, last = _fitting(told), _fitting(told[::-1])
        left = len(told) - first - last
        if left > 0:
            said = f"{left} of {len(told)} lines are left out in the middle; {len(serial.sent)} bytes in all."
            told = [*told[:first], ("", f"… {left} lines …"), *told[len(told) - last :]]
    if len(serial.line_ends) < len(lines):
        known = len(serial.line_ends)
        said += f" Times are known of the first {known} lines." if known else ""
    return [(when, text[:MOST_SERIAL]) for when, text in told], said.strip()


def _fitting(told: Sequence[tuple[str, str]]) -> int:
    room = MOST_SERIAL // 2
    for number, (_, text) in enumerate(told):
        room -= len(text) + 1
        if room < 0 or number >= MOST_LINES // 2:
            return max(number, 1)
    return len(told)


def _shown(line: bytes) -> str:
    text = line.rstrip(b"\r").decode("utf-8", "replace")
    return "".join(c if c == "\t" or c.isprintable() else _control(c) for c in text)


def _control(character: str) -> str:
    """Returns Unicode's picture of a C0 control character."""
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def _text(value: Any) -> str:
    return NONE if value is None else str(value)
