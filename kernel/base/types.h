// The few general utilities that the kernel would take from a standard library, which some targets
// lack.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Attributes for the parts of a decision. Where code should be fast rather than small, they become
// one function, without calls and without saved registers. Where code should be small, rare parts
// are out of line, so that the common path saves few registers.
//   IN_LINE  a part of one decision
//   STEP     a part of several decisions
//   APART    short code, or code that is used in many places
//   RARE     code that is not worth room in its callers
//   ASIDE    a function that a fast one seldom calls. It preserves the caller's registers, so that
//            the caller has none to save for it
//   SHORT    a leaf function that several fast ones call: preserves registers where possible
#ifdef __OPTIMIZE_SIZE__
#define HOCKET_IN_LINE
#define HOCKET_STEP [[gnu::noinline]]
#define HOCKET_APART [[gnu::noinline]]
#define HOCKET_RARE
#else
#define HOCKET_IN_LINE [[gnu::always_inline]]
#define HOCKET_STEP [[gnu::always_inline]]
#define HOCKET_APART
#define HOCKET_RARE [[gnu::noinline]]
#endif
// Independent of a file's optimisation level, because this changes the calling convention.
#if defined(__aarch64__) && __STDC_HOSTED__ == 0
#define HOCKET_ASIDE [[gnu::noinline, clang::preserve_most]]
#define HOCKET_SHORT HOCKET_ASIDE
#else
#define HOCKET_ASIDE [[gnu::noinline]]
#define HOCKET_SHORT
#endif

// HOCKET_CHECK verifies an invariant in checked builds. The board decides what a failed check does.
#ifdef HOCKET_CHECKED
extern "C" [[noreturn]] void hocket_check_failed(const char* what, const char* file, unsigned line);
// If texts would fill the memory, only the line is reported.
#ifdef HOCKET_CHECKED_WITHOUT_TEXTS
#define HOCKET_CHECK_TEXT(text) ""
#else
#define HOCKET_CHECK_TEXT(text) text
#endif
#define HOCKET_CHECK(condition)                                                                  \
  ((condition) ? static_cast<void>(0)                                                            \
               : hocket_check_failed(HOCKET_CHECK_TEXT(#condition), HOCKET_CHECK_TEXT(__FILE__), \
                                     __LINE__))
#else
#define HOCKET_CHECK(condition) static_cast<void>(0)
#endif

namespace hocket {

/// Number of a processor core, from 0.
using CoreId = uint8_t;

template <class A, class B>
inline constexpr bool same_type = false;
template <class A>
inline constexpr bool same_type<A, A> = true;

/// `requires { { expression } -> Same<T>; }`
template <class A, class B>
concept Same = same_type<A, B>;

namespace detail {
template <bool kFirst, class A, class B>
struct Chosen {
  using Type = A;
};
template <class A, class B>
struct Chosen<false, A, B> {
  using Type = B;
};
}  // namespace detail
/// The first type if the condition holds, else the second.
template <bool kFirst, class A, class B>
using ChosenType = typename detail::Chosen<kFirst, A, B>::Type;

// By value: references would force both arguments into memory.
template <class T>
constexpr T smaller(T a, T b) {
  if (b < a) return b;
  return a;
}
template <class T>
constexpr T larger(T a, T b) {
  if (a < b) return b;
  return a;
}

/// Smallest power of two that is at least `n` (n ≥ 1).
constexpr unsigned power_of_two_at_least(unsigned n) {
  unsigned result = 1;
  while (result < n) result *= 2;
  return result;
}

}  // namespace hocket
