// The three loops of the paper's Table IV together: 40, 20 and 10 ms in every 100 ms.
#include <FixedWork.h>

uint32_t below;

void setup() {
  Serial.begin(115200);
  below = ask("below?", 80000);
  pinMode(FixedWork::pinOf(1), OUTPUT);
  pinMode(FixedWork::pinOf(2), OUTPUT);
  pinMode(FixedWork::pinOf(3), OUTPUT);
}

void loop(1, 40, 100) {
  FixedWork::doOnce(1, below);
}

void loop(2, 20, 100) {
  FixedWork::doOnce(2, below);
}

void loop(3, 10, 100) {
  FixedWork::doOnce(3, below);
}
