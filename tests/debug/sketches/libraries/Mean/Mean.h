// A running mean: what a library does for a sketch that is debugged.
#pragma once

class Mean {
 public:
  int add(int value);

 private:
  long sum_ = 0;
  int count_ = 0;
};
