// What a protected loop pays for what it asks of the system, in ticks of the board's clock.
//
// Loop 1 makes each call many times between two looks at the clock. Then it goes first and loop 2, below
// it, is interrupted by it, wakes it and passes a semaphore back and forth with it; at the end loop 1 only
// looks at the clock, so that loop 2, above it now, can see when it was interrupted.
// A line for each: name, least, median, most; what a look at the clock costs is taken off.

#include <Hocket.h>
#include <TimeServices.h>

#include <algorithm>
#include <array>

namespace sys = hocket::sys;

struct Samples {
  std::array<uint32_t, 400> all;
  size_t used = 0;

  bool full() const { return used == all.size(); }
  void add(uint64_t value) {
    if (!full()) all[used++] = static_cast<uint32_t>(value);
  }
  void print(const char* name, uint32_t look) {
    std::sort(all.begin(), all.begin() + used);
    char line[96];
    snprintf(line, sizeof line, "%s|%lu|%lu|%lu", name, static_cast<unsigned long>(all[0] - look),
             static_cast<unsigned long>(all[used / 2] - look), static_cast<unsigned long>(all[used - 1] - look));
    Serial.println(line);
    used = 0;
  }
};

Samples samples, woken, returned, round_trip, slept, rested;
uint32_t look;  // the least that lies between two looks at the clock
Spinlock lock;
Semaphore count(0), ping(0), pong(0);
enum Stage { Calls, Wakes, Rounds, Timers, Done };
volatile Stage stage = Calls;
volatile uint64_t given;  // when the lower loop gave, or last looked at the clock
volatile uint64_t waits;  // when the upper loop began to wait; 0: seen
// How often one of the loops besides these two has had a turn, and how often it had when a path began: a path with such
// a turn in it is two paths.
volatile uint32_t turns_of_others;
volatile uint32_t turns_at_give, turns_at_wait;
// Longer than a path behind a masked section and a late timer: the lower loop was not running before, as its budget had
// ended.
constexpr uint64_t kFar = 2'500;

/// Adds what has passed since `begin`, if all of it was one path.
void add_path(Samples& to, uint64_t begin, uint64_t end, uint32_t turns) {
  if (end - begin < kFar && turns == turns_of_others) to.add(end - begin);
}
void note_give() {
  turns_at_give = turns_of_others;
  given = sys::now_ns();
}
void note_wait() {
  turns_at_wait = turns_of_others;
  waits = sys::now_ns();
}

template <class Call>
void measure(const char* name, Call call) {
  for (size_t i = 0; i < samples.all.size(); ++i) {
    const uint64_t before = sys::now_ns();
    call();
    samples.add(sys::now_ns() - before);
  }
  samples.print(name, look);
}

void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT);
  pinMode(13, OUTPUT);
  digitalRead(2);
}

/// The calls of one loop, alone.
void measure_calls() {
  for (size_t i = 0; i < samples.all.size(); ++i) {
    const uint64_t before = sys::now_ns();
    samples.add(sys::now_ns() - before);
  }
  look = *std::min_element(samples.all.begin(), samples.all.end());
  samples.used = 0;
  measure("free Semaphore: v() and p()", [] {
    count.v();
    count.p();
  });
  measure("free spinlock: taken and given back", [] {
    spinlockLock(lock);
    spinlockUnlock(lock);
  });
  measure("a call that only answers (loop_id)", [] { sys::loop_id(); });
  measure("digitalWrite", [] { digitalWrite(13, HIGH); });
  measure("digitalRead of a quiet pin", [] { digitalRead(2); });
  measure("yield() with nobody to yield to", [] { yield(); });
  measure("delay of no time", [] { sys::sleep_until_ns(1); });
}

/// Below loop 2.
void loop(1, 60, 100) {
  measure_calls();
  stage = Wakes;
  while (!woken.full()) {
    note_give();
    ping.v();
    add_path(returned, waits, sys::now_ns(), turns_at_wait);
  }
  stage = Rounds;
  ping.v();
  while (!round_trip.full()) {
    const uint32_t turns = turns_of_others;
    const uint64_t before = sys::now_ns();
    ping.v();
    pong.p();
    add_path(round_trip, before, sys::now_ns(), turns);
  }
  stage = Timers;
  ping.v();
  while (!slept.full()) {
    note_give();
    if (waits != 0) {
      add_path(rested, waits, given, turns_at_wait);
      waits = 0;
    }
  }
  stage = Done;
  woken.print("v() to the woken loop's code", look);
  returned.print("p() that blocks, to the code of the loop below", look);
  round_trip.print("Semaphore ping-pong, a round", look);
  slept.print("timer: from the interrupted loop to the code behind delay()", look);
  rested.print("delay(), to the code of the loop below", look);
  Serial.println("done");
  for (;;) delay(1000);
}

void loop(2, 15, 50) {
  while (stage <= Wakes) {
    note_wait();
    ping.p();
    const uint64_t now = sys::now_ns();
    if (stage == Wakes) add_path(woken, given, now, turns_at_give);
  }
  while (stage == Rounds) {
    ping.p();
    pong.v();
  }
  while (stage == Timers) {
    delayMicroseconds(50);  // not everything in one line of the timer
    note_wait();
    delay(1);
    add_path(slept, given, sys::now_ns(), turns_at_give);
  }
  delay(1000);
}
