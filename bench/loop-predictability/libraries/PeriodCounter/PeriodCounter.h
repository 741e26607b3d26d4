// A foreground loop's work: count as fast as it can, and note the count at the end of each period.
//
// A loop's periods begin when the loops start, and that is when setup() ends. So setup() calls
// begin() last, and the counter asks the clock after each count whether the period is over. A count
// is one addition and one look at the clock; nothing is printed before the last period has ended.
#pragma once

#include <Arduino.h>

class PeriodCounter {
 public:
  static constexpr uint32_t kMostPeriods = 1000;

  /// Call it last in setup(): the first period begins.
  void begin(uint32_t periodMs, uint32_t periods) {
    periodUs_ = periodMs * 1000;
    periods_ = min(periods, kMostPeriods);
    start_ = micros();
  }

  /// Counts until all periods are over, prints a line "counted N" for each, and rests for good.
  void run() {
    if (!finished_) {
      count();
      print();
      finished_ = true;
    }
    delay(1000);
  }

 private:
  void count() {
    uint32_t count = 0;
    uint32_t period = 0;
    uint32_t periodStart = start_;
    while (period < periods_) {
      count++;
      if (static_cast<uint32_t>(micros()) - periodStart >= periodUs_) {
        counts_[period++] = count;
        count = 0;
        periodStart += periodUs_;
      }
    }
  }

  void print() {
    for (uint32_t period = 0; period < periods_; period++) {
      Serial.print("counted ");
      Serial.println(counts_[period]);
    }
    Serial.println("end of counts");
  }

  uint32_t periodUs_ = 0;
  uint32_t periods_ = 0;
  uint32_t start_ = 0;
  bool finished_ = false;
  uint32_t counts_[kMostPeriods] = {};
};
