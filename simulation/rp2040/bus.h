// What a core reaches beside RAM and flash: devices, the boot ROM, the port of SIO.
#pragma once

#include <cstdint>

#include "simulation/rp2040/core/cycles.h"

namespace hocket::rp2040 {

/// Who makes an access, and when.
struct Access {
  Cycles now;
  unsigned core;
};

class Bus {
 public:
  Bus() = default;
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  /// The word at an aligned address. Returns false where there is nothing.
  virtual bool read(uint32_t address, uint32_t& value, Access access) = 0;
  /// Narrow writes have their bytes in all places of the word, as on the chip (datasheet, 2.1.4).
  virtual bool write(uint32_t address, uint32_t value, Access access) = 0;
  /// Code of the boot ROM has reached its function with this number. Returns false if there is
  /// none.
  virtual bool call_rom(unsigned number, unsigned core) = 0;
  /// SEV (and what has the same effect): wakes cores that wait for an event.
  virtual void send_event(Access access) = 0;
  /// A core asks for a reset of the chip (AIRCR.SYSRESETREQ).
  virtual void request_reset(Access access) = 0;
  /// The instant at which a core's SysTick is due may have changed.
  virtual void reschedule() = 0;

 protected:
  ~Bus() = default;
};

}  // namespace hocket::rp2040
