// Pins and serial ports (see devices.h).
#include "boards/aarch64/kernel/devices.h"

#include "board_kernel.h"
#include "boards/aarch64/kernel/native.h"
#include "boards/aarch64/kernel/world.h"

namespace hocket::devices {
namespace {

using world::Operation;

int64_t ask(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  const int64_t value = world::ask(operation, a, b, c);
  world::after_call();
  return value;
}

const world::Settings& board() {
  return world::settings();
}

bool in_world() {
  return world::present();
}

}  // namespace

unsigned pin_count() {
  return in_world() ? board().pin_count : native::pin_count();
}
unsigned analog_base() {
  return in_world() ? board().analog_base : native::pin_count();
}
unsigned analog_count() {
  return in_world() ? board().analog_count : 0;
}
unsigned serial_count() {
  return in_world() ? board().serial_count : 1;
}

bool pin_mode(unsigned pin, sys::PinMode mode) {
  if (in_world()) return ask(Operation::PinMode, pin, static_cast<uint64_t>(mode)) != 0;
  return native::pin_mode(pin, mode);
}
bool pin_write(unsigned pin, bool high) {
  if (in_world()) return ask(Operation::PinWrite, pin, high ? 1 : 0) != 0;
  return native::pin_write(pin, high);
}
int pin_read(unsigned pin) {
  if (!in_world()) return native::pin_read(pin);
  const int level = world::pin_level(pin);
  world::after_call();
  return level;
}

int64_t world_only(Operation operation, uint64_t a, uint64_t b, uint64_t c) {
  return in_world() ? ask(operation, a, b, c) : 0;
}

bool Ports::usable(unsigned port) {
  return port < serial_count();
}
bool Ports::begun(unsigned port) {
  return in_world() ? ask(Operation::SerialBegun, port) != 0 : native::serial_begun();
}

size_t Ports::write_some(unsigned port, const uint8_t* data, size_t size) {
  if (!in_world()) return native::serial_write(data, size);
  const size_t piece = smaller<size_t>(size, world::kMostPayload);
  const int64_t taken =
      world::ask(Operation::SerialWrite, port, 0, 0, data, static_cast<uint32_t>(piece));
  world::after_call();
  return taken < 0 ? 0 : static_cast<size_t>(taken);
}

uint64_t Ports::room_at(unsigned port, size_t bytes) {
  if (in_world()) return static_cast<uint64_t>(ask(Operation::SerialRoomAt, port, bytes));
  // The UART does not say: look again after the time of some bytes at a usual rate.
  constexpr uint64_t kLookAgain = 500'000;
  const bool now = native::serial_idle() || (bytes < 64 && native::serial_room() >= bytes);
  return now ? now_ns() : now_ns() + kLookAgain;
}
uint64_t Ports::data_at(unsigned port) {
  if (in_world()) return static_cast<uint64_t>(ask(Operation::SerialDataAt, port));
  return world::kNever;
}
size_t Ports::available(unsigned port) {
  return in_world() ? static_cast<size_t>(ask(Operation::SerialAvailable, port))
                    : native::serial_available();
}
uint64_t Ports::now_ns() {
  return Board::nanoseconds(Board::Port::now());
}

bool Ports::begin(unsigned port, uint32_t baud) {
  return in_world() ? ask(Operation::SerialBegin, port, baud) != 0 : native::serial_begin(baud);
}
void Ports::end(unsigned port) {
  if (in_world()) ask(Operation::SerialEnd, port);
}
size_t Ports::room(unsigned port) {
  return in_world() ? static_cast<size_t>(ask(Operation::SerialRoom, port))
                    : native::serial_room();
}
int Ports::read(unsigned port) {
  return in_world() ? static_cast<int>(ask(Operation::SerialRead, port)) : native::serial_read();
}
int Ports::peek(unsigned port) {
  return in_world() ? static_cast<int>(ask(Operation::SerialPeek, port)) : native::serial_peek();
}

}  // namespace hocket::devices
