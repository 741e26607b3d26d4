// What the neighbour's program and the tests say to each other, in memory that both see.
//
// The tests write a command and its arguments; each core of the neighbour that finds a new one does
// it and counts it as done. Between commands it works: see program.cpp.
#pragma once

#include <stdint.h>

namespace hocket::neighbour {

inline constexpr unsigned kMostCores = 8;

enum class Command : uint32_t {
  None,
  StartCores,  // CPU_ON for all others
  Trespass,    // core 0 touches what it must not; what came of it is in results
  Ask,         // core 0 makes the call of `arguments`; results[0]
  Storm,       // core 0 makes calls with random arguments: `arguments[0]` of them
  Quiet,       // from now on it computes only
  CallOften,   // …and makes a call as often as it can
  Leave,       // core `arguments[0]` makes the call of arguments[1]: off, or reset
  Replace,     // core 0 stops; core `arguments[0]` starts it again, with arguments[1] for it
};

struct Core {
  uint64_t rounds;  // of its work
  uint64_t wrong;   // registers that had other values than it left there
  uint64_t ticks;   // interrupts of its own timer
  uint64_t faults;  // exceptions that it brought on itself
  uint64_t unexpected;
  uint64_t unused[3];
};

struct Shared {
  uint32_t command;  // a Command
  uint32_t number;   // of it: a new one each time
  uint32_t done;     // the number of the last that was done
  uint32_t starts;   // how often the program began
  uint64_t given;    // to core 0, when it began last
  uint64_t arguments[4];
  uint64_t results[16];
  Core cores[kMostCores];
};

/// Its physical address: the window that is kept free for FIFOs.
inline constexpr uint64_t kSharedAddress = 0x46f0'0000;
inline constexpr uint64_t kEntry = 0x4040'0000;

/// Trespass: results[i] is 1 where that was refused (an exception), by this order.
enum class Forbidden : unsigned {
  ReadSecureMemory,
  WriteSecureMemory,
  ReadFlash,
  ReadSecureUart,
  EnableGroup0,  // ICC_IGRPEN0_EL1
  SecureTimer,   // CNTPS_CVAL_EL1
  count
};

}  // namespace hocket::neighbour
