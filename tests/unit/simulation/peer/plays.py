#!/usr/bin/env python3
"""Kernels for the tests of the world: each function plays one (see kernel.py)."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
from tests.unit.simulation.peer.kernel import (
    NEVER,
    End,
    Kernel,
    Op,
    beside_facts,
    bound_costs,
    bound_interrupts,
    bound_rank,
    core_facts,
    fault_facts,
    interrupt_facts,
    log_record,
    loop_facts,
    run_facts,
)

MS = 1_000_000


def complete(k: Kernel) -> int:
    """A run to the end of its time: pins, Serial, log, all kinds of facts."""
    settings = k.hello()
    print("settings", sorted(settings.items()))
    k.time = 1 * MS
    k.say(Op.PIN_MODE, 13, 1)
    high = k.say(Op.PIN_WRITE, 13, 1)
    assert high.value == 1
    assert high.levels == 1 << 13
    assert k.say(Op.PIN_READ, 13).value == 1
    assert k.say(Op.PIN_READ, 13000).value == 0
    assert k.say(Op.PIN_WRITE, 13000, 1).value == 0
    assert k.say(Op.SERIAL_ROOM_AT, 9).value == -1  # kNever
    assert k.say(Op.SERIAL_DATA_AT, 0).value == -1
    assert k.say(Op.SERIAL_BEGIN, 0, 115200).value == 1
    assert k.write(b"x" * 100).value == 64
    k.time = 20 * MS
    assert k.write(b"hello\n").value == 6
    k.say(Op.LOG, payload=log_record(5, 0, 12, 1, 1) + log_record(20 * MS, 0, 1, 1))
    k.time = settings["duration"]
    assert k.say(Op.LOOK).stop
    k.time += 1000
    k.say(Op.FACTS, payload=run_facts(settings["duration"]))
    k.say(Op.CORE_FACTS, payload=core_facts(300_000, 1_000_000))
    k.say(Op.LOOP_FACTS, payload=loop_facts(1))
    k.say(Op.LOOP_FACTS, payload=loop_facts(2, periodic=1))
    k.say(Op.FAULT_FACTS)  # none
    k.say(Op.NOTICE, payload="the kernel says hé".encode())
    return k.goodbye(End.TIME)


def poll_button(k: Kernel) -> int:
    """Reads a pin only when the levels no longer hold; prints the instants of its changes."""
    settings = k.hello()
    k.say(Op.PIN_MODE, 22, 2)
    reply, requests = k.say(Op.PIN_READ, 22), 1
    level = reply.value
    while k.time < settings["duration"]:
        k.time += 10_000
        if k.time >= reply.quiet_until:
            reply, requests = k.say(Op.PIN_READ, 22), requests + 1
        now = reply.levels >> 22 & 1
        if now != level:
            print("change", k.time, now)
        level = now
    print("requests", requests)
    k.say(Op.FACTS, payload=run_facts(settings["duration"]))
    return k.goodbye(End.TIME)


def watch_button(k: Kernel) -> int:
    """Watches pin 22 for rising edges, asking at each instant at which something may change."""
    settings = k.hello()
    k.say(Op.PIN_MODE, 22, 2)
    assert k.say(Op.PIN_WATCH, 128, 255).value == 1  # nothing from before
    assert k.say(Op.PIN_WATCH, 127, 4).value == 0  # no such pin
    reply = k.say(Op.PIN_WATCH, 22, 4)
    assert (reply.value, reply.edges, reply.first_edge) == (1, 0, NEVER)
    seen = 0
    while reply.quiet_until < settings["duration"]:
        k.time = max(k.time, reply.quiet_until + 7)  # a little late
        reply = k.say(Op.LOOK)
        assert reply.edges in (0, 1 << 22)
        if reply.edges:
            seen += 1
            assert reply.first_edge + 7 == k.time
            print("edge", reply.first_edge, reply.levels >> 22 & 1)
        else:
            assert reply.first_edge == NEVER
    k.say(Op.PIN_WATCH, 22, 255)
    k.time = settings["duration"]
    k.say(Op.FACTS, payload=run_facts(k.time, pin_interrupts=seen, sections=3, longest_section=9))
    k.say(Op.INTERRUPT_FACTS, payload=interrupt_facts(22, 4, 254, seen - 1, seen - 2))
    return k.goodbye(End.TIME)


def endless_talk(k: Kernel) -> int:
    """Says `tick N` every millisecond until the world wants it to stop; obeys look_at."""
    settings = k.hello()
    k.say(Op.SERIAL_BEGIN, 0, 115200)
    number = 0
    while True:
        reply = k.write(b"tick %d\n" % number)
        number += 1
        next_write = k.time + 1 * MS
        if not reply.stop and reply.look_at < next_write:
            k.time = reply.look_at
            reply = k.say(Op.LOOK)
        if reply.stop:
            break
        k.time = next_write
    k.say(Op.FACTS, payload=run_facts(min(k.time, settings["duration"])))
    return k.goodbye(End.STOPPED)


def interrupted(k: Kernel) -> int:
    """Interrupts the world, then goes on until it is asked to stop."""
    k.hello()
    os.kill(os.getppid(), signal.SIGINT)
    looks = 0
    while not (reply := k.say(Op.LOOK)).stop:
        looks += 1
        assert looks < 100_000
        time.sleep(0.0001)
        assert reply.look_at == 100 * MS
    k.say(Op.FACTS, payload=run_facts(k.time))
    return k.goodbye(End.STOPPED)


def silent_after_interrupt(k: Kernel) -> int:
    k.hello()
    print(f"process {os.getpid()}", flush=True)
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)
    return 0


def two_interrupts(k: Kernel) -> int:
    k.hello()
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(0.3)  # so that they are two
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)
    return 0


def killed_world(k: Kernel) -> int:
    k.hello()
    Path(os.environ["HOCKET_PROCESS"]).write_text(str(os.getpid()))
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
    return 0


def refused(k: Kernel) -> int:
    k.hello()
    k.say(Op.REASON, payload=b"loop 2 does not fit")
    k.say(Op.FACTS, payload=run_facts(0, accepted=0))
    k.say(Op.CORE_FACTS, payload=core_facts(1_200_000, 828_427))
    k.say(Op.LOOP_FACTS, payload=loop_facts(1))
    return k.goodbye(End.REFUSED)


def checked(k: Kernel) -> int:
    assert k.hello()["check_only"] == 1
    k.say(Op.FACTS, payload=run_facts(0))
    k.say(Op.LOOP_FACTS, payload=loop_facts(1))
    return k.goodbye(End.CHECK)


def with_another_system(k: Kernel) -> int:
    """Beside one that has had most of core 0, and a little of core 1."""
    k.time = k.hello()["duration"]
    k.say(Op.FACTS, payload=run_facts(k.time, cores=2))
    k.say(Op.LOOP_FACTS, payload=loop_facts(1) + loop_facts(2, core=1))
    k.say(Op.BESIDE_FACTS, payload=beside_facts(2, 3, 1, 800 * MS, 5))
    return k.goodbye(End.TIME)


def with_terms(k: Kernel) -> int:
    """Of a loop of 30 ms in 100, and interrupts of 10 µs in each millisecond."""
    k.hello()
    k.say(Op.FACTS, payload=run_facts(0))
    k.say(Op.CORE_FACTS, payload=core_facts(300_000, 1_000_000))
    own = 100 + 4_000 + 30_000_000 + 4_400
    bound = own + 31 * 10_000
    k.say(Op.LOOP_FACTS, payload=loop_facts(1, bound=bound))
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    k.say(Op.BOUND_RANKS, payload=bound_rank(1, 0, 30_000_000, bound))
    k.say(Op.BOUND_INTERRUPTS, payload=bound_interrupts(10_000, 1_000_000))
    return k.goodbye(End.CHECK)


def unusable(k: Kernel) -> int:
    k.hello()
    k.say(Op.NOTICE, payload=b"two loops have the id 3")
    return k.goodbye(End.UNUSABLE)


def faulted(k: Kernel) -> int:
    """What was written before the fault still leaves."""
    k.hello()
    k.say(Op.SERIAL_BEGIN, 0, 9600)
    k.write(b"last words\n")
    k.time = 1 * MS
    k.say(Op.FACTS, payload=run_facts(k.time, restarts=2))
    k.say(Op.FAULT_FACTS, payload=fault_facts(3, b"bad access", b"x" * 120, 0x10, 0x1000_0040))
    k.say(Op.FAULT_FACTS, payload=fault_facts(-1, b"call", b"called exit()\0?", NEVER, NEVER))
    return k.goodbye(End.FAULT)


def in_setup(k: Kernel) -> int:
    settings = k.hello()
    k.time = settings["duration"]
    k.say(Op.FACTS, payload=run_facts(k.time, in_setup=1))
    return k.goodbye(End.TIME)


# --- Kernels with a defect ---


def beside_in_no_state(k: Kernel) -> int:
    k.hello()
    k.say(Op.BESIDE_FACTS, payload=beside_facts(4, 0, 1))
    return 0


def beside_on_too_many_cores(k: Kernel) -> int:
    k.hello()
    k.say(Op.BESIDE_FACTS, payload=beside_facts(1, 0, 2))
    return 0


def beside_for_too_long(k: Kernel) -> int:
    k.hello()
    k.time = 7
    k.say(Op.BESIDE_FACTS, payload=beside_facts(1, 0, 1, 8))
    return 0


def beside_twice(k: Kernel) -> int:
    k.hello()
    k.say(Op.BESIDE_FACTS, payload=beside_facts(1, 0, 1))
    k.say(Op.BESIDE_FACTS, payload=beside_facts(1, 0, 1))
    return 0


def bounds_twice(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    return 0


def bounds_of_a_clock_that_stands(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_COSTS, payload=bound_costs(0))
    return 0


def terms_before_costs(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_RANKS, payload=bound_rank(1, 0, 5, 9))
    return 0


def a_rank_on_no_core(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    k.say(Op.BOUND_RANKS, payload=bound_rank(1, 1, 5, 9))
    return 0


def a_rank_without_a_budget(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    k.say(Op.BOUND_RANKS, payload=bound_rank(1, 0, 0, 9))
    return 0


def interrupts_without_a_distance(k: Kernel) -> int:
    k.hello()
    k.say(Op.BOUND_COSTS, payload=bound_costs())
    k.say(Op.BOUND_INTERRUPTS, payload=bound_interrupts(5, 0))
    return 0


def dies(_: Kernel) -> int:
    print("panic: no memory")
    print("at 0x80000", file=sys.stderr)
    return 9


def back_in_time(k: Kernel) -> int:
    k.hello()
    k.time = 500
    k.say(Op.LOOK)
    k.time = 499
    k.say(Op.LOOK)
    return 0


def no_hello(k: Kernel) -> int:
    k.say(Op.LOOK)
    return 0


def two_hellos(k: Kernel) -> int:
    k.hello()
    k.hello()
    return 0


def other_version(k: Kernel) -> int:
    k.say(Op.HELLO, 7, 8)
    return 0


def too_few_cores(k: Kernel) -> int:
    k.hello(cores=0)
    return 0


def unknown_operation(k: Kernel) -> int:
    k.hello()
    k.say(999)
    return 0


def large_payload(k: Kernel) -> int:
    k.hello()
    os.write(k.request, b"\xff\xff\xff\xff" + bytes(36))
    return k.say(Op.LOOK).value


def odd_payload(k: Kernel) -> int:
    k.hello()
    k.say(Op.LOG, payload=b"x" * 25)
    return 0


def log_of_no_core(k: Kernel) -> int:
    k.hello()
    k.say(Op.LOG, payload=log_record(0, 1, 1, 1))
    return 0


def no_facts(k: Kernel) -> int:
    k.hello()
    return k.goodbye(End.TIME)


def too_late(k: Kernel) -> int:
    k.hello()
    k.time = 10**18
    k.say(Op.LOOK)
    return 0


def talks_after_goodbye(k: Kernel) -> int:
    k.hello()
    k.say(Op.FACTS, payload=run_facts(0))
    k.say(Op.GOODBYE)
    return k.say(Op.LOOK).value


def cut_off(k: Kernel) -> int:
    k.hello()
    os.write(k.request, b"half a request")
    return 3


def main() -> int:
    folder = next(word for word in sys.argv[1:] if word.startswith("world="))
    play: Callable[[Kernel], int] = globals()[os.environ["HOCKET_PLAY"]]
    return play(Kernel(folder.removeprefix("world=")))


if __name__ == "__main__":
    sys.exit(main())
