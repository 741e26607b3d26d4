// Loop 3 of the paper's Table IV by itself: 10 ms in every 100 ms.
#include <FixedWork.h>

uint32_t below;

void setup() {
  Serial.begin(115200);
  below = ask("below?", 80000);
  pinMode(FixedWork::pinOf(3), OUTPUT);
}

void loop(3, 10, 100) {
  FixedWork::doOnce(3, below);
}
