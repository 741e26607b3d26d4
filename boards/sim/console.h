// What the sketch sends on Serial; it may end the run (boards/program/console.h). Not instrumented.
#pragma once

#include "boards/program/console.h"

namespace hocket::sim {

class Console final : public program::Console {
 public:
  using program::Console::Console;

 private:
  void stop(program::StopReason reason) override;
};

}  // namespace hocket::sim
