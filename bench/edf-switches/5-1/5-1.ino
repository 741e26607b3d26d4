// Five producers, one consumer: periods and budgets of the paper. All have one
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

void periodic(6, 20ms, 200ms, priority(10)) { Items::consume(); }
