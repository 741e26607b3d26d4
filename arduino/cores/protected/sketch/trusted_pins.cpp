// The pins' registers, which the kernel maps for a sketch that asks for them (image.h).
#include "arduino/cores/protected/sketch/image.h"
#include "arduino/hocket/FaultPolicy.h"
#include "arduino/hocket/TrustedPins.h"

namespace hocket {

static_assert(static_cast<uint32_t>(OnFault::StopLoop) ==
              static_cast<uint32_t>(sketch::FaultPolicy::StopLoop));
static_assert(static_cast<uint32_t>(OnFault::StopSketch) ==
              static_cast<uint32_t>(sketch::FaultPolicy::StopSketch));
static_assert(static_cast<uint32_t>(OnFault::RestartSketch) ==
              static_cast<uint32_t>(sketch::FaultPolicy::RestartSketch));

volatile uint32_t* trustedPins() {
  // SAFETY: the header is at kBase in every sketch (sketch.ld) and readable like the text. A kernel
  // that cannot grant what its flags request does not start the sketch.
  const auto* header = reinterpret_cast<const sketch::Header*>(sketch::kBase);
  if ((header->flags & sketch::kTrustedPinAccess) == 0) return nullptr;
  return reinterpret_cast<volatile uint32_t*>(sketch::kTrustedPins);
}

}  // namespace hocket
