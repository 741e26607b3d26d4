"""How long each job took, from its release to its end, as the kernel's event log has it.

A `periodic` ends its job with the call of its body, a `loop` when it sleeps, waits or has used its budget
up. What had not ended with the run is no job here; the report's longest response counts it, if it was late.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hocket.trace.eventlog import EventKind, EventLog, in_order

LOOP, PERIODIC, ISR = 0, 1, 4  # the kinds that `thread named` tells, of those that have jobs
_RESTS = (EventKind.SLEEP, EventKind.BLOCK, EventKind.EXHAUSTED)


@dataclass
class Jobs:
    """The jobs of a loop: when each was released, and how long it took (ns)."""

    loop: int
    kind: int
    releases: list[int] = field(default_factory=list)
    responses: list[int] = field(default_factory=list)
    all_releases: list[int] = field(default_factory=list)  # those without an end as well
    open: list[int] = field(default_factory=list)  # those whose job had not ended with the log

    def worst(self) -> int | None:
        """The release of the longest."""
        if not self.responses:
            return None
        return self.releases[self.responses.index(max(self.responses))]


def jobs_of(log: EventLog) -> dict[int, Jobs]:
    """By thread."""
    jobs: dict[int, Jobs] = {}
    pending: dict[int, list[int]] = {}
    slices: dict[int, int] = {}  # when a thread's last time slice or budget ended
    for event in in_order(log):
        if event.kind == EventKind.NAMED and event.value in (LOOP, PERIODIC, ISR):
            jobs[event.thread] = Jobs(event.arg, event.value)
        mine = jobs.get(event.thread)
        if mine is None:
            continue
        waiting = pending.setdefault(event.thread, [])
        if event.kind == EventKind.EXHAUSTED:
            slices[event.thread] = event.time_ns
        next_slice = mine.kind == PERIODIC and slices.get(event.thread) == event.time_ns
        if event.kind == EventKind.RELEASE and not next_slice:
            waiting.append(event.time_ns)
            mine.all_releases.append(event.time_ns)
        elif _ends(mine, event.kind) and waiting and waiting[0] <= event.time_ns:
            # Of a call that ran into later releases these have no call of their own.
            released = waiting.pop(0)
            mine.releases.append(released)
            mine.responses.append(event.time_ns - released)
            while waiting and waiting[0] <= event.time_ns:
                waiting.pop(0)
    for thread, waiting in pending.items():
        jobs[thread].open = waiting
    return jobs


def missed(jobs: Jobs, deadline: int, period: int, end: int) -> list[tuple[int, int]]:
    """Each deadline that passed while its job was not done, and when the job was done (ns), up to `end`.

    A job that lasts for several periods misses a deadline in each. Of the releases that a call ran into,
    none has a call of its own, so each misses its deadline (arduino/runtime/sketch.cpp, end_release()).
    """
    late: dict[int, int] = {}
    ended = [(at, at + took) for at, took in zip(jobs.releases, jobs.responses, strict=True)]
    for released, done in [*ended, *((at, end + 1) for at in jobs.open[:1])]:
        last = done - 1
        if jobs.kind == PERIODIC and done - released > period:
            last = done - 1 + deadline  # of the last release that the call ran into
        for due in range(released + deadline, min(last, end) + 1, max(period, 1)):
            late[due] = done
    return sorted((due, min(done, end)) for due, done in late.items())


def _ends(jobs: Jobs, kind: int) -> bool:
    return kind == EventKind.ITERATION if jobs.kind == PERIODIC else kind in _RESTS
