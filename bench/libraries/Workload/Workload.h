// What the experiments' sketches have in common: the two workloads, and sizes given from outside.
//
// A size is asked for on Serial ("below?") and has a default: run by hand, a sketch does the
// paper's amount of work; an experiment's scenario answers with its own.
#pragma once

#include <Arduino.h>

#include "find_prime.h"

/// Writes to `pin` `count` times, high and low in turn. After each write the loop sleeps `waitMs`
/// milliseconds, as if the write had to wait for a pin expander on a slow bus; 0: it does not wait.
inline void writePin(uint8_t pin, uint32_t count, uint32_t waitMs) {
  for (uint32_t i = 0; i < count; i++) {
    digitalWrite(pin, i % 2 == 0 ? HIGH : LOW);
    if (waitMs > 0) {
      delay(waitMs);
    }
  }
}

/// Asks on Serial for a whole number and returns it; `otherwise` if no answer begins within 100 ms.
/// For setup(), before the work begins.
inline uint32_t ask(const char* question, uint32_t otherwise) {
  Serial.println(question);
  uint32_t asked = millis();
  while (Serial.available() == 0) {
    if (static_cast<uint32_t>(millis()) - asked > 100) {
      return otherwise;
    }
  }
  return Serial.parseInt();
}
