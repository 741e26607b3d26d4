"""Writes a Perfetto trace (for ui.perfetto.dev): what ran on each core, and each loop's state.

Tracks: one for each core (slices with the name of the running loop, instants for its interrupts), one for the
core's interrupt handlers if the board reports them, one for each thread (slices with the name of its state,
instants for exhausted budgets and faults), and a counter of exhausted budgets for each thread. Times are the
board's, in nanoseconds from its start.
"""

from __future__ import annotations

from typing import Any

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

from hocket.trace.eventlog import NO_THREAD, NOT_GUARANTEED, EventKind, EventLog, in_order
from hocket.trace.states import Span, handlers, timeline

_BOARD_TRACK = 1
_CORE_TRACKS = 1_000
_HANDLER_TRACKS = 10_000
_THREAD_TRACKS = 100_000
_COUNTER_TRACKS = 1_000_000
_SEQUENCE = 1
_BOOTTIME = 6  # BUILTIN_CLOCK_BOOTTIME: the viewer's reference clock

_CORE_INSTANTS = {
    EventKind.TIMER: "timer interrupt",
    EventKind.IPI: "inter-processor interrupt",
    EventKind.PIN_INTERRUPT: "pin interrupt",
}
_THREAD_INSTANTS = {
    EventKind.EXHAUSTED: "budget exhausted",
    EventKind.REPLENISH: "replenished",
    EventKind.FAULT: "fault",
    EventKind.RELEASE: "release",
    EventKind.ITERATION: "iteration done",
    EventKind.EDGES_TAKEN: "edges taken",
    EventKind.EDGE_DELIVERED: "edge delivered",
}


def to_perfetto(log: EventLog) -> bytes:
    """Returns the trace as Perfetto's protobuf. The same log gives the same bytes."""
    line = timeline(log)
    trace: Any = pb.Trace()
    board = "board" if log.guaranteed else f"board: {NOT_GUARANTEED}"
    _describe(trace, _BOARD_TRACK, board, None)
    for core in sorted(line.cores):
        _describe(trace, _CORE_TRACKS + core, f"core {core}", _BOARD_TRACK)
    interrupts = handlers(log)
    for core in sorted(interrupts):
        _describe(trace, _HANDLER_TRACKS + core, f"interrupts, core {core}", _BOARD_TRACK)
    for thread in sorted(line.names):
        _describe(trace, _THREAD_TRACKS + thread, line.names[thread], _BOARD_TRACK)
    exhausted = sorted(
        {e.thread for e in log.events if e.kind == EventKind.EXHAUSTED} - {NO_THREAD}
    )
    for thread in exhausted:
        name = f"budget exhausted, {line.names[thread]}"
        _describe(trace, _COUNTER_TRACKS + thread, name, _BOARD_TRACK, counter=True)
    packets: list[tuple[int, int, int, str, int]] = []  # time, order, track, name, value
    for core, spans in line.cores.items():
        packets += _slices(_CORE_TRACKS + core, [(span, line.names[span.thread]) for span in spans])
    for thread, spans in line.threads.items():
        packets += _slices(_THREAD_TRACKS + thread, [(span, span.what) for span in spans])
    for core, spans in interrupts.items():
        packets += _slices(_HANDLER_TRACKS + core, [(span, span.what) for span in spans])
    packets += _instants(log)
    for time, order, track, name, value in sorted(packets, key=lambda p: (p[0], p[1])):
        _event(trace, time, order, track, name, value)
    data: bytes = trace.SerializeToString(deterministic=True)
    return data


# At one instant slices end before others begin, and instants fall into the slice that begins.
_END, _BEGIN, _INSTANT, _COUNTER = 0, 1, 2, 3


def _slices(track: int, spans: list[tuple[Span, str]]) -> list[tuple[int, int, int, str, int]]:
    packets = []
    for span, name in spans:
        packets.append((span.start, _BEGIN, track, name, 0))
        packets.append((span.end, _END, track, "", 0))
    return packets


def _instants(log: EventLog) -> list[tuple[int, int, int, str, int]]:
    packets: list[tuple[int, int, int, str, int]] = []
    counts: dict[int, int] = {}
    for event in in_order(log):
        if event.kind in _CORE_INSTANTS:
            name = _CORE_INSTANTS[EventKind(event.kind)]
            packets.append((event.time_ns, _INSTANT, _CORE_TRACKS + event.core, name, 0))
        elif event.kind in _THREAD_INSTANTS:
            name = _THREAD_INSTANTS[EventKind(event.kind)]
            none = event.thread == NO_THREAD
            track = _CORE_TRACKS + event.core if none else _THREAD_TRACKS + event.thread
            packets.append((event.time_ns, _INSTANT, track, name, 0))
            if event.kind == EventKind.EXHAUSTED and not none:
                counts[event.thread] = counts.get(event.thread, 0) + 1
                track = _COUNTER_TRACKS + event.thread
                packets.append((event.time_ns, _COUNTER, track, "", counts[event.thread]))
        elif event.kind not in EventKind.__members__.values():
            name = f"kind {event.kind}"
            packets.append((event.time_ns, _INSTANT, _CORE_TRACKS + event.core, name, 0))
    return packets


def _describe(trace: Any, track: int, name: str, parent: int | None, counter: bool = False) -> None:
    packet = trace.packet.add()
    packet.trusted_packet_sequence_id = _SEQUENCE
    packet.track_descriptor.uuid = track
    packet.track_descriptor.name = name
    if parent is not None:
        packet.track_descriptor.parent_uuid = parent
    if counter:
        packet.track_descriptor.counter.unit = pb.CounterDescriptor.UNIT_COUNT


def _event(trace: Any, time: int, order: int, track: int, name: str, value: int) -> None:
    packet = trace.packet.add()
    packet.timestamp = time
    packet.timestamp_clock_id = _BOOTTIME
    packet.trusted_packet_sequence_id = _SEQUENCE
    event = packet.track_event
    event.track_uuid = track
    event.type = (
        pb.TrackEvent.TYPE_SLICE_END,
        pb.TrackEvent.TYPE_SLICE_BEGIN,
        pb.TrackEvent.TYPE_INSTANT,
        pb.TrackEvent.TYPE_COUNTER,
    )[order]
    if name:
        event.name = name
    if order == _COUNTER:
        event.counter_value = value
