// What the sketch sends on Serial (see console.h).
#include "boards/sim/console.h"

#include "ports/host/machine.h"

namespace hocket::sim {

void Console::stop(program::StopReason reason) {
  host::Machine::instance().stop(reason == program::StopReason::Expected
                                     ? host::StopReason::Expected
                                     : host::StopReason::Failed);
}

}  // namespace hocket::sim
