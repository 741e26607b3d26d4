// What a CAN controller offers to sketches and libraries, as in ArduinoCore-API 1.5. No board here
// has one; drivers of controllers at SPI, such as the MCP2515, derive from it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CanMsg.h"
#include "CanMsgRingbuffer.h"

/// Bits a second.
enum class CanBitRate : int32_t {
  BR_125k = 125000,
  BR_250k = 250000,
  BR_500k = 500000,
  BR_1000k = 1000000,
};

class HardwareCAN {
 public:
  virtual ~HardwareCAN() = default;

  /// Whether the controller works from now on.
  virtual bool begin(CanBitRate can_bitrate) = 0;
  virtual void end() = 0;
  /// 1: it will be sent, after those of the same priority before it; below 0: an error of the
  /// driver's.
  virtual int write(const CanMsg& msg) = 0;
  /// How many frames were received and not read.
  virtual size_t available() = 0;
  /// The one that came first; an empty one when there is none.
  virtual CanMsg read() = 0;
};

namespace arduino {
using ::HardwareCAN;
}  // namespace arduino
