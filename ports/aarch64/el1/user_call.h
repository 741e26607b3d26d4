// Preparation for a call of a sketch's function out of an interrupt (hocket_call_user, switch.S).
#pragma once

#include "ports/aarch64/core_local.h"

namespace hocket::aarch64 {

/// While an object lives, the sketch of this program can be called, whatever was interrupted.
/// Masked, in a handler of the real-time level. Program: own() is the domain in which its threads
/// are made.
///
/// At EL1 there is nothing to do: the lower half is the sketch's, and what the handler interrupted
/// is in its frame.
class UserCall {
 public:
  static constexpr bool kIsNothing = true;

  template <class Program>
  explicit UserCall(const Program& /*program*/) {}
};

}  // namespace hocket::aarch64
