// The interface of a CAN controller for sketches and libraries, as in ArduinoCore-API 1.5. No board
// here has one. Drivers of SPI controllers such as the MCP2515 derive from this class.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "CanMsg.h"
#include "CanMsgRingbuffer.h"

/// Bits per second.
enum class CanBitRate : int32_t {
  BR_125k = 125000,
  BR_250k = 250000,
  BR_500k = 500000,
  BR_1000k = 1000000,
};

class HardwareCAN {
 public:
  virtual ~HardwareCAN() = default;

  /// Starts the controller. Returns false if it does not work.
  virtual bool begin(CanBitRate can_bitrate) = 0;
  virtual void end() = 0;
  /// Returns 1 if the frame will be sent, after earlier frames of the same priority. Negative: an
  /// error code of the driver.
  virtual int write(const CanMsg& msg) = 0;
  /// The number of frames that were received and not read.
  virtual size_t available() = 0;
  /// The oldest frame; an empty one when there is none.
  virtual CanMsg read() = 0;
};

namespace arduino {
using ::HardwareCAN;
}  // namespace arduino
