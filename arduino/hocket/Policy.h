// Which scheduling policy the sketch has; written once, anywhere in the sketch:
//
//   HOCKET_POLICY(edf)
//
//   vcpu        virtual CPUs by fixed priorities, rate-monotonic (without the line: this)
//   edf         earliest deadline first
//   hybrid_edf  earliest deadline first; loops with a priority() take turns in what is left
//   mlq         a multi-level queue: priority(), and turns of 10 ms within one
//   bitmap      one loop for each priority, for as long as it likes
//   lottery     a draw every 10 ms: tickets()
//
// The command line's --policy comes before it. The tool reads the line and takes the kernel that
// has the policy; here it is only checked.
#pragma once

namespace hocket {

enum class Policy { vcpu, edf, hybrid_edf, mlq, bitmap, lottery };

}  // namespace hocket

#define HOCKET_POLICY(name) \
  static_assert(::hocket::Policy::name <= ::hocket::Policy::lottery, "a scheduling policy");
