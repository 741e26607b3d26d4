// How late a handler and a woken loop are with another world beside them, in instructions.
//
//   quiet    alarms at random instants out of the middle of the neighbour's work
//   calls    the same while it makes calls as fast as it can
//   woken    from a line's instant to the first instruction of the loop that it wakes, at secure EL0
//   woken-calls  the same while the neighbour makes calls
//   counted  loops that call as fast as they can, while a line at random instants wakes another one, which calls,
//            too: each call once
//   called   the same where the line's handler calls a function of the sketch, which calls, too
//
// Output, read by test_neighbour.py: NAME LATE COUNT; counted and called WRONG CALLS BETWEEN, of
// which the last is how often the line came between a loop's SVC and the stub's SMC
#include "bare_image.h"
#include "cores.h"
#include "kernel/base/text.h"
#include "neighbour/kernel_side.h"
#include "neighbour/tests.h"
#include "user_call.h"

extern "C" {
extern char user_page[], user_woken[], user_counts[], user_called[];  // loops.S
[[noreturn]] void hocket_enter_user(uint64_t entry, uint64_t argument, uint64_t stack,
                                    void* kernel_stack);
uint64_t hocket_call_user(uint64_t entry, uint64_t argument, uint64_t stack, uint64_t storage,
                          void** kernel_stack);
[[noreturn]] void hocket_end_user(uint64_t result, void* kernel_stack);
}

namespace hocket::contract {

void print(const char* text) {
  bare::print(text);
}

namespace {

using neighbour::Command;
using Lines = aarch64::Lines<Port::Controller>;

constexpr unsigned kAlarms = 2'000;
constexpr unsigned kMost = 2'000;
uint32_t distribution[kMost + 1];

uint32_t random_state = 1;
Ticks random(uint32_t below) {  // a linear congruence (Numerical Recipes, ranqd1)
  random_state = random_state * 1'664'525u + 1'013'904'223u;
  return static_cast<Ticks>((random_state >> 8) % below);
}

void note(Ticks late) {
  ++distribution[late >= 0 && late < Ticks{kMost} ? late : kMost];
}
void tell(const char* name) {
  for (unsigned late = 0; late <= kMost; ++late) {
    if (distribution[late] == 0) continue;
    bare::print(Text<80>(name, " ", late, " ", distribution[late], "\n").c_str());
    distribution[late] = 0;
  }
}

// --- A handler alone: instead of the kernel's at first, while the tester is not there yet ---

volatile Ticks due;
unsigned alarms;

/// Its first instruction reads the clock.
template <void (*kHandler)(void*, Ticks)>
[[gnu::naked]] void timed(void*) {
  asm("mrs x1, cntpct_el0\n b %c0" ::"i"(kHandler));
}

void set_next(Ticks instant) {
  due = instant;
  Port::alarm_set(instant);
}

/// Behind the last one the kernel has its timer back.
void note_alarm(void*, Ticks now) {
  if (alarms > 0) note(now - due);  // the first one's instant is the kernel's
  ++alarms;
  if (alarms == kAlarms) {
    tell("quiet");
    tell_neighbour(Command::CallOften);
    return set_next(Port::now() + 100'000);
  }
  if (alarms == 2 * kAlarms) {
    tell("calls");
    tell_neighbour(Command::Quiet);
    Lines::attached[Port::Controller::kTimerId].handler = &aarch64::Interrupts<Port>::timer;
    return Port::alarm_set(Port::now());
  }
  set_next(Port::now() + 300 + random(20'000));
}

// --- Loops at secure EL0 ---

Sem wake;
volatile Ticks woken_due;
volatile unsigned woken;
volatile uint64_t expected[2];
volatile unsigned wrong_calls;

struct Loop {
  K::Vcpu vcpu;
  K::Thread thread;
  alignas(Port::kStackAlignment) unsigned char stack[8 * 1024];
  uint64_t entry;
};
Loop loops[3];
constexpr uint64_t kUserAddress = 0x40'0000;

Port::Domain make_domain() {
  static aarch64::PageTable table(aarch64::Half::Low);
  const bool done =
      table.map(memory::frames(), kUserAddress, aarch64::physical(user_page), aarch64::kPageSize,
                aarch64::Access::UserText) == aarch64::MapResult::Done;
  if (!done) hocket_halt("no memory for the loops' table");
  asm volatile("dsb ish" ::: "memory");
  return aarch64::domain_of(table.root(), 1);
}

void enter(void* argument) {
  Loop& loop = *static_cast<Loop*>(argument);
  hocket_enter_user(loop.entry, 0, 0, loop.stack + sizeof loop.stack);
}

void start(Loop& loop, uint16_t slot, const char* entry, Ticks budget, Port::Domain domain) {
  loop.entry = kUserAddress + static_cast<uint64_t>(entry - user_page);
  K::add(loop.vcpu, slot, us(budget), us(1'000), K::now());
  loop.vcpu.deadline = us(1'000);
  K::create(loop.thread, loop.vcpu, {loop.stack, sizeof loop.stack}, &enter, &loop, domain);
  loop.thread.meter.start(K::now(), Duration(0));
  K::start(loop.thread, K::now());
}

/// A source of interrupts that the kernel knows as a line, as a pin would be: the non-secure
/// physical timer (DDI 0487, D11.2.4), which the neighbour leaves alone.
constexpr Port::Line kLine = 30;

bool calls_function;  // its handler does
struct Program {
  Port::Domain domain;
  Port::Domain own() const { return domain; }
} program;
void* kernel_stack;  // where hocket_call_user() goes on
unsigned function_calls;

/// As a direct handler is called; nothing interrupts it.
void call_function() {
  using Cpu = drivers::GicV3SecureInterface;
  {
    const aarch64::UserCall around(program);
    Cpu::let_through(0);
    hocket_call_user(kUserAddress + static_cast<uint64_t>(user_called - user_page), 0, 0, 0,
                     &kernel_stack);
    Cpu::let_through(Cpu::kAll);
  }
}

bool storms;       // it comes again by itself, at random instants
unsigned between;  // how often it came between a loop's SVC and the stub's SMC

void set_line(Ticks at) {
  asm volatile("msr cntp_cval_el0, %0\n msr cntp_ctl_el0, %1" ::"r"(at), "r"(uint64_t{1}));
}

void on_line(void*) {
  asm volatile("msr cntp_ctl_el0, xzr");
  constexpr uint64_t kStubsPage = 4096;
  if (aarch64::Level::interrupted_at() - HOCKET_STUB_ADDRESS < kStubsPage) ++between;
  if (calls_function) {
    call_function();
  } else {
    wake.signal();
  }
  if (storms) set_line(Port::now() + 2'000 + random(9'000));
}

void prepare_line() {
  const Port::IrqState state = Port::irq_save();
  if (!Port::line_attach(kLine, &on_line, nullptr,
                         {.trigger = port::Trigger::Level, .level = port::Level::RealTime})) {
    hocket_halt("the line cannot be attached");
  }
  Port::line_unmask(kLine);
  Port::irq_restore(state);
}

void measure_woken(const char* name) {
  for (unsigned i = 0; i < kAlarms; ++i) {
    const unsigned before = woken;
    const Ticks at = Port::now() + 50'000 + random(20'000);
    woken_due = at;
    set_line(at);
    K::sleep_until(Instant(at) + us(100));
    if (woken == before) hocket_halt("a loop was not woken");
  }
  tell(name);
}

/// Until the loops that count have run for a while under a storm.
void measure_calls(const char* name) {
  between = 0;
  storms = true;  // each time there are other calls in between
  set_line(Port::now() + 1'000);
  K::sleep_until(K::now() + us(20'000));
  storms = false;
  K::sleep_until(K::now() + us(100));
  const uint64_t calls = expected[0] + expected[1];
  bare::print(Text<80>(name, " ", wrong_calls, " ", calls, " ", between, "\n").c_str());
}

K::Vcpu tester_vcpu;
K::Thread tester;
alignas(Port::kStackAlignment) unsigned char tester_stack[Board::kTestStack];

void test(void*) {
  K::sleep_until(K::now() + us(1'000));
  if (!command_neighbour(Command::StartCores)) hocket_halt("the neighbour does not run");
  const Port::Domain domain = make_domain();
  start(loops[0], 2, user_woken, 300, domain);
  prepare_line();
  measure_woken("woken");
  if (!command_neighbour(Command::CallOften)) hocket_halt("the neighbour does not run");
  measure_woken("woken-calls");
  for (unsigned i = 0; i < 2; ++i) {
    start(loops[1 + i], static_cast<uint16_t>(3 + i), user_counts, 300, domain);
  }
  measure_calls("counted");
  program.domain = domain;
  calls_function = true;
  measure_calls("called");
  if (function_calls < 1'000) hocket_halt("the function was not called");
  const uint64_t ticks = shared().cores[0].ticks;
  K::sleep_until(K::now() + us(5'000));
  if (shared().cores[0].ticks == ticks) hocket_halt("the neighbour has no interrupts any more");
  const bool well = wrongs_of_neighbour() == 0 && wrong_calls == 0;
  bare::print(well ? "end\n" : "the neighbour's registers changed\n");
  bare::exit(well ? 0 : 1);
}

// --- System calls ---

/// A loop that goes on in another one's code makes calls that are not its own.
void check_caller(bool is_woken_loop) {
  if ((&K::self() == &loops[0].thread) != is_woken_loop) wrong_calls = wrong_calls + 1;
}

uint64_t wait_call(uint64_t) {
  check_caller(true);
  wake.wait();
  return 0;
}
uint64_t woken_call(uint64_t instant) {
  check_caller(true);
  note(static_cast<Ticks>(instant) - woken_due);
  woken = woken + 1;
  return 0;
}
uint64_t count_call(uint64_t number) {
  check_caller(false);
  const unsigned which = &K::self() == &loops[1].thread ? 0 : 1;
  if (number != expected[which]) wrong_calls = wrong_calls + 1;
  expected[which] = number + 1;
  return number + 1;
}
uint64_t called_call(uint64_t) {
  ++function_calls;
  return 0;
}
uint64_t no_call(uint64_t) {
  hocket_halt("a call that does not exist");
}

struct Table {
  uint64_t (*calls[HOCKET_SYSTEM_CALL_ROOM])(uint64_t);
};
constexpr Table make_table() {
  Table table{{&wait_call, &woken_call, &count_call, &called_call}};
  for (unsigned i = 4; i < HOCKET_SYSTEM_CALL_ROOM; ++i) table.calls[i] = &no_call;
  return table;
}

Atomic<uint32_t> ready;

void start_other_cores() {
  unsigned cores = 1;
  while (cores < Port::kCores && start_core(static_cast<CoreId>(cores))) ++cores;
  Port::cores_there = cores;
  while (ready.load(order::acquire) < cores - 1) Port::relax();
}

[[noreturn]] void boot_other_core(CoreId core) {
  Port::irq_save();
  K::init_core(core, Board::kSlots);
  ready.fetch_add(1, order::acquire_release);
  K::run_core();
}

[[noreturn]] void boot_first_core() {
  doors = {&K::on_timer, &K::on_reschedule, &K::after_interrupt};
  Port::irq_save();
  K::init_core(0, Board::kSlots);
  start_other_cores();
  begin_neighbour();
  K::create(tester, tester_vcpu, {tester_stack, sizeof tester_stack}, &test, nullptr);
  K::add_best_effort(tester_vcpu, Board::kSlots - 1);
  K::start(tester, K::now() + us(100'000));
  Lines::attached[Port::Controller::kTimerId].handler = &timed<&note_alarm>;
  set_next(Port::now() + 10'000'000);
  K::run_core();
}

}  // namespace
}  // namespace hocket::contract

extern "C" {

extern const hocket::contract::Table hocket_system_calls;
constexpr hocket::contract::Table hocket_system_calls = hocket::contract::make_table();

void hocket_no_such_call() {
  hocket_halt("a call that does not exist");
}
void hocket_user_fault(uint64_t syndrome, uint64_t instruction, uint64_t address) {
  using namespace hocket::contract;
  if (instruction == HOCKET_USER_RETURN) hocket_end_user(0, kernel_stack);
  hocket_halt(
      hocket::Text<120>("a loop's fault: ", syndrome, " at ", instruction, ", ", address).c_str());
}
void hocket_kernel_start(uint64_t number) {
  const auto core = static_cast<hocket::CoreId>(number);
  hocket::bare::prepare<hocket::contract::Port>(core);
  if (core == 0) hocket::contract::boot_first_core();
  hocket::contract::boot_other_core(core);
}
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::K, false)
