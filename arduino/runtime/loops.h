// How a sketch declares its loops: a table in a linker section, filled at compile time.
//
//   HOCKET_LOOP(1, 70, 100) { … }                       budget 70 ms in every period of 100 ms
//   HOCKET_LOOP(2, 500us, 20ms, onCore(1)) { … }        pinned to core 1
//   HOCKET_PERIODIC(3, 2ms, 10ms, 5ms) { … }            one call a period, done 5 ms after its
//   release
//
// In an .ino the same is written `void loop(1, 70, 100) { … }` and `void periodic(3, 2ms, 10ms,
// 5ms)`; the translator (`tools/hocket/sketch`) rewrites those lines to these macros. The
// descriptors are constant data, reached through a table of pointers: nothing runs before main, and
// a tool can read them from the image.
#pragma once

#include <stdint.h>

namespace hocket {

/// `value` units of `unit_ns` each; the largest number there is when that is more.
constexpr uint64_t nanoseconds(unsigned long long value, uint64_t unit_ns) {
  return value > UINT64_MAX / unit_ns ? UINT64_MAX : value * unit_ns;
}

/// A span of time in a loop's annotation. A bare number is milliseconds, as everywhere in Arduino.
struct Span {
  uint64_t ns;
  constexpr Span(unsigned long long value_ns, int) : ns(value_ns) {}
  template <typename Integer>
    requires(__is_integral(Integer))
  constexpr Span(Integer milliseconds)  // NOLINT(google-explicit-constructor): `loop(1, 70, 100)`
      : ns(milliseconds < 0
               ? 0
               : nanoseconds(static_cast<unsigned long long>(milliseconds), 1000000u)) {}
};

enum class LoopKind : uint8_t { Loop, Periodic };

/// One declared loop. Times are nanoseconds; the runtime converts them to the board's ticks.
struct LoopDescriptor {
  static constexpr uint8_t kAnyCore = 0xff;
  static constexpr unsigned kHighestId = 255;
  static constexpr uint64_t kLongestPeriodNs = 365 * 24 * 3600 * uint64_t{1'000'000'000};

  void (*body)();
  const char* file;
  uint64_t budget_ns;
  uint64_t period_ns;
  uint64_t deadline_ns;
  uint32_t stack_bytes;  // 0: the board's default
  uint32_t line;
  uint8_t id;
  uint8_t core;
  LoopKind kind;
  bool background;
};

/// Options that may follow the period (or the deadline) of a loop.
struct OnCore {
  uint8_t core;
};
struct StackBytes {
  uint32_t bytes;
};
struct Background {};

namespace detail {
constexpr void apply(LoopDescriptor& d, OnCore option) {
  d.core = option.core;
}
constexpr void apply(LoopDescriptor& d, StackBytes option) {
  d.stack_bytes = option.bytes;
}
constexpr void apply(LoopDescriptor& d, Background) {
  d.background = true;
}
constexpr void apply(LoopDescriptor& d, Span deadline) {
  d.deadline_ns = deadline.ns;
}

template <typename... Options>
consteval LoopDescriptor describe(LoopKind kind, void (*body)(), const char* file, uint32_t line,
                                  long long id, Span budget, Span period, Options... options) {
  LoopDescriptor d{body,
                   file,
                   budget.ns,
                   period.ns,
                   period.ns,
                   0,
                   line,
                   static_cast<uint8_t>(id),
                   LoopDescriptor::kAnyCore,
                   kind,
                   false};
  (apply(d, options), ...);
  return d;
}
consteval bool id_ok(long long id) {
  return id >= 1 && id <= LoopDescriptor::kHighestId;
}
}  // namespace detail
}  // namespace hocket

/// What may be written in a loop's annotation besides numbers. It is in scope there and nowhere
/// else, so a sketch is free to have a `background` or an `ms` of its own.
namespace hocket::annotation {

/// Units of time: 500us, 20ms, 1s. (Suffixes without an underscore are reserved to the standard
/// library.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuser-defined-literals"
constexpr Span operator""us(unsigned long long value) {
  return {nanoseconds(value, 1000u), 0};
}
constexpr Span operator""ms(unsigned long long value) {
  return {nanoseconds(value, 1000000u), 0};
}
constexpr Span operator""s(unsigned long long value) {
  return {nanoseconds(value, 1000000000u), 0};
}
#pragma clang diagnostic pop

/// Options: the loop's core, its stack, and whether it may use idle time beyond its budget.
constexpr OnCore onCore(uint8_t core) {
  return {core};
}
constexpr StackBytes stackBytes(uint32_t bytes) {
  return {bytes};
}
constexpr Background background() {
  return {};
}

}  // namespace hocket::annotation

#define HOCKET_DECLARE_LOOP_(kind, name, id, ...)                                                  \
  static_assert(::hocket::detail::id_ok(id), "a loop's id is a number from 1 to 255");             \
  void name();                                                                                     \
  static constexpr ::hocket::LoopDescriptor name##_descriptor = [] {                               \
    using namespace ::hocket::annotation;                                                          \
    return ::hocket::detail::describe(kind, &name, __FILE__, __LINE__, id, __VA_ARGS__);           \
  }();                                                                                             \
  static_assert(name##_descriptor.budget_ns > 0, "a loop's budget must be more than 0");           \
  static_assert(name##_descriptor.budget_ns <= name##_descriptor.deadline_ns,                      \
                "a loop's budget must not be longer than its period or deadline");                 \
  static_assert(name##_descriptor.deadline_ns <= name##_descriptor.period_ns,                      \
                "a loop's deadline must not be later than its period");                            \
  static_assert(name##_descriptor.period_ns <= ::hocket::LoopDescriptor::kLongestPeriodNs,         \
                "a loop's period must not be longer than a year");                                 \
  [[gnu::used,                                                                                     \
    gnu::section("hocket_loops")]] static constexpr const ::hocket::LoopDescriptor* name##_entry = \
      &name##_descriptor;                                                                          \
  void name()

#define HOCKET_LOOP(id, ...) \
  HOCKET_DECLARE_LOOP_(::hocket::LoopKind::Loop, hocket_loop_##id, id, __VA_ARGS__)
#define HOCKET_PERIODIC(id, ...) \
  HOCKET_DECLARE_LOOP_(::hocket::LoopKind::Periodic, hocket_loop_##id, id, __VA_ARGS__)
