// Loading, starting and running the loops of a sketch (see runtime.h).
#include "arduino/runtime/runtime.h"

#include "arduino/runtime/system.h"
#include "kernel/base/atomic.h"
#include "kernel/base/text.h"
#include "kernel/task/ticket_lock.h"

// The table of declared loops (loops.h), and what an Arduino sketch may or may not define.
extern "C" {
extern const hocket::LoopDescriptor* const __start_hocket_loops[] __attribute__((weak));
extern const hocket::LoopDescriptor* const __stop_hocket_loops[] __attribute__((weak));
void setup() __attribute__((weak));
void loop() __attribute__((weak));
}
/// Calls serialEvent() where the sketch has one: part of the plain loop's contract.
void serialEventRun() __attribute__((weak));

namespace hocket::runtime {
namespace {

// Qduino's default for a plain loop() (Qduino, section II-C).
constexpr LoopDescriptor kPlainLoopDescriptor{.body = &::loop,
                                              .file = "",
                                              .budget_ns = 80'000'000,
                                              .period_ns = 100'000'000,
                                              .deadline_ns = 100'000'000,
                                              .stack_bytes = 0,
                                              .line = 0,
                                              .id = kPlainLoop,
                                              .core = LoopDescriptor::kAnyCore,
                                              .kind = LoopKind::Loop,
                                              .background = false};
constexpr uint16_t kSetupThread = 0;  // loop i is thread i + 1
constexpr uint64_t kThreadKindSetup = 2;
constexpr Ticks kIterationLogGap = Rate::ticks_up(100'000);  // least time between two events
constexpr Ticks kStartDelay = Rate::ticks_up(1'000'000);  // from setup()'s end to the first release

Loop loops[Board::kMaxLoops];
unsigned loops_used = 0;
System::Vcpu setup_vcpu;
System::Thread setup_thread;
port::Stack setup_stack;
Phase the_phase = Phase::Loading;
Atomic<bool> core_is_ready[Board::Port::kCores];  // its loops can be started
char message[160];

System::Duration duration(uint64_t ticks) {
  return System::Duration(static_cast<Ticks>(ticks));
}

const char* add(const LoopDescriptor& descriptor) {
  for (unsigned i = 0; i < loops_used; ++i) {
    const LoopDescriptor& other = *loops[i].descriptor;
    if (other.id != descriptor.id) continue;
    TextWriter(message, sizeof message)
        .put("loop ", descriptor.id, " is declared twice: ", other.file, ':', other.line, " and ",
             descriptor.file, ':', descriptor.line);
    return message;
  }
  unsigned position = loops_used++;
  for (; position > 0 && loops[position - 1].descriptor->id > descriptor.id; --position) {
    loops[position].descriptor = loops[position - 1].descriptor;
  }
  loops[position].descriptor = &descriptor;
  return nullptr;
}

void run_iteration(Loop& self) {
  self.descriptor->body();
  if (self.descriptor->id == kPlainLoop && &::serialEventRun != nullptr) ::serialEventRun();
  ++self.iterations;
  // A body of a few instructions would fill the log with nothing else.
  const System::Instant now = System::now();
  if (now - self.iteration_logged < System::Duration(kIterationLogGap)) return;
  self.iteration_logged = now;
  System::note(EventKind::Iteration, static_cast<uint32_t>(self.iterations));
}

/// A loop: its body again and again; its virtual CPU says how much of that there is.
[[noreturn]] void run_loop(void* argument) {
  for (;;) run_iteration(*static_cast<Loop*>(argument));
}

/// A periodic loop: its body once a period. Releases that an overrun has run into are skipped, so
/// that there is no burst of late calls; each skipped one counts as a missed deadline.
[[noreturn]] void run_periodic(void* argument) {
  Loop& self = *static_cast<Loop*>(argument);
  const TickDemand promised = promise(*self.descriptor);
  const System::Duration period = duration(promised.period);
  const System::Duration deadline = duration(promised.deadline);
  System::Instant release = self.thread.wake_at;
  for (;;) {
    ++self.releases;
    run_iteration(self);
    const System::Instant now = System::now();
    self.worst_response = larger(self.worst_response, now - release);
    if (now - release > deadline) ++self.deadline_misses;
    for (release += period; release < now; release += period) {
      ++self.releases;
      ++self.deadline_misses;
    }
    System::sleep_until(release);
  }
}

void start_loops() {
  for (unsigned core = 0; core < Board::Port::core_count(); ++core) {
    while (!core_is_ready[core].load(order::acquire)) Board::Port::relax();
  }
  the_phase = Phase::Running;
  const System::Instant at = System::now() + System::Duration(kStartDelay);
  for (unsigned i = 0; i < loops_used; ++i) {
    Loop& self = loops[i];
    self.thread.meter.start(at, duration(promise(*self.descriptor).period));
    System::start(self.thread, at);
  }
}

void run_setup(void*) {
  if (&::setup != nullptr) ::setup();
  start_loops();
}

void name_thread(CoreId core, uint16_t thread, uint32_t id, uint64_t kind) {
  System::record(System::core(core), System::now(), EventKind::ThreadNamed, thread, id, kind);
}

/// Creates the loops that admission gave to this core, at the priorities it gave them.
void create_loops(CoreId core) {
  constexpr unsigned kFirstSlot = 1;  // slot 0 is for spinlocks
  for (unsigned i = 0; i < loops_used; ++i) {
    Loop& self = loops[i];
    if (self.vcpu.core != core) continue;
    const LoopDescriptor& d = *self.descriptor;
    const TickDemand promised = promise(d);
    System::core(core).policy.add(self.vcpu, static_cast<uint16_t>(kFirstSlot + self.rank),
                                  duration(promised.budget), duration(promised.period),
                                  System::Duration(Board::kMinimumBudget), System::now());
    self.vcpu.background = d.background;
    self.vcpu.deadline = duration(promised.deadline);
    self.thread.id = static_cast<uint16_t>(i + 1);
    const bool periodic = d.kind == LoopKind::Periodic;
    System::create(self.thread, self.vcpu, self.stack, periodic ? &run_periodic : &run_loop, &self);
    name_thread(core, self.thread.id, d.id, periodic ? 1 : 0);
  }
}

void create_setup(unsigned slot) {
  System::core(0).policy.add_best_effort(setup_vcpu, static_cast<uint16_t>(slot));
  setup_thread.id = kSetupThread;
  System::create(setup_thread, setup_vcpu, setup_stack, &run_setup, nullptr);
  name_thread(0, kSetupThread, 0, kThreadKindSetup);
}

}  // namespace

const char* load() {
  loops_used = 0;
  if (&::loop != nullptr) add(kPlainLoopDescriptor);
  for (auto entry = __start_hocket_loops; entry != __stop_hocket_loops; ++entry) {
    if (const char* error = add(**entry)) return error;
  }
  return nullptr;
}

void boot(void* argument) {
  const auto core = static_cast<CoreId>(reinterpret_cast<uintptr_t>(argument));
  const unsigned slots = core_report(core).loops + 2;
  System::init_core(core, slots);
  create_loops(core);
  core_is_ready[core].store(true, order::release);
  if (core == 0) {
    the_phase = Phase::Setup;
    create_setup(slots - 1);
    System::start(setup_thread, System::now());
  }
  System::run_core();
}

unsigned loop_count() {
  return loops_used;
}
Loop& loop(unsigned index) {
  return loops[index];
}
Phase phase() {
  return the_phase;
}

bool allocate_stacks() {
  setup_stack = Board::allocate_stack(Board::kDefaultStack);
  bool all = setup_stack.base != nullptr;
  for (unsigned i = 0; i < loops_used; ++i) {
    const size_t asked = loops[i].descriptor->stack_bytes;
    loops[i].stack = Board::allocate_stack(asked == 0 ? Board::kDefaultStack : asked);
    all = all && loops[i].stack.base != nullptr;
  }
  return all;
}

Loop* current_loop() {
  const System::Thread* thread = System::this_core().current;
  if (thread == nullptr || thread->id == Event::kNoThread || thread->id == kSetupThread) {
    return nullptr;
  }
  return &loops[thread->id - 1];
}

void release_locks(Loop& self) {
  while (self.held_count > 0) ticket_unlock(*self.held[--self.held_count].lock);
}

}  // namespace hocket::runtime
