// Where libraries look for class RingBuffer, a byte queue.
#pragma once

#include "../api/RingBuffer.h"

typedef RingBufferN<SERIAL_BUFFER_SIZE> RingBuffer;

namespace arduino {
using ::RingBuffer;
}  // namespace arduino
