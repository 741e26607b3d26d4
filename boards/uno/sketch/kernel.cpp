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

extern "C" void hocket_timer_interrupt() {
  hocket::uno::System::on_timer();
}
extern "C" void hocket_kick_interrupt() {
  hocket::uno::System::on_kick();
}

namespace hocket::uno {
namespace {

struct LoopState {
  System::Thread thread;  // first: a loop's memory begins with it
  System::Vcpu vcpu;
  void (*body)();
  uint32_t period;  // of a periodic loop, else 0
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
System::Thread* plain_thread;  // null: the sketch has no plain loop() besides

/// One call of a periodic loop's body for each release; those that an overrun has run into are
/// skipped.
void next_release(LoopState& self, uint32_t& release) {
  do {
    release += self.period;
  } while (static_cast<int32_t>(Clock::now() - release) > 0);
  System::sleep_until(System::Instant(static_cast<int32_t>(release)));
}

[[noreturn]] void run_loop(void* argument) {
  LoopState& self = *static_cast<LoopState*>(argument);
  auto release = static_cast<uint32_t>(self.thread.wake_at.ticks());
  for (;;) {
    self.body();
    asm volatile(".global hocket_iteration\nhocket_iteration:" ::: "memory");
    if (self.period != 0) next_release(self, release);
  }
}

void plain_body() {
  loop();
  if (&serialEventRun != nullptr) serialEventRun();
}

/// The plain loop(): 80 ms in every 100 ms.
[[gnu::section(".progmem.data")]] constexpr LoopEntry plain_entry = {
    &plain_body,
    nullptr,
    kDefaultStack,
    80 * kTicksPerMillisecond,
    100 * kTicksPerMillisecond,
    order_of(100 * kTicksPerMillisecond, 80 * kTicksPerMillisecond, 0),
    0,
    false,
    false};

/// The entries in flash, one after the other; the plain loop's is the last, where there is one.
const LoopEntry* after(const LoopEntry* entry) {
  if (entry == &plain_entry) return nullptr;
  if (++entry != hocket_loops_end) return entry;
  return &loop != nullptr ? &plain_entry : nullptr;
}

uint8_t rank_of(const LoopOrder& order) {
  uint8_t rank = 0;
  for (const LoopEntry* other = hocket_loops_begin; other != nullptr; other = after(other)) {
    if (memcmp_P(&order, &other->order, sizeof order) > 0) ++rank;
  }
  return rank;
}

/// A loop that begins at `at`.
void create(const LoopEntry& entry, System::Instant at) {
  LoopState& state = *construct<LoopState>(entry.memory);
  state.body = entry.body;
  state.period = entry.periodic ? entry.period : 0;
  System::core(0).policy.add(state.vcpu, static_cast<uint8_t>(1 + rank_of(entry.order)),
                             System::Duration(static_cast<int32_t>(entry.budget)),
                             System::Duration(static_cast<int32_t>(entry.period)),
                             System::Duration(kMinimumBudget), at);
  state.vcpu.background = entry.background;
  state.thread.id = entry.id;
  if (entry.id == 0) plain_thread = &state.thread;
  System::create(state.thread, state.vcpu, {entry.memory + kStateBytes, entry.stack_bytes},
                 &run_loop, &state);
  System::start(state.thread, at);
}

/// Null: there is no such loop. 0 is the plain one.
System::Thread* thread_of(uint8_t id) {
  if (id == 0) return plain_thread;
  for (const LoopEntry* entry = hocket_loops_begin; entry != hocket_loops_end; ++entry) {
    if (pgm_read_byte(&entry->id) != id) continue;
    const uint16_t memory = pgm_read_word(&entry->memory);
    return &reinterpret_cast<LoopState*>(memory)->thread;
  }
  return nullptr;
}

}  // namespace

void wait_until(uint32_t instant) {
  if (running) return System::sleep_until(System::Instant(static_cast<int32_t>(instant)));
  while (static_cast<int32_t>(Clock::now() - instant) < 0) {
  }
}

}  // namespace hocket::uno

namespace hocket::sys {

void yield() {
  if (uno::running) uno::System::yield();
}

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
  uno::Port::wake_from_anywhere([thread] { uno::System::resume(*thread); });
  return true;
}

}  // namespace hocket::sys

namespace hocket::uno {
namespace {

/// `plain_memory`: of the loop() besides the declared ones, null when there is none.
[[noreturn, gnu::noinline]] void run_loops(uint8_t* plain_memory) {
  asm volatile("cli" ::: "memory");
  System::init_core(0, Config::kSlots);
  running = true;
  // They are ready to go by then, all at once.
  const System::Instant at = System::now() + System::Duration(4 * kTicksPerMillisecond);
  for (const LoopEntry* from = hocket_loops_begin; from != nullptr; from = after(from)) {
    LoopEntry entry;
    memcpy_P(&entry, from, sizeof entry);
    if (entry.memory == nullptr) entry.memory = plain_memory;
    create(entry, at);
  }
  Port::idle_mode();
  System::run_core();
}

/// Its frame, which lasts, is the loop's memory. (What clang for AVR makes of alloca() is broken.)
[[noreturn, gnu::noinline]] void run_loops_and_plain() {
  uint8_t memory[kStateBytes + kDefaultStack];
  run_loops(memory);
}

}  // namespace
}  // namespace hocket::uno

void hocket_run_loops() {
  if (&loop != nullptr) hocket::uno::run_loops_and_plain();
  hocket::uno::run_loops(nullptr);
}
