// What a protected loop pays for what it asks of the system, in ticks of the board's clock.
//
// Loop 1 makes each call many times between two looks at the clock, then only looks at the clock, so
// that loop 2 can see when it was interrupted. A line for each: name, least, median, most.

#include <algorithm>
#include <array>

namespace sys = hocket::sys;

struct Samples {
  std::array<uint32_t, 400> all;
  size_t used = 0;

  void add(uint64_t value) {
    if (used < all.size()) all[used++] = static_cast<uint32_t>(value);
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

Samples samples, woken, returned;
uint32_t look;  // the least that lies between two looks at the clock
uint32_t lock_word;
volatile uint64_t last;  // look of loop 1
volatile uint64_t left;  // loop 2's last look before it goes to sleep; 0: seen
volatile bool spinning;
constexpr uint64_t kOutOfBudget = 10'000;   // longer: loop 1 was not running before

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
  digitalRead(2);
}

void loop(1, 60, 100) {
  static bool measured = false;
  if (!measured) {
    measured = true;
    for (size_t i = 0; i < samples.all.size(); ++i) {
      const uint64_t before = sys::now_ns();
      samples.add(sys::now_ns() - before);
    }
    look = *std::min_element(samples.all.begin(), samples.all.end());
    samples.used = 0;
    measure("a call that only answers (loop_id)", [] { sys::loop_id(); });
    measure("yield() with nobody to yield to", [] { yield(); });
    measure("delay of no time", [] { sys::sleep_until_ns(1); });
    measure("digitalRead of a quiet pin", [] { digitalRead(2); });
    measure("spinlock taken and given back", [] {
      sys::spin_lock(&lock_word);
      sys::spin_unlock(&lock_word);
    });
    spinning = true;
  }
  last = sys::now_ns();
  if (left != 0) {
    if (last - left < kOutOfBudget) returned.add(last - left);
    left = 0;
  }
  if (returned.used == returned.all.size()) {
    spinning = false;
    woken.print("a loop's time has come: from the interrupted loop to its code", 0);
    returned.print("delay(): from the loop to the other one's code", 0);
    Serial.println("done");
    for (;;) delay(1000);
  }
}

void loop(2, 1, 5) {
  const uint64_t now = sys::now_ns();
  if (spinning && last != 0 && now - last < kOutOfBudget) woken.add(now - last);
  delayMicroseconds(50);  // not everything in one line of the timer
  left = sys::now_ns();
  delay(1);
}
