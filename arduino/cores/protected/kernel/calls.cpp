// The system-call table: each call checks its arguments, then acts.
//
// A call starts with arbitrary values in the sketch's registers. The types of its parameters
// convert them (from_sketch.h), so the call itself never sees a register. For pins and ports that
// do not exist, calls return an answer. A call that cannot be answered is a fault of the loop, at
// its instruction.
//
// Calls run on the thread's kernel stack with interrupts unmasked, like any thread.
#include "arduino/cores/protected/kernel/devices.h"
#include "arduino/cores/protected/kernel/from_sketch.h"
#include "arduino/cores/protected/kernel/locks.h"
#include "arduino/cores/protected/kernel/neighbour.h"
#include "arduino/cores/protected/system_calls.h"
#include "arduino/runtime/bus_calls.h"
#include "arduino/runtime/edf_threads.h"
#include "arduino/runtime/fifo_calls.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/no_room.h"
#include "arduino/runtime/parking.h"
#include "arduino/runtime/serial_calls.h"
#include "surroundings.h"

namespace hocket {
namespace {

using devices::Ports;
using edge::Caller, edge::Choice, edge::CountAt, edge::Frame, edge::Readable, edge::StructureAt,
    edge::TextAt, edge::Writable;
using runtime::Loop;
using SerialCalls = runtime::SerialCalls<Ports>;
using BusCalls = runtime::BusCalls<devices::Buses>;

/// Whether the caller may wait. A direct handler may not, and this records its attempt.
bool may_wait() {
  return !direct::runs() || !runtime::interrupts::refuses_to_wait();
}
/// Restores a direct handler's time limit: its call may have set the timer for a woken thread.
void after_wakeup() {
  if (direct::runs()) direct::keep_limit();
}

namespace calls {

// --- Loops ---

runtime::OverrunHandler end_iteration(Caller caller) {
  if (direct::runs()) caller.stop("ended a loop's iteration");
  Loop* loop = runtime::current_loop();
  if (loop == nullptr) caller.stop("setup() ended a loop's iteration");
  return runtime::end_iteration(*loop);
}
void end_setup(Caller caller) {
  if (!may_wait()) return;
  runtime::Sketch& sketch = runtime::current_sketch();
  if (runtime::current_loop() != nullptr || sketch.phase() != runtime::Phase::Setup) {
    caller.stop("a loop ended setup()");
  }
  sketch.end_setup();
  System::stop_self(0);
}
unsigned loop_id() {
  return direct::runs() ? kPlainLoop : runtime::current()->id();
}
unsigned core_id() {
  return Board::Port::core_id();
}

bool park_until_ns(uint64_t instant) {
  return may_wait() && runtime::park_until<System, Board>(instant);
}
bool unpark(unsigned loop) {
  const bool known = runtime::current_sketch().unpark(loop);
  after_wakeup();
  return known;
}

// --- Time ---

void sleep_until_ns(uint64_t instant) {
  if (may_wait()) System::sleep_until(Board::instant(instant));
}
void yield() {
  if (may_wait()) System::yield();
}

// --- Pins ---

unsigned pin_count() {
  return devices::pin_count();
}
unsigned analog_base() {
  return devices::analog_base();
}
unsigned analog_count() {
  return devices::analog_count();
}
bool pin_mode(unsigned pin, Choice<sys::PinMode> mode) {
  sys::PinMode wanted{};
  return mode.get(wanted) && devices::pin_mode(pin, wanted);
}
bool pin_write(unsigned pin, bool high) {
  return devices::pin_write(pin, high);
}
int pin_read(unsigned pin) {
  return devices::pin_read(pin);
}
int64_t analog_read(unsigned pin, unsigned bits) {
  return devices::analog_read(pin, bits);
}
int64_t pwm_write(unsigned pin, unsigned value, unsigned maximum) {
  return devices::pwm_write(pin, value, maximum);
}
int64_t tone_start(unsigned pin, unsigned hertz, unsigned duration) {
  return devices::tone_start(pin, hertz, duration);
}
int64_t tone_stop(unsigned pin) {
  return devices::tone_stop(pin);
}
int64_t servo_write(unsigned pin, unsigned pulse) {
  return devices::servo_write(pin, pulse);
}

// --- Interrupts of pins ---

bool attach_pin(Caller caller, StructureAt<sys::PinInterrupt> interrupt) {
  return runtime::interrupts::attach(interrupt.read(caller));
}
bool detach_pin(unsigned pin) {
  return runtime::interrupts::detach(pin);
}
void next_pin_call(Caller caller, StructureAt<sys::PinCall> call) {
  if (!may_wait()) return;
  Loop* const self = runtime::current_loop();
  if (self == nullptr || !self->is(LoopKind::Handler)) {
    caller.stop("asked for a pin's next call, which is for loops of handlers");
  }
  sys::PinCall next;
  call.check(caller);
  runtime::interrupts::next_call(*self, next);
  call.write_checked(next);
}
bool edf_prepare(Caller caller, unsigned loop, StructureAt<sys::EdfContract> contract) {
  sys::EdfContract asked = contract.read(caller);
  const bool admitted = may_wait() && runtime::edf_prepare(loop, asked);
  contract.write_checked(asked);
  return admitted;
}
bool edf_resume(unsigned loop) {
  return may_wait() && runtime::edf_resume(loop);
}
void hold_pin_handlers(bool held) {
  if (may_wait()) runtime::interrupts::hold(held);
}

// --- Serial ports ---

unsigned serial_count() {
  return devices::serial_count();
}
bool serial_begin(unsigned port, uint32_t baud, uint32_t buffer) {
  return Ports::usable(port) && Ports::begin(port, baud, buffer);
}
void serial_end(unsigned port) {
  if (!Ports::usable(port) || !may_wait()) return;
  SerialCalls::flush(port);
  Ports::end(port);
}
size_t serial_available(unsigned port) {
  return Ports::usable(port) ? Ports::available(port) : 0;
}
size_t serial_room(unsigned port) {
  return Ports::usable(port) ? Ports::room(port) : 0;
}
int serial_read(unsigned port) {
  return Ports::usable(port) ? Ports::read(port) : -1;
}
int serial_peek(unsigned port) {
  return Ports::usable(port) ? Ports::peek(port) : -1;
}
size_t serial_write(Caller caller, unsigned port, Readable data) {
  if (!Ports::usable(port) || data.is_empty() || !may_wait()) return 0;
  const Readable::Checked own = data.checked(caller);
  return SerialCalls::write(port, own.data, own.size);
}
void serial_flush(unsigned port) {
  if (Ports::usable(port) && may_wait()) SerialCalls::flush(port);
}
bool serial_wait(unsigned port, uint64_t instant) {
  const bool can = Ports::usable(port) && may_wait();
  return can && SerialCalls::wait(port, instant);
}

int serial_line(unsigned rx, unsigned tx, bool inverted) {
  return Ports::line(rx, tx, inverted);
}
void serial_listen(unsigned port, bool on) {
  if (Ports::usable(port)) Ports::listen(port, on);
}
bool serial_overflowed(unsigned port) {
  return Ports::usable(port) && Ports::overflowed(port);
}

// --- Buses and EEPROM ---

unsigned i2c_count() {
  return devices::Buses::i2c_count();
}
[[gnu::cold]] sys::I2cEnd i2c_transfer(Caller caller, unsigned bus,
                                       StructureAt<sys::I2cTransfer> transfer) {
  sys::I2cTransfer asked = transfer.read(caller);
  if (asked.writes) edge::readable(asked.out, asked.out_size).check(caller);
  edge::writable(asked.in, asked.in_size).check(caller);
  if (!may_wait()) return sys::I2cEnd::Failed;
  const sys::I2cEnd end = BusCalls::i2c_transfer(bus, asked);
  transfer.write_checked(asked);
  return end;
}
unsigned spi_count() {
  return devices::Buses::spi_count();
}
[[gnu::cold]] bool spi_transfer(Caller caller, unsigned bus,
                                StructureAt<sys::SpiTransfer> transfer) {
  const sys::SpiTransfer asked = transfer.read(caller);
  if (asked.out != nullptr) edge::readable(asked.out, asked.size).check(caller);
  if (asked.in != nullptr) edge::writable(asked.in, asked.size).check(caller);
  return may_wait() && BusCalls::spi_transfer(bus, asked);
}
unsigned eeprom_size() {
  return devices::Buses::eeprom_size();
}
int eeprom_read(unsigned address) {
  return may_wait() ? BusCalls::eeprom_read(address) : 0xff;
}
void eeprom_write(unsigned address, uint8_t value) {
  if (may_wait()) BusCalls::eeprom_write(address, value);
}

// --- FIFOs ---

void check_fifo(Caller caller, unsigned fifo, runtime::FifoUse use) {
  const char* const wrong = runtime::wrong_fifo(fifo, use);
  if (wrong != nullptr) [[unlikely]]
    caller.stop(wrong);
}
bool fifo_put(Caller caller, unsigned fifo, Readable data) {
  check_fifo(caller, fifo, runtime::FifoUse::Put);
  const Readable::Checked own = data.checked(caller);
  return neighbour::put(fifo, own.data, own.size);
}
size_t fifo_get(Caller caller, unsigned fifo, Writable buffer, Choice<sys::FifoTake> take) {
  check_fifo(caller, fifo, runtime::FifoUse::Get);
  const Writable::Checked own = buffer.checked(caller);
  sys::FifoTake how{};
  if (!take.get(how)) return 0;
  return neighbour::get(fifo, own.data, own.size, static_cast<hybrid::Take>(how));
}
void fifo_state(Caller caller, unsigned fifo, StructureAt<sys::FifoState> state) {
  check_fifo(caller, fifo, runtime::FifoUse::Look);
  state.check(caller);
  state.write_checked(neighbour::state(fifo));
}

// --- Locks and faults ---

bool semaphore_take(Caller caller, CountAt count, uint64_t until) {
  runtime::Sketch& sketch = runtime::current_sketch();
  int& word = count.own(sketch.program(), caller);
  return may_wait() && sketch.take_semaphore(&word, until);
}
bool semaphore_give(Caller caller, CountAt count) {
  runtime::Sketch& sketch = runtime::current_sketch();
  const bool waited = sketch.give_semaphore(&count.own(sketch.program(), caller));
  after_wakeup();
  return waited;
}
void lock_given_back() {
  if (!direct::runs()) locks::given_back();
}
/// `where` only appears in the report.
[[gnu::cold]] void fault(Caller caller, TextAt text, uint64_t where) {
  constexpr size_t kLongest = sizeof(faults::Record::text) - 1;
  const uint64_t code = where == 0 ? caller.code() : where - 1;
  const char* said = nullptr;
  size_t length = 0;
  if (!text.get(said, length, kLongest)) faults::stop_caller("stopped itself", code);
  faults::stop("call", faults::kUnknown, code, said, length);
}

/// A call of malloc() found no memory. `frame`: of the sketch's function that made this call; by
/// the procedure call standard a frame begins with the address of its caller's frame and the return
/// address. Both words of each are only for the report.
[[gnu::cold]] void note_no_room(uint64_t bytes, uint64_t frame) {
  constexpr uint64_t kWord = sizeof(uint64_t);
  const sketch::UserMemory& memory = Domain::current().memory();
  uint64_t codes[runtime::NoRoom::kMostCodes];
  unsigned count = 0;
  while (count < runtime::NoRoom::kMostCodes && frame % kWord == 0 &&
         memory.readable(frame, 2 * kWord)) {
    // SAFETY: the sketch may read these words, so they are mapped. Volatile, because other loops
    // may write them meanwhile.
    const auto* const words = reinterpret_cast<const volatile uint64_t*>(frame);
    const uint64_t caller = words[0];
    codes[count++] = words[1] - 1;
    if (caller <= frame) break;
    frame = caller;
  }
  runtime::note_no_room(bytes, codes, count);
}

/// A new value at each call of a run, and the same sequence in every run with its seed
/// (splitmix64).
uint32_t entropy() {
  static Atomic<uint64_t> state;
  constexpr uint64_t kStep = 0x9e37'79b9'7f4a'7c15;
  uint64_t z = surroundings::seed() + state.fetch_add(kStep, order::relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
  return static_cast<uint32_t>(z ^ (z >> 31));
}

}  // namespace calls
}  // namespace

[[gnu::cold]] void devices::sleep_ns(uint64_t duration_ns) {
  System::sleep_until(System::now() + System::Duration(Board::ticks(duration_ns)));
}

}  // namespace hocket

extern "C" {

using HocketSystemCall = uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t,
                                      const hocket::edge::Frame*);

/// A call with a number that does not exist (vectors.S).
[[noreturn]] void hocket_no_such_call(const hocket::edge::Frame* frame) {
  hocket::faults::stop_caller("made a system call that does not exist", frame->call());
}
}

namespace hocket {
namespace {

uint64_t no_such_call(uint64_t, uint64_t, uint64_t, uint64_t, const Frame* frame) {
  hocket_no_such_call(frame);
}

constexpr auto kCalls = static_cast<unsigned>(SystemCall::count);
static_assert(kCalls <= Processor::kCallRoom);

struct Table {
  HocketSystemCall calls[Processor::kCallRoom];
};
#define HOCKET_ENTRY_(number, function, arguments) &edge::Entry<&calls::function>::call,
constexpr Table make_table() {
  Table table{{HOCKET_SYSTEM_CALLS(HOCKET_ENTRY_)}};
  for (unsigned i = kCalls; i < Processor::kCallRoom; ++i) table.calls[i] = &no_such_call;
  return table;
}
#undef HOCKET_ENTRY_

}  // namespace
}  // namespace hocket

extern "C" {
extern const hocket::Table hocket_system_calls;
constexpr hocket::Table hocket_system_calls = hocket::make_table();
}

#define HOCKET_IN_ORDER_(number, function, arguments)                           \
  static_assert(static_cast<unsigned>(hocket::SystemCall::function) == number); \
  static_assert(hocket::edge::Entry<&hocket::calls::function>::kWords == arguments);
HOCKET_SYSTEM_CALLS(HOCKET_IN_ORDER_)
#undef HOCKET_IN_ORDER_
