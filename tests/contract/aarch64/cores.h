// Starting the other cores of QEMU's `virt`.
#pragma once

#include "kernel/base/types.h"

namespace hocket::contract {

/// Starts the core at hocket_start. False: there is no such core.
bool start_core(CoreId core);

}  // namespace hocket::contract
