// What happens to the sketch when one of its loops faults; written once, anywhere in the sketch:
//
//   HOCKET_ON_FAULT(StopSketch)
//
//   StopLoop       that loop stops for good, the others go on (without the line: this)
//   StopSketch     everything stops; the run ends with the fault
//   RestartSketch  everything begins anew: variables at their first values, then setup()
//                  (boards whose kernel is separate from the sketch; `sim` refuses it)
//
// A fault in setup() ends the run, unless the sketch is to be restarted; after 16 restarts so does
// the next fault.
#pragma once

#include <stdint.h>

namespace hocket {

/// The values are those in the header of a sketch's image (arduino/cores/protected/sketch/image.h).
enum class OnFault : uint32_t { StopLoop = 0, StopSketch = 1, RestartSketch = 2 };

}  // namespace hocket

/// Constant, because it is read from the image before any code of the sketch runs.
extern "C" const uint32_t hocket_fault_policy;

#define HOCKET_ON_FAULT(policy)                                                            \
  [[gnu::used, gnu::section(".hocket.fault_policy")]] const uint32_t hocket_fault_policy = \
      static_cast<uint32_t>(::hocket::OnFault::policy);
