// How a sketch declares its loops: a table in a linker section, filled at compile time.
//
//   HOCKET_LOOP(1, 70, 100) { … }                    budget 70 ms in every period of 100 ms
//   HOCKET_LOOP(2, 500us, 20ms, onCore(1)) { … }     pinned to core 1
//   HOCKET_PERIODIC(3, 2ms, 10ms, 5ms) { … }         one call a period, done 5 ms after its release
//
// In an .ino the same is written `void loop(1, 70, 100) { … }` and `void periodic(3, 2ms, 10ms,
// 5ms)`; the translator (`tools/hocket/sketch`) rewrites those lines to these macros. The
// descriptors are constant data, reached through a table of pointers: nothing runs before main, and
// a tool can read them from the image.
#pragma once

#include <stdint.h>

namespace hocket {

namespace detail {
/// value · unit. Saturates at UINT64_MAX, which is later refused as a period.
constexpr uint64_t times(uint64_t value, uint64_t unit) {
  return value > UINT64_MAX / unit ? UINT64_MAX : value * unit;
}
}  // namespace detail

/// A span of time in a loop's annotation. A bare number is milliseconds, as everywhere in Arduino.
struct Span {
  uint64_t ns;
  constexpr Span(unsigned long long value_ns, int) : ns(value_ns) {}
  template <typename Integer>
    requires(__is_integral(Integer))
  constexpr Span(Integer milliseconds)  // NOLINT(google-explicit-constructor): `loop(1, 70, 100)`
      : ns(milliseconds < 0 ? 0 : detail::times(static_cast<uint64_t>(milliseconds), 1'000'000)) {}
};

/// Handler: calls the handlers of pin interrupts, one after another. BottomHalf: the kernel's own
/// work for pin interrupts, on an I/O virtual CPU, for all pins or for the pins from `pin` to
/// `mode`. Direct: not a loop but a handler in the top half, which takes at most `budget` in every
/// `period`.
enum class LoopKind : uint8_t { Loop, Periodic, Handler, BottomHalf, Direct };

/// What a periodic loop does when a call of its body has run past later releases. Skip: continues
/// with the first release that has not passed. CatchUp: makes one call for each release; late ones
/// follow at once. Call: like Skip, but calls `on_overrun` first.
enum class Overrun : uint8_t { Skip, CatchUp, Call, Several };  // Several: two options; refused

/// One declared loop. The number 0 of a Handler or BottomHalf means "any free number". Times are in
/// nanoseconds; the runtime converts them to the board's ticks.
struct LoopDescriptor {
  static constexpr uint8_t kAnyCore = 0xff;
  static constexpr unsigned kHighestId = 255;
  static constexpr uint8_t kHighestCore = 63;
  static constexpr uint8_t kNoCore = 0xfe;              // the sketch named a core that no board has
  static constexpr uint32_t kLargestStack = 1ul << 30;  // a board may have less
  static constexpr uint32_t kNoStack = 0xffffffff;      // the sketch named an impossible stack size
  static constexpr uint64_t kLongestPeriodNs = 100ull * 365 * 86'400 * 1'000'000'000;

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

  // Of a handler: its pin and mode, if they are constants; `hocket check` shows them.
  static constexpr int16_t kNotKnown = -1;
  int16_t pin = kNotKnown;
  int16_t mode = kNotKnown;

  // Of a bottom half: the first and the last pin that it serves, in `pin` and `mode`.
  static constexpr int16_t kNoPins = -2;         // the sketch named impossible pins
  static constexpr int16_t kMisplacedPins = -3;  // the sketch gave pins to something that is not a
                                                 // bottom half
  constexpr bool is_a_loop() const { return kind == LoopKind::Loop || kind == LoopKind::Periodic; }
  constexpr bool is_for_all() const { return pin == kNotKnown; }
  constexpr bool is_for(unsigned number) const {
    return pin >= 0 && number >= static_cast<unsigned>(pin) &&
           number <= static_cast<unsigned>(mode);
  }

  // Only for policies with levels or tickets (docs/reference/scheduling.md).
  static constexpr uint8_t kNoPriority = 0xff;
  static constexpr uint8_t kBadPriority = 0xfe;  // the sketch named an impossible priority
  static constexpr uint8_t kLowestPriority = 31;
  uint8_t priority = kNoPriority;
  uint8_t tickets = 0;  // 0 means one ticket

  Overrun overrun = Overrun::Skip;
  /// Has no contract yet. Does not run before sys::edf_prepare() has given it one.
  bool suspended = false;
  // Of a loop that takes turns: the longest turn, in microseconds; 0: the usual one.
  static constexpr uint32_t kShortestSlice = 1'000, kUsualSlice = 10'000, kLongestSlice = 1'000'000;
  static constexpr uint32_t kBadSlice = 0xffffffff;  // the sketch named an impossible slice
  uint32_t slice_us = 0;
  /// (An image may have a number that slice() refuses.)
  constexpr uint32_t turn_us() const { return slice_us < kShortestSlice ? kUsualSlice : slice_us; }
  void (*on_overrun)() = nullptr;
};

/// Options that may follow the period or the deadline of a loop. Their fields are wide and signed,
/// so that an impossible number is seen as it was written.
struct OnCore {
  long long core;
};
struct StackBytes {
  long long bytes;
};
struct Background {};
struct ForPins {
  long long first, last;
};
struct Priority {
  long long level;
};
struct Tickets {
  long long count;
};
struct Slice {
  Span length;
};
struct Suspended {};
struct OnOverrun {
  Overrun what;
  void (*handler)();
};

namespace detail {
// A value out of range becomes a value that no loop can have. HOCKET_CHECK_LOOP_ then refuses it.
constexpr void apply(LoopDescriptor& d, OnCore option) {
  const bool possible = option.core >= 0 && option.core <= LoopDescriptor::kHighestCore;
  d.core = possible ? static_cast<uint8_t>(option.core) : LoopDescriptor::kNoCore;
}
constexpr void apply(LoopDescriptor& d, StackBytes option) {
  const bool possible = option.bytes >= 1 && option.bytes <= LoopDescriptor::kLargestStack;
  d.stack_bytes = possible ? static_cast<uint32_t>(option.bytes) : LoopDescriptor::kNoStack;
}
constexpr void apply(LoopDescriptor& d, Background) {
  d.background = true;
}
constexpr void apply(LoopDescriptor& d, ForPins option) {
  const bool possible = option.first >= 0 && option.first <= option.last && option.last < 1024;
  d.pin = possible ? static_cast<int16_t>(option.first) : LoopDescriptor::kNoPins;
  d.mode = possible ? static_cast<int16_t>(option.last) : LoopDescriptor::kNoPins;
}
constexpr void apply(LoopDescriptor& d, Priority option) {
  if (d.priority == LoopDescriptor::kBadPriority) return;  // tickets() has been refused
  const bool possible = option.level >= 0 && option.level <= LoopDescriptor::kLowestPriority;
  d.priority = possible ? static_cast<uint8_t>(option.level) : LoopDescriptor::kBadPriority;
}
constexpr void apply(LoopDescriptor& d, Tickets option) {
  const bool possible = option.count >= 1 && option.count <= 255;
  d.tickets = possible ? static_cast<uint8_t>(option.count) : 0;
  if (!possible) d.priority = LoopDescriptor::kBadPriority;
}
constexpr void apply(LoopDescriptor& d, Slice option) {
  const uint64_t us = option.length.ns / 1'000;
  const bool possible = option.length.ns % 1'000 == 0 && us >= LoopDescriptor::kShortestSlice &&
                        us <= LoopDescriptor::kLongestSlice;
  d.slice_us = possible ? static_cast<uint32_t>(us) : LoopDescriptor::kBadSlice;
}
constexpr void apply(LoopDescriptor& d, OnOverrun option) {
  d.overrun = d.overrun == Overrun::Skip ? option.what : Overrun::Several;
  d.on_overrun = option.handler;
}
constexpr void apply(LoopDescriptor& d, Suspended) {
  d.suspended = true;
  d.kind = LoopKind::Periodic;
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
                   false,
                   LoopDescriptor::kNotKnown,
                   LoopDescriptor::kNotKnown};
  (apply(d, options), ...);
  return d;
}
consteval bool id_ok(long long id) {
  return id >= 1 && id <= LoopDescriptor::kHighestId;
}
}  // namespace detail
}  // namespace hocket

/// The names that a loop's annotation may use. They are in scope only there, so a sketch may have
/// its own `background` or `ms`.
namespace hocket::annotation {

/// Units of time: 500us, 20ms, 1s. (Suffixes without an underscore are reserved to the standard
/// library.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuser-defined-literals"
constexpr Span operator""us(unsigned long long value) {
  return {detail::times(value, 1'000), 0};
}
constexpr Span operator""ms(unsigned long long value) {
  return {detail::times(value, 1'000'000), 0};
}
constexpr Span operator""s(unsigned long long value) {
  return {detail::times(value, 1'000'000'000), 0};
}
#pragma clang diagnostic pop

/// Options: the loop's core, its stack, and whether it may use idle time beyond its budget.
constexpr OnCore onCore(long long core) {
  return {core};
}
constexpr StackBytes stackBytes(long long bytes) {
  return {bytes};
}
constexpr Background background() {
  return {};
}
/// For an I/O virtual CPU: it serves only these pins, and no other I/O virtual CPU serves them.
constexpr ForPins forPins(long long first, long long last) {
  return {first, last};
}
constexpr ForPins forPin(long long pin) {
  return {pin, pin};
}

/// Priority, for policies with levels: 0 is the highest, 31 the lowest. Tickets, for the lottery: 1
/// to 255.
constexpr Priority priority(long long level) {
  return {level};
}
constexpr Tickets tickets(long long count) {
  return {count};
}
/// For policies with turns: how long a turn lasts at most, 1 ms to 1 s; 10 ms without it.
constexpr Slice slice(Span length) {
  return {length};
}
/// What a periodic loop does after an overrun, if not to skip releases (see Overrun).
constexpr OnOverrun catchUp() {
  return {Overrun::CatchUp, nullptr};
}
constexpr OnOverrun onOverrun(void (*handler)()) {
  return {Overrun::Call, handler};
}

}  // namespace hocket::annotation

// Enters a loop into the table: places a pointer to its descriptor in a section of its own, unless
// the board defines another way.
#define HOCKET_ENTER_LOOP_(name, file)                                                             \
  [[gnu::used,                                                                                     \
    gnu::section("hocket_loops")]] static constexpr const ::hocket::LoopDescriptor* name##_entry = \
      &name##_descriptor;
// Names the entry. A template's static members are in the program only if something names them.
#define HOCKET_USE_LOOP_(name) static_cast<void>(&name##_entry)

// The stack size of a loop that a library header declares; 0: the default.
#define HOCKET_SERVICE_STACK_ 0

#define HOCKET_CHECK_LOOP_(descriptor)                                                             \
  static_assert(descriptor.overrun != ::hocket::Overrun::Several,                                  \
                "a loop has catchUp() or onOverrun(), not both");                                  \
  static_assert(descriptor.is_a_loop()                                                             \
                    ? descriptor.pin == ::hocket::LoopDescriptor::kNotKnown                        \
                    : descriptor.pin != ::hocket::LoopDescriptor::kMisplacedPins,                  \
                "forPin() and forPins() are for interruptsVcpu()");                                \
  static_assert(descriptor.is_a_loop() || !descriptor.background, "background() is for loops");    \
  static_assert(                                                                                   \
      descriptor.kind != ::hocket::LoopKind::BottomHalf ||                                         \
          (descriptor.stack_bytes == 0 && descriptor.tickets == 0 && descriptor.slice_us == 0 &&   \
           descriptor.priority == ::hocket::LoopDescriptor::kNoPriority),                          \
      "interruptsVcpu() takes onCore(), forPin() and forPins(): its stack and its "                \
      "priority are the system's");                                                                \
  static_assert(descriptor.budget_ns > 0, "a loop's budget must be more than 0");                  \
  static_assert(descriptor.budget_ns <= descriptor.deadline_ns,                                    \
                "a loop's budget must not be longer than its period or deadline");                 \
  static_assert(descriptor.deadline_ns <= descriptor.period_ns,                                    \
                "a loop's deadline must not be later than its period");                            \
  static_assert(descriptor.period_ns <= ::hocket::LoopDescriptor::kLongestPeriodNs,                \
                "a loop's period must not be longer than 100 years");                              \
  static_assert(descriptor.priority != ::hocket::LoopDescriptor::kBadPriority,                     \
                "a loop's priority() is 0 to 31, and its tickets() are 1 to 255");                 \
  static_assert(descriptor.slice_us != ::hocket::LoopDescriptor::kBadSlice,                        \
                "a loop's slice() is 1 ms to 1 s, in whole microseconds");                         \
  static_assert(descriptor.overrun == ::hocket::Overrun::Skip ||                                   \
                    descriptor.kind == ::hocket::LoopKind::Periodic,                               \
                "catchUp() and onOverrun() are for periodic()");                                   \
  static_assert(descriptor.overrun != ::hocket::Overrun::Call || descriptor.on_overrun != nullptr, \
                "onOverrun() needs a function");                                                   \
  static_assert(descriptor.core != ::hocket::LoopDescriptor::kNoCore,                              \
                "a loop's core, onCore(), is a number from 0 to 63");                              \
  static_assert(descriptor.stack_bytes != ::hocket::LoopDescriptor::kNoStack,                      \
                "a loop's stack, stackBytes(), has 1 to 1073741824 bytes");

#define HOCKET_DECLARE_LOOP_(kind, name, id, ...)                                        \
  static_assert(::hocket::detail::id_ok(id), "a loop's id is a number from 1 to 255");   \
  void name();                                                                           \
  static constexpr ::hocket::LoopDescriptor name##_descriptor = [] {                     \
    using namespace ::hocket::annotation;                                                \
    return ::hocket::detail::describe(kind, &name, __FILE__, __LINE__, id, __VA_ARGS__); \
  }();                                                                                   \
  HOCKET_CHECK_LOOP_(name##_descriptor)                                                  \
  HOCKET_ENTER_LOOP_(name, __FILE__)                                                     \
  void name()

#define HOCKET_LOOP(id, ...) \
  HOCKET_DECLARE_LOOP_(::hocket::LoopKind::Loop, hocket_loop_##id, id, __VA_ARGS__)
#define HOCKET_PERIODIC(id, ...) \
  HOCKET_DECLARE_LOOP_(::hocket::LoopKind::Periodic, hocket_loop_##id, id, __VA_ARGS__)

#if __has_include("board_loops.h")
#include "board_loops.h"
#endif
