// The few general pieces the kernel needs from a standard library, which not every target has.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Where code should be fast rather than small, the parts of a decision become one function: no
// calls, no registers kept and brought back in between. Where it should be small, what is rare
// stands apart, so that the rest keeps few registers.
//   IN_LINE  a part of a decision
//   STEP     a part of several decisions
//   APART    what is short, or used in many places
//   RARE     what is not worth a place in the others
//   ASIDE    what a fast function seldom calls: it leaves the caller's registers as they are, so that
//            the caller has none to keep for it
//   SHORT    what several fast functions call, and calls nothing: likewise, where that is possible
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
// (The same in all files of a program, however they are compiled.)
#if defined(__aarch64__) && __STDC_HOSTED__ == 0
#define HOCKET_ASIDE [[gnu::noinline, clang::preserve_most]]
#define HOCKET_SHORT HOCKET_ASIDE
#else
#define HOCKET_ASIDE [[gnu::noinline]]
#define HOCKET_SHORT
#endif

// HOCKET_CHECK checks an invariant in builds that ask for it; the board decides what a failed check
// does.
#ifdef HOCKET_CHECKED
extern "C" [[noreturn]] void hocket_check_failed(const char* what, const char* file, unsigned line);
// Where texts would fill the memory, the line must do.
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
/// The first type where the condition holds, else the second.
template <bool kFirst, class A, class B>
using ChosenType = typename detail::Chosen<kFirst, A, B>::Type;

// (Of values: a reference to one of two would need both in memory.)
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
