// One suite for every port: what ports/contract/port.h promises, and what the kernel makes of it.
//
// Each test is a function that checks facts; nothing stops at the first failure. Results are lines
// of text, so the suite needs nothing from the target but a way to print:
//
//   ok alarm_fires_on_time
//   FAIL masking_nests: tests/contract/port_test.cpp:40: Port::in_irq()
//   23 passed, 1 failed
//
// The board's program supplies print() and calls run_port_tests() on core 0 before the kernel
// starts, then starts the kernel with run_kernel_tests() as its first thread.
#pragma once

#include "contract_board.h"

namespace hocket::contract {

using Port = Board::Port;
using Ticks = Port::Ticks;

using Instant = BasicInstant<Ticks>;

/// Supplied by the board's program.
void print(const char* text);

/// The suite's own texts, which a board may keep where a pointer alone does not reach (flash).
void print_constant(const char* text);

/// Notes a failed fact of the running test. Texts as of HOCKET_CONSTANT_TEXT.
void fail(const char* fact, const char* file, unsigned line);

/// Whether instants are judged. Not where the machine's clock runs on while it is held up: there
/// the order of events must be right, and all waits are longer so that it can be told.
extern bool times_are_judged;

/// Notes that a fact about instants was not judged.
void skip_time();

void print_number(unsigned value);

/// Prints a measured cost beside the declared one, where instants are judged.
void tell(const char* what, Ticks measured, Ticks declared);

/// Runs one test and prints its result; the name as of HOCKET_CONSTANT_TEXT.
void run(const char* name, void (*test)());

/// Prints the closing line. True when all tests passed.
bool finish();

void run_port_tests();
void run_line_tests();  // ports/contract/lines.h; after those of the port
void run_kernel_tests();

/// Starts a periodic time base (kernel/time/periodic_tick.h), where the port is one. Masked, on
/// each core, before everything else.
template <class P = Port>
void start_time_base() {
  if constexpr (requires { P::start_ticking(); }) P::start_ticking();
}

/// Pins that make the test lines' edges, where they are pins.
template <class B = Board>
void prepare_lines() {
  if constexpr (requires { B::prepare_lines(); }) B::prepare_lines();
}

/// What the doors of the port (timer and reschedule interrupt, and the end of an interrupt) do: the
/// tests', or the kernel's.
struct Doors {
  void (*timer)();
  void (*reschedule)();
  void (*exit)() = [] {};
};
extern Doors doors;

inline Instant now() {
  return Instant(Port::now());
}

/// Spans of the tests, in microseconds of a processor of some hundred megahertz; a slower board
/// makes them all longer.
inline Ticks microseconds(Ticks us) {
  constexpr Ticks kStretched = 100;
  const Ticks ticks = us * static_cast<Ticks>(Board::kSlowness * (Port::kTickHz / 1'000'000));
  return times_are_judged ? ticks : ticks * kStretched;
}

/// What a test's waiting loop does between two looks. Most of it is waiting in place: an emulator
/// makes little way where every instruction hands over to another core or asks for the time.
inline void pause() {
  for (unsigned i = 0; i < Board::kPause; ++i) asm volatile("" ::: "memory");
  Port::relax();
}

/// Letters written by threads as they pass a point: the order of events as text.
class Tokens {
 public:
  void clear() { used_ = 0; }
  void add(char token) {
    if (used_ < kMost) text_[used_++] = token;
  }
  bool are(const char* expected) const {
    unsigned i = 0;
    for (; i < used_ && expected[i] != '\0'; ++i) {
      if (text_[i] != expected[i]) return false;
    }
    return i == used_ && expected[i] == '\0';
  }
  const char* text() {
    text_[used_] = '\0';
    return text_;
  }

 private:
  static constexpr unsigned kMost = 31;
  char text_[kMost + 1] = {};
  unsigned used_ = 0;
};

}  // namespace hocket::contract

// A board with its own place for constant texts defines this, and
// Board::constant_character(pointer).
#ifndef HOCKET_CONSTANT_TEXT
#define HOCKET_CONSTANT_TEXT(text) text
#endif

#define HOCKET_EXPECT(fact)                                                                       \
  ((fact) ? static_cast<void>(0)                                                                  \
          : ::hocket::contract::fail(HOCKET_CONSTANT_TEXT(#fact), HOCKET_CONSTANT_TEXT(__FILE__), \
                                     __LINE__))
/// A fact that holds only where nothing else holds up the machine.
#define HOCKET_EXPECT_IN_TIME(fact) \
  (::hocket::contract::times_are_judged ? HOCKET_EXPECT(fact) : ::hocket::contract::skip_time())
