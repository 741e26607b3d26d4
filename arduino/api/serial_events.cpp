// serialEvent() and its like, called when bytes have come. On the Uno linked where the sketch has
// one (tools/hocket/builder/linking.py).
#include "arduino/api/HardwareSerial.h"

#ifdef __AVR__
// clang for AVR does not pass on that a name may be missing.
asm(".weak _Z11serialEventv");
#endif

namespace {

/// Not as a sketch calls it: that serialEventRun() asks does not mean that anybody reads.
bool has_bytes(hocket::BoardPort& port) {
  return port.BoardPort::available() > 0;
}

#ifdef HAVE_HWSERIAL1
void run_further_events() {
  if (serialEvent1 != nullptr && has_bytes(Serial1)) serialEvent1();
  if (serialEvent2 != nullptr && has_bytes(Serial2)) serialEvent2();
  if (serialEvent3 != nullptr && has_bytes(Serial3)) serialEvent3();
}
#endif

}  // namespace

void serialEventRun() {
  if (serialEvent != nullptr && has_bytes(Serial)) serialEvent();
#ifdef HAVE_HWSERIAL1
  // One question for all three: most sketches have none of them.
  if ((serialEvent1 != nullptr) | (serialEvent2 != nullptr) | (serialEvent3 != nullptr))
    run_further_events();
#endif
}
