// Calls serialEvent() and its variants when bytes have arrived. On the Uno linked only if the
// sketch defines one (tools/hocket/builder/linking.py).
#include "arduino/api/HardwareSerial.h"
#include "arduino/runtime/system.h"

#ifdef __AVR__
// clang for AVR does not emit weak references from the attribute.
asm(".weak _Z11serialEventv\n.weak _Z12serialEvent1v\n.weak _Z12serialEvent2v\n"
    ".weak _Z12serialEvent3v");
#endif

namespace {

/// Unlike a sketch's call, this leaves no mark: the check by serialEventRun() does not mean that
/// the sketch reads.
bool has_bytes(unsigned port) {
  return hocket::sys::serial_available(port) > 0;
}

#ifdef HAVE_HWSERIAL1
void run_further_events() {
  if (serialEvent1 != nullptr && has_bytes(1)) serialEvent1();
  if (serialEvent2 != nullptr && has_bytes(2)) serialEvent2();
  if (serialEvent3 != nullptr && has_bytes(3)) serialEvent3();
}
#endif

}  // namespace

void serialEventRun() {
  if (serialEvent != nullptr && has_bytes(0)) serialEvent();
#ifdef HAVE_HWSERIAL1
  // One test for all three: most sketches define none of them.
  if ((serialEvent1 != nullptr) | (serialEvent2 != nullptr) | (serialEvent3 != nullptr))
    run_further_events();
#endif
}
