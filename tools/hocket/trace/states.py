"""Derives from events what each core ran and the state of each thread, over time.

running ⇄ ready      dispatch of this thread, dispatch of another one on its core
running → sleeping   sleep                 → waiting: block
any     → throttled  budget exhausted      → ready: replenish
asleep  → ready      wake, release
any     → faulted    fault
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hocket.trace.eventlog import NO_THREAD, EventKind, EventLog, in_order

READY, RUNNING, THROTTLED = "ready", "running", "throttled"
SLEEPING, WAITING, FAULTED = "sleeping", "waiting", "faulted"


@dataclass(frozen=True, slots=True)
class Span:
    """From start to end (ns) a thread was in the state `what`, or a core ran `thread`."""

    start: int
    end: int
    what: str
    thread: int


@dataclass
class Timeline:
    """cores: core → spans of the threads it ran; idle time is a gap. threads: thread → spans of its
    states."""

    names: dict[int, str]
    cores: dict[int, list[Span]] = field(default_factory=dict)
    threads: dict[int, list[Span]] = field(default_factory=dict)
    end: int = 0


class _Builder:
    def __init__(self, log: EventLog) -> None:
        self.line = Timeline(log.thread_names())
        self.line.cores = {core: [] for core in range(log.cores)}
        self.line.threads = {thread: [] for thread in sorted(self.line.names)}
        self.running: dict[int, tuple[int, int]] = {}  # core → (thread, since)
        self.state: dict[int, tuple[str, int]] = {}  # thread → (state, since)

    def enter(self, thread: int, state: str, now: int) -> None:
        if thread == NO_THREAD:
            return
        before = self.state.get(thread)
        if before is not None:
            if before[0] == state:
                return
            if now > before[1]:
                self.line.threads[thread].append(Span(before[1], now, before[0], thread))
        self.state[thread] = (state, now)

    def dispatch(self, core: int, thread: int, now: int) -> None:
        self.leave(core, now)
        if thread != NO_THREAD:
            self.running[core] = (thread, now)
            self.enter(thread, RUNNING, now)

    def leave(self, core: int, now: int) -> None:
        before = self.running.pop(core, None)
        if before is None:
            return
        thread, since = before
        if now > since:
            self.line.cores[core].append(Span(since, now, RUNNING, thread))
        if self.state.get(thread, ("", 0))[0] == RUNNING:
            self.enter(thread, READY, now)


_NEXT_STATE = {
    EventKind.BLOCK: WAITING,
    EventKind.SLEEP: SLEEPING,
    EventKind.EXHAUSTED: THROTTLED,
    EventKind.FAULT: FAULTED,
}


_AHEAD = (EventKind.RELEASE, EventKind.REPLENISH)


def timeline(log: EventLog) -> Timeline:
    """Returns the timeline of a log. A state that is unknown before a thread's first event has no span."""
    builder = _Builder(log)
    events = in_order(log)
    # Releases and replenishments are logged when they are decided, so the last ones may lie after the end.
    builder.line.end = max((e.time_ns for e in events if e.kind not in _AHEAD), default=0)
    for event in events:
        now = event.time_ns
        if now > builder.line.end:
            break
        if event.kind == EventKind.DISPATCH:
            builder.dispatch(event.core, event.thread, now)
        elif event.kind in _NEXT_STATE:
            builder.enter(event.thread, _NEXT_STATE[EventKind(event.kind)], now)
        elif event.kind in (EventKind.WAKE, EventKind.RELEASE, EventKind.REPLENISH):
            _make_ready(builder, event.thread, event.kind, now)
    for core in list(builder.running):
        builder.leave(core, builder.line.end)
    for thread, (state, since) in builder.state.items():
        if builder.line.end > since:
            builder.line.threads[thread].append(Span(since, builder.line.end, state, thread))
    return builder.line


def handlers(log: EventLog) -> dict[int, list[Span]]:
    """Returns, for each core whose handlers are in the log, when each handler ran. what: its name. thread:
    its number.

    A handler that another handler interrupts does not run meanwhile. A handler without an end in the log ends
    with the log.
    """
    names = log.interrupt_names()
    spans: dict[int, list[Span]] = {}
    running: dict[int, list[int]] = {}  # core → the handlers, the innermost last
    since: dict[int, int] = {}
    last = 0

    def close(core: int, now: int) -> None:
        if running[core] and now > since[core]:
            number = running[core][-1]
            spans.setdefault(core, []).append(Span(since[core], now, names[number], number))
        since[core] = now

    for event in in_order(log):
        last = event.time_ns if event.kind not in _AHEAD else last
        open_ones = running.setdefault(event.core, [])
        if event.kind == EventKind.HANDLER_BEGINS:
            close(event.core, event.time_ns)
            open_ones.append(event.arg)
        elif event.kind == EventKind.HANDLER_ENDS and open_ones:
            close(event.core, event.time_ns)
            open_ones.pop()
    for core in running:
        close(core, last)
    return spans


def _make_ready(builder: _Builder, thread: int, kind: int, now: int) -> None:
    """A wake ends sleeping and waiting, a replenishment ends throttling. Neither ends running."""
    state = builder.state.get(thread, ("", 0))[0]
    ended = (THROTTLED,) if kind == EventKind.REPLENISH else (SLEEPING, WAITING, "")
    if state in ended:
        # At the end of a time slice the thread may have kept its core. Then there is no other dispatch.
        kept = kind == EventKind.REPLENISH and any(
            running == thread for running, _ in builder.running.values()
        )
        builder.enter(thread, RUNNING if kept else READY, now)
