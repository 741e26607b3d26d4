// The storage of a loop on the Uno: its memory in RAM, its contract in flash, and what only tools
// need in a section that is not loaded. Included through arduino/runtime/loops.h.
//
//   hocket_loops      flash: read when the sketch starts
//   hocket_declared   in the file only: read by `hocket run`, which decides whether all loops fit
//
// A sketch without declared loops has none of this, and no kernel.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/layout.h"
#include "arduino/cores/avr8/policy_keys.h"
#include "arduino/runtime/promise.h"

/// Starts the declared loops. Linked only into sketches that have some.
extern "C" [[noreturn]] void hocket_run_loops();

namespace hocket::uno {

inline constexpr uint16_t kStateBytes = HOCKET_LOOP_STATE_BYTES;  // of a loop's state, before its
                                                                  // stack
static_assert(F_CPU / 8 == kTickHz);

struct LoopEntry {
  void (*body)();
  void (*run)(const LoopEntry&);  // run_periodic, or null
  uint8_t* memory;                // its state, then its stack
  uint16_t stack_bytes;
  uint32_t budget;  // ticks
  uint32_t period;
  policies::Chosen::Key<Ticks> priority;
  uint8_t id;
  bool background;
};

/// The thread of a periodic loop (kernel.cpp).
[[noreturn]] void run_periodic(const LoopEntry&);

/// The record that tools read, followed by the name of the source file.
template <size_t kFileSize>
struct [[gnu::packed]] DeclaredInFile {
  DeclaredLoop<uint8_t*, void (*)()> loop;
  char file[kFileSize];
};

/// A loop that names no stack size, and whose calls were found to need more than the default.
/// tools/hocket/builder/loop_stacks.py analyses the linked program and defines
/// HOCKET_NEEDED_STACKS_.
struct NeededStack {
  uint8_t loop;
  uint16_t bytes;
};

template <size_t kCount>
constexpr uint16_t stack_of(const LoopDescriptor& d, const NeededStack (&needed)[kCount]) {
  if (d.stack_bytes != 0) return static_cast<uint16_t>(d.stack_bytes);
  for (const NeededStack& each : needed) {
    if (each.loop == d.id) return each.bytes;
  }
  return kDefaultStack;
}

consteval LoopEntry entry(const LoopDescriptor& d, uint8_t* memory, uint16_t stack) {
  const Demand<Ticks> demand = demand_in<Rate, Ticks>(d);
  return {d.body,
          d.kind == LoopKind::Periodic ? &run_periodic : nullptr,
          memory,
          stack,
          static_cast<uint32_t>(demand.budget),
          static_cast<uint32_t>(demand.period),
          policies::Chosen::key_of(demand, d),
          d.id,
          d.background};
}

template <size_t kFileSize>
consteval DeclaredInFile<kFileSize> declared(const LoopDescriptor& d, uint8_t* memory,
                                             uint16_t stack, const char (&file)[kFileSize]) {
  DeclaredInFile<kFileSize> result{{.record_bytes = sizeof result,
                                    .id = d.id,
                                    .periodic = d.kind == LoopKind::Periodic,
                                    .core = d.core,
                                    .background = d.background,
                                    .line = d.line,
                                    .budget_ns = d.budget_ns,
                                    .period_ns = d.period_ns,
                                    .deadline_ns = d.deadline_ns,
                                    .stack_bytes = stack,
                                    .memory = memory,
                                    .run = &hocket_run_loops,
                                    .priority = d.priority,
                                    .tickets = d.tickets},
                                   {}};
  for (size_t i = 0; i < kFileSize; ++i) result.file[i] = file[i];
  return result;
}

}  // namespace hocket::uno

/// `, {loop, bytes}` for each such loop.
#ifndef HOCKET_NEEDED_STACKS_
#define HOCKET_NEEDED_STACKS_
#endif

#undef HOCKET_ENTER_LOOP_
#define HOCKET_ENTER_LOOP_(name, file)                                                          \
  static_assert(name##_descriptor.stack_bytes == 0 ||                                           \
                    (name##_descriptor.stack_bytes >= ::hocket::uno::kSmallestStack &&          \
                     name##_descriptor.stack_bytes <= ::hocket::uno::kLargestStack),            \
                "a loop's stack, stackBytes(), has 128 to 1536 bytes on " HOCKET_BOARD_IS);     \
  static_assert(name##_descriptor.period_ns <= ::hocket::uno::kLongestPeriodNs,                 \
                "a loop's period must not be longer than 240 s on " HOCKET_BOARD_IS);           \
  static_assert(name##_descriptor.overrun == ::hocket::Overrun::Skip,                           \
                HOCKET_BOARD_IS " has no catchUp() and onOverrun(): it skips missed releases"); \
  static constexpr ::hocket::uno::NeededStack name##_needed[] = {{0, 0} HOCKET_NEEDED_STACKS_}; \
  static constexpr uint16_t name##_stack =                                                      \
      ::hocket::uno::stack_of(name##_descriptor, name##_needed);                                \
  static inline uint8_t name##_memory[::hocket::uno::kStateBytes + name##_stack];               \
  [[gnu::used,                                                                                  \
    gnu::section("hocket_loops")]] static constexpr ::hocket::uno::LoopEntry name##_entry =     \
      ::hocket::uno::entry(name##_descriptor, name##_memory, name##_stack);                     \
  [[gnu::used, gnu::section("hocket_declared")]] static constexpr auto name##_declared =        \
      ::hocket::uno::declared(name##_descriptor, name##_memory, name##_stack, file);

#undef HOCKET_USE_LOOP_
#define HOCKET_USE_LOOP_(name) \
  (static_cast<void>(&name##_entry), static_cast<void>(&name##_declared))

// The handlers or main() of a service loop often print, which takes more stack than a short loop.
#undef HOCKET_SERVICE_STACK_
#define HOCKET_SERVICE_STACK_ 320
