// The system-call table: each call checks what it was given, then acts.
//
// A call comes with whatever is in the sketch's registers. Numbers are cut to the width that the
// call has; pins and ports that do not exist are answered; addresses are used only after the domain
// has said that they are its sketch's. What cannot be answered is a fault of the loop, at its
// instruction.
//
// Calls run on the thread's kernel stack with interrupts unmasked, like any thread.
#include "arduino/cores/aarch64/kernel/devices.h"
#include "arduino/cores/aarch64/kernel/domain.h"
#include "arduino/cores/aarch64/kernel/faults.h"
#include "arduino/cores/aarch64/kernel/locks.h"
#include "arduino/cores/aarch64/kernel/neighbour.h"
#include "arduino/cores/aarch64/kernel/own_stack.h"
#include "arduino/cores/aarch64/system_calls.h"
#include "arduino/runtime/bus_calls.h"
#include "arduino/runtime/edf_threads.h"
#include "arduino/runtime/fifo_calls.h"
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/parking.h"
#include "arduino/runtime/serial_calls.h"
#include "arduino/runtime/sketch.h"
#include "ports/aarch64/layout.h"
#include "surroundings.h"

namespace hocket {
namespace {

using devices::Ports;
using runtime::Loop;
using SerialCalls = runtime::SerialCalls<Ports>;
using BusCalls = runtime::BusCalls<devices::Buses>;

/// What vectors.S keeps of the caller.
struct Frame {
  uint64_t unused[2];
  uint64_t link;         // where the sketch's call returns
  uint64_t instruction;  // behind the one that called the kernel
  uint64_t stack;
  uint64_t unused_end;

  /// The instruction that called: a return address is just behind it.
  uint64_t caller() const { return link - 1; }
};
static_assert(sizeof(Frame) == HOCKET_CALL_SIZE);
static_assert(__builtin_offsetof(Frame, link) == HOCKET_CALL_LINK);
static_assert(__builtin_offsetof(Frame, instruction) == HOCKET_CALL_LINK + 8);
static_assert(__builtin_offsetof(Frame, stack) == HOCKET_CALL_SP0);

using Word = uint64_t;

unsigned number(Word word) {
  return static_cast<unsigned>(word);
}
Word answer(int64_t value) {
  return static_cast<Word>(value);
}

/// The caller is no direct handler: that must not wait, and is no loop; it is told.
bool may_wait() {
  return !direct::runs() || !runtime::interrupts::refuses_to_wait();
}
/// A direct handler's call may have set the timer.
void after_wakeup() {
  if (direct::runs()) direct::keep_limit();
}

namespace calls {

// --- Loops ---

Word end_iteration(Word, Word, Word, Word, const Frame* frame) {
  if (direct::runs()) faults::stop_caller("ended a loop's iteration", frame->caller());
  Loop* loop = runtime::current_loop();
  if (loop == nullptr) faults::stop_caller("setup() ended a loop's iteration", frame->caller());
  return reinterpret_cast<Word>(runtime::end_iteration(*loop));
}
Word end_setup(Word, Word, Word, Word, const Frame* frame) {
  if (!may_wait()) return 0;
  runtime::Sketch& sketch = runtime::current_sketch();
  if (runtime::current_loop() != nullptr || sketch.phase() != runtime::Phase::Setup) {
    faults::stop_caller("a loop ended setup()", frame->caller());
  }
  sketch.end_setup();
  System::stop_self(0);
}
Word loop_id(Word, Word, Word, Word, const Frame*) {
  return direct::runs() ? kPlainLoop : runtime::current()->id();
}
Word core_id(Word, Word, Word, Word, const Frame*) {
  return Board::Port::core_id();
}

Word park_until_ns(Word instant, Word, Word, Word, const Frame*) {
  return may_wait() && runtime::park_until<System, Board>(instant) ? 1 : 0;
}
Word unpark(Word loop, Word, Word, Word, const Frame*) {
  const bool known = runtime::current_sketch().unpark(number(loop));
  after_wakeup();
  return known ? 1 : 0;
}

// --- Time ---

Word sleep_until_ns(Word instant, Word, Word, Word, const Frame*) {
  if (may_wait()) System::sleep_until(Board::instant(instant));
  return 0;
}
Word yield(Word, Word, Word, Word, const Frame*) {
  if (may_wait()) System::yield();
  return 0;
}

// --- Pins ---

Word pin_count(Word, Word, Word, Word, const Frame*) {
  return devices::pin_count();
}
Word analog_base(Word, Word, Word, Word, const Frame*) {
  return devices::analog_base();
}
Word analog_count(Word, Word, Word, Word, const Frame*) {
  return devices::analog_count();
}
Word pin_mode(Word pin, Word mode, Word, Word, const Frame*) {
  const auto wanted = static_cast<uint8_t>(mode);
  if (wanted > static_cast<uint8_t>(sys::PinMode::OutputOpenDrain)) return 0;
  return devices::pin_mode(number(pin), static_cast<sys::PinMode>(wanted)) ? 1 : 0;
}
Word pin_write(Word pin, Word high, Word, Word, const Frame*) {
  return devices::pin_write(number(pin), (high & 1) != 0) ? 1 : 0;
}
Word pin_read(Word pin, Word, Word, Word, const Frame*) {
  return answer(devices::pin_read(number(pin)));
}
Word analog_read(Word pin, Word bits, Word, Word, const Frame*) {
  return answer(devices::analog_read(number(pin), number(bits)));
}
Word pwm_write(Word pin, Word value, Word maximum, Word, const Frame*) {
  return answer(devices::pwm_write(number(pin), number(value), number(maximum)));
}
Word tone_start(Word pin, Word hertz, Word duration, Word, const Frame*) {
  return answer(devices::tone_start(number(pin), number(hertz), number(duration)));
}
Word tone_stop(Word pin, Word, Word, Word, const Frame*) {
  return answer(devices::tone_stop(number(pin)));
}
Word servo_write(Word pin, Word pulse, Word, Word, const Frame*) {
  return answer(devices::servo_write(number(pin), number(pulse)));
}

// --- Interrupts of pins ---

[[noreturn]] void stop_for_memory(Word address, const Frame* frame) {
  static constexpr char kText[] = "gave memory that is not its own";
  faults::stop("bad access", address, frame->caller(), kText, sizeof kText - 1);
}
/// A structure of the sketch's that a call reads or fills in. Anything else is a fault.
template <class T>
T& structure(Word address, const Frame* frame) {
  const port::Stack& stack = own_stack();
  // Mostly there.
  const Word offset = address - reinterpret_cast<Word>(stack.base);
  const bool own = offset < stack.size ? sizeof(T) <= stack.size - offset
                                       : Domain::current().memory().writable(address, sizeof(T));
  if (!own || address % alignof(T) != 0) [[unlikely]]
    stop_for_memory(address, frame);
  return *reinterpret_cast<T*>(address);
}
Word attach_pin(Word interrupt, Word, Word, Word, const Frame* frame) {
  // A copy: other loops may change what is there.
  const sys::PinInterrupt wanted = structure<sys::PinInterrupt>(interrupt, frame);
  return runtime::interrupts::attach(wanted) ? 1 : 0;
}
Word detach_pin(Word pin, Word, Word, Word, const Frame*) {
  return runtime::interrupts::detach(number(pin)) ? 1 : 0;
}
Word next_pin_call(Word call, Word, Word, Word, const Frame* frame) {
  if (!may_wait()) return 0;
  Loop* const self = runtime::current_loop();
  if (self == nullptr || !self->is(LoopKind::Handler)) {
    faults::stop_caller("asked for a pin's next call, which is for loops of handlers",
                        frame->caller());
  }
  runtime::interrupts::next_call(*self, structure<sys::PinCall>(call, frame));
  return 0;
}
Word edf_prepare(Word loop, Word contract, Word, Word, const Frame* frame) {
  auto& asked = structure<sys::EdfContract>(contract, frame);
  return may_wait() && runtime::edf_prepare(number(loop), asked) ? 1 : 0;
}
Word edf_resume(Word loop, Word, Word, Word, const Frame*) {
  return may_wait() && runtime::edf_resume(number(loop)) ? 1 : 0;
}
Word hold_pin_handlers(Word held, Word, Word, Word, const Frame*) {
  if (may_wait()) runtime::interrupts::hold((held & 1) != 0);
  return 0;
}

// --- Serial ports ---

Word serial_count(Word, Word, Word, Word, const Frame*) {
  return devices::serial_count();
}
Word serial_begin(Word port, Word baud, Word buffer, Word, const Frame*) {
  if (!Ports::usable(number(port))) return 0;
  return Ports::begin(number(port), number(baud), number(buffer)) ? 1 : 0;
}
Word serial_end(Word port, Word, Word, Word, const Frame*) {
  if (!Ports::usable(number(port)) || !may_wait()) return 0;
  SerialCalls::flush(number(port));
  Ports::end(number(port));
  return 0;
}
Word serial_available(Word port, Word, Word, Word, const Frame*) {
  return Ports::usable(number(port)) ? Ports::available(number(port)) : 0;
}
Word serial_room(Word port, Word, Word, Word, const Frame*) {
  return Ports::usable(number(port)) ? Ports::room(number(port)) : 0;
}
Word serial_read(Word port, Word, Word, Word, const Frame*) {
  return answer(Ports::usable(number(port)) ? Ports::read(number(port)) : -1);
}
Word serial_peek(Word port, Word, Word, Word, const Frame*) {
  return answer(Ports::usable(number(port)) ? Ports::peek(number(port)) : -1);
}
Word serial_write(Word port, Word data, Word size, Word, const Frame* frame) {
  if (!Ports::usable(number(port)) || size == 0 || !may_wait()) return 0;
  if (!Domain::current().memory().readable(data, size)) stop_for_memory(data, frame);
  return SerialCalls::write(number(port), reinterpret_cast<const uint8_t*>(data), size);
}
Word serial_flush(Word port, Word, Word, Word, const Frame*) {
  if (Ports::usable(number(port)) && may_wait()) SerialCalls::flush(number(port));
  return 0;
}
Word serial_wait(Word port, Word instant, Word, Word, const Frame*) {
  const bool can = Ports::usable(number(port)) && may_wait();
  return can && SerialCalls::wait(number(port), instant) ? 1 : 0;
}

Word serial_line(Word rx, Word tx, Word inverted, Word, const Frame*) {
  return answer(Ports::line(number(rx), number(tx), (inverted & 1) != 0));
}
Word serial_listen(Word port, Word on, Word, Word, const Frame*) {
  if (Ports::usable(number(port))) Ports::listen(number(port), (on & 1) != 0);
  return 0;
}
Word serial_overflowed(Word port, Word, Word, Word, const Frame*) {
  return Ports::usable(number(port)) && Ports::overflowed(number(port)) ? 1 : 0;
}

// --- Buses and EEPROM ---

Word i2c_count(Word, Word, Word, Word, const Frame*) {
  return devices::Buses::i2c_count();
}
[[gnu::cold]] Word i2c_transfer(Word bus, Word transfer, Word, Word, const Frame* frame) {
  auto& asked = structure<sys::I2cTransfer>(transfer, frame);
  sys::I2cTransfer copy = asked;  // other loops may change what is there
  const auto& memory = Domain::current().memory();
  const auto out = reinterpret_cast<Word>(copy.out), in = reinterpret_cast<Word>(copy.in);
  if (copy.writes && !memory.readable(out, copy.out_size)) stop_for_memory(out, frame);
  if (!memory.writable(in, copy.in_size)) stop_for_memory(in, frame);
  if (!may_wait()) return static_cast<Word>(sys::I2cEnd::Failed);
  const sys::I2cEnd end = BusCalls::i2c_transfer(number(bus), copy);
  asked.received = copy.received;
  return static_cast<Word>(end);
}
Word spi_count(Word, Word, Word, Word, const Frame*) {
  return devices::Buses::spi_count();
}
[[gnu::cold]] Word spi_transfer(Word bus, Word transfer, Word, Word, const Frame* frame) {
  const sys::SpiTransfer copy = structure<sys::SpiTransfer>(transfer, frame);
  const auto& memory = Domain::current().memory();
  const auto out = reinterpret_cast<Word>(copy.out), in = reinterpret_cast<Word>(copy.in);
  if (copy.out != nullptr && !memory.readable(out, copy.size)) stop_for_memory(out, frame);
  if (copy.in != nullptr && !memory.writable(in, copy.size)) stop_for_memory(in, frame);
  return may_wait() && BusCalls::spi_transfer(number(bus), copy) ? 1 : 0;
}
Word eeprom_size(Word, Word, Word, Word, const Frame*) {
  return devices::Buses::eeprom_size();
}
Word eeprom_read(Word address, Word, Word, Word, const Frame*) {
  return answer(may_wait() ? BusCalls::eeprom_read(number(address)) : 0xff);
}
Word eeprom_write(Word address, Word value, Word, Word, const Frame*) {
  if (may_wait()) BusCalls::eeprom_write(number(address), static_cast<uint8_t>(value));
  return 0;
}

// --- FIFOs ---

void check_fifo(Word fifo, runtime::FifoUse use, const Frame* frame) {
  const char* const wrong = runtime::wrong_fifo(number(fifo), use);
  if (wrong != nullptr) [[unlikely]]
    faults::stop_caller(wrong, frame->caller());
}
Word fifo_put(Word fifo, Word data, Word size, Word, const Frame* frame) {
  check_fifo(fifo, runtime::FifoUse::Put, frame);
  if (!Domain::current().memory().readable(data, size)) stop_for_memory(data, frame);
  return neighbour::put(number(fifo), reinterpret_cast<const void*>(data), size) ? 1 : 0;
}
Word fifo_get(Word fifo, Word buffer, Word size, Word take, const Frame* frame) {
  check_fifo(fifo, runtime::FifoUse::Get, frame);
  if (!Domain::current().memory().writable(buffer, size)) stop_for_memory(buffer, frame);
  const auto how = static_cast<uint8_t>(take);
  if (how > static_cast<uint8_t>(hybrid::Take::Exactly)) return 0;
  return neighbour::get(number(fifo), reinterpret_cast<void*>(buffer), size,
                        static_cast<hybrid::Take>(how));
}
Word fifo_state(Word fifo, Word state, Word, Word, const Frame* frame) {
  check_fifo(fifo, runtime::FifoUse::Look, frame);
  structure<sys::FifoState>(state, frame) = neighbour::state(number(fifo));
  return 0;
}

// --- Locks and faults ---

/// A word of 32 bits that is the sketch's own, writable, aligned. Anything else is a fault.
int& count_word(runtime::Sketch& sketch, Word address, const Frame* frame) {
  static constexpr char kOtherwise[] = "gave a semaphore that is not its own";
  const Domain& domain = static_cast<Domain&>(sketch.program());
  if (!domain.owns_word(address, sizeof(int))) [[unlikely]] {
    faults::stop("bad access", address, frame->caller(), kOtherwise, sizeof kOtherwise - 1);
  }
  return *reinterpret_cast<int*>(address);
}
Word semaphore_take(Word count, Word until, Word, Word, const Frame* frame) {
  runtime::Sketch& sketch = runtime::current_sketch();
  int& word = count_word(sketch, count, frame);
  return may_wait() && sketch.take_semaphore(&word, until) ? 1 : 0;
}
Word semaphore_give(Word count, Word, Word, Word, const Frame* frame) {
  runtime::Sketch& sketch = runtime::current_sketch();
  const bool waited = sketch.give_semaphore(&count_word(sketch, count, frame));
  after_wakeup();
  return waited ? 1 : 0;
}
Word lock_given_back(Word, Word, Word, Word, const Frame*) {
  if (!direct::runs()) locks::given_back();
  return 0;
}
[[gnu::cold]] Word fault(Word text, Word where, Word, Word, const Frame* frame) {
  constexpr uint64_t kLongest = sizeof(faults::Record::text) - 1;
  const uint64_t code = where == 0 ? frame->caller() : where - 1;
  const uint64_t length = Domain::current().memory().text(text, kLongest);
  if (length == aarch64::UserMemory::kNoText) {
    faults::stop_caller("stopped itself", code);
  }
  faults::stop("call", faults::kUnknown, code, reinterpret_cast<const char*>(text), length);
}

/// Different for each question of a run, the same in every run with its seed (splitmix64).
Word entropy(Word, Word, Word, Word, const Frame*) {
  static Atomic<uint64_t> state;
  constexpr uint64_t kStep = 0x9e37'79b9'7f4a'7c15;
  uint64_t z = surroundings::seed() + state.fetch_add(kStep, order::relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
  return (z ^ (z >> 31)) & 0xffff'ffff;
}

}  // namespace calls
}  // namespace

[[gnu::cold]] void devices::sleep_ns(uint64_t duration_ns) {
  System::sleep_until(System::now() + System::Duration(Board::ticks(duration_ns)));
}

}  // namespace hocket

extern "C" {

using HocketSystemCall = uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t, const hocket::Frame*);

/// A call whose number does not exist (vectors.S).
[[noreturn]] void hocket_no_such_call(const hocket::Frame* frame) {
  hocket::faults::stop_caller("made a system call that does not exist", frame->instruction - 4);
}
}

namespace hocket {
namespace {

Word no_such_call(Word, Word, Word, Word, const Frame* frame) {
  hocket_no_such_call(frame);
}

constexpr auto kCalls = static_cast<unsigned>(SystemCall::count);
static_assert(kCalls <= HOCKET_SYSTEM_CALL_ROOM);

struct Table {
  HocketSystemCall calls[HOCKET_SYSTEM_CALL_ROOM];
};
#define HOCKET_ENTRY_(number, function, arguments) &calls::function,
constexpr Table make_table() {
  Table table{{HOCKET_SYSTEM_CALLS(HOCKET_ENTRY_)}};
  for (unsigned i = kCalls; i < HOCKET_SYSTEM_CALL_ROOM; ++i) table.calls[i] = &no_such_call;
  return table;
}
#undef HOCKET_ENTRY_

}  // namespace
}  // namespace hocket

extern "C" {
extern const hocket::Table hocket_system_calls;
constexpr hocket::Table hocket_system_calls = hocket::make_table();
}

#define HOCKET_IN_ORDER_(number, function, arguments) \
  static_assert(static_cast<unsigned>(hocket::SystemCall::function) == number);
HOCKET_SYSTEM_CALLS(HOCKET_IN_ORDER_)
#undef HOCKET_IN_ORDER_
