"""What each loop has for itself, however often the others come in between: registers, errno, time.

Exact results are the measure: one lost bit of a floating-point register changes the last digits.
"""

from __future__ import annotations

import pytest
from tests.campaign import long_form, one_in
from tests.sketches import Run

# Each loop iterates a chaotic map in floating point, from a start of its own: any disturbance of any
# register shows in the result. `twin` computes the same again in pieces that nobody can interrupt
# differently: on the same numbers it must come to the same bits. Loop 20 uses no floating point.
FLOATING = """#include <Hocket.h>
#include <string.h>
volatile bool stop;
uint64_t first[17], wrong[17], rounds[17];

__attribute__((noinline)) double orbit(double x, double r, int steps) {
  double a = x, b = x * 0.5, c = x * 0.25, d = x * 0.125;
  for (int i = 0; i < steps; i++) {
    a = r * a * (1 - a); b = r * b * (1 - b); c = r * c * (1 - c); d = r * d * (1 - d);
  }
  return a + b * 3 + c * 5 + d * 7;
}
void work(int n) {
  const double x = orbit(0.1 + n * 0.03, 3.9 + n * 0.005, 20000);
  uint64_t bits; memcpy(&bits, &x, 8);
  if (rounds[n]++ == 0) first[n] = bits; else if (first[n] != bits) wrong[n]++;
}
void modes(int n) {  // the rounding mode is a register, too
  uint64_t mode = (n & 3) << 22, seen;
  asm volatile("msr fpcr, %0" ::"r"(mode));
  for (int i = 0; i < 20000; i++) {
    asm volatile("mrs %0, fpcr" : "=r"(seen));
    if (seen != mode) wrong[n]++;
  }
  rounds[n]++;
}
void setup() { Serial.begin(115200); }
void loop(1, 1, 10, onCore(0)) { work(1); }
void loop(2, 1, 7, onCore(0)) { work(2); }
void loop(3, 200us, 3ms, onCore(0)) { work(3); }
void loop(4, 150us, 2ms, onCore(0)) { work(4); }
void loop(5, 100us, 1100us, onCore(0)) { work(5); }
void loop(6, 1, 13, onCore(0)) { modes(6); }
void loop(7, 1, 11, onCore(0)) { modes(7); }
void loop(8, 1, 17, onCore(0)) { modes(8); }
void loop(20, 50us, 1ms, onCore(0)) { for (volatile int i = 0; i < 1000; i++) {} yield(); }
void loop(30, 1, 100) {
  delay(900);
  for (int n = 1; n <= 8; n++) {
    Serial.print(n); Serial.print(rounds[n] > 3 && wrong[n] == 0 ? " exact " : " disturbed ");
    Serial.println((unsigned long)rounds[n]);
  }
}
"""

# Every loop writes its own variable and errno again and again and must only ever find its own value.
OWN = """#include <Hocket.h>
#include <errno.h>
thread_local uint64_t own = 7;
uint64_t wrong[9], rounds[9];
void mine(unsigned n) {
  if (rounds[n] == 0 && own != 7) wrong[n]++;
  for (int i = 0; i < 500; i++) {
    own = n * 1000003ull + i; errno = n;
    for (volatile int k = 0; k < 20; k++) {}
    if (own != n * 1000003ull + i || errno != (int)n) wrong[n]++;
  }
  rounds[n]++;
}
void setup() { Serial.begin(115200); own = 99; errno = 99; }
"""

# Registers after a call: the sketch's own ones as they were, of the others nothing of the kernel's.
CALLS = """#include <Hocket.h>
extern "C" unsigned check_registers(uint64_t number, uint64_t argument);
asm(R"(
  .global check_registers
  .type check_registers, %function
check_registers:
  stp x29, x30, [sp, #-112]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  mov x8, x0
  mov x0, x1
  .irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
  mov x\\n, #\\n * 257
  .endr
  svc #0
  mov x0, xzr
  .irp n, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
  orr x8, x8, x\\n
  .endr
  cmp x8, #0
  cinc x0, x0, ne                // something of the kernel's is left
  .irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
  mov x1, #\\n * 257
  cmp x\\n, x1
  cinc x0, x0, ne
  .endr
  ldp x27, x28, [sp, #80]
  ldp x25, x26, [sp, #64]
  ldp x23, x24, [sp, #48]
  ldp x21, x22, [sp, #32]
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #112
  ret
)");
uint8_t text[] = "hello";
void check(unsigned number, uint64_t argument) {
  const unsigned wrong = check_registers(number, argument);
  if (wrong) { Serial.print(number); Serial.print(" wrong "); Serial.println(wrong); }
}
void setup() { Serial.begin(115200); check(25, 0); }
void loop(1, 10, 100) {
  static const uint8_t calls[] = {3, 4, 5, 6, 15, 18, 19, 20, 21, 23, 25, 26, 29, 31};
  for (uint8_t n : calls) check(n, 0);
  check(2, micros() * 1000ull + 300000);  // sleeps
  check(0, 0);
  Serial.println("checked");
  delay(100);
}
void loop(2, 10, 30) { for (volatile int i = 0; i < 1000; i++) {} }
"""

# What a loop may do, strange as it is.
LIBERTIES = """#include <Hocket.h>
void setup() { Serial.begin(115200); }
void loop(1, 5, 20) {
  uint64_t x;
  asm volatile("wfi\\n wfe\\n sevl\\n wfe\\n sev\\n yield\\n isb\\n dsb sy");
  asm volatile("mrs %0, cntvct_el0\\n mrs %0, cntfrq_el0\\n mrs %0, ctr_el0\\n"
               "mrs %0, tpidrro_el0" : "=r"(x));
  if (x != 0) Serial.println("tpidrro_el0 holds something");
  asm volatile("mrs %0, tpidr_el0\\n msr tpidr_el0, %0\\n mrs %0, nzcv\\n msr nzcv, %0" : "=r"(x));
  delay(3);
  Serial.println("free");
}
void loop(2, 5, 20) {  // a stack pointer of nonsense harms nobody as long as it is not used
  asm volatile("mov x19, sp\\n mov x10, #5000\\n ldr x11, =0xffffff8040080008\\n mov sp, x11\\n"
               "1: subs x10, x10, #1\\n b.ne 1b\\n mov x8, #3\\n svc #0\\n mov sp, x19\\n"
               :: : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
                     "x13", "x14", "x15", "x16", "x17", "x19");
}
void loop(3, 300us, 2ms) { for (volatile int i = 0; i < 10; i++) {} delayMicroseconds(1); }
"""


@long_form
def test_floating_point_registers_are_each_loops_own(run_virt: Run) -> None:
    outcome = run_virt("floating", 1, FLOATING)
    assert [line.split()[:2] for line in outcome.said.splitlines()] == [
        [str(n), "exact"] for n in range(1, 9)
    ]
    assert outcome.report["counters"]["preemptions"] > 500
    assert outcome.report["faults"] == []


@one_in(2)
@pytest.mark.parametrize("cores", [1, 4])
def test_thread_local_variables_and_errno_are_each_loops_own(run_virt: Run, cores: int) -> None:
    loops = "".join(f"void loop({n}, {n}00us, {n + 3}ms) {{ mine({n}); }}\n" for n in range(1, 9))
    judge = (
        "void loop(9, 1, 100) { delay(400); for (int n = 1; n < 9; n++) Serial.println("
        'rounds[n] > 3 && wrong[n] == 0 ? "own" : "mixed"); }\n'
    )
    outcome = run_virt("own", 0.45, OWN + loops + judge, cores=cores)
    assert outcome.said.split() == ["own"] * 8


def test_a_call_keeps_the_sketchs_registers_and_shows_none_of_the_kernels(run_virt: Run) -> None:
    outcome = run_virt("calls", 1, CALLS)
    assert outcome.report["faults"] == []
    assert outcome.said.count("checked") >= 8
    assert "wrong" not in outcome.said


@long_form
def test_what_is_allowed_goes_on(run_virt: Run) -> None:
    outcome = run_virt("liberties", 0.5, LIBERTIES)
    assert "tpidrro" not in outcome.said
    assert outcome.said.count("free") >= 20
    assert outcome.report["faults"] == []
    assert outcome.broken_bounds([1, 2, 3]) == []
