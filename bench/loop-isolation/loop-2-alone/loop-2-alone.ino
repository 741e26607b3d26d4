// Loop 2 of the paper's Table IV by itself: 20 ms in every 100 ms.
#include <FixedWork.h>

uint32_t below;

void setup() {
  Serial.begin(115200);
  below = ask("below?", 80000);
  pinMode(FixedWork::pinOf(2), OUTPUT);
}

void loop(2, 20, 100) {
  FixedWork::doOnce(2, below);
}
