// Pins and serial ports (see devices.h).
#include "boards/aarch64/kernel/devices.h"

#include "board_kernel.h"
#include "boards/aarch64/kernel/native.h"
#include "boards/aarch64/kernel/world.h"

namespace hocket::devices {
namespace {

using world::Operation;

int64_t request(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
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
  return in_world() ? board().pin_count : native::Pins::kCount;
}
unsigned analog_base() {
  return in_world() ? board().analog_base : native::Pins::kCount;
}
unsigned analog_count() {
  return in_world() ? board().analog_count : 0;
}
unsigned serial_count() {
  return in_world() ? board().serial_count : 1;
}

bool pin_mode(unsigned pin, sys::PinMode mode) {
  if (in_world()) return request(Operation::PinMode, pin, static_cast<uint64_t>(mode)) != 0;
  return native::Pins::mode(pin, mode);
}
bool pin_write(unsigned pin, bool high) {
  if (in_world()) return request(Operation::PinWrite, pin, high ? 1 : 0) != 0;
  return native::Pins::write(pin, high);
}
int pin_read(unsigned pin) {
  if (!in_world()) return native::Pins::read(pin);
  const int level = world::pin_level(pin);
  world::after_call();
  return level;
}

int64_t world_only(Operation operation, uint64_t a, uint64_t b, uint64_t c) {
  return in_world() ? request(operation, a, b, c) : 0;
}

bool Ports::usable(unsigned port) {
  return port < serial_count();
}
bool Ports::begun(unsigned port) {
  return in_world() ? request(Operation::SerialBegun, port) != 0 : native::Serial::begun();
}

size_t Ports::write_some(unsigned port, const uint8_t* data, size_t size) {
  if (!in_world()) return native::Serial::write(data, size);
  const size_t piece = smaller<size_t>(size, world::kMostPayload);
  const int64_t taken =
      world::ask(Operation::SerialWrite, port, 0, 0, data, static_cast<uint32_t>(piece));
  world::after_call();
  return taken < 0 ? 0 : static_cast<size_t>(taken);
}

uint64_t Ports::room_at(unsigned port, size_t bytes) {
  if (in_world()) return static_cast<uint64_t>(request(Operation::SerialRoomAt, port, bytes));
  // The UART does not say: look again after the time of some bytes at a usual rate.
  constexpr uint64_t kLookAgain = 500'000;
  const bool now = native::Serial::idle() || (bytes < 64 && native::Serial::room() >= bytes);
  return now ? now_ns() : now_ns() + kLookAgain;
}
uint64_t Ports::data_at(unsigned port) {
  if (in_world()) return static_cast<uint64_t>(request(Operation::SerialDataAt, port));
  return world::kNever;
}
size_t Ports::available(unsigned port) {
  return in_world() ? static_cast<size_t>(request(Operation::SerialAvailable, port))
                    : native::Serial::available();
}
uint64_t Ports::now_ns() {
  return Board::nanoseconds(Board::Port::now());
}

bool Ports::begin(unsigned port, uint32_t baud) {
  return in_world() ? request(Operation::SerialBegin, port, baud) != 0
                    : native::Serial::begin(baud);
}
void Ports::end(unsigned port) {
  if (in_world()) request(Operation::SerialEnd, port);
}
size_t Ports::room(unsigned port) {
  return in_world() ? static_cast<size_t>(request(Operation::SerialRoom, port))
                    : native::Serial::room();
}
int Ports::read(unsigned port) {
  return in_world() ? static_cast<int>(request(Operation::SerialRead, port))
                    : native::Serial::read();
}
int Ports::peek(unsigned port) {
  return in_world() ? static_cast<int>(request(Operation::SerialPeek, port))
                    : native::Serial::peek();
}

}  // namespace hocket::devices
