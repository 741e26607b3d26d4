// The board's own UART as port 0 (see devices.h).
#include "arduino/cores/protected/kernel/devices.h"
#include "arduino/surroundings/native/native.h"

namespace hocket::devices {

using native::Serial;

unsigned serial_count() {
  return 1;
}

bool Ports::usable(unsigned port) {
  return port < serial_count();
}
bool Ports::begun(unsigned) {
  return Serial::begun();
}
size_t Ports::write_some(unsigned, const uint8_t* data, size_t size) {
  return Serial::write(data, size);
}
uint64_t Ports::room_at(unsigned, size_t bytes) {
  // The UART does not report it, so look again after the time of some bytes at a common rate.
  constexpr uint64_t kLookAgain = 500'000;
  const bool now = Serial::idle() || (bytes < 64 && Serial::room() >= bytes);
  return now ? now_ns() : now_ns() + kLookAgain;
}
uint64_t Ports::data_at(unsigned) {
  return UINT64_MAX;  // not known
}
size_t Ports::available(unsigned) {
  return Serial::available();
}
uint64_t Ports::now_ns() {
  return Board::nanoseconds(Board::Port::now());
}

/// The UART's buffer has 256 bytes, whatever the sketch asks for. At a rate above the counted one,
/// the UART is served only as often as counted, and a message says so.
bool Ports::begin(unsigned, uint32_t baud, uint32_t) {
  if (!Serial::begin(baud, &native::sleep_ns)) return false;
  if (baud > Board::kCountedRate) native::tell_rate(baud);
  return true;
}
void Ports::end(unsigned) {}
size_t Ports::room(unsigned) {
  return Serial::room();
}
int Ports::read(unsigned) {
  return Serial::read();
}
int Ports::peek(unsigned) {
  return Serial::peek();
}

int Ports::line(unsigned, unsigned, bool) {
  return -1;
}
void Ports::listen(unsigned, bool) {}
bool Ports::overflowed(unsigned) {
  return false;
}

}  // namespace hocket::devices
