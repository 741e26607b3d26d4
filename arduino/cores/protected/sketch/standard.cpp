// Functions that the C++ library's headers call. Sketches have no exceptions: the loop stops with
// the text of the exception instead. And the clock behind <chrono>.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "arduino/cores/protected/sketch/text.h"
#include "arduino/runtime/system.h"

// The place is in library code, which is inlined into the sketch.
#define HOCKET_INSTEAD_OF_THROWING_(text) hocket::sys::fault(text, __builtin_return_address(0))

namespace std {

void __throw_bad_alloc() {
  HOCKET_INSTEAD_OF_THROWING_("out of memory");
}
void __throw_bad_array_new_length() {
  HOCKET_INSTEAD_OF_THROWING_("out of memory");
}
void __throw_bad_cast() {
  HOCKET_INSTEAD_OF_THROWING_("std::bad_cast");
}
void __throw_bad_typeid() {
  HOCKET_INSTEAD_OF_THROWING_("std::bad_typeid");
}
void __throw_bad_exception() {
  HOCKET_INSTEAD_OF_THROWING_("std::bad_exception");
}
void __throw_bad_function_call() {
  HOCKET_INSTEAD_OF_THROWING_("called an empty std::function");
}
void __throw_logic_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_domain_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_invalid_argument(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_length_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_out_of_range(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
/// The text is on the stack; the kernel copies it.
void __throw_out_of_range_fmt(const char* form, ...) {
  hocket::sketch::Text text;
  va_list values;
  va_start(values, form);
  text.fill(form, values);
  va_end(values);
  HOCKET_INSTEAD_OF_THROWING_(text.get());
}
void __throw_runtime_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_range_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_overflow_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void __throw_underflow_error(const char* text) {
  HOCKET_INSTEAD_OF_THROWING_(text);
}
void terminate() noexcept {
  HOCKET_INSTEAD_OF_THROWING_("std::terminate()");
}

/// Called because there is no run-time type information. It is never the tag that make_shared()
/// compares with.
bool _Sp_make_shared_tag::_S_eq(const type_info&) noexcept {
  return false;
}

/// Time since the board started, like millis().
chrono::steady_clock::time_point chrono::steady_clock::now() noexcept {
  return time_point(duration(hocket::sys::now_ns()));
}

}  // namespace std
