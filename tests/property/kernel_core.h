// The kernel's scheduling core (kernel/sched) as an engine of the machine in tests/model.
#pragma once

#include <memory>

#include "core_engine.h"
#include "workload.h"

namespace hocket::test {

/// The policy of the default boards: 64-bit time, 16 refills at most, T / 256.
std::unique_ptr<CoreEngine> make_kernel_core(const Workload& set);

/// The policy of a small processor: 32-bit time that wraps in the middle of the run, 3 refills, T
/// / 32.
std::unique_ptr<CoreEngine> make_small_kernel_core(const Workload& set);

}  // namespace hocket::test
