// The system-call table: each call checks what it was given, then acts.
//
// A call comes with whatever is in the sketch's registers. Numbers are cut to the width that the
// call has; pins and ports that do not exist are answered; addresses are used only after the domain
// has said that they are the sketch's. What cannot be answered is a fault of the loop, at its
// instruction.
//
// Calls run on the thread's kernel stack with interrupts unmasked, like any thread.
#include "arduino/runtime/program.h"
#include "arduino/runtime/serial_calls.h"
#include "boards/aarch64/kernel/devices.h"
#include "boards/aarch64/kernel/domain.h"
#include "boards/aarch64/kernel/faults.h"
#include "boards/aarch64/kernel/world.h"
#include "boards/aarch64/system_calls.h"
#include "ports/aarch64/layout.h"

namespace hocket {
namespace {

using devices::Ports;
using runtime::Loop;
using SerialCalls = runtime::SerialCalls<Ports>;
using world::Operation;

/// What vectors.S keeps of the caller.
struct Frame {
  uint64_t unused[19];
  uint64_t link;  // where the sketch's call returns
  uint64_t instruction;
  uint64_t state;
  uint64_t stack;
  uint64_t unused_end;

  /// The instruction that called: a return address is just behind it.
  uint64_t caller() const { return link - 1; }
};
static_assert(sizeof(Frame) == HOCKET_FRAME_SIZE);
static_assert(__builtin_offsetof(Frame, link) == HOCKET_FRAME_X18 + 8);
static_assert(__builtin_offsetof(Frame, instruction) == HOCKET_FRAME_ELR);
static_assert(__builtin_offsetof(Frame, stack) == HOCKET_FRAME_SP0);

using Word = uint64_t;

unsigned number(Word word) {
  return static_cast<unsigned>(word);
}
Word answer(int64_t value) {
  return static_cast<Word>(value);
}

namespace calls {

// --- Loops ---

Word end_iteration(Word, Word, Word, Word, const Frame* frame) {
  Loop* loop = runtime::current_loop();
  if (loop == nullptr) faults::stop_caller("setup() ended a loop's iteration", frame->caller());
  runtime::end_iteration(*loop);
  return 0;
}
Word end_setup(Word, Word, Word, Word, const Frame* frame) {
  if (runtime::current_loop() != nullptr || runtime::phase() != runtime::Phase::Setup) {
    faults::stop_caller("a loop ended setup()", frame->caller());
  }
  runtime::end_setup();
  System::stop_self(0);
}
Word loop_id(Word, Word, Word, Word, const Frame*) {
  const Loop* loop = runtime::current_loop();
  return loop == nullptr ? runtime::kPlainLoop : loop->descriptor->id;
}
Word core_id(Word, Word, Word, Word, const Frame*) {
  return Board::Port::core_id();
}

Word park_until_ns(Word instant, Word, Word, Word, const Frame*) {
  return runtime::park_until(instant) ? 1 : 0;
}
Word unpark(Word loop, Word, Word, Word, const Frame*) {
  return runtime::unpark(number(loop)) ? 1 : 0;
}

// --- Time ---

Word sleep_until_ns(Word instant, Word, Word, Word, const Frame*) {
  System::sleep_until(Board::instant(instant));
  return 0;
}
Word yield(Word, Word, Word, Word, const Frame*) {
  System::yield();
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
  return answer(devices::world_only(Operation::AnalogRead, number(pin), number(bits), 0));
}
Word pwm_write(Word pin, Word value, Word maximum, Word, const Frame*) {
  return answer(
      devices::world_only(Operation::PwmWrite, number(pin), number(value), number(maximum)));
}
Word tone_start(Word pin, Word hertz, Word duration, Word, const Frame*) {
  return answer(
      devices::world_only(Operation::ToneStart, number(pin), number(hertz), number(duration)));
}
Word tone_stop(Word pin, Word, Word, Word, const Frame*) {
  return answer(devices::world_only(Operation::ToneStop, number(pin), 0, 0));
}
Word servo_write(Word pin, Word pulse, Word, Word, const Frame*) {
  return answer(devices::world_only(Operation::ServoWrite, number(pin), number(pulse), 0));
}
/// No pin has a handler on this board yet, so none can run: the promise holds as it is.
Word hold_pin_handlers(Word, Word, Word, Word, const Frame*) {
  return 0;
}

// --- Serial ports ---

Word serial_count(Word, Word, Word, Word, const Frame*) {
  return devices::serial_count();
}
Word serial_begin(Word port, Word baud, Word, Word, const Frame*) {
  return Ports::usable(number(port)) && Ports::begin(number(port), number(baud)) ? 1 : 0;
}
Word serial_end(Word port, Word, Word, Word, const Frame*) {
  if (!Ports::usable(number(port))) return 0;
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
  if (!Ports::usable(number(port)) || size == 0) return 0;
  if (!domain::memory().readable(data, size)) {
    faults::stop("bad access", data, frame->caller(), "gave memory that is not its own", 31);
  }
  return SerialCalls::write(number(port), reinterpret_cast<const uint8_t*>(data), size);
}
Word serial_flush(Word port, Word, Word, Word, const Frame*) {
  if (Ports::usable(number(port))) SerialCalls::flush(number(port));
  return 0;
}
Word serial_wait(Word port, Word instant, Word, Word, const Frame*) {
  return Ports::usable(number(port)) && SerialCalls::wait(number(port), instant) ? 1 : 0;
}

// --- Locks and faults ---

/// The word of a lock: the sketch's own, writable, aligned. Anything else is a fault.
uint32_t* lock_word(Word address, const Frame* frame) {
  if (address % sizeof(uint32_t) != 0 || !domain::memory().writable(address, sizeof(uint32_t))) {
    faults::stop("bad access", address, frame->caller(), "gave a lock that is not its own", 31);
  }
  return reinterpret_cast<uint32_t*>(address);
}
Word spin_lock(Word address, Word, Word, Word, const Frame* frame) {
  if (!runtime::program::uses_spinlocks()) {
    faults::stop_caller("uses a spinlock, but was linked without them", frame->caller());
  }
  const char* error = runtime::take_spinlock(lock_word(address, frame));
  if (error != nullptr) faults::stop_caller(error, frame->caller());
  return 0;
}
Word spin_unlock(Word address, Word, Word, Word, const Frame* frame) {
  const char* error = runtime::give_spinlock(lock_word(address, frame));
  if (error != nullptr) faults::stop_caller(error, frame->caller());
  return 0;
}
Word fault(Word text, Word where, Word, Word, const Frame* frame) {
  constexpr uint64_t kLongest = sizeof(world::FaultFacts::text) - 1;
  const uint64_t code = where == 0 ? frame->caller() : where - 1;
  const uint64_t length = domain::memory().text(text, kLongest);
  if (length == aarch64::UserMemory::kNoText) {
    faults::stop_caller("stopped itself", code);
  }
  faults::stop("call", faults::kUnknown, code, reinterpret_cast<const char*>(text), length);
}

/// Different for each question of a run, the same in every run with its seed (splitmix64).
Word entropy(Word, Word, Word, Word, const Frame*) {
  static Atomic<uint64_t> state;
  constexpr uint64_t kStep = 0x9e37'79b9'7f4a'7c15;
  uint64_t z = world::settings().seed + state.fetch_add(kStep, order::relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
  return (z ^ (z >> 31)) & 0xffff'ffff;
}

}  // namespace calls
}  // namespace
}  // namespace hocket

extern "C" {

using HocketSystemCall = uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t, const hocket::Frame*);

extern const uint64_t hocket_system_call_count;
extern const HocketSystemCall hocket_system_calls[];
const uint64_t hocket_system_call_count = static_cast<uint64_t>(hocket::SystemCall::count);
#define HOCKET_ENTRY_(number, function, arguments) &hocket::calls::function,
const HocketSystemCall hocket_system_calls[] = {HOCKET_SYSTEM_CALLS(HOCKET_ENTRY_)};
#undef HOCKET_ENTRY_

/// A call whose number does not exist (vectors.S).
[[noreturn]] void hocket_no_such_call(uint64_t, const hocket::Frame* frame) {
  hocket::faults::stop_caller("made a system call that does not exist", frame->instruction - 4);
}
}

#define HOCKET_IN_ORDER_(number, function, arguments) \
  static_assert(static_cast<unsigned>(hocket::SystemCall::function) == number);
HOCKET_SYSTEM_CALLS(HOCKET_IN_ORDER_)
#undef HOCKET_IN_ORDER_
