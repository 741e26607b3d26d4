"""Sketches in the idioms of Qduino's own: its headers, channelInit(), cycles, printf() at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.campaign import except_virt
from tests.commands import run_hocket as hocket
from tests.interrupts import interrupts, loop, on, run
from tests.sketches import kept

# One loop counts, the other one looks twice as often; a third one ends.
TALK = """#include <arducomm.h>
#include <ardutime.h>
#include <arduthread.h>
#include <stdio.h>

channel newest, other;
int status = LOW, ended = 0;

void setup() {
  newest = channelInit();
  other = channelInit();
}

void loop(1,20,100) {
  int i;
  for (i = 1; i <= 4; i++) {
    channelWrite(newest, i);
    delay(200);
  }
  while(1);
}

void loop(2,20,100) {
  int i, seen;
  delay(50);
  for (i = 0; i < 8; i++) {
    seen = channelRead(newest);
    printf("%d ", seen);
    delay(100);
  }
  printf("other %d ended %d\\n", channelRead(other), ended);
  while(1);
}

void loop(3,10,100) {
  ended++;
  pthread_exit(NULL);
}
"""

# The plain loop has 80/100 and the handlers of attachInterrupt() 10/100, as in Qduino.
COUNT = """#include <pin.h>
#include <ardutime.h>
#include <arduutils.h>
#include <sys/time.h>

volatile int slow, fast;
struct timeval before, after;

void OnSlow() { slow++; }
void OnFast() { fast++; }

void setup() {
  pinMode(2, FAST_INPUT);
  pinMode(3, FAST_OUTPUT);
  attachInterrupt(2, OnSlow, RISING);
}

void loop() {
  unsigned long long start, end;
  rdtsc(&start);
  gettimeofday(&before, NULL);
  fastDigitalWrite(3, HIGH);
  delay(100);
  uRdtsc(end);
  gettimeofday(&after, NULL);
  printf("%d edges, %d, %ld ms\\n", slow, fastDigitalRead(3),
         (after.tv_sec - before.tv_sec) * 1000 + (after.tv_usec - before.tv_usec) / 1000);
  print_long_long_hex((end - start) / 1000);
  while (1);
}
"""
EDGES = "parts:\n  g: {type: generator, pin: 2, frequency: 100 Hz, start: 5 ms}\n"


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_loops_talk_by_a_channel(tmp_path: Path, board: str) -> None:
    status, said, report = run(
        tmp_path, "qduino-talk", TALK, "parts: {}\n", "1501ms", *on(board, 1)
    )
    assert status == 0, said
    assert "1 1 2 2 3 3 4 4 other 0 ended 1" in said
    assert loop(report, 3)["max_cpu_per_period_us"] < 100  # it does not spin after its end


def test_plain_handlers_have_the_papers_budget(tmp_path: Path) -> None:
    status, said, report = run(tmp_path, "qduino-count", COUNT, EDGES, "501ms", *on("sim", 1))
    assert status == 0, said
    assert re.search(r"1[0-3] edges, 1, 100 ms", said), said
    cycles = int(re.search(r"0x([0-9a-f]+)", said)[1], 16)  # type: ignore[index]
    assert cycles == pytest.approx(100 * 0x563A9 / 1000, rel=0.001)
    plain, handlers = loop(report, 0), loop(report, 254)
    assert (plain["budget_us"], plain["period_us"]) == (80_000, 100_000)
    assert (handlers["budget_us"], handlers["period_us"]) == (10_000, 100_000)
    (entry,) = interrupts(report).values()
    assert entry["delivered"] >= 49
    assert entry["max_delay_us"] <= entry["delay_bound_us"]


def test_another_budget_and_the_former_name() -> None:
    text = (
        "#define QDUINO_INTERRUPT_LOOP 250, 2, 20\n#include <qduino.h>\nvoid edge() {}\n"
        "void setup() {\n  attachInterrupt(2, edge, RISING);\n"
        "  attachInterrupt_vcpu(3, edge, CHANGE, 8, 40);\n}\nvoid loop(1, 10, 100) {}\n"
    )
    done = hocket("check", str(kept("qduino-names", text)))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^250 isr +0 +2 ms +20 ms", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r" isr +0 +8 ms +40 ms", done.stdout), done.stdout
