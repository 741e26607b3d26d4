"""The text of random sketches (campaign.py): how victims count, what neighbours do."""

HEAD = """\
#include <TimeServices.h>
volatile unsigned long sink;
[[gnu::noinline]] static void work(unsigned long units) { while (units-- > 0) sink = sink + 1; }
unsigned long set_up;

// One that always has work. `least`: how much more than its budgets it has had at a period's end, at least.
struct Spinner {
  unsigned long boundary, rounds, before[3], periods;  // before[k]: rounds at the boundary k + 1 ago
  long need, least;
  unsigned long fewest[3];  // rounds in one, two, three periods in sequence
};
// rounds: in a period, 256 times. True: all its periods are over.
[[gnu::noinline]] static bool spin(Spinner& v, unsigned long units, unsigned long period, long rounds,
                                   unsigned long all) {
  work(units);
  ++v.rounds;
  unsigned long now = micros();
  while ((long)(now - v.boundary) >= 0) {
    v.boundary += period;
    v.need += rounds;
    long more = (long)(v.rounds * 256) - v.need;
    if (more < v.least) v.least = more;
    for (unsigned char k = 0; k < 3; ++k) {
      unsigned long had = v.rounds - v.before[k];
      if (v.periods >= k && had < v.fewest[k]) v.fewest[k] = had;
    }
    v.before[2] = v.before[1];
    v.before[1] = v.before[0];
    v.before[0] = v.rounds;
    if (++v.periods == all) return true;
  }
  return false;
}
// What the victims have found; told when all their periods are over, and nobody else is to print.
struct Found { int victim; long numbers[3]; } found[2];
static void note(int which, int victim, long a, long b, long c) { found[which] = {victim, {a, b, c}}; }
static void tell() {
  Serial.print("set up at "); Serial.println(set_up);
  for (const Found& one : found) {
    if (one.victim == 0) continue;
    Serial.print("\\nvictim "); Serial.print(one.victim);
    for (long number : one.numbers) { Serial.print(" "); Serial.print(number); }
    Serial.println(" told");
  }
}
"""

# What neighbours do, for ever. {u}: units of work for up to its budget, mostly few; {n}: a distance in
# nanoseconds, {d}: in microseconds, both mostly short ones.
ALONE = {
    "naps": "Alarm::delay({d});",
    "naps shortly": "hocket::sys::sleep_until_ns(hocket::sys::now_ns() + {n});",
    "naps by the millisecond": "delay(1);",
    "works and naps": "work({u}); Alarm::delay({d});",
    "naps, then spins": (
        "static unsigned naps = 0; if (naps < 200) {{ ++naps; Alarm::delay({d}); }} else work({u});"
    ),
    "spins": "work({u});",
    "occupies": "delayMicroseconds({d});",
    "asks": "sink = micros();",
    "waits in vain": "static Semaphore none(0); none.p({d});",
    "parks": "hocket::sys::park_until_ns(hocket::sys::now_ns() + {n});",
    "wakes itself": "hocket::sys::unpark({self}); hocket::sys::park_until_ns(UINT64_MAX); work({u});",
    "locks": "spinlockLock(shared); work({h}); spinlockUnlock(shared);",
    "locks and naps": "spinlockLock(shared); work({h}); spinlockUnlock(shared); Alarm::delay({d});",
}
SERIAL = {
    "talks": 'if (over()) delay(1000); else Serial.print("x");',
    "prints": "if (over()) delay(1000); else Serial.println(micros()); Alarm::delay({d});",
}
OVERRUNS = "work({over});"
# Two of them: {a} and {b} are semaphores of the pair, {other} is the other one's number.
PAIRS = {
    "ping-pong": ("{a}.v(); {b}.p();", "{a}.p(); {b}.v();"),
    "waker": ("{a}.v(); work({u});", "{a}.p();"),
    "slow waker": ("{a}.v(); Alarm::delay({d});", "{a}.p(); work({u});"),
    "restless waker": ("{a}.v();", "{a}.p();"),
    "hasty": ("{a}.v(); Alarm::delay({d});", "{a}.p({d});"),
    "unparker": (
        "hocket::sys::unpark({other}); work({u});",
        "hocket::sys::park_until_ns(UINT64_MAX); work({u});",
    ),
    "lock": (
        "spinlockLock(shared); work({h}); spinlockUnlock(shared); Alarm::delay({d});",
        "spinlockLock(shared); work({h}); spinlockUnlock(shared); work({u});",
    ),
}

# With handlers. {s}: units of a short section.
SECTIONS = {
    "short sections": "noInterrupts(); work({s}); interrupts(); Alarm::delay({d});",
    "section after section": "noInterrupts(); work({s}); interrupts();",
    "sleeps in its section": "noInterrupts(); Alarm::delay({d}); interrupts(); work({u});",
    "a section that does not end, asleep": "noInterrupts(); for (;;) Alarm::delay(900);",
}
# Where a section masks no interrupt of the processor.
LONG_SECTIONS = {
    "long sections": "noInterrupts(); work({u}); interrupts(); Alarm::delay({d});",
    "a section that does not end": "noInterrupts(); for (;;) work(1000);",
}
ENDLESS = "for (;;)"
# What handlers of pins do; {a} is the semaphore of a loop that waits for it.
HANDLERS = {"counts": "sink = sink + 1;", "works": "work({u});", "wakes": "{a}.v();"}
SLOW_HANDLERS = {
    "naps": "Alarm::delay({d});",
    "section": "noInterrupts(); work({s}); interrupts();",
}
WOKEN = "{a}.p(); work({{u}});"
