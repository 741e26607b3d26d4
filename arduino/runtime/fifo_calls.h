// Argument checks and answers of the FIFO calls, for every board that has FIFOs.
#pragma once

#include "arduino/runtime/system.h"
#include "hybrid/loops/fifos.h"

namespace hocket::runtime {

static_assert(sys::kFifos == HOCKET_FIFO_COUNT && sys::kLongestRecord == HOCKET_FIFO_MOST);
static_assert(static_cast<int>(sys::FifoTake::Exactly) == static_cast<int>(hybrid::Take::Exactly));

enum class FifoUse : uint8_t { Put, Get, Look };

/// Null if the use is legal; otherwise the text of the loop's fault.
inline const char* wrong_fifo(unsigned fifo, FifoUse use) {
  if (fifo >= sys::kFifos) return "used a FIFO that is not there: they are 0 to 7";
  const bool out = hocket_fifo_to_linux(fifo);
  if (use == FifoUse::Put && !out) {
    return "put into a FIFO that comes from Linux: 0, 2, 4 and 6 go there";
  }
  if (use == FifoUse::Get && out) {
    return "asked a FIFO that goes to Linux for data: they come from 1, 3, 5 and 7";
  }
  return nullptr;
}

inline sys::FifoState fifo_state(hybrid::Fifos& fifos, unsigned fifo) {
  const hybrid::FifoFacts facts = fifos.facts(fifo);
  return {.has_linux = fifos.has_neighbour(),
          .is_open = facts.is_open,
          .available = facts.available,
          .room = facts.room,
          .records = facts.counts.done,
          .lost = facts.counts.lost,
          .lost_bytes = facts.counts.lost_bytes,
          .corrupted = facts.counts.corrupted};
}

}  // namespace hocket::runtime
