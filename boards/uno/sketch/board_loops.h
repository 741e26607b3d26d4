// A loop of a sketch on the Uno: its memory in RAM, what it asks for in flash, and what only tools
// want to know in a section that is not loaded at all (arduino/runtime/loops.h leads here).
//
//   hocket_loops      flash: read when the sketch starts
//   hocket_declared   in the file only: read by `hocket run`, which decides whether all loops fit
//
// A sketch without declared loops has nothing of this, and no kernel.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arduino/runtime/loops.h"
#include "kernel/base/tick_rate.h"

/// Starts the declared loops; linked into sketches that have some.
extern "C" [[noreturn]] void hocket_run_loops();

namespace hocket::uno {

inline constexpr uint16_t kStateBytes = HOCKET_LOOP_STATE_BYTES;  // of a loop, besides its stack
inline constexpr uint16_t kDefaultStack = 192;
inline constexpr uint16_t kSmallestStack = 128;
inline constexpr uint16_t kLargestStack = 1536;
inline constexpr uint64_t kLongestPeriodNs = 240'000'000'000;  // instants wrap after 35 minutes
using Rate = TickRate<F_CPU / 8>;

/// What decides about priority: bytes that compare as kernel/sched/admission.h orders loops.
/// Shorter deadline first, then the smaller budget, then the lower id.
struct LoopOrder {
  uint8_t bytes[9];
};

struct LoopEntry {
  void (*body)();
  uint32_t (*wait)(uint32_t release, const LoopEntry&);  // next_release, or null: not periodic
  uint8_t* memory;                                       // its state, then its stack
  uint16_t stack_bytes;
  uint32_t budget;  // ticks
  uint32_t period;
  LoopOrder order;
  uint8_t id;
  bool background;
};

/// Of a periodic loop, whose last release was at `release`: waits for the next one and returns its
/// instant (kernel.cpp).
uint32_t next_release(uint32_t release, const LoopEntry&);

constexpr LoopOrder order_of(uint32_t deadline, uint32_t budget, uint8_t id) {
  LoopOrder order{};
  for (unsigned i = 0; i < 4; ++i) {
    order.bytes[i] = static_cast<uint8_t>(deadline >> (24 - 8 * i));
    order.bytes[4 + i] = static_cast<uint8_t>(budget >> (24 - 8 * i));
  }
  order.bytes[8] = id;
  return order;
}

template <size_t kFileSize>
struct DeclaredLoop {
  uint16_t record_bytes;
  uint8_t id;
  uint8_t periodic;
  uint8_t core;
  uint8_t background;
  uint32_t line;
  uint64_t budget_ns;
  uint64_t period_ns;
  uint64_t deadline_ns;
  uint16_t stack_bytes;
  uint8_t* memory;
  void (*run)();  // that it is named here links the kernel to the sketch
  char file[kFileSize];
};

constexpr uint16_t stack_of(const LoopDescriptor& d) {
  return d.stack_bytes == 0 ? kDefaultStack : static_cast<uint16_t>(d.stack_bytes);
}

consteval LoopEntry entry(const LoopDescriptor& d, uint8_t* memory) {
  const TickDemand ticks = Rate::demand(d.budget_ns, d.period_ns, d.deadline_ns);
  return {
      d.body,
      d.kind == LoopKind::Periodic ? &next_release : nullptr,
      memory,
      stack_of(d),
      static_cast<uint32_t>(ticks.budget),
      static_cast<uint32_t>(ticks.period),
      order_of(static_cast<uint32_t>(ticks.deadline), static_cast<uint32_t>(ticks.budget), d.id),
      d.id,
      d.background};
}

template <size_t kFileSize>
consteval DeclaredLoop<kFileSize> declared(const LoopDescriptor& d, uint8_t* memory,
                                           const char (&file)[kFileSize]) {
  DeclaredLoop<kFileSize> result{sizeof result,
                                 d.id,
                                 d.kind == LoopKind::Periodic,
                                 d.core,
                                 d.background,
                                 d.line,
                                 d.budget_ns,
                                 d.period_ns,
                                 d.deadline_ns,
                                 stack_of(d),
                                 memory,
                                 &hocket_run_loops,
                                 {}};
  for (size_t i = 0; i < kFileSize; ++i) result.file[i] = file[i];
  return result;
}

}  // namespace hocket::uno

#undef HOCKET_ENTER_LOOP_
#define HOCKET_ENTER_LOOP_(name, file)                                                        \
  static_assert(name##_descriptor.stack_bytes == 0 ||                                         \
                    (name##_descriptor.stack_bytes >= ::hocket::uno::kSmallestStack &&        \
                     name##_descriptor.stack_bytes <= ::hocket::uno::kLargestStack),          \
                "a loop's stack, stackBytes(), has 128 to 1536 bytes on the Uno");            \
  static_assert(name##_descriptor.period_ns <= ::hocket::uno::kLongestPeriodNs,               \
                "a loop's period must not be longer than 240 s on the Uno");                  \
  static inline uint8_t                                                                       \
      name##_memory[::hocket::uno::kStateBytes + ::hocket::uno::stack_of(name##_descriptor)]; \
  [[gnu::used,                                                                                \
    gnu::section("hocket_loops")]] static constexpr ::hocket::uno::LoopEntry name##_entry =   \
      ::hocket::uno::entry(name##_descriptor, name##_memory);                                 \
  [[gnu::used, gnu::section("hocket_declared")]] static constexpr auto name##_declared =      \
      ::hocket::uno::declared(name##_descriptor, name##_memory, file);

#undef HOCKET_USE_LOOP_
#define HOCKET_USE_LOOP_(name) \
  (static_cast<void>(&name##_entry), static_cast<void>(&name##_declared))

// What its handlers or main() do is likely to print, and takes more than a loop of a few lines.
#undef HOCKET_SERVICE_STACK_
#define HOCKET_SERVICE_STACK_ 320
