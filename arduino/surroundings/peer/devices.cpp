// Pins and serial ports simulated by the peer (see devices.h): each access is a request to it.
#include "arduino/cores/protected/kernel/devices.h"

#include "arduino/surroundings/peer/world.h"
#include "board_kernel.h"

namespace hocket::devices {
namespace {

using world::Operation;

int64_t request(Operation operation, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  return world::serve(operation, a, b, c);
}

}  // namespace

unsigned pin_count() {
  return world::settings().pin_count;
}
unsigned analog_base() {
  return world::settings().analog_base;
}
unsigned analog_count() {
  return world::settings().analog_count;
}
unsigned serial_count() {
  return world::settings().serial_count;
}

bool pin_mode(unsigned pin, sys::PinMode mode) {
  return request(Operation::PinMode, pin, static_cast<uint64_t>(mode)) != 0;
}
bool pin_write(unsigned pin, bool high) {
  return request(Operation::PinWrite, pin, high ? 1 : 0) != 0;
}
int pin_read(unsigned pin) {
  const int level = world::pin_level(pin);
  world::after_call();
  return level;
}

int64_t analog_read(unsigned pin, unsigned bits) {
  return request(Operation::AnalogRead, pin, bits);
}
int64_t pwm_write(unsigned pin, unsigned value, unsigned maximum) {
  return request(Operation::PwmWrite, pin, value, maximum);
}
int64_t tone_start(unsigned pin, unsigned hertz, unsigned duration) {
  return request(Operation::ToneStart, pin, hertz, duration);
}
int64_t tone_stop(unsigned pin) {
  return request(Operation::ToneStop, pin);
}
int64_t servo_write(unsigned pin, unsigned pulse) {
  return request(Operation::ServoWrite, pin, pulse);
}

bool Ports::usable(unsigned port) {
  return port < serial_count() + sys::kSerialLines;
}
bool Ports::begun(unsigned port) {
  return request(Operation::SerialBegun, port) != 0;
}
size_t Ports::write_some(unsigned port, const uint8_t* data, size_t size) {
  const size_t piece = smaller<size_t>(size, world::kMostPayload);
  const int64_t taken =
      world::ask(Operation::SerialWrite, port, 0, 0, data, static_cast<uint32_t>(piece));
  world::after_call();
  return taken < 0 ? 0 : static_cast<size_t>(taken);
}
uint64_t Ports::room_at(unsigned port, size_t bytes) {
  return static_cast<uint64_t>(request(Operation::SerialRoomAt, port, bytes));
}
uint64_t Ports::data_at(unsigned port) {
  return static_cast<uint64_t>(request(Operation::SerialDataAt, port));
}
size_t Ports::available(unsigned port) {
  return static_cast<size_t>(request(Operation::SerialAvailable, port));
}
uint64_t Ports::now_ns() {
  return Board::nanoseconds(Board::Port::now());
}

bool Ports::begin(unsigned port, uint32_t baud, uint32_t buffer) {
  return request(Operation::SerialBegin, port, baud, buffer) != 0;
}
void Ports::end(unsigned port) {
  request(Operation::SerialEnd, port);
}
size_t Ports::room(unsigned port) {
  return static_cast<size_t>(request(Operation::SerialRoom, port));
}
int Ports::read(unsigned port) {
  return static_cast<int>(request(Operation::SerialRead, port));
}
int Ports::peek(unsigned port) {
  return static_cast<int>(request(Operation::SerialPeek, port));
}

int Ports::line(unsigned rx, unsigned tx, bool inverted) {
  return static_cast<int>(request(Operation::SerialLine, rx, tx, inverted ? 1 : 0));
}
void Ports::listen(unsigned port, bool on) {
  request(Operation::SerialListen, port, on ? 1 : 0);
}
bool Ports::overflowed(unsigned port) {
  return request(Operation::SerialOverflowed, port) != 0;
}

}  // namespace hocket::devices
