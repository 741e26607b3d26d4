// delay() of a sketch without loops that defines yield(): it is called while delay() waits, as on
// the stock core. tools/hocket/builder/linking.py links this file by its name.
#include "arduino/api/Common.h"

asm(".global hocket_delay_yields\n.set hocket_delay_yields, 1");

extern "C" void delay(unsigned long ms) {
  constexpr uint32_t kMillisecond = 1'000;
  uint32_t begun = micros();
  while (ms > 0) {
    yield();
    while (ms > 0 && micros() - begun >= kMillisecond) {
      --ms;
      begun += kMillisecond;
    }
  }
}
