"""The event log and what is made of it, read back: Perfetto as protobuf, VCD by a reader of its own."""

from __future__ import annotations

import itertools
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

from hocket.errors import HocketError
from hocket.trace.convert import convert
from hocket.trace.eventlog import (
    NO_THREAD,
    Event,
    EventKind,
    EventLog,
    listing,
    pack_log,
    parse_log,
    read_log,
)
from hocket.trace.perfetto import to_perfetto
from hocket.trace.states import handlers, timeline
from hocket.trace.vcd import to_vcd

# Loop 7 runs, uses its budget up, waits for more, runs again; periodic 8 runs in between on core 0;
# setup runs on core 1.
LOG = EventLog(
    2,
    [
        Event(0, 0, EventKind.NAMED, 0, 7, 0),
        Event(0, 0, EventKind.NAMED, 1, 8, 1),
        Event(0, 1, EventKind.NAMED, 2, 0, 2),
        Event(1_000, 0, EventKind.DISPATCH, 0, 0, 0),
        Event(1_000, 1, EventKind.DISPATCH, 2, 0, 0),
        Event(5_000, 0, EventKind.TIMER, NO_THREAD, 0, 0),
        Event(5_000, 0, EventKind.EXHAUSTED, 0, 0, 0),
        Event(5_200, 0, EventKind.DISPATCH, 1, 0, 0),
        Event(6_000, 1, EventKind.BLOCK, 2, 0, 0),
        Event(6_000, 1, EventKind.DISPATCH, NO_THREAD, 0, 0),
        Event(9_000, 0, EventKind.REPLENISH, 0, 0, 9_000),
        Event(9_500, 0, EventKind.SLEEP, 1, 0, 20_000),
        Event(9_500, 0, EventKind.DISPATCH, 0, 0, 0),
        Event(12_000, 1, 77, 2, 5, 6),
        Event(20_000, 0, EventKind.RELEASE, 1, 0, 20_000),
        Event(21_000, 0, EventKind.ITERATION, 0, 0, 0),
    ],
)


def spans(entries: list[Any]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.what) for span in entries]


def test_timeline_of_the_example() -> None:
    line = timeline(LOG)
    assert line.names == {0: "loop 7", 1: "periodic 8", 2: "setup"}
    assert [(s.start, s.end, s.thread) for s in line.cores[0]] == [
        (1_000, 5_200, 0),
        (5_200, 9_500, 1),
        (9_500, 21_000, 0),
    ]
    assert [(s.start, s.end, s.thread) for s in line.cores[1]] == [(1_000, 6_000, 2)]
    assert spans(line.threads[0]) == [
        (1_000, 5_000, "running"),
        (5_000, 9_000, "throttled"),
        (9_000, 9_500, "ready"),
        (9_500, 21_000, "running"),
    ]
    assert spans(line.threads[1]) == [
        (5_200, 9_500, "running"),
        (9_500, 20_000, "sleeping"),
        (20_000, 21_000, "ready"),
    ]
    assert spans(line.threads[2]) == [(1_000, 6_000, "running"), (6_000, 21_000, "waiting")]


def test_log_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "a.hklog"
    file.write_bytes(pack_log(LOG))
    assert read_log(file) == LOG
    lines = listing(LOG)
    assert len(lines) == len(LOG.events)
    assert "kind 77" in "\n".join(lines)
    assert any("budget exhausted" in line and "loop 7" in line for line in lines)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it has 0 bytes"),
        (b"HKLOG1\0\0", "it has 8 bytes"),
        (b"x" * 40, "does not start with HKLOG1"),
        (struct.pack("<8sII", b"HKLOG1\0\0", 0, 0), "says 0 cores"),
        (pack_log(LOG)[:-1], "cut off after 23 bytes"),
        (pack_log(EventLog(1, LOG.events)), "record 3 names core 1 of 1"),
    ],
)
def test_broken_logs_are_refused(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "a.hklog"
    file.write_bytes(data)
    with pytest.raises(HocketError) as caught:
        read_log(file)
    assert said in caught.value.cause
    assert caught.value.exit_code == 2


@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_are_read_or_refused(data: bytes, with_header: bool) -> None:
    if with_header:
        data = struct.pack("<8sII", b"HKLOG1\0\0", 4, 0) + data
    try:
        log = parse_log(data)
    except ValueError:
        return
    assert pack_log(log)[16:] == data[16:]
    listing(log)
    to_vcd(log)
    to_perfetto(log)


EVENTS = st.builds(
    Event,
    st.integers(0, 50),
    st.integers(0, 2),
    st.integers(0, 14),
    st.sampled_from([0, 1, 2, 3, NO_THREAD]),
    st.integers(0, 3),
    st.integers(0, 60),
)


@given(st.lists(EVENTS, max_size=60))
def test_a_thread_is_in_one_state_and_a_core_runs_one_thread(events: list[Event]) -> None:
    line = timeline(EventLog(3, events))
    for entries in [*line.cores.values(), *line.threads.values()]:
        for before, after in itertools.pairwise(entries):
            assert before.end <= after.start
        assert all(span.start < span.end <= line.end for span in entries)


@given(st.lists(EVENTS, max_size=60))
def test_perfetto_slices_are_nested_and_closed(events: list[Event]) -> None:
    log = EventLog(3, events)
    assert slices(to_perfetto(log)) == expected_slices(log)


def slices(data: bytes) -> dict[str, list[tuple[int, int, str]]]:
    """Slices of a Perfetto trace by track, from its own messages only."""
    trace: Any = pb.Trace()
    trace.ParseFromString(data)
    names: dict[int, str] = {}
    open_slices: dict[int, list[tuple[int, str]]] = {}
    found: dict[str, list[tuple[int, int, str]]] = {}
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
        elif packet.track_event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            entry = (packet.timestamp, packet.track_event.name)
            open_slices.setdefault(packet.track_event.track_uuid, []).append(entry)
        elif packet.track_event.type == pb.TrackEvent.TYPE_SLICE_END:
            track = packet.track_event.track_uuid
            start, name = open_slices[track].pop()
            found.setdefault(names[track], []).append((start, packet.timestamp, name))
    assert not any(open_slices.values())
    return found


def expected_slices(log: EventLog) -> dict[str, list[tuple[int, int, str]]]:
    line = timeline(log)
    wanted = {
        f"core {core}": [(s.start, s.end, line.names[s.thread]) for s in entries]
        for core, entries in line.cores.items()
    }
    for core, entries in handlers(log).items():
        wanted[f"interrupts, core {core}"] = [(s.start, s.end, s.what) for s in entries]
    for thread, entries in line.threads.items():
        wanted.setdefault(line.names[thread], []).extend((s.start, s.end, s.what) for s in entries)
    return {
        name: sorted(entries, key=lambda e: e[1]) for name, entries in wanted.items() if entries
    }


def test_perfetto_of_the_example() -> None:
    data = to_perfetto(LOG)
    assert data == to_perfetto(LOG)
    assert slices(data) == expected_slices(LOG)
    trace: Any = pb.Trace()
    trace.ParseFromString(data)
    tracks = {
        p.track_descriptor.uuid: p.track_descriptor.name
        for p in trace.packet
        if p.HasField("track_descriptor")
    }
    instants = [
        (p.timestamp, tracks[p.track_event.track_uuid], p.track_event.name)
        for p in trace.packet
        if p.track_event.type == pb.TrackEvent.TYPE_INSTANT
    ]
    assert (5_000, "core 0", "timer interrupt") in instants
    assert (5_000, "loop 7", "budget exhausted") in instants
    assert (12_000, "core 1", "kind 77") in instants
    counters = [
        (p.timestamp, tracks[p.track_event.track_uuid], p.track_event.counter_value)
        for p in trace.packet
        if p.track_event.type == pb.TrackEvent.TYPE_COUNTER
    ]
    assert counters == [(5_000, "budget exhausted, loop 7", 1)]


def read_vcd(text: str) -> dict[str, list[tuple[int, str]]]:
    """Changes of each wire, by a reader that shares nothing with the writer."""
    head, _, body = text.partition("$enddefinitions $end")
    wires = dict(re.findall(r"\$var wire \d+ (\S+) (\S+) \$end", head))
    assert len(set(wires)) == len(wires)
    changes: dict[str, list[tuple[int, str]]] = {name: [] for name in wires.values()}
    now = 0
    for line in body.splitlines():
        if line.startswith("#"):
            assert int(line[1:]) >= now
            now = int(line[1:])
        elif line.startswith("b"):
            value, code = line[1:].split()
            changes[wires[code]].append((now, value))
        elif line[:1] in ("0", "1"):
            changes[wires[line[1:]]].append((now, line[0]))
        else:
            assert line in ("", "$dumpvars", "$end")
    return changes


def test_vcd_of_the_example() -> None:
    changes = read_vcd(to_vcd(LOG).decode())
    assert changes["core0_thread"] == [
        *((0, "z"), (1_000, "0"), (5_200, "z"), (5_200, "1"), (9_500, "z")),
        *((9_500, "0"), (21_000, "z")),
    ]
    assert changes["core0_interrupt"] == [(0, "0"), (5_000, "1"), (5_001, "0")]
    assert changes["loop_7_throttled"] == [(0, "0"), (5_000, "1"), (9_000, "0")]
    assert changes["periodic_8_asleep"] == [(0, "0"), (9_500, "1"), (20_000, "0")]
    assert changes["setup_asleep"] == [(0, "0"), (6_000, "1"), (21_000, "0")]


def test_many_wires_have_codes_of_their_own() -> None:
    events = [Event(n, 0, EventKind.DISPATCH, n, 0, 0) for n in range(120)]
    changes = read_vcd(to_vcd(EventLog(1, events)).decode())
    assert len(changes) == 2 + 4 * 120


def test_sigrok_reads_the_vcd(tmp_path: Path) -> None:
    file = tmp_path / "trace.vcd"
    file.write_bytes(to_vcd(LOG))
    done = subprocess.run(
        ["sigrok-cli", "-I", "vcd", "-i", str(file), "-O", "csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "loop_7_running" in done.stdout


@pytest.mark.parametrize(
    ("name", "start", "what"),
    [
        ("a.hklog", b"HKLOG1", "event log"),
        ("a.vcd", b"$version", "VCD"),
        ("a.pftrace", b"\n", "Perfetto"),
    ],
)
def test_the_ending_chooses_the_format(tmp_path: Path, name: str, start: bytes, what: str) -> None:
    log = tmp_path / "in.log"
    log.write_bytes(pack_log(LOG))
    assert convert(log, tmp_path / name).startswith(what)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_handlers_of_interrupts() -> None:
    """What boards tell that are watched from outside: a handler inside a handler, and one cut off."""
    name = int.from_bytes(b"INT0", "little")
    log = EventLog(
        1,
        [
            Event(0, 0, EventKind.HANDLER_NAMED, NO_THREAD, 1, name),
            Event(1_000, 0, EventKind.DISPATCH, 1, 0, 0),
            Event(2_000, 0, EventKind.HANDLER_BEGINS, 1, 11, 0),
            Event(3_000, 0, EventKind.HANDLER_BEGINS, 1, 1, 0),
            Event(4_000, 0, EventKind.HANDLER_ENDS, 1, 1, 0),
            Event(5_000, 0, EventKind.HANDLER_ENDS, 1, 11, 0),
            Event(5_500, 0, EventKind.HANDLER_ENDS, 1, 11, 0),
            Event(8_000, 0, EventKind.HANDLER_BEGINS, 1, 1, 0),
            Event(9_000, 0, EventKind.ITERATION, 1, 1, 0),
        ],
    )
    assert sorted(spans(handlers(log)[0])) == [
        (2_000, 3_000, "interrupt 11"),
        (3_000, 4_000, "INT0"),
        (4_000, 5_000, "interrupt 11"),
        (8_000, 9_000, "INT0"),
    ]
    assert sum("handler begins" in line and "INT0" in line for line in listing(log)) == 2
    waves = to_vcd(log).decode()
    code = re.search(r"wire 8 (\S+) core0_handler", waves)
    assert code is not None
    changes = re.findall(rf"b(\w+) {re.escape(code[1])}\n", waves)
    assert changes == ["z", "1011", "z", "1", "z", "1011", "z", "1", "z"]
    assert b"interrupts, core 0" in to_perfetto(log)
