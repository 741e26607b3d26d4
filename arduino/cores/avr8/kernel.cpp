// Runs the declared loops of a sketch on the Uno: threads on virtual CPUs, at the priorities of the
// admission test. (The host computer makes that test: `hocket run`, `check`, `build`.)
//
//   a loop's memory:  [ LoopState ][ stack ]       in its own array (board_loops.h)
//
// The memory of an additional plain loop() comes from the stack of main(), which only waits from
// here on.
#include <avr/pgmspace.h>
#include <string.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/board_clock.h"
#include "arduino/cores/avr8/board_loops.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/layout.h"
#include "arduino/cores/avr8/loop_set.h"
#include "arduino/cores/avr8/machine.h"
#include "arduino/cores/avr8/storm.h"
#include "arduino/cores/avr8/tick_costs.h"
#include "arduino/runtime/defaults.h"
#include "arduino/runtime/parking.h"
#include "arduino/runtime/releases.h"
#include "arduino/runtime/start.h"
#include "arduino/runtime/system.h"

extern "C" {
extern const hocket::uno::LoopEntry hocket_loops_begin[];
extern const hocket::uno::LoopEntry hocket_loops_end[];
void loop() __attribute__((weak));
}
void serialEventRun() __attribute__((weak));
/// Marks the end of a loop's body for the simulator (simulation/avr/watcher.h).
extern "C" [[gnu::noinline]] void hocket_iteration() {
  asm volatile("");
}
extern "C" {
void hocket_handlers_pay(uint16_t ticks) __attribute__((weak));  // let_in.h
}
// switch.S has weak versions of the last two. A file that attaches handlers replaces them
// (let_in.h).
asm(".weak hocket_handlers_pay, hocket_act_upon_handlers, hocket_now_behind_handlers\n"
    ".weak loop\n.weak _Z14serialEventRunv");  // as in core.cpp

// Without attached handlers there is nothing to hold back (let_in.h).
asm(".section .text.hocket_hold_section,\"ax\",@progbits\n"
    ".weak hocket_hold_section, hocket_let_section\n"
    "hocket_hold_section:\nhocket_let_section: ret\n"
    ".text\n");
// Without handlers that wake loops there is nothing to pay for (woken_behind.h).
asm(".section .text.hocket_woken_behind,\"ax\",@progbits\n"
    ".weak hocket_woken_behind\n"
    "hocket_woken_behind: ret\n"
    ".text\n");

#ifdef HOCKET_KERNEL_TICK
extern "C" void hocket_pass_over(uint16_t took);
/// A tick that finds nothing due is not charged to the interrupted loop.
extern "C" void hocket_timer_interrupt() {
  const bool due = hocket::uno::Port::on_tick([] { hocket::uno::System::on_timer(); });
  if (!due && !hocket::avr8::flag<hocket::avr8::kIdle>()) {
    hocket_pass_over(hocket::uno::kTickFrame);
  }
}
#else
extern "C" void hocket_timer_interrupt() {
  hocket::uno::System::on_timer();
}
#endif
/// This interrupt only lets the kernel act upon what has been recorded, and each wake-up there
/// makes its own decision. A further decision would spare the running loop an interrupt that the
/// loop itself may have caused, by v() between noInterrupts() and interrupts().
extern "C" void hocket_reschedule_interrupt() {}
extern "C" void hocket_interrupt_exit() {
  hocket::uno::System::after_interrupt();
}

extern "C" bool hocket_loops_run;  // also read by spinlocks (system.cpp)
bool hocket_loops_run = false;

#ifdef HOCKET_KERNEL_ALARMS
#include "arduino/cores/avr8/kernel_alarms.h"
#endif

namespace hocket::uno {
namespace {

using LoopState = System::Thread;  // includes its virtual CPU
using Entity = System::Policy::Entity;
static_assert(sizeof(LoopState) == kStateBytes, "HOCKET_LOOP_STATE_BYTES in CMakeLists.txt");
static_assert(kSmallestStack == Port::kSmallestStack);
static_assert(compares_deadlines(kernel_policies::Chosen::kComparesDeadlines
                                     ? PolicyNumber::Edf
                                     : PolicyNumber::Vcpu) ==
              compares_deadlines(policies::Chosen::kNumber));

// AVR has no alignment and these classes have no virtual bases, so member offsets are constants.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winvalid-offsetof"
constexpr uint8_t kEntity = sizeof(System::Runner);  // offset of the entity in a loop's state
using Server = decltype(Entity::server);
constexpr PolicyNumber kPolicy = policies::Chosen::kNumber;

using Core = __remove_reference_t(decltype(System::core(0)));
static_assert(offsetof(Core, next) == offsetof(Core, current) + 2, "KernelLayout::current");

/// Offsets of a refill's time and amount, if the policy has refills.
struct HeadPlaces {
  uint8_t head = 0, amount = 0, time = 0;

  template <class S>
  static consteval HeadPlaces in() {
    if constexpr (has_budgets(kPolicy)) {
      return {kEntity + offsetof(Entity, server) + S::place_of_head(),
              offsetof(typename S::Refill, amount), offsetof(typename S::Refill, time)};
    }
    return {};
  }
};

[[gnu::used, gnu::section("hocket_declared")]] constexpr KernelLayout<const void*> layout = {
    .record_bytes = sizeof(KernelLayout<const void*>),
    .zero = 0,
    .policy = kPolicy,
    .current = &System::core(0).current,
    .idle = &System::idle(0),
    .thread_state = offsetof(LoopState, state),
    .wake_at = kEntity + offsetof(Entity, wake_at),
    .vcpu_state = kEntity + offsetof(Entity, state),
    .head_refill = HeadPlaces::in<Server>().head,
    .refill_amount = HeadPlaces::in<Server>().amount,
    .refill_time = HeadPlaces::in<Server>().time,
    .thread_ready = static_cast<uint8_t>(ThreadState::Ready),
    .thread_sleeping = static_cast<uint8_t>(ThreadState::Sleeping),
    .thread_waiting = static_cast<uint8_t>(ThreadState::Waiting),
    .thread_suspended = static_cast<uint8_t>(ThreadState::Suspended),
    .vcpu_ready = static_cast<uint8_t>(Entity::State::Ready),
    .state_bytes = kStateBytes,
    .plain_stack = kDefaultStack,
    .tick_hz = Port::kTickHz};
#pragma clang diagnostic pop

uint8_t* plain_memory;  // memory of a plain loop() beside declared ones; null: there is none

/// Reads a word of a loop's entry, which is in flash.
template <class Word>
Word in_flash(Word const& word) {
  static_assert(sizeof(Word) == 2);
  return reinterpret_cast<Word>(pgm_read_word(&word));
}

[[noreturn]] void run_loop(void* argument) {
  System::begin_thread();
  const auto& entry = *static_cast<const LoopEntry*>(argument);
  const auto run = in_flash(entry.run);
  if (run != nullptr) run(entry);
  const auto body = in_flash(entry.body);
  for (;;) {
    body();
    hocket_iteration();
  }
}

void plain_body() {
  loop();
  if (&serialEventRun != nullptr) serialEventRun();
}

/// The entry of the plain loop(). The linker places it after the declared ones (sketch.ld).
[[gnu::used, gnu::section("hocket_plain_loop")]] constexpr LoopEntry plain_entry =
    entry(plain_loop(&plain_body), nullptr, kDefaultStack);

const LoopEntry* end_of_loops() {
  return plain_memory != nullptr ? hocket_loops_end + 1 : hocket_loops_end;
}

uint8_t rank_of(const policies::Chosen::Key<Ticks>& priority) {
  uint8_t rank = 0;
  for (const LoopEntry* other = hocket_loops_begin; other != end_of_loops(); ++other) {
    if (memcmp_P(&priority, &other->priority, sizeof priority) > 0) ++rank;
  }
  return rank;
}

/// Defines symbols from which the linker computes the costs of the image (sketch.ld).
[[gnu::always_inline]] inline void tell_costs() {
  constexpr CostByLoops kSwitches = Machine::kByDeadline ? kDeadlineSwitch : kSwitch;
  asm volatile(
      ".global hocket_switch_of_one\n.set hocket_switch_of_one, %0\n"
      ".global hocket_switch_of_two\n.set hocket_switch_of_two, %1\n"
      ".global hocket_switch_each_further\n.set hocket_switch_each_further, %2\n"
      ".global hocket_switch_beside_handlers\n.set hocket_switch_beside_handlers, %3\n"
      ".global hocket_entry_alone\n.set hocket_entry_alone, %4\n"
      ".global hocket_entry_beside_devices\n.set hocket_entry_beside_devices, %5\n"
      ".global hocket_switch_beside_spinlocks\n.set hocket_switch_beside_spinlocks, %6" ::"i"(
          kSwitches.one),
      "i"(kSwitches.two), "i"(kSwitches.each_further), "i"(kBesideHandlersTicks), "i"(kEntryTicks),
      "i"(kEntryTicks + kNotGivenBack), "i"(kBesideSpinlocksTicks));
}

/// Creates the loop of the entry `from`. It begins at `at`.
void create(const LoopEntry* from, System::Instant at) {
  LoopEntry entry;
  memcpy_P(&entry, from, sizeof entry);
  entry.budget += static_cast<uint32_t>(System::Charges::activation().ticks());  // C'
  if (entry.memory == nullptr) entry.memory = plain_memory;
  // SAFETY: a loop's state may start as all zeros; everything else is written below.
  memset(entry.memory, 0, kStateBytes);
  LoopState& state = *reinterpret_cast<LoopState*>(entry.memory);
  const uint8_t rank = rank_of(entry.priority);
  kernel_policies::add(state, entry, rank, at, [&](auto... contract) {
    runtime::create_loop<System>(state, rank, entry.background, state, entry.id,
                                 {entry.memory + kStateBytes, entry.stack_bytes}, &run_loop,
                                 const_cast<LoopEntry*>(from), {}, contract...);
  });
  System::start(state, at);
}

System::Thread& thread_at(const LoopEntry* entry) {
  const auto memory = reinterpret_cast<void*>(pgm_read_word(&entry->memory));
  return *static_cast<System::Thread*>(memory != nullptr ? memory : plain_memory);
}

/// The entry with this number; 0 is the plain loop. Null: there is none.
const LoopEntry* entry_of(uint8_t id) {
  for (const LoopEntry* entry = hocket_loops_begin; entry != end_of_loops(); ++entry) {
    if (pgm_read_byte(&entry->id) == id) return entry;
  }
  return nullptr;
}

/// Surrounds a wait of the calling loop. If the loop is between noInterrupts() and interrupts(),
/// handlers of attachInterrupt() are held back meanwhile, because interrupts are enabled while
/// other loops run.
class WaitInSection {
 public:
  /// (Both called functions preserve all registers but r0, so the common wait costs only four
  /// cycles more each.)
  HOCKET_IN_LINE WaitInSection() {
    asm volatile("in r0, 0x3f\n sbrs r0, 7\n call hocket_hold_section" ::: "r0", "memory");
  }
  HOCKET_IN_LINE ~WaitInSection() {
    asm volatile("in r0, 0x3f\n sbrs r0, 7\n call hocket_let_section" ::: "r0", "memory");
  }
  WaitInSection(const WaitInSection&) = delete;
  WaitInSection& operator=(const WaitInSection&) = delete;
};

/// The same, if interrupts are masked by now; the argument says how they were before.
class WaitInSectionOf {
 public:
  HOCKET_IN_LINE explicit WaitInSectionOf(uint8_t state) : state_(state) {
    asm volatile("sbrs %0, 7\n call hocket_hold_section" ::"r"(state_) : "r0", "memory");
  }
  HOCKET_IN_LINE ~WaitInSectionOf() {
    asm volatile("sbrs %0, 7\n call hocket_let_section" ::"r"(state_) : "r0", "memory");
  }
  WaitInSectionOf(const WaitInSectionOf&) = delete;
  WaitInSectionOf& operator=(const WaitInSectionOf&) = delete;

 private:
  uint8_t state_;
};

/// Whether a wait until `until` must return at once when interrupts are masked. They are masked in
/// a section, where waiting is legal, or in a handler, where it is not.
HOCKET_IN_LINE bool ends_at_once(System::Instant until) {
  return (SREG & 1 << SREG_I) == 0 && until <= System::now();
}

/// The clock as runtime::park_until() needs it.
struct Parking : Clock {
  static uint32_t next_piece(uint64_t now, uint64_t until) { return uno::next_piece(now, until); }
};

/// The kernel as runtime::park_until() needs it. All work is done on main()'s stack.
struct Suspending {
  using Instant = System::Instant;
  static void suspend_self() {
    const WaitInSection section;
    Port::on_main_stack([] { System::suspend_self(); });
  }
  static bool suspend_self_until(Instant until) {
    if (ends_at_once(until)) return System::suspension_was_ended();
    const WaitInSection section;
    Port::on_main_stack([until] { System::begin_suspension(until); });
    return System::suspension_was_ended();
  }
};

[[gnu::noinline]] void sleep_until(uint32_t instant) {
  if (ends_at_once(System::Instant(static_cast<int32_t>(instant)))) return;
  const WaitInSection section;
  Port::on_main_stack(
      [instant] { System::sleep_until(System::Instant(static_cast<int32_t>(instant))); });
}

// Pending unparks: the first one of a loop that waits, and a bit for the entry of each other one.
System::Thread* unparked_first;
LoopSet<kMostLoops> unparked;
// Acts upon records; null until a loop first waits for one, so that sketches without such waits do
// not link the code.
void (*on_recorded)();
bool has_unparked() {
  return unparked_first != nullptr || !unparked.empty();
}

/// Out of line: handlers call v() more often, and that path must not save the registers for this.
/// The entry of an interrupt lasts until the kernel reads the clock for the first loop. That one is
/// therefore not looked for.
[[gnu::noinline]] void act_upon_unparked() {
  System::Thread* first;
  LoopSet<kMostLoops> left;
  {
    const Masked masked;
    first = unparked_first;
    unparked_first = nullptr;
    left = unparked;
    unparked.clear();
  }
  if (first != nullptr) System::resume_at_exit(*first, System::InHandler::here());
  left.take_each(&hocket_loops_begin[0], [](const LoopEntry* entry) {
    System::resume_at_exit(thread_at(entry), System::InHandler::here());
  });
}

/// Acts upon what handlers have recorded. On the kernel's side.
void act_upon_recorded() {
  Waiting* waiting;
  {
    const Masked masked;
    waiting = woken;
    woken = nullptr;
  }
  while (waiting != nullptr) {
    auto& thread = *static_cast<System::Thread*>(waiting->thread);
    waiting = waiting->next;
    System::wake_at_exit(thread, System::InHandler::here());
  }
  if (has_unparked()) act_upon_unparked();
}

}  // namespace

/// A section may take twice the loop's period: within that time the loop gets its whole budget,
/// whenever the section begins.
extern "C" void hocket_loop_in_section(LoopInSection* loop) {
  loop->id = static_cast<uint8_t>(System::self().id);
  const LoopEntry* const entry = entry_of(loop->id);
  loop->mark = LoopSet<kMostLoops>::mark(static_cast<uint8_t>(entry - hocket_loops_begin));
  const uint32_t period = pgm_read_dword(&entry->period);
  loop->matches = static_cast<uint16_t>(smaller<uint32_t>(2 * (period / kMatch) + 3, 0xffff));
}

/// For storm control (storm.h). The alarm moves by the same time; otherwise it would fire for
/// nothing.
extern "C" [[gnu::used]] void hocket_pass_over(uint16_t took) {
  const System::LockedCore core = System::LockedCore::take(System::core(0));
  const System::Instant limit = core->policy.limit();
  const Wakeup answer = core->policy.pass_over(System::Duration(took));
  core.give_back();
  if (answer == Wakeup::Same) return;
#ifdef HOCKET_KERNEL_TICK
  static_cast<void>(limit);  // the tick that finds the limit due asks the kernel again
#else
  Port::Alarm::alarm_later(static_cast<uint32_t>(limit.ticks()), took);
#endif
}

/// The time from an interrupt's entry to the loop that it wakes, in the smallest image with a
/// second loop.
constexpr Ticks kLeastActivation =
    kEntryTicks + (Machine::kByDeadline ? kDeadlineSwitch : kSwitch).two;

/// The kernel made a loop ready while another loop ran, and that work is not the running loop's
/// time. The woken loop pays for an interrupt without a switch (docs/decisions/who-pays.md, rule
/// 3). It is not woken again before it has run, so admission counts one such payment of each loop
/// before all others (arduino/cores/avr8/image/admission.cpp).
extern "C" [[gnu::used]] void hocket_pay_for_wake_up(LoopState* woken) {
  if constexpr (!has_budgets(kPolicy)) return;
  constexpr auto kInterrupt = System::Charges::interrupt();
  static_assert(kInterrupt.ticks() <= kLeastActivation,
                "an interrupt costs no more than the least activation");
  const System::LockedCore core = System::LockedCore::take(System::core(0));
  // (A loop without budget has already paid when it was woken: StateMachine::go_in.)
  if (!core->policy.waits(*woken)) woken->server.consume(kInterrupt);
  const Masked masked;
  hocket_pass_over(static_cast<uint16_t>(kInterrupt.ticks()));
}

/// The time that pin handlers have taken in this section of the kernel (switch.S). Masked. The
/// kernel still has to act upon what they have recorded.
extern "C" [[gnu::used]] void hocket_handlers_took() {
  uint16_t taken = hocket_taken_in_section;
  hocket_taken_in_section = 0;
#ifdef HOCKET_KERNEL_ALARMS
  if (all_is_spared) taken = 0;
#endif
  if (taken != 0) hocket_pass_over(taken);
  if (woken == nullptr && !has_unparked()) avr8::clear_flag<avr8::kRecorded>();
}

extern "C" [[gnu::used]] uint32_t hocket_now_in_section(uint8_t state) {
  return Port::Clock::now_masked(state);
}

/// For characters that are sent (device_time.h). Handlers of attachInterrupt() pay out of their own
/// budget. A caller that has masked interrupts cannot wait for budget, so that is an overrun.
extern "C" [[gnu::used]] void hocket_pay(uint16_t ticks) {
  if constexpr (!has_budgets(kPolicy)) return;
  while (ticks != 0) {
    const Masked masked;
    if (avr8::flag<avr8::kKernel>()) {
#ifdef HOCKET_KERNEL_ALARMS
      if (hocket_in_alarm) return alarm_account.take(ticks);
#endif
      if (&hocket_handlers_pay != nullptr) hocket_handlers_pay(ticks);
      return;
    }
    const System::LockedCore core = System::LockedCore::take(System::core(0));
    auto& policy = core->policy;
    // In idle time, and before the loops begin, no budget is charged.
    if (policy.running() == nullptr || policy.running_in_background()) return;
    const int32_t left = (policy.limit() - System::now()).ticks();
    uint16_t part = ticks;
    int32_t then = left - static_cast<int32_t>(ticks);
    if (then < 0) {
      then = 0;
      if ((masked.before() & 1 << SREG_I) != 0) {
        if (left <= 0) continue;  // continues here when it has budget again
        part = static_cast<uint16_t>(left);
      }
    }
    static_cast<void>(policy.pass_over(System::Duration(-static_cast<int32_t>(part))));
#ifdef HOCKET_KERNEL_TICK
    Port::alarm_by(policy.limit().ticks());
    static_cast<void>(then);
#else
    Port::Alarm::alarm_by(static_cast<uint32_t>(policy.limit().ticks()),
                          static_cast<uint32_t>(then));
#endif
    ticks -= part;
  }
}

void run_periodic(const LoopEntry& entry) {
  const auto body = in_flash(entry.body);
  uint32_t period;
  memcpy_P(&period, &entry.period, sizeof period);
  uint64_t release = Clock::long_now();  // a few ticks before now, namely at wake_at
  release -= static_cast<uint32_t>(release) - static_cast<uint32_t>(System::self().wake_at.ticks());
  for (;;) {
    body();
    hocket_iteration();
    // 48 bits: a call may last longer than the range in which the kernel's instants can be
    // compared.
    release = runtime::next_release<runtime::BitByBit<48>>(release, period,
                                                           [] { return Clock::long_now(); });
    sleep_until(static_cast<uint32_t>(release));
  }
}

void wait_until(uint32_t instant) {
  if (hocket_loops_run) return sleep_until(instant);
  while (static_cast<int32_t>(Clock::now() - instant) < 0) {
  }
}

void* this_thread() {
  return hocket_loops_run ? &System::self() : nullptr;
}

void wait(bool (*begins)(Waiting&), Waiting& waiting) {
  const uint8_t state = Port::irq_save();
  on_recorded = &act_upon_recorded;
  if (begins(waiting)) {
    const WaitInSectionOf section(state);
    Port::on_main_stack([] { System::wait([](System::Thread&) {}); });
  }
  Port::irq_restore(state);
}

void wake_now() {
  const uint8_t state = Port::irq_save() | 1 << SREG_I;
  avr8::set_flag<avr8::kRecorded>();
  Port::irq_restore(state);
}

void pause() {
  if (hocket_loops_run) wait_until(Clock::now() + kTicksPerMillisecond / 2);
}

}  // namespace hocket::uno

namespace hocket::uno {

bool park_until_ticks(uint64_t instant) {
  if (!hocket_loops_run) return park_alone(instant);
  return runtime::park_until<Suspending, Parking>(instant);
}

}  // namespace hocket::uno

namespace hocket::sys {

unsigned loop_id() {
  return hocket_loops_run ? uno::System::self().id : 0;
}

bool park_until_ns(uint64_t instant_ns) {
  return uno::park_until_ticks(uno::ticks_up(instant_ns));
}

bool unpark(unsigned loop) {
  if (!hocket_loops_run) return uno::unpark_alone(loop);
  const uno::LoopEntry* const entry = uno::entry_of(static_cast<uint8_t>(loop));
  if (loop > LoopDescriptor::kHighestId || entry == nullptr) return false;
  // A handler of attachInterrupt(), or a section between noInterrupts() and interrupts(), runs to
  // its end before the loop goes on.
  const uno::Masked masked;
  // The loop already has a permit. (Returning here avoids a useless pass through the kernel after
  // each edge of a storm, which would be charged to the running loop.)
  auto& thread = uno::thread_at(entry);
  if (thread.resumed) return true;
  // Nor is there work for the kernel if the loop does not wait. (The running loop may be about to.)
  const bool waits =
      thread.state == ThreadState::Suspended || thread.state == ThreadState::SuspendedUntil;
  if (!waits && &thread != &uno::System::self()) return thread.resumed = true;
  uno::on_recorded = &uno::act_upon_recorded;
  const auto mark =
      uno::LoopSet<uno::kMostLoops>::mark(static_cast<uint8_t>(entry - hocket_loops_begin));
  if (waits && uno::unparked_first == nullptr && !uno::unparked.has(mark)) {
    uno::unparked_first = &thread;
  } else if (uno::unparked_first != &thread) {
    uno::unparked.add(mark);
  }
  if ((masked.before() & 1 << SREG_I) != 0) {
    uno::wake_now();
  } else {
    uno::recorded();
  }
  return true;
}

}  // namespace hocket::sys

namespace hocket::uno {
namespace {

/// The idle thread's stack begins at `top`. Of the stack content above, only the plain loop's
/// memory is still used.
[[noreturn, gnu::noinline]] void run_loops(uint16_t top) {
  tell_costs();
  static_cast<void>(Port::irq_save());  // until the idle thread enables interrupts
#ifdef HOCKET_KERNEL_TICK
  Port::start_ticking();
#endif
  System::init_core(0, Config::kSlots);
  hocket_loops_run = true;
  // At that instant all loops are created, and they become ready together.
  const System::Instant at = System::now() + System::Duration(4 * kTicksPerMillisecond);
  for (const LoopEntry* entry = hocket_loops_begin; entry != end_of_loops(); ++entry) {
    create(entry, at);
  }
#ifdef HOCKET_KERNEL_ALARMS
  hocket_alarms_changed();
#endif
  System::rearm(System::InHandler::here());  // the first decision is at that instant
  Port::idle_mode();
  asm volatile("cli\n out 0x3e, %B0\n out 0x3d, %A0\n" ::"r"(top) : "memory");
  System::run_core();
}

/// The frame of this function, which never returns, is the loop's memory. (clang for AVR
/// miscompiles alloca().)
[[noreturn, gnu::noinline]] void run_loops_and_plain() {
  uint8_t memory[kStateBytes + kDefaultStack];
  plain_memory = memory;
  run_loops(reinterpret_cast<uint16_t>(memory) - 1);
}

}  // namespace
}  // namespace hocket::uno

HOCKET_AVR8_VECTORS(hocket::uno::Port, [] {
  if (hocket::uno::on_recorded != nullptr) hocket::uno::on_recorded();
})

void hocket_run_loops() {
  if (&loop != nullptr) hocket::uno::run_loops_and_plain();
  hocket::uno::run_loops(RAMEND);
}
