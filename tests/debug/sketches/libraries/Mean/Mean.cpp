#include "Mean.h"

int Mean::add(int value) {
  sum_ += value;
  ++count_;
  return static_cast<int>(sum_ / count_);
}
