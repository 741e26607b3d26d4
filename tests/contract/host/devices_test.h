// Tests of the simulated machine's lines with devices behind them.
#pragma once

namespace hocket::contract {

/// In a thread on core 0.
void run_device_tests();

}  // namespace hocket::contract
