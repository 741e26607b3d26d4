// From an edge of a pin to its handler's code: on a virtual CPU of its own, over a loop that is interrupted, the
// bottom half on its I/O virtual CPU between them. Ticks of the board's clock.
//
// The scenario's edges rise at 3 ms and every 4 ms from then on, so a look at the clock says how long one took.

#include <Hocket.h>

#include <algorithm>
#include <array>

namespace sys = hocket::sys;

constexpr uint64_t kFirst = 3'000'000, kEvery = 4'000'000;
std::array<uint32_t, 400> samples;
volatile size_t used = 0;
volatile uint32_t turns_of_others = 0;  // of the loops beside this one, which count them (experiment.py)

void seen() {
  const uint64_t now = sys::now_ns();
  if (used < samples.size()) samples[used] = static_cast<uint32_t>((now - kFirst) % kEvery);
  used = used + 1;
}

void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(2, seen, RISING, 1, 20);
}

void loop(1, 80, 100) {
  if (used < samples.size()) return;
  std::sort(samples.begin(), samples.end());
  char line[96];
  snprintf(line, sizeof line, "pin: from the edge to its handler's code|%lu|%lu|%lu",
           static_cast<unsigned long>(samples[0]), static_cast<unsigned long>(samples[samples.size() / 2]),
           static_cast<unsigned long>(samples.back()));
  Serial.println(line);
  Serial.println("done");
  delay(100'000);
}
