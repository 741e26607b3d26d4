// Five producers, five consumers. The paper does not give their budgets; with those of its other
// case the ten would need more than the processor, so consumers have less here. All have one
// priority where a policy has priorities.
#include <Items.h>

void setup() { Items::begin(5); }

void periodic(1, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(2, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(3, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(4, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(5, 30ms, 250ms, priority(10)) {
  static uint32_t made = 0;
  Items::produce(made);
}

void periodic(6, 8ms, 200ms, priority(10)) { Items::consume(); }

void periodic(7, 8ms, 200ms, priority(10)) { Items::consume(); }

void periodic(8, 8ms, 200ms, priority(10)) { Items::consume(); }

void periodic(9, 8ms, 200ms, priority(10)) { Items::consume(); }

void periodic(10, 8ms, 200ms, priority(10)) { Items::consume(); }
