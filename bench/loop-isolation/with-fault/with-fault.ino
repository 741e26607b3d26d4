// The three loops of the paper's Table IV, and a fourth that works for a second and then writes to no
// memory: it is stopped for good.
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

int* volatile nowhere = nullptr;
volatile uint32_t spins;

void loop(4, 20, 100) {
  while (millis() < 1000) {
    spins = spins + 1;
  }
  *nowhere = 1;
}
