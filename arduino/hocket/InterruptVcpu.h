// Pin interrupts on budgets (Table II of the Qduino paper; docs/reference/interrupts.md).
//
//   attachInterruptVcpu(2, count, RISING, 1, 10);           a virtual CPU of its own: 1 ms in 10 ms
//   attachInterruptVcpu(3, ping, CHANGE, 200us, 5ms, onCore(1), stackBytes(4096));
//   interruptsVcpu(1, 20);                                  what brings edges to all handlers
//   interruptsVcpu(100us, 5ms, forPins(2, 4));              another one, for those of some pins
//   attachInterruptDirect(4, stop, FALLING, 10us, 2ms);     in the interrupt: 10 us in 2 ms at most
//   HOCKET_INTERRUPT_LOOP(254, 2ms, 20ms)                   the loop of plain attachInterrupt()
//   HOCKET_LONGEST_SECTION(200us)                           what noInterrupts() takes at most
//
// Budgets are constants. Each call of attachInterruptVcpu(), attachInterruptDirect() or
// interruptsVcpu() in the source is one entry in the table of loops, and all entries are admitted
// before anything runs (docs/decisions/language-and-start.md). Pin, handler and mode may be
// variables; `hocket check` shows those that are constants.
#pragma once

#include "api/Interrupts.h"
#include "arduino/runtime/defaults.h"
#include "arduino/runtime/system.h"

namespace hocket::services {

/// The body of a handler's loop: waits for the next event of a pin and calls its handler.
void call_handler();
/// The bottom half runs in the kernel and has no body in the sketch.
inline void no_body() {}

inline sys::PinCall plain_call(voidFuncPtr handler) {
  if (handler == nullptr) return {nullptr, nullptr};
  // The pointer is cast back to its original type before the call.
  return {[](void* function) { reinterpret_cast<voidFuncPtr>(function)(); },
          reinterpret_cast<void*>(handler)};
}

template <typename... Options>
consteval LoopDescriptor describe_handler(const char* file, uint32_t line, long long id,
                                          Span budget, Span period, Options... options) {
  LoopDescriptor d = detail::describe(LoopKind::Handler, &call_handler, file, line, id, budget,
                                      period, options...);
  if (d.stack_bytes == 0) d.stack_bytes = HOCKET_SERVICE_STACK_;
  if (!d.is_for_all()) d.pin = LoopDescriptor::kMisplacedPins;
  return d;
}

consteval bool may_be_mode(int mode) {
  return mode == LoopDescriptor::kNotKnown || (mode >= 0 && mode < sys::kEdgeModes);
}

consteval LoopDescriptor with_pin(LoopDescriptor d, int pin, int mode) {
  if (pin >= 0 && pin <= INT16_MAX && d.is_for_all()) d.pin = static_cast<int16_t>(pin);
  if (mode >= 0 && mode < sys::kEdgeModes) d.mode = static_cast<int16_t>(mode);
  return d;
}

template <typename... Options>
consteval LoopDescriptor describe_bottom_half(const char* file, uint32_t line, Span budget,
                                              Span period, Options... options) {
  return detail::describe(LoopKind::BottomHalf, &no_body, file, line, 0, budget, period,
                          options...);
}

/// A table entry, which is in the program if something names it. `Describe` returns its descriptor.
template <class Describe, int kPin = LoopDescriptor::kNotKnown,
          int kMode = LoopDescriptor::kNotKnown>
struct DeclaredBy {
  static constexpr LoopDescriptor loop_descriptor = with_pin(Describe{}(), kPin, kMode);
  static constexpr LoopKind kKind = loop_descriptor.kind;
  static constexpr uint64_t kLength = loop_descriptor.budget_ns;
  static_assert(kKind != LoopKind::Direct || kLength > 0,
                "a direct handler's length must be more than 0");
  static_assert(kKind != LoopKind::Direct || kLength < loop_descriptor.period_ns,
                "a direct handler's length must be shorter than its distance");
  static_assert(loop_descriptor.pin != LoopDescriptor::kNoPins,
                "forPins(first, last): both are numbers of pins, the lower one first");
  // An I/O virtual CPU may have a budget of 0 for a while.
  static constexpr LoopDescriptor checked = [] {
    LoopDescriptor d = loop_descriptor;
    if (kKind == LoopKind::BottomHalf && d.budget_ns == 0) d.budget_ns = 1;
    return d;
  }();
  HOCKET_CHECK_LOOP_(checked)
  HOCKET_ENTER_LOOP_(loop, "a sketch's interrupt")
  static void use() { HOCKET_USE_LOOP_(loop); }
};

#if defined(__AVR__)
#define HOCKET_NO_VCPU_(name) \
  __attribute__((             \
      unavailable(name " is not in this release for boards with an AVR: use attachInterrupt()")))
#else
#define HOCKET_NO_VCPU_(name) HOCKET_NO_INTERRUPT_(name)
#endif

template <int kPin, int kMode, class Describe>
void attach_declared(int pin, voidFuncPtr handler, int mode) {
  using Declared = DeclaredBy<Describe, kPin, kMode>;
  Declared::use();
  static_cast<void>(sys::attach_pin(
      {static_cast<unsigned>(pin), mode, plain_call(handler), &Declared::loop_descriptor}));
}
template <int kPin, int kMode, class Describe>
HOCKET_NO_VCPU_("attachInterruptVcpu()")
void attach(Describe, int pin, voidFuncPtr handler, int mode) {
  attach_declared<kPin, kMode, Describe>(pin, handler, mode);
}
template <int kPin, int kMode, class Describe>
HOCKET_NO_VCPU_("attachInterruptDirect()")
void attach_direct(Describe, int pin, voidFuncPtr handler, int mode) {
  attach_declared<kPin, kMode, Describe>(pin, handler, mode);
}

template <class Describe>
HOCKET_NO_VCPU_("interruptsVcpu()")
void declare(Describe) {
  using Declared = DeclaredBy<Describe>;
  Declared::use();
  static_cast<void>(sys::attach_pin({0, 0, {nullptr, nullptr}, &Declared::loop_descriptor}));
}

consteval LoopDescriptor describe_direct(const char* file, uint32_t line, Span length,
                                         Span distance) {
  return detail::describe(LoopKind::Direct, &no_body, file, line, 0, length, distance);
}

}  // namespace hocket::services

// These checks come before the compiler's own, less readable errors.
#define HOCKET_CONSTANT_BUDGET_(name, C, T)                                                       \
  [&] {                                                                                           \
    using namespace ::hocket::annotation;                                                         \
    static_assert(                                                                                \
        __builtin_constant_p(::hocket::Span(C).ns) && __builtin_constant_p(::hocket::Span(T).ns), \
        "the budget and the period of " name                                                      \
        " must be constants: they are admitted before the sketch runs");                          \
  }

// The same for a constant mode that does not exist.
#define HOCKET_KNOWN_MODE_(mode)                                                                \
  [&] {                                                                                         \
    static_assert(::hocket::services::may_be_mode(HOCKET_IF_CONSTANT_(mode)),                   \
                  "there is no such mode of an interrupt: use RISING, FALLING, CHANGE, LOW or " \
                  "HIGH");                                                                      \
  }

#define HOCKET_IF_CONSTANT_(value) \
  (__builtin_constant_p(value) ? static_cast<int>(value) : ::hocket::LoopDescriptor::kNotKnown)

/// attachInterruptVcpu(pin, isr, mode, C, T): like attachInterrupt(), but the handler runs on a
/// virtual CPU of its own. Options may follow as in loop(…): onCore(…), stackBytes(…). Context: any
/// loop, setup(). Never blocks.
#define attachInterruptVcpu(pin, isr, mode, C, ...)                                          \
  (static_cast<void>(                                                                        \
       HOCKET_CONSTANT_BUDGET_("attachInterruptVcpu()", C, HOCKET_FIRST_(__VA_ARGS__, 0))),  \
   static_cast<void>(HOCKET_KNOWN_MODE_(mode)),                                              \
   ::hocket::services::attach<HOCKET_IF_CONSTANT_(pin), HOCKET_IF_CONSTANT_(mode)>(          \
       [] {                                                                                  \
         using namespace ::hocket::annotation;                                               \
         return ::hocket::services::describe_handler(__FILE__, __LINE__, 0, C, __VA_ARGS__); \
       },                                                                                    \
       pin, isr, mode))

/// attachInterruptDirect(pin, isr, mode, length, distance): the handler runs in the interrupt
/// itself, on core 0, for at most `length`, and edges come no closer than `distance`. Both are
/// constants. They are admitted before the sketch runs and enforced while it runs: an edge that
/// comes too soon is lost and counted, and a handler that takes longer is detached. The handler
/// must not wait. Context: any loop, setup(). Never blocks.
#define attachInterruptDirect(pin, isr, mode, length, distance)                             \
  (static_cast<void>(HOCKET_CONSTANT_BUDGET_("attachInterruptDirect()", length, distance)), \
   static_cast<void>(HOCKET_KNOWN_MODE_(mode)),                                             \
   ::hocket::services::attach_direct<HOCKET_IF_CONSTANT_(pin), HOCKET_IF_CONSTANT_(mode)>(  \
       [] {                                                                                 \
         using namespace ::hocket::annotation;                                              \
         return ::hocket::services::describe_direct(__FILE__, __LINE__, length, distance);  \
       },                                                                                   \
       pin, isr, mode))

/// Declares the longest section between noInterrupts() and interrupts(), by which edges may be
/// delayed. Once, outside of functions. Without it, delay bounds count from the end of the section.
#define HOCKET_LONGEST_SECTION(length)                                               \
  extern "C" [[gnu::used]] constinit const uint64_t hocket_longest_section_ns = [] { \
    using namespace ::hocket::annotation;                                            \
    return ::hocket::Span(length).ns;                                                \
  }();

#ifdef __AVR__
#include "uno_interrupts_vcpu.h"
#else
/// interruptsVcpu(C, T): the budget of the I/O virtual CPU, which delivers edges from the pins to
/// the handlers. Anywhere in a function; without it the system chooses a budget. If it is written
/// in several places, the largest budget is admitted, and each call applies its own from then on.
/// With C = 0 nothing is delivered until another call. With forPins(first, last) or forPin(pin) it
/// is an I/O virtual CPU for these pins only (docs/reference/interrupts.md).
#define interruptsVcpu(C, ...)                                                            \
  (static_cast<void>(                                                                     \
       HOCKET_CONSTANT_BUDGET_("interruptsVcpu()", C, HOCKET_FIRST_(__VA_ARGS__, 0))),    \
   ::hocket::services::declare([] {                                                       \
     using namespace ::hocket::annotation;                                                \
     return ::hocket::services::describe_bottom_half(__FILE__, __LINE__, C, __VA_ARGS__); \
   }))
#endif

#define HOCKET_FIRST_(first, ...) first

/// The loop of all handlers that attachInterrupt() attaches. Once, outside of functions.
#define HOCKET_INTERRUPT_LOOP(id, ...)                                                            \
  static_assert(::hocket::detail::id_ok(id), "a loop's id is a number from 1 to 255");            \
  extern "C" [[gnu::used]] constinit const ::hocket::LoopDescriptor hocket_interrupt_loop = [] {  \
    using namespace ::hocket::annotation;                                                         \
    constexpr auto d = ::hocket::services::describe_handler(__FILE__, __LINE__, id, __VA_ARGS__); \
    HOCKET_CHECK_LOOP_(d)                                                                         \
    return d;                                                                                     \
  }();
