// Running tests and printing their results, without a library.
#include "suite.h"

namespace hocket::contract {
namespace {

unsigned passed = 0;
unsigned failed = 0;
bool failing = false;
bool time_skipped = false;
const char* running = "";

}  // namespace

Doors doors{nullptr, nullptr};
bool times_are_judged = true;

void print_number(unsigned value) {
  char text[12];
  unsigned at = sizeof text - 1;
  text[at] = '\0';
  do {
    text[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  print(text + at);
}

namespace {
template <class B>
char constant_character(const char* at) {
  if constexpr (requires { B::constant_character(at); }) {
    return B::constant_character(at);
  } else {
    return *at;
  }
}
}  // namespace

void print_constant(const char* text) {
  char piece[2] = {};
  while ((piece[0] = constant_character<Board>(text++)) != '\0') print(piece);
}

void tell(const char* what, Ticks measured, Ticks declared) {
  if (!times_are_judged) return;
  print("  ");
  print(what);
  print(": ");
  print_number(static_cast<unsigned>(measured));
  print(" of ");
  print_number(static_cast<unsigned>(declared));
  print("\n");
}

void skip_time() {
  time_skipped = true;
}

void fail(const char* fact, const char* file, unsigned line) {
  failing = true;
  print_constant(HOCKET_CONSTANT_TEXT("FAIL "));
  print_constant(running);
  print_constant(HOCKET_CONSTANT_TEXT(": "));
  print_constant(file);
  print_constant(HOCKET_CONSTANT_TEXT(":"));
  print_number(line);
  print_constant(HOCKET_CONSTANT_TEXT(": "));
  print_constant(fact);
  print_constant(HOCKET_CONSTANT_TEXT("\n"));
}

void run(const char* name, void (*test)()) {
  running = name;
  failing = time_skipped = false;
  test();
  if (failing) {
    ++failed;
    return;
  }
  ++passed;
  print_constant(HOCKET_CONSTANT_TEXT("ok "));
  print_constant(name);
  print_constant(time_skipped ? HOCKET_CONSTANT_TEXT(" (its instants were not judged)\n")
                              : HOCKET_CONSTANT_TEXT("\n"));
}

bool finish() {
  print_number(passed);
  print_constant(HOCKET_CONSTANT_TEXT(" passed, "));
  print_number(failed);
  print_constant(HOCKET_CONSTANT_TEXT(" failed\n"));
  return failed == 0;
}

namespace {
template <class P>
void timer_interrupt() {
  if constexpr (requires { P::on_tick(doors.timer); }) {
    P::on_tick(doors.timer);
  } else {
    doors.timer();
  }
}
}  // namespace

}  // namespace hocket::contract

extern "C" void hocket_timer_interrupt() {
  hocket::contract::timer_interrupt<hocket::contract::Port>();
}
extern "C" void hocket_reschedule_interrupt() {
  hocket::contract::doors.reschedule();
}
extern "C" void hocket_interrupt_exit() {
  hocket::contract::doors.exit();
}
