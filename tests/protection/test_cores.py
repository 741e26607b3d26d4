"""Loops on different cores share channels, buffers, locks and a serial port, and nothing is ever torn.

With counted instructions the emulated cores take turns and runs repeat; without (`--no-icount`) they
really run at the same time on this computer's processors, which is where races show. Times mean
nothing then, so nothing is said about them.
"""

from __future__ import annotations

import pytest
from tests.campaign import one_in
from tests.sketches import Run

HEAD = """#include <Hocket.h>
#include <stdlib.h>
#include <string.h>
// 128 bytes whose words all follow from the first: words of two items never fit together.
struct Item {
  uint64_t words[16];
  static uint64_t word(uint64_t n, unsigned i) { return n * 0x9e3779b97f4a7c15u + i * n; }
  void make(uint64_t n) {
    words[0] = n;
    for (unsigned i = 1; i < 16; i++) words[i] = word(n, i);
  }
  bool whole() const {
    unsigned wrong = 0;
    for (unsigned i = 1; i < 16; i++) wrong += words[i] != word(words[0], i);
    return wrong == 0;
  }
};
volatile bool stop;
uint64_t torn[64], back[64], lost[64], seen[64];

Channel<Item> channels[CORES];
Ringbuf<Item, 7> buffers[CORES];
void writer(unsigned n) {
  static uint64_t number[CORES], queued[CORES];
  for (unsigned i = 0; i < 20 && !stop; i++) {
    Item item;
    item.make(++number[n]); channelWrite(channels[n], item);
    item.make(queued[n] + 1); if (ringbufWrite(buffers[n], item)) queued[n]++;
  }
  asm volatile("yield");
}
void reader(unsigned n) {
  static uint64_t newest[CORES], expected[CORES];
  for (unsigned i = 0; i < 20 && !stop; i++) {
    Item item = channelRead(channels[n]);
    torn[n] += !item.whole(); back[n] += item.words[0] < newest[n];
    if (item.words[0] != newest[n]) seen[n]++;
    newest[n] = item.words[0];
    if (!ringbufRead(buffers[n], item)) continue;
    torn[n] += !item.whole();
    lost[n] += item.words[0] != ++expected[n];
  }
  asm volatile("yield");
}

Spinlock lock;
uint64_t counters[16];  // all equal whenever nobody holds the lock
uint64_t added[CORES];
void adder(unsigned n) {
  for (unsigned i = 0; i < 5 && !stop; i++) {
    spinlockLock(lock);
    for (unsigned k = 0; k < 16; k++) { volatile uint64_t &c = counters[k]; c = c + 1; }
    for (unsigned k = 1; k < 16; k++) torn[32 + n] += counters[k] != counters[0];
    added[n]++;
    spinlockUnlock(lock);
  }
  asm volatile("yield");
}
/// The heap is shared, too.
void allocator(unsigned n) {
  static uint8_t *kept[CORES][8];
  static unsigned at[CORES], sizes[CORES][8];
  const unsigned slot = at[n]++ % 8;
  if (uint8_t *old = kept[n][slot]) {
    for (unsigned i = 0; i < sizes[n][slot]; i++) torn[48 + n] += old[i] != (uint8_t)(n * 16 + slot);
    free(old);
  }
  const unsigned size = 16 + (at[n] * 37 + n) % 200;
  kept[n][slot] = (uint8_t*)malloc(size); sizes[n][slot] = size;
  memset(kept[n][slot], n * 16 + slot, size);
  seen[48 + n]++;
  asm volatile("yield");
}
void talker(unsigned n) {
  char line[40]; memset(line, 'a' + n, 30); line[30] = '\\n'; line[31] = 0;
  Serial.print(line);
}
void setup() { Serial.begin(2000000); }
"""

JUDGE = """
/// How much has not been done often enough yet.
unsigned idle() {
  unsigned found = 0;
  for (unsigned i = 0; i < CORES; i++) found += (seen[i] < 5) + (added[i] < 5) + (seen[48 + i] < 5);
  return found;
}
void judge() {
  delay(RUN);
  for (int i = 0; i < 900 && idle() > 0; i++) delay(100);
  stop = true;
  delay(100);
  uint64_t sum = 0, wrong = 0;
  for (unsigned i = 0; i < 64; i++) wrong += torn[i] + back[i] + lost[i];
  spinlockLock(lock);  // whoever adds may have been held up for longer: its round is whole or not begun
  for (unsigned i = 0; i < CORES; i++) sum += added[i];
  wrong += sum != counters[0];
  spinlockUnlock(lock);
  char line[80];
  snprintf(line, sizeof line, "VERDICT wrong %lu idle %lu sum %lu\\nEND", (unsigned long)wrong,
           (unsigned long)idle(), (unsigned long)sum);
  Serial.println(line);
  delay(100000);
}
"""


def sharing(cores: int, run_ms: int, scale: int) -> str:
    """On each core a writer, a reader of another core's, an adder, an allocator and a talker.

    scale: all budgets and periods are so much longer.
    """
    lines = [f"#define CORES {cores}\n#define RUN {run_ms}\n{HEAD}{JUDGE}"]
    for core in range(cores):
        there = (core + 1) % cores
        first = 10 * (core + 1)
        for offset, (body, budget, period) in enumerate(
            [
                (f"writer({core})", 200, 3),
                (f"reader({there})", 150, 2),
                (f"adder({core})", 300, 5),
                (f"allocator({core})", 300, 7),
                (f"talker({core})", 200, 20),
            ]
        ):
            number = first + offset
            lines.append(
                f"void loop({number}, {budget * scale}us, {period * scale}ms, onCore({core})) {{ {body}; }}\n"
            )
    lines.append("void loop(9, 1, 50, onCore(0)) { judge(); }\n")
    return "".join(lines)


# Eight processors at once are more than most computers have: they would wait for each other's turns.
RUNS = [*((cores, "counted") for cores in (2, 4, 8)), *((cores, "free") for cores in (2, 4))]


@one_in(5)
@pytest.mark.parametrize(("cores", "clock"), RUNS)
def test_nothing_shared_is_torn_lost_or_late(run_virt: Run, cores: int, clock: str) -> None:
    options = () if clock == "counted" else ("--no-icount",)
    run_ms = 150 if options else 800 // cores
    limits = ("--expect-text", "END", *options)
    name = f"sharing-{cores}-{run_ms}"
    outcome = run_virt(
        name, 100, sharing(cores, run_ms, 20 if options else 1), cores=cores, options=limits
    )
    assert outcome.report["faults"] == []
    whole, _, _ = outcome.said.rpartition("\n")  # the end may come within a line
    lines = [line for line in whole.splitlines() if line not in ("", "END")]
    (verdict,) = (line for line in lines if line.startswith("VERDICT"))
    lines.remove(verdict)
    assert verdict.startswith("VERDICT wrong 0 idle 0"), verdict
    for line in lines:
        assert len(line) == 30 and len(set(line)) == 1, line
    assert len({line[0] for line in lines}) == cores
