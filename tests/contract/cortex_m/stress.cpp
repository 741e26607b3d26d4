// Switches asked for from everywhere, at every distance from each other: threads that switch of
// their own accord, alarms and reschedule interrupts that switch in the middle of that, and two
// handlers in a row of which the second changes its mind.
//
// After each of them the thread that runs is the one that was asked for last, with its registers as
// it left them.
#include "bare.h"
#include "contract_board.h"
#include "kernel/base/text.h"
#include "ports/cortex_m/vectors.h"

namespace hocket::contract {
namespace {

using Port = Board::Port;

constexpr unsigned kThreads = 4;
constexpr unsigned kRounds = 40'000;

Port::Context context[kThreads];  // the first is main()'s
alignas(Port::kStackAlignment) unsigned char stacks[kThreads][Board::kTestStack];
volatile unsigned current = 0;
volatile unsigned rounds = 0;
unsigned turns[kThreads];
unsigned in_threads = 0, in_handlers = 0, changed_minds = 0;

[[noreturn]] void fail(const char* fact) {
  machine::Board::halt(fact);
}

/// Marsaglia's xorshift (2003).
unsigned random(unsigned below) {
  static uint32_t state = 2'463'534'242;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return static_cast<unsigned>(uint64_t{state} * below >> 32);
}

/// Masked.
void switch_to(unsigned next) {
  const unsigned previous = current;
  if (next == previous) return;
  current = next;
  Port::context_switch(context[previous], context[next]);
}

bool at_exit = false;  // of the handler that runs

void switch_in_handler() {
  if (hocket_switch.to != nullptr) ++changed_minds;
  ++in_handlers;
  switch_to(random(kThreads));
}

/// At once, or as the last thing of the interrupt.
void door() {
  if (!Port::in_irq()) fail("a door outside of an interrupt");
  at_exit = random(2) == 0;
  if (!at_exit) switch_in_handler();
}
void interrupt_exit() {
  if (at_exit) switch_in_handler();
  at_exit = false;
}

/// Fills the registers with numbers made of `seed`, waits a little, and looks at them again: true
/// when all are as they were.
bool keeps_registers(uint32_t seed, uint32_t wait) {
  uint32_t wrong;
  // SAFETY: every register that is changed is named.
  asm volatile(
      "mov r8, %[seed]\n add r8, r8\n mov r9, r8\n add r9, %[seed]\n mov r10, r9\n"
      "add r10, %[seed]\n mov r11, r10\n add r11, %[seed]\n mov r12, r11\n add r12, %[seed]\n"
      "1: subs %[wait], #1\n bne 1b\n"
      // r12 = 6 seed, r11 = 5 seed …, r8 = 2 seed: their sum is 20 seed.
      "mov %[wrong], r12\n add %[wrong], r8\n add %[wrong], r9\n add %[wrong], r10\n"
      "add %[wrong], r11\n"
      "movs %[wait], #20\n muls %[seed], %[wait], %[seed]\n subs %[wrong], %[wrong], %[seed]\n"
      : [wrong] "=&l"(wrong), [seed] "+l"(seed), [wait] "+l"(wait)
      :
      : "r8", "r9", "r10", "r11", "r12", "cc");
  return wrong == 0;
}

void work(unsigned self) {
  while (rounds < kRounds) {
    rounds = rounds + 1;
    ++turns[self];
    if (!keeps_registers(random(1'000'000) * 4 + self, 1 + random(30))) fail("registers");
    const Port::IrqState state = Port::irq_save();
    if (current != self) fail("not the thread that was asked for");
    // Soon: in the middle of the switch that comes next, or a little after.
    if (random(2) == 0) Port::alarm_set(Port::now() + random(400));
    if (random(4) == 0) Port::send_reschedule(0);
    if (random(2) == 0) {
      ++in_threads;
      switch_to(random(kThreads));
      if (current != self) fail("a switch that came back too early");
      if (Port::irq_save() == 0) fail("a switch that came back unmasked");
    }
    Port::irq_restore(state);
  }
}

void thread_main(void* argument) {
  const auto self = static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
  if (Port::irq_save() == 0) fail("a new thread begins unmasked");
  Port::irq_enable();
  work(self);
  for (;;) {  // back to main(), whatever handlers want
    Port::irq_save();
    switch_to(0);
    Port::irq_enable();
  }
}

void print(const char* what, unsigned count) {
  bare::print(Text<80>(what, count, "\n").c_str());
}

void run() {
  for (unsigned i = 1; i < kThreads; ++i) {
    Port::context_init(context[i], {stacks[i], sizeof stacks[i]}, &thread_main,
                       reinterpret_cast<void*>(static_cast<uintptr_t>(i)));
  }
  Port::irq_enable();
  work(0);
  Port::irq_save();
  for (const unsigned count : turns) {
    if (count < kRounds / kThreads / 2) fail("a thread seldom ran");
  }
  if (Port::stack_unused({stacks[1], sizeof stacks[1]}) < 64) fail("a stack that grows");
  print("switches in threads: ", in_threads);
  print("switches in handlers: ", in_handlers);
  print("minds changed: ", changed_minds);
  bare::exit(0);
}

}  // namespace
}  // namespace hocket::contract

extern "C" {
void hocket_timer_interrupt() {
  hocket::contract::door();
}
void hocket_reschedule_interrupt() {
  hocket::contract::door();
}
void hocket_interrupt_exit() {
  hocket::contract::interrupt_exit();
}

[[noreturn]] void hocket_main() {
  hocket::contract::Port::start();
  hocket::contract::run();
  __builtin_unreachable();
}
}

HOCKET_BARE_DEFECTS
HOCKET_CORTEX_M_VECTORS(hocket::contract::Port, hocket::machine::Board)
