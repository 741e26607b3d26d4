// The sketch's scheduling policy; written once, anywhere in the sketch:
//
//   HOCKET_POLICY(edf)
//
//   vcpu        virtual CPUs with fixed priorities, rate-monotonic (the default)
//   edf         earliest deadline first
//   hybrid_edf  earliest deadline first; loops with a priority() take turns in the time left
//   mlq         a multi-level queue: priority(), with turns of a slice() within a level
//   bitmap      one loop for each priority, which runs until it waits
//   lottery     a draw after each slice(), weighted by tickets()
//
// The option --policy overrides it. The tool reads the line and builds the kernel with that policy;
// this header only checks the name.
#pragma once

namespace hocket {

enum class Policy { vcpu, edf, hybrid_edf, mlq, bitmap, lottery };

}  // namespace hocket

#define HOCKET_POLICY(name) \
  static_assert(::hocket::Policy::name <= ::hocket::Policy::lottery, "a scheduling policy");
