// Producers and consumers of the paper on EDF-eCos: each producer makes one item in each of its
// periods, with some computing; a consumer takes what is there.
#pragma once

#include <Hocket.h>
#include <TimeServices.h>
#include <Workload.h>

namespace Items {

inline const uint32_t MAKING_US = 25'000, USING_US = 1'500;
inline const int MOST_AT_ONCE = 5;  // so that a consumer stays within its budget

struct Item {
  uint32_t value;
};
inline Ringbuf<Item, 250> waiting;
inline Spinlock ends;  // several write and several read
inline Semaphore there(0);
inline uint32_t perProducer = 10, producers = 0;
inline uint32_t used = 0, sum = 0;

inline void begin(uint32_t producerCount) {
  Serial.begin(115200);
  producers = producerCount;
  perProducer = ask("items?", 10);
}

/// Takes processor time; what others take meanwhile does not count, but for the last 100 us.
inline void compute(uint32_t microseconds) {
  for (uint32_t done = 0; done < microseconds; done += 100) delayMicroseconds(100);
}

/// One period of a producer; `made` is its own count.
inline void produce(uint32_t& made) {
  if (made == perProducer) return;
  compute(MAKING_US);
  made++;
  {
    SpinlockGuard guard(ends);
    ringbufWrite(waiting, Item{made});
  }
  there.v();
}

/// One period of a consumer.
inline void consume() {
  for (int i = 0; i < MOST_AT_ONCE && there.p(0); i++) {
    Item item{};
    bool last = false;
    {
      SpinlockGuard guard(ends);
      ringbufRead(waiting, item);
      used++;
      sum += item.value;
      last = used == producers * perProducer;
    }
    compute(USING_US);
    if (last) Serial.println(String("used ") + used + " sum " + sum);
  }
}

}  // namespace Items
