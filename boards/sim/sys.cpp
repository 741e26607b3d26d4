// The sketch's calls into the system (arduino/runtime/system.h) on the simulated board.
//
// Compiled with the block clock, as a driver would be: what it does costs virtual time. Each access
// to a device waits until the other cores have reached the same instant and then costs what the
// machine says.
#include <algorithm>

#include "arduino/runtime/runtime.h"
#include "arduino/runtime/system.h"
#include "boards/sim/program.h"
#include "boards/sim/stacks.h"
#include "kernel/task/semaphore.h"

namespace hocket::sys {
namespace {

using sim::Devices;
using sim::devices;

// Before the board runs (constructors of a sketch's globals) there is nothing to talk to: such
// calls do nothing and answer as a pin or port that is not there.
bool running() {
  return host::Machine::exists() && devices() != nullptr;
}

host::Machine& machine() {
  return host::Machine::instance();
}

/// The instant of one device access.
sim::Nanos access() {
  sim::make_room_on_stack();
  return machine().access_device();
}

System::Instant instant(uint64_t ns) {
  return ns > INT64_MAX ? System::Instant::never() : System::Instant(static_cast<int64_t>(ns));
}

// First come, first served: with hundreds of loops at one port, sorting them in would mask
// interrupts for longer than the board declares.
using PortLock = Semaphore<System, Board::Port>;
constexpr unsigned kMostSerialPorts = 4;
PortLock transmit_lock[kMostSerialPorts] = {PortLock(1), PortLock(1), PortLock(1), PortLock(1)};

bool usable(unsigned port) {
  return running() && port < devices()->serial_count();
}

/// Reads a caller's buffer once, so that a bad one faults before a lock is taken.
void touch(const uint8_t* data, size_t size) {
  constexpr size_t kPage = 4096;
  for (size_t i = 0; i < size; i += kPage)
    static_cast<void>(static_cast<const volatile uint8_t*>(data)[i]);
  static_cast<void>(static_cast<const volatile uint8_t*>(data)[size - 1]);
}

}  // namespace

// --- Time ---

uint64_t now_ns() {
  return running() ? machine().now() : 0;
}

void sleep_until_ns(uint64_t instant_ns) {
  if (running()) System::sleep_until(instant(instant_ns));
}

void spin_ns(uint64_t duration_ns) {
  if (!running()) return;
  const uint64_t now = machine().now();
  machine().spin_until(now + std::min(duration_ns, UINT64_MAX - now));
}

void yield() {
  if (running()) System::yield();
}

// --- Pins ---

unsigned pin_count() {
  return running() ? devices()->pin_count() : 0;
}
unsigned analog_base() {
  return running() ? devices()->analog_base() : 0;
}
unsigned analog_count() {
  return running() ? devices()->analog_count() : 0;
}

bool pin_mode(unsigned pin, PinMode mode) {
  return running() && devices()->pin_mode(access(), pin, mode);
}
bool pin_write(unsigned pin, bool high) {
  return running() && devices()->pin_write(access(), pin, high);
}
int pin_read(unsigned pin) {
  return running() ? devices()->pin_read(access(), pin) : 0;
}
int analog_read(unsigned pin, unsigned bits) {
  return running() ? devices()->analog_read(access(), pin, bits) : 0;
}
bool pwm_write(unsigned pin, uint32_t value, uint32_t maximum) {
  return running() && devices()->pwm_write(access(), pin, value, maximum);
}
bool tone_start(unsigned pin, uint32_t hertz, uint32_t duration_ms) {
  return running() && devices()->tone_start(access(), pin, hertz, duration_ms);
}
bool tone_stop(unsigned pin) {
  return running() && devices()->tone_stop(access(), pin);
}
bool servo_write(unsigned pin, uint32_t pulse_us) {
  return running() && devices()->servo_write(access(), pin, pulse_us);
}

// --- Serial ports ---

unsigned serial_count() {
  return running() ? devices()->serial_count() : 0;
}

bool serial_begin(unsigned port, uint32_t baud) {
  return usable(port) && devices()->serial_begin(access(), port, baud);
}
void serial_end(unsigned port) {
  if (!usable(port)) return;
  serial_flush(port);
  devices()->serial_end(access(), port);
}
size_t serial_available(unsigned port) {
  return usable(port) ? devices()->serial_available(access(), port) : 0;
}
size_t serial_room(unsigned port) {
  return usable(port) ? devices()->serial_room(access(), port) : 0;
}
int serial_read(unsigned port) {
  return usable(port) ? devices()->serial_read(access(), port) : -1;
}
int serial_peek(unsigned port) {
  return usable(port) ? devices()->serial_peek(access(), port) : -1;
}

size_t serial_write(unsigned port, const uint8_t* data, size_t size) {
  if (!usable(port) || size == 0) return 0;
  touch(data, size);
  const sim::RoomOnStack until_the_lock_is_given_back;
  transmit_lock[port].wait();
  size_t taken = devices()->serial_write(access(), port, data, size);
  while (taken < size && devices()->serial_begun(port)) {
    // Wait for a good part of the buffer: a wake-up for every byte would cost more than it brings.
    const size_t wanted = std::min<size_t>(size - taken, 32);
    System::sleep_until(instant(devices()->serial_room_at(port, wanted)));
    taken += devices()->serial_write(access(), port, data + taken, size - taken);
  }
  transmit_lock[port].signal();
  return taken;
}

void serial_flush(unsigned port) {
  constexpr size_t kWholeBuffer = 64;
  while (usable(port) && devices()->serial_begun(port)) {
    const sim::Nanos empty_at = devices()->serial_room_at(port, kWholeBuffer);
    if (empty_at <= access()) return;
    System::sleep_until(instant(empty_at));
  }
}

bool serial_wait(unsigned port, uint64_t instant_ns) {
  while (usable(port)) {
    const sim::Nanos now = access();
    if (devices()->serial_available(now, port) > 0) return true;
    if (now >= instant_ns) return false;
    // Another loop may send meanwhile what a part answers, so look again now and then.
    constexpr sim::Nanos kLookAgain = 1'000'000;
    const sim::Nanos next = std::min(devices()->serial_data_at(port), now + kLookAgain);
    System::sleep_until(instant(std::min<uint64_t>(instant_ns, next)));
  }
  return false;
}

// --- Loops and faults ---

unsigned loop_id() {
  const runtime::Loop* loop = running() ? runtime::current_loop() : nullptr;
  return loop == nullptr ? runtime::kPlainLoop : loop->descriptor->id;
}
unsigned core_id() {
  return running() ? Board::Port::core_id() : 0;
}

/// The board has no pin handlers yet, so none can run: both calls keep their promise as they are.
void hold_pin_handlers(bool) {}

uint32_t entropy() {
  return running() ? static_cast<uint32_t>(machine().entropy()) : 0;
}

}  // namespace hocket::sys
