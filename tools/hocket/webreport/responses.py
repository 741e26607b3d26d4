"""Computes the response time of each job, from its release to its end, from the kernel's event log.

A job of a `periodic` ends with the call of its body. A job of a `loop` ends when the loop sleeps, waits or
has exhausted its budget. A job that had not ended with the run is not counted here. The report's longest
response includes it if it was late.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hocket.trace.eventlog import EventKind, EventLog, in_order

LOOP, PERIODIC, ISR = 0, 1, 4  # the kinds of `thread named` that have jobs
_RESTS = (EventKind.SLEEP, EventKind.BLOCK, EventKind.EXHAUSTED)


@dataclass
class Jobs:
    """The jobs of a loop: their releases and response times (ns)."""

    loop: int
    kind: int
    releases: list[int] = field(default_factory=list)
    responses: list[int] = field(default_factory=list)
    all_releases: list[int] = field(default_factory=list)  # includes jobs without an end
    open: list[int] = field(default_factory=list)  # of jobs without an end

    def worst(self) -> int | None:
        """Returns the release of the job with the longest response time."""
        if not self.responses:
            return None
        return self.releases[self.responses.index(max(self.responses))]


def jobs_of(log: EventLog) -> dict[int, Jobs]:
    """Returns the jobs by thread."""
    jobs: dict[int, Jobs] = {}
    pending: dict[int, list[int]] = {}
    slices: dict[int, int] = {}  # the end of a thread's last time slice or budget
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
            # Releases that the call overran have no call of their own.
            released = waiting.pop(0)
            mine.releases.append(released)
            mine.responses.append(event.time_ns - released)
            while waiting and waiting[0] <= event.time_ns:
                waiting.pop(0)
    for thread, waiting in pending.items():
        jobs[thread].open = waiting
    return jobs


def missed(jobs: Jobs, deadline: int, period: int, end: int) -> list[tuple[int, int]]:
    """Returns each deadline that passed before its job was done, and when the job was done (ns), up to `end`.

    A job that lasts for several periods misses a deadline in each. Releases that a call overran have no call
    of their own, so each of them misses its deadline (arduino/runtime/sketch.cpp, end_release()).
    """
    late: dict[int, int] = {}
    ended = [(at, at + took) for at, took in zip(jobs.releases, jobs.responses, strict=True)]
    for released, done in [*ended, *((at, end + 1) for at in jobs.open[:1])]:
        last = done - 1
        if jobs.kind == PERIODIC and done - released > period:
            last = done - 1 + deadline  # of the last release that the call overran
        for due in range(released + deadline, min(last, end) + 1, max(period, 1)):
            late[due] = done
    return sorted((due, min(done, end)) for due, done in late.items())


def _ends(jobs: Jobs, kind: int) -> bool:
    return kind == EventKind.ITERATION if jobs.kind == PERIODIC else kind in _RESTS
