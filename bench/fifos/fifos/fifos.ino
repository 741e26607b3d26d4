// What a loop pays for a record to or from Linux, in ticks of the board's clock; and how much goes through.
//
// A line for each: name, least, median, most; what a look at the clock costs is taken off. Then, for
// half a second each, how many bytes went out of the loop and into it. linux/job is the other side:
// it writes what the gets find, then reads FIFO 0 and writes FIFO 1 as fast as it can.

#include <algorithm>
#include <array>

namespace sys = hocket::sys;

constexpr size_t kLargest = sys::kLongestRecord;
constexpr uint32_t kPhaseMs = 500;
alignas(8) char record[kLargest];

struct Samples {
  std::array<uint32_t, 256> all;
  size_t used = 0;

  void add(uint64_t value) {
    if (used < all.size()) all[used++] = static_cast<uint32_t>(value);
  }
  void print(const char* name, uint32_t look) {
    if (used == 0) return;
    std::sort(all.begin(), all.begin() + used);
    char line[96];
    snprintf(line, sizeof line, "%s|%lu|%lu|%lu", name, (unsigned long)(all[0] - look),
             (unsigned long)(all[used / 2] - look), (unsigned long)(all[used - 1] - look));
    Serial.println(line);
    used = 0;
  }
};
Samples samples;
uint32_t look;  // the least that lies between two looks at the clock

// As often as the call says true, 256 times at most.
template <class Call>
void measure(const char* name, Call call) {
  for (size_t i = 0; i < samples.all.size(); ++i) {
    const uint64_t before = sys::now_ns();
    const bool more = call();
    const uint64_t after = sys::now_ns();
    if (!more) break;
    samples.add(after - before);
  }
  samples.print(name, look);
}

void setup() {
  Serial.begin(115200);
  look = UINT32_MAX;
  for (int i = 0; i < 100; ++i) {
    const uint64_t before = sys::now_ns();
    look = std::min(look, static_cast<uint32_t>(sys::now_ns() - before));
  }
}

// Nobody reads yet: each FIFO takes what it has room for.
void measurePuts() {
  measure("a call that only answers (loop_id)", [] { return sys::loop_id() == 1; });
  measure("fifoPut, 4 bytes", [] { return fifoPut(0, record, 4); });
  measure("fifoPut, 64 bytes", [] { return fifoPut(2, record, 64); });
  measure("fifoPut, 1024 bytes", [] { return fifoPut(4, record, 1024); });
  measure("fifoPut, 4088 bytes", [] { return fifoPut(6, record, kLargest); });
  measure("fifoPut, refused: full", [] { return !fifoPut(0, record, 4); });
  measure("fifoGet, empty", [] { return fifoGet(1, record, 4) == 0; });
  measure("fifoAvailable, empty", [] { return fifoAvailable(1) == 0; });
}

// Linux has filled them.
void measureGets() {
  measure("fifoGetRecord, 4 bytes", [] { return fifoGetRecord(1, record, 4) == 4; });
  measure("fifoGetRecord, 64 bytes", [] { return fifoGetRecord(3, record, 64) == 64; });
  measure("fifoGetRecord, 1024 bytes", [] { return fifoGetRecord(5, record, 1024) == 1024; });
  measure("fifoGetRecord, 4088 bytes", [] { return fifoGetRecord(7, record, kLargest) == kLargest; });
}

// A reader waits each time: Linux is told.
void measureTold() {
  for (int i = 0; i < 50; ++i) {
    delay(20);  // it reads, and sleeps again
    const uint64_t before = sys::now_ns();
    fifoPut(0, record, 64);
    samples.add(sys::now_ns() - before);
  }
  samples.print("fifoPut, 64 bytes, Linux is told", look);
}

template <class Call>
void flow(const char* name, Call call) {
  uint32_t bytes = 0;
  const unsigned long begin = millis();
  while (millis() - begin < kPhaseMs) {
    const uint32_t moved = call();
    bytes += moved;
    if (moved == 0) delay(1);  // full, or empty: Linux has the core meanwhile
  }
  Serial.print(name);
  Serial.print('|');
  Serial.println((unsigned long)(bytes * (1000 / kPhaseMs)));
}

void loop(1, 50, 100) {
  static bool begun = false;
  if (begun) {
    delay(1000);
    return;
  }
  begun = true;
  measurePuts();
  while (fifoAvailable(7) == 0) delay(50);
  measureGets();
  while (!fifoIsOpen(0)) delay(50);
  measureTold();
  flow("out of the loop", [] { return fifoPut(0, record, 1024) ? 1024 : 0; });
  while (fifoAvailable(1) == 0) delay(50);
  flow("into the loop", [] { return fifoGetRecord(1, record, kLargest); });
  Serial.println("done");
}
