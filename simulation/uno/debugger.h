// gdb at the simulated Uno: it stops between two instructions, at breakpoints, after writes that
// are watched, and when it is asked to; time stands still meanwhile.
//
// Addresses are gdb's for the AVR: flash from 0 in bytes, data from 0x800000. A single step is one
// instruction of who is stepped: an interrupt that comes in between is carried out to its end
// first, and so is what other loops do, if it has switched to them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "simulation/uno/debug_link.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

class Debugger {
 public:
  /// Waits for gdb at `address` (DebugLink). The processor stands at its first instruction.
  Debugger(const std::string& address, Mcu& mcu) : link_(address), mcu_(mcu) {}

  /// Before each step: while the program is stopped this serves gdb. False: it is to end.
  bool may_step();
  /// The program has done what it cannot do; gdb may look at it before it ends.
  void faulted();
  /// It has ended, with this status of its process.
  void ended(int status);

 private:
  enum class Mode : uint8_t { Stopped, Running, Stepping, Detached, Killed };
  struct Place {  // where a step goes on behind an interrupt
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
  unsigned unasked_ = 0;             // steps since the link was last looked at
  std::set<uint32_t> breakpoints_;
  std::map<uint32_t, uint32_t> watched_;  // data: address, bytes
  std::string stopped_by_ = "S05";
};

}  // namespace hocket::uno
