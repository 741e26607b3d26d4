// Defects made on purpose: each must end in a report that names it.
//
// The last word of the command line says which one (test_contract_cortex_m.py). What comes back
// from its defect says SURVIVED and ends with status 0.
#include "bare.h"
#include "contract_board.h"
#include "ports/cortex_m/vectors.h"

namespace hocket::contract {
namespace {

using Port = Board::Port;

Port::Context main_context, thread_context;
/// What an overflow reaches first is nobody's.
struct {
  unsigned char below[256];
  alignas(Port::kStackAlignment) unsigned char stack[512];
} memory;

/// The compiler must not know what it is asked to do.
template <class T>
T hidden(T value) {
  asm volatile("" : "+r"(value));
  return value;
}

[[gnu::noinline]] unsigned deeper(unsigned depth) {
  volatile unsigned frame[8];
  asm volatile("" ::"r"(frame) : "memory");  // each call has its own
  for (unsigned i = 0; i < 8; ++i) frame[i] = depth;
  if (depth == 0) return 0;
  return deeper(depth - 1) + frame[depth % 8];
}

void run_as_thread(port::Entry entry) {
  Port::context_init(thread_context, {memory.stack, sizeof memory.stack}, entry, nullptr);
  Port::irq_save();
  Port::context_switch(main_context, thread_context);
}
void back_to_main() {
  Port::context_switch(thread_context, main_context);
}

/// A frame of deeper() is 40 to 48 bytes. All have been given back when somebody looks.
void overflow_of_a_thread() {
  run_as_thread([](void*) {
    deeper(hidden(14u));
    back_to_main();
  });
}

/// Of the stack's last words only the switch itself would need more: nothing is written below it.
void no_room_to_switch() {
  run_as_thread([](void*) {
    asm volatile(
        "mov sp, %0\n mov r0, %1\n mov r1, %2\n bx %3" ::"l"(memory.stack + 48),
        "l"(&thread_context), "l"(&main_context),
        "l"(static_cast<void (*)(Port::Context&, const Port::Context&)>(&Port::context_switch)));
  });
}

void overflow_of_main() {
  deeper(hidden(32u));
  run_as_thread([](void*) { back_to_main(); });
}

void fault() {
  asm volatile("udf #0");
}

void unexpected_interrupt() {
  constexpr unsigned kUnused = 1;
  cortex_m::SystemControl::enable(kUnused);
  cortex_m::SystemControl::pend(kUnused);
  Port::irq_enable();
}

struct Defect {
  const char* name;
  void (*happen)();
};
constexpr Defect kDefects[] = {
    {"overflow-of-a-thread", &overflow_of_a_thread}, {"no-room-to-switch", &no_room_to_switch},
    {"overflow-of-main", &overflow_of_main},         {"fault", &fault},
    {"unexpected-interrupt", &unexpected_interrupt},
};

bool ends_with(const char* line, int64_t length, const char* word) {
  int64_t letters = 0;
  while (word[letters] != '\0') ++letters;
  if (length < letters) return false;
  for (int64_t i = 0; i < letters; ++i) {
    if (line[length - letters + i] != word[i]) return false;
  }
  return true;
}

}  // namespace
}  // namespace hocket::contract

extern "C" {
void hocket_timer_interrupt() {}
void hocket_reschedule_interrupt() {}
void hocket_interrupt_exit() {}

[[noreturn]] void hocket_main() {
  using namespace hocket;
  contract::Port::start();
  char line[64];
  const int64_t length = drivers::Semihosting::command_line(line, sizeof line);
  for (const contract::Defect& defect : contract::kDefects) {
    if (!contract::ends_with(line, length, defect.name)) continue;
    defect.happen();
    bare::print("SURVIVED\n");
    bare::exit(0);
  }
  bare::print("there is no such defect\n");
  bare::exit(2);
}
}

HOCKET_BARE_DEFECTS
HOCKET_CORTEX_M_VECTORS(hocket::contract::Port, hocket::machine::Board)
