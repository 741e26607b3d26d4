// Finds the buffers that Wire's functions use: each loop has its own, allocated when it first uses
// the bus. In sketches without loops, for which this file is compiled a second time, there is one.
#include <new>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/two_wire.h"
#include "arduino/runtime/system.h"

asm(".weak hocket_wire_slave_talk");  // as in core.cpp

namespace hocket::uno {

#ifdef HOCKET_WITHOUT_LOOPS

bool wire_defers() {
  return false;
}

WireTalk* wire_talk() {
  return wire_serves ? hocket_wire_slave_talk() : &wire_first_talk;
}

#else

bool wire_defers() {
  return true;
}

WireTalk* wire_talk() {
  if (wire_serves) return hocket_wire_slave_talk();
  const auto loop = static_cast<uint8_t>(sys::loop_id());
  if (loop == 0) return &wire_first_talk;  // of setup() and the plain loop
  WireTalk* each;
  {
    const Masked masked;  // another loop may insert its talk between the two bytes of the pointer
    each = wire_first_talk.next;
  }
  for (; each != nullptr; each = each->next) {
    if (each->loop == loop) return each;
  }
  auto* const fresh = new (std::nothrow) WireTalk{};
  if (fresh == nullptr) return nullptr;
  fresh->loop = loop;
  const Masked masked;
  fresh->next = wire_first_talk.next;
  wire_first_talk.next = fresh;
  return fresh;
}

#endif

}  // namespace hocket::uno
