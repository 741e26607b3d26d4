// Settings of a sketch beyond calls, as the simulated board implements them: HOCKET_ON_FAULT(), and
// HOCKET_TRUSTED_PINS(), which this board does not support.
#include "arduino/hocket/FaultPolicy.h"
#include "arduino/hocket/TrustedPins.h"
#include "simulation/machine/program.h"

extern "C" const uint32_t hocket_fault_policy __attribute__((weak));

namespace hocket {

OnFault sim::fault_policy() {
  return &hocket_fault_policy == nullptr ? OnFault::StopLoop
                                         : static_cast<OnFault>(hocket_fault_policy);
}

volatile uint32_t* trustedPins() {
  return nullptr;
}

}  // namespace hocket
