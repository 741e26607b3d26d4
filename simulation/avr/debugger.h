// gdb for a simulated AVR. The program stops between two instructions, at breakpoints, after
// watched writes, and on request; time stands still meanwhile.
//
// Addresses are gdb's for the AVR: flash from 0 in bytes, data from 0x800000. A single step is one
// instruction of the stepped thread. An interrupt that comes in between first runs to its end, and
// so do other loops if it has switched to them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "simulation/avr/debug_link.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class Debugger {
 public:
  /// Waits for gdb at `address` (DebugLink). The processor is at its first instruction.
  Debugger(const std::string& address, Mcu& mcu) : link_(address), mcu_(mcu) {}

  /// Call before each step: serves gdb while the program is stopped. Returns false if the program
  /// must end.
  bool may_step();
  /// The program has crashed; gdb may examine it before it ends.
  void faulted();
  /// The program has ended with this exit status.
  void ended(int status);

 private:
  enum class Mode : uint8_t { Stopped, Running, Stepping, Detached, Killed };
  struct Place {  // where a step continues after an interrupt
    uint32_t pc;
    uint16_t stack_pointer;
  };

  const char* why_stop();
  void stop(const char* signal);
  void serve();
  void resume(Mode mode, const std::string& where);
  std::string answer(const std::string& packet);
  std::string query(const std::string& packet) const;
  std::string change_stop(const std::string& packet);
  std::string registers() const;
  std::string one_register(const std::string& packet) const;
  std::string set_register(const std::string& packet);
  std::string memory(const std::string& packet) const;
  std::string set_memory(const std::string& packet);

  DebugLink link_;
  Mcu& mcu_;
  Mode mode_ = Mode::Stopped;
  bool fresh_ = false;               // the first instruction since it was resumed
  std::optional<Place> comes_back_;  // while a step waits for an interrupt to end
  unsigned unasked_ = 0;             // steps since the link was last read
  std::set<uint32_t> breakpoints_;
  std::map<uint32_t, uint32_t> watched_;  // watched data: address, bytes
  std::string stopped_by_ = "S05";
};

}  // namespace hocket::avr
