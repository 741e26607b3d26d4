// The declared loops of a sketch on the Uno: threads on virtual CPUs, at the priorities that the
// admission test has (which a computer has done: `hocket run`, `check`, `build`).
//
//   a loop's memory:  [ LoopState ][ stack ]       in its own array (board_loops.h)
//
// The plain loop(), where there is one besides, has 80 ms in every 100 ms; its memory is taken from
// the stack of main(), which only waits from here on.
#include <avr/pgmspace.h>

#include "arduino/api/Common.h"
#include "arduino/runtime/system.h"
#include "boards/uno/sketch/board_loops.h"
#include "boards/uno/sketch/core.h"
#include "boards/uno/sketch/layout.h"
#include "boards/uno/sketch/machine.h"
#include "kernel/base/construct.h"

extern "C" {
extern const hocket::uno::LoopEntry hocket_loops_begin[];
extern const hocket::uno::LoopEntry hocket_loops_end[];
void loop() __attribute__((weak));
}
void serialEventRun() __attribute__((weak));
asm(".weak loop\n.weak _Z14serialEventRunv");  // as in core.cpp

HOCKET_AVR8_VECTORS(hocket::uno::Port)

namespace hocket::uno {
namespace {
/// What the next kick does first. (A pointer: who never calls unpark() does without its code.)
void (*left_to_kick)() = nullptr;
}  // namespace
}  // namespace hocket::uno

extern "C" void hocket_timer_interrupt() {
  hocket::uno::System::on_timer();
}
extern "C" void hocket_kick_interrupt() {
  if (hocket::uno::left_to_kick != nullptr) hocket::uno::left_to_kick();
  hocket::uno::System::on_kick();
}

namespace hocket::uno {
namespace {

struct LoopState {
  System::Thread thread;  // first: a loop's memory begins with it
  System::Vcpu vcpu;
};
static_assert(sizeof(LoopState) == kStateBytes, "HOCKET_LOOP_STATE_BYTES in CMakeLists.txt");
static_assert(kSmallestStack == Port::kSmallestStack);

// AVR aligns nothing and these classes have no virtual bases: places in them are constants.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winvalid-offsetof"
constexpr uint8_t in_thread(size_t place) {
  return static_cast<uint8_t>(offsetof(LoopState, thread) + place);
}
constexpr uint8_t in_vcpu(size_t place) {
  return static_cast<uint8_t>(offsetof(LoopState, vcpu) + place);
}
using Refills = decltype(System::Vcpu::refills);

[[gnu::used, gnu::section("hocket_declared")]] constexpr KernelLayout<const void*> layout = {
    .record_bytes = sizeof(KernelLayout<const void*>),
    .zero = {},
    .current = &System::core(0).current,
    .idle = &System::core(0).idle,
    .thread_state = in_thread(offsetof(System::Thread, state)),
    .wake_at = in_thread(offsetof(System::Thread, wake_at)),
    .vcpu_state = in_vcpu(offsetof(System::Vcpu, state)),
    .head_refill = in_vcpu(offsetof(System::Vcpu, refills) + Refills::place_of_head()),
    .refill_amount = offsetof(Refills::Refill, amount),
    .refill_time = offsetof(Refills::Refill, time),
    .thread_ready = static_cast<uint8_t>(ThreadState::Ready),
    .thread_sleeping = static_cast<uint8_t>(ThreadState::Sleeping),
    .thread_waiting = static_cast<uint8_t>(ThreadState::Waiting),
    .thread_suspended = static_cast<uint8_t>(ThreadState::Suspended),
    .vcpu_ready = static_cast<uint8_t>(System::Vcpu::State::Ready),
    .state_bytes = kStateBytes,
    .plain_stack = kDefaultStack,
    .tick_hz = Port::kTickHz};
#pragma clang diagnostic pop

bool running = false;
uint8_t* plain_memory;  // of the loop() besides the declared ones; null: there is none

/// Words of a loop's entry, which lies in flash.
template <class Word>
Word in_flash(Word const& word) {
  static_assert(sizeof(Word) == 2);
  return reinterpret_cast<Word>(pgm_read_word(&word));
}

[[noreturn]] void run_loop(void* argument) {
  const auto& entry = *static_cast<const LoopEntry*>(argument);
  const auto body = in_flash(entry.body);
  const auto wait = in_flash(entry.wait);
  auto release = static_cast<uint32_t>(System::self().wake_at.ticks());
  for (;;) {
    body();
    asm volatile(".global hocket_iteration\nhocket_iteration:" ::: "memory");
    if (wait != nullptr) release = wait(release, entry);
  }
}

void plain_body() {
  loop();
  if (&serialEventRun != nullptr) serialEventRun();
}

/// The plain loop(): 80 ms in every 100 ms. The linker puts it behind the declared ones
/// (sketch.ld).
[[gnu::used, gnu::section("hocket_plain_loop")]] constexpr LoopEntry plain_entry = {
    &plain_body,
    nullptr,
    nullptr,
    kDefaultStack,
    80 * kTicksPerMillisecond,
    100 * kTicksPerMillisecond,
    order_of(100 * kTicksPerMillisecond, 80 * kTicksPerMillisecond, 0),
    0,
    false};

const LoopEntry* end_of_loops() {
  return plain_memory != nullptr ? hocket_loops_end + 1 : hocket_loops_end;
}

uint8_t rank_of(const LoopOrder& order) {
  uint8_t rank = 0;
  for (const LoopEntry* other = hocket_loops_begin; other != end_of_loops(); ++other) {
    if (memcmp_P(&order, &other->order, sizeof order) > 0) ++rank;
  }
  return rank;
}

/// The loop of the entry `from`, to begin at `at`.
void create(const LoopEntry* from, System::Instant at) {
  LoopEntry entry;
  memcpy_P(&entry, from, sizeof entry);
  if (entry.memory == nullptr) entry.memory = plain_memory;
  LoopState& state = *construct<LoopState>(entry.memory);
  System::core(0).policy.add(state.vcpu, static_cast<uint8_t>(1 + rank_of(entry.order)),
                             System::Duration(static_cast<int32_t>(entry.budget)),
                             System::Duration(static_cast<int32_t>(entry.period)),
                             System::Duration(kMinimumBudget), at);
  state.vcpu.background = entry.background;
  state.thread.id = entry.id;
  System::create(state.thread, state.vcpu, {entry.memory + kStateBytes, entry.stack_bytes},
                 &run_loop, const_cast<LoopEntry*>(from));
  System::start(state.thread, at);
}

System::Thread& thread_at(const LoopEntry* entry) {
  const auto memory = reinterpret_cast<void*>(pgm_read_word(&entry->memory));
  return *static_cast<System::Thread*>(memory != nullptr ? memory : plain_memory);
}

/// Null: there is no such loop. 0 is the plain one.
System::Thread* thread_of(uint8_t id) {
  for (const LoopEntry* entry = hocket_loops_begin; entry != end_of_loops(); ++entry) {
    if (pgm_read_byte(&entry->id) == id) return &thread_at(entry);
  }
  return nullptr;
}

/// Threads that suspended themselves before they were told to go on, where interrupts were masked.
void wake_told() {
  left_to_kick = nullptr;
  for (const LoopEntry* entry = hocket_loops_begin; entry != end_of_loops(); ++entry) {
    System::Thread& thread = thread_at(entry);
    const bool suspended =
        thread.state == ThreadState::Suspended || thread.state == ThreadState::SuspendedUntil;
    if (!thread.resumed || !suspended) continue;
    thread.resumed = false;
    System::resume(thread);
  }
}

}  // namespace

/// Releases that an overrun has run into are skipped.
uint32_t next_release(uint32_t release, const LoopEntry& entry) {
  uint32_t period;
  memcpy_P(&period, &entry.period, sizeof period);
  do {
    release += period;
  } while (static_cast<int32_t>(Clock::now() - release) > 0);
  System::sleep_until(System::Instant(static_cast<int32_t>(release)));
  return release;
}

void wait_until(uint32_t instant) {
  if (running) return System::sleep_until(System::Instant(static_cast<int32_t>(instant)));
  while (static_cast<int32_t>(Clock::now() - instant) < 0) {
  }
}

void pause() {
  if (running) wait_until(Clock::now() + kTicksPerMillisecond / 2);
}

}  // namespace hocket::uno

namespace hocket::sys {

unsigned loop_id() {
  return uno::running ? uno::System::self().id : 0;
}

bool park_until_ns(uint64_t instant_ns) {
  if (!uno::running) return uno::park_alone(instant_ns);
  if (instant_ns == UINT64_MAX) {
    uno::System::suspend_self();
    return true;
  }
  const uint64_t until = uno::ticks_up(instant_ns);
  for (;;) {
    const uint64_t now = uno::Clock::long_now();
    const bool far = until > now;
    const uint32_t at = far ? uno::next_piece(now, until) : static_cast<uint32_t>(now);
    const bool permit =
        uno::System::suspend_self_until(uno::System::Instant(static_cast<int32_t>(at)));
    if (permit || !far) return permit;
  }
}

bool unpark(unsigned loop) {
  if (!uno::running) return uno::unpark_alone(loop);
  uno::System::Thread* thread = uno::thread_of(static_cast<uint8_t>(loop));
  if (loop > LoopDescriptor::kHighestId || thread == nullptr) return false;
  if (!uno::Port::masked_by_caller()) {
    uno::System::resume(*thread);
    return true;
  }
  // A handler of attachInterrupt() runs to its end, and so does what stands between noInterrupts()
  // and interrupts(), before the loop does.
  thread->resumed = true;
  uno::left_to_kick = &uno::wake_told;
  uno::Port::core_kick(0);
  return true;
}

}  // namespace hocket::sys

namespace hocket::uno {
namespace {

[[noreturn, gnu::noinline]] void run_loops() {
  asm volatile("cli" ::: "memory");
  System::init_core(0, Config::kSlots);
  running = true;
  // They are ready to go by then, all at once.
  const System::Instant at = System::now() + System::Duration(4 * kTicksPerMillisecond);
  for (const LoopEntry* entry = hocket_loops_begin; entry != end_of_loops(); ++entry) {
    create(entry, at);
  }
  Port::idle_mode();
  System::run_core();
}

/// Its frame, which lasts, is the loop's memory. (What clang for AVR makes of alloca() is broken.)
[[noreturn, gnu::noinline]] void run_loops_and_plain() {
  uint8_t memory[kStateBytes + kDefaultStack];
  plain_memory = memory;
  run_loops();
}

}  // namespace
}  // namespace hocket::uno

void hocket_run_loops() {
  if (&loop != nullptr) hocket::uno::run_loops_and_plain();
  hocket::uno::run_loops();
}
