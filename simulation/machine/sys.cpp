// The sketch's calls into the system (arduino/runtime/system.h) on the simulated board.
//
// Compiled with the block clock, as a driver would be: its work costs virtual time. Each access to
// a device waits until the other cores have reached the same instant, and then costs what the
// machine charges.
#include <algorithm>

#include "arduino/runtime/bus_calls.h"
#include "arduino/runtime/edf_threads.h"
#include "arduino/runtime/fifo_calls.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/parking.h"
#include "arduino/runtime/serial_calls.h"
#include "arduino/runtime/sketch.h"
#include "arduino/runtime/system.h"
#include "simulation/machine/console.h"
#include "simulation/machine/program.h"
#include "simulation/machine/stacks.h"

namespace hocket::sys {
namespace {

using sim::Devices;
using sim::devices;

// Before the board runs (in constructors of a sketch's globals) there are no devices. Such calls do
// nothing, and answer as for a pin or port that does not exist.
bool running() {
  return host::Machine::exists() && devices() != nullptr;
}

/// Not in a direct handler.
bool may_wait() {
  return running() && !runtime::interrupts::refuses_to_wait();
}

host::Machine& machine() {
  return host::Machine::instance();
}

/// The instant of a device access.
sim::Nanos access() {
  sim::make_room_on_stack();
  return machine().access_device();
}

bool usable(unsigned port) {
  return running() && port < devices()->serial_count() + kSerialLines;
}

/// The loops' side of the FIFOs. Linux's side is the parts that play its programs.
hybrid::Fifos& fifos() {
  constinit static hybrid::Fifos all;
  if (!all.has_neighbour() && devices()->fifo_window() != nullptr) {
    all.attach(devices()->fifo_window(), [] { devices()->fifo_tell(access()); });
  }
  return all;
}
/// Before the board runs there are none. A wrong number is a fault of the caller.
bool fifo_usable(unsigned fifo, runtime::FifoUse use, const void* caller) {
  if (!running()) return false;
  if (const char* wrong = runtime::wrong_fifo(fifo, use)) fault(wrong, caller);
  devices()->advance(access());
  return true;
}

/// Reads a caller's buffer once, so that a bad address faults before a lock is taken.
void touch(const uint8_t* data, size_t size) {
  constexpr size_t kPage = 4096;
  for (size_t i = 0; i < size; i += kPage)
    static_cast<void>(static_cast<const volatile uint8_t*>(data)[i]);
  static_cast<void>(static_cast<const volatile uint8_t*>(data)[size - 1]);
}

/// The same for a buffer that is written.
void touch_to_write(uint8_t* data, size_t size) {
  constexpr size_t kPage = 4096;
  const auto again = [&](size_t i) {
    auto& byte = static_cast<volatile uint8_t&>(data[i]);
    byte = byte;
  };
  for (size_t i = 0; i < size; i += kPage) again(i);
  again(size - 1);
}

/// The ports for the common waiting.
struct Ports {
  using Holding = sim::RoomOnStack;
  static bool usable(unsigned port) { return sys::usable(port); }
  static bool begun(unsigned port) { return devices()->serial_begun(port); }
  static size_t write_some(unsigned port, const uint8_t* data, size_t size) {
    const size_t taken = devices()->serial_write(access(), port, data, size);
    sim::serial_changed();
    return taken;
  }
  static uint64_t room_at(unsigned port, size_t bytes) {
    return devices()->serial_room_at(port, bytes);
  }
  static uint64_t data_at(unsigned port) { return devices()->serial_data_at(port); }
  static size_t available(unsigned port) { return devices()->serial_available(access(), port); }
  static uint64_t now_ns() { return access(); }
};
using SerialCalls = runtime::SerialCalls<Ports>;

/// The buses for the common waiting.
struct Buses {
  using Holding = sim::RoomOnStack;
  static unsigned i2c_count() { return devices()->i2c_count(); }
  static I2cEnd i2c_transfer(unsigned bus, I2cTransfer& asked, uint64_t& free_at) {
    const sim::Nanos now = access();
    const sim::I2cAnswer answer = devices()->i2c_transfer(
        now, bus, asked, static_cast<const uint8_t*>(asked.out), static_cast<uint8_t*>(asked.in));
    asked.received = static_cast<uint16_t>(answer.received);
    free_at = now + answer.lasts;
    return answer.end;
  }
  static unsigned spi_count() { return devices()->spi_count(); }
  static uint64_t spi_transfer(unsigned bus, const SpiTransfer& asked) {
    const sim::Nanos now = access();
    return now + devices()->spi_transfer(now, bus, asked, static_cast<const uint8_t*>(asked.out),
                                         static_cast<uint8_t*>(asked.in));
  }
  static unsigned eeprom_size() { return devices()->eeprom_size(); }
  static int eeprom_read(unsigned address) { return devices()->eeprom_read(access(), address); }
  static void eeprom_write(unsigned address, uint8_t value) {
    devices()->eeprom_write(access(), address, value);
  }
  static uint64_t now_ns() { return machine().now(); }
};
using BusCalls = runtime::BusCalls<Buses>;

}  // namespace

// --- Time ---

uint64_t now_ns() {
  return running() ? machine().now() : 0;
}

void sleep_until_ns(uint64_t instant_ns) {
  if (may_wait()) System::sleep_until(Board::instant(instant_ns));
}

void spin_ns(uint64_t duration_ns) {
  if (!running()) return;
  const uint64_t now = machine().now();
  machine().spin_until(now + std::min(duration_ns, UINT64_MAX - now));
}

void yield() {
  if (may_wait()) System::yield();
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

bool serial_begin(unsigned port, uint32_t baud, uint32_t buffer) {
  if (!usable(port)) return false;
  const bool begun = devices()->serial_begin(access(), port, baud, buffer);
  sim::serial_changed();
  return begun;
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
  if (!usable(port) || size == 0 || !may_wait()) return 0;
  touch(data, size);
  return SerialCalls::write(port, data, size);
}

void serial_flush(unsigned port) {
  if (!may_wait()) return;
  SerialCalls::flush(port);
}

bool serial_wait(unsigned port, uint64_t instant_ns) {
  return may_wait() && SerialCalls::wait(port, instant_ns);
}

int serial_line(unsigned rx, unsigned tx, bool inverted) {
  return running() ? devices()->serial_line(access(), rx, tx, inverted) : -1;
}
void serial_listen(unsigned port, bool on) {
  if (running()) devices()->serial_listen(access(), port, on);
}
bool serial_overflowed(unsigned port) {
  return running() && devices()->serial_overflowed(access(), port);
}

// --- Buses and EEPROM ---

unsigned i2c_count() {
  return running() ? devices()->i2c_count() : 0;
}
I2cEnd i2c_transfer(unsigned bus, I2cTransfer& transfer) {
  if (!may_wait()) return I2cEnd::Failed;
  if (transfer.writes && transfer.out_size > 0)
    touch(static_cast<const uint8_t*>(transfer.out), transfer.out_size);
  if (transfer.in_size > 0) touch_to_write(static_cast<uint8_t*>(transfer.in), transfer.in_size);
  return BusCalls::i2c_transfer(bus, transfer);
}
unsigned spi_count() {
  return running() ? devices()->spi_count() : 0;
}
bool spi_transfer(unsigned bus, const SpiTransfer& transfer) {
  if (!may_wait() || transfer.size > kLongestSpi) return false;
  if (transfer.size == 0) return true;
  if (transfer.out != nullptr) touch(static_cast<const uint8_t*>(transfer.out), transfer.size);
  if (transfer.in != nullptr) touch_to_write(static_cast<uint8_t*>(transfer.in), transfer.size);
  return BusCalls::spi_transfer(bus, transfer);
}
unsigned eeprom_size() {
  return running() ? devices()->eeprom_size() : 0;
}
int eeprom_read(unsigned address) {
  return may_wait() ? BusCalls::eeprom_read(address) : 0xff;
}
void eeprom_write(unsigned address, uint8_t value) {
  if (may_wait()) BusCalls::eeprom_write(address, value);
}

// --- FIFOs ---

bool fifo_put(unsigned fifo, const void* data, size_t size) {
  if (!fifo_usable(fifo, runtime::FifoUse::Put, __builtin_return_address(0))) return false;
  const size_t most = std::min(size, kLongestRecord);
  if (most != 0) touch(static_cast<const uint8_t*>(data), most);
  return fifos().put(fifo, data, size);
}
size_t fifo_get(unsigned fifo, void* buffer, size_t size, FifoTake take) {
  if (!fifo_usable(fifo, runtime::FifoUse::Get, __builtin_return_address(0))) return 0;
  if (size != 0) touch_to_write(static_cast<uint8_t*>(buffer), std::min(size, kLongestRecord));
  return fifos().get(fifo, buffer, size, static_cast<hybrid::Take>(take));
}
void fifo_state(unsigned fifo, FifoState& state) {
  state = {};
  if (!fifo_usable(fifo, runtime::FifoUse::Look, __builtin_return_address(0))) return;
  state = runtime::fifo_state(fifos(), fifo);
}

// --- Loops and faults ---

bool park_until_ns(uint64_t instant_ns) {
  return may_wait() && runtime::park_until<System, Board>(instant_ns);
}
bool unpark(unsigned loop) {
  return running() && runtime::current_sketch().unpark(loop);
}

bool edf_prepare(unsigned loop, EdfContract& contract) {
  return may_wait() && runtime::edf_prepare(loop, contract);
}
bool edf_resume(unsigned loop) {
  return may_wait() && runtime::edf_resume(loop);
}

bool semaphore_take(int* count, uint64_t until_ns) {
  return may_wait() && runtime::current_sketch().take_semaphore(count, until_ns);
}
void semaphore_give(int* count) {
  if (running()) runtime::current_sketch().give_semaphore(count);
}

unsigned loop_id() {
  return running() ? runtime::current()->id() : kPlainLoop;
}
unsigned core_id() {
  return running() ? Board::Port::core_id() : 0;
}

bool attach_pin(const PinInterrupt& interrupt) {
  return running() && runtime::interrupts::attach(interrupt);
}
bool detach_pin(unsigned pin) {
  return running() && runtime::interrupts::detach(pin);
}
void next_pin_call(PinCall& call) {
  runtime::interrupts::next_call(*runtime::current_loop(), call);
}
void hold_pin_handlers(bool held) {
  if (may_wait()) runtime::interrupts::hold(held);
}

uint32_t entropy() {
  return running() ? static_cast<uint32_t>(machine().entropy()) : 0;
}

}  // namespace hocket::sys
