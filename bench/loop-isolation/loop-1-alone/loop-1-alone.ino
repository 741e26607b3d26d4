// Loop 1 of the paper's Table IV by itself: 40 ms in every 100 ms.
#include <FixedWork.h>

uint32_t below;

void setup() {
  Serial.begin(115200);
  below = ask("below?", 80000);
  pinMode(FixedWork::pinOf(1), OUTPUT);
}

void loop(1, 40, 100) {
  FixedWork::doOnce(1, below);
}
