// One producer, one consumer. All have one
// priority where a policy has priorities.
#include <Items.h>

void setup() { Items::begin(1); }

void periodic(1, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(6, 20ms, 200ms, priority(10)) { Items::consume(); }
