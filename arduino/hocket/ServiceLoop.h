// Loops that a header declares instead of the sketch.
//
// They are ordinary loops: in the table, admitted before anything runs, and in the report under
// their number. Such a loop is in the program exactly if something calls use(): its table entry is
// a member of a template, and the compiler creates those only when they are named.
//
//   #define HOCKET_ALARM_LOOP 9, 2ms, 20ms, onCore(1)      before the header is included: the
//                                                          arguments as in loop(…)
#pragma once

#include "arduino/runtime/defaults.h"

namespace hocket::services {

template <typename... Options>
consteval LoopDescriptor describe(void (*body)(), const char* file, uint32_t line, long long id,
                                  Span budget, Span period, Options... options) {
  LoopDescriptor d =
      detail::describe(LoopKind::Loop, body, file, line, id, budget, period, options...);
  if (!detail::id_ok(id)) d.id = 0;
  if (d.stack_bytes == 0) d.stack_bytes = HOCKET_SERVICE_STACK_;
  return d;
}

}  // namespace hocket::services

/// template <unsigned k> struct Name: a loop with the annotation in the dots, which may name k. The
/// header defines Name<k>::body().
#define HOCKET_SERVICE_LOOP_(Name, file, ...)                                        \
  template <unsigned k>                                                              \
  struct Name {                                                                      \
    static void body();                                                              \
    static constexpr ::hocket::LoopDescriptor loop_descriptor = [] {                 \
      using namespace ::hocket::annotation;                                          \
      return ::hocket::services::describe(&body, file, __LINE__, __VA_ARGS__);       \
    }();                                                                             \
    static_assert(loop_descriptor.id != 0, "a loop's id is a number from 1 to 255"); \
    HOCKET_CHECK_LOOP_(loop_descriptor)                                              \
    HOCKET_ENTER_LOOP_(loop, file)                                                   \
    static constexpr unsigned id() {                                                 \
      return loop_descriptor.id;                                                     \
    }                                                                                \
    static void use() {                                                              \
      HOCKET_USE_LOOP_(loop);                                                        \
    }                                                                                \
  };
