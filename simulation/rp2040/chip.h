// The RP2040: two cores, memory and devices, in cycles of 125 MHz.
//
// Invariants: the core that is furthest behind makes the next step, core 0 if both are equal, and
// no core begins an instruction at or after an instant at which a device is due. So a run depends
// on the program and on what the caller does at given cycles, on nothing else.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "simulation/rp2040/boot_rom.h"
#include "simulation/rp2040/bus.h"
#include "simulation/rp2040/bus_map.h"
#include "simulation/rp2040/core/core.h"
#include "simulation/rp2040/devices/adc.h"
#include "simulation/rp2040/devices/i2c.h"
#include "simulation/rp2040/devices/io_bank0.h"
#include "simulation/rp2040/devices/pins.h"
#include "simulation/rp2040/devices/pio.h"
#include "simulation/rp2040/devices/pwm.h"
#include "simulation/rp2040/devices/resets.h"
#include "simulation/rp2040/devices/sio.h"
#include "simulation/rp2040/devices/spi.h"
#include "simulation/rp2040/devices/timer.h"
#include "simulation/rp2040/devices/uart.h"
#include "simulation/rp2040/interrupt_lines.h"
#include "simulation/rp2040/memory.h"

namespace hocket::rp2040 {

class Chip final : private Bus {
 public:
  static constexpr unsigned kCores = 2;

  /// Why it cannot go on.
  struct Stop {
    enum class Kind : uint8_t {
      NotModelled,  // a program uses what the emulator does not have
      LockedUp,     // a core is
      Reset,        // a program or the watchdog asks for one
    };
    Kind kind;
    std::string text;  // with the device, the register, the core and its pc
  };

  explicit Chip(const Timing& timing = {});
  ~Chip();

  /// Core 0 begins with the vectors behind the second-stage boot loader (boot2), as that does. What
  /// boot2 sets up, the way to the flash, is not modelled: flash is ready at once.
  void start_from_flash();
  /// Core 0 begins with these vectors.
  void start_at(uint32_t vectors);

  /// One instruction of the core that is behind, or sleep until something is due, but at most until
  /// `end`. Returns the core that made a step; none: all sleep.
  std::optional<unsigned> step(Cycles end);
  /// Steps until `end` or until it has stopped.
  void run(Cycles end);
  /// No core begins an instruction before this cycle.
  Cycles cycle() const;
  /// No device does anything by itself before this cycle.
  Cycles next_event() const { return next_; }
  /// Only something from outside can wake it.
  bool asleep_for_good() const;
  const std::optional<Stop>& stopped() const { return stopped_; }

  Memory& memory() { return memory_; }
  Core& core(unsigned index) { return cores_[index]; }
  const Core& core(unsigned index) const { return cores_[index]; }
  Pins& pins() { return pins_; }
  Timer& timer() { return timer_; }
  Uart& uart(unsigned index) { return index == 0 ? uart0_ : uart1_; }
  Spi& spi(unsigned index) { return index == 0 ? spi0_ : spi1_; }
  I2c& i2c(unsigned index) { return index == 0 ? i2c0_ : i2c1_; }
  Adc& adc() { return adc_; }
  Sio& sio() { return sio_; }
  /// A device was changed from outside, now.
  void told();

 private:
  struct Further;  // devices that only programs see

  // Bus.
  bool read(uint32_t address, uint32_t& value, Access access) override;
  bool write(uint32_t address, uint32_t value, Access access) override;
  bool call_rom(unsigned number, unsigned core) override;
  void send_event(Access access) override;
  void request_reset(Access access) override;
  void reschedule() override;

  BusMap::Place place_of(uint32_t address, Access access);
  bool boot_word(uint32_t word, Access access);
  Core* behind();
  bool turn(Cycles end);
  void step_both(Cycles end);
  void step_one(Core& core, Core& other, Cycles end);
  void update_agenda();
  void do_due(Cycles now);
  void wake_cores(Cycles now);
  void look_for_lockup();
  void end_run(Stop::Kind kind, const std::string& what);

  static constexpr unsigned kNoCore = kCores;

  Memory memory_;
  Timing timing_;
  Core cores_[kCores];
  InterruptLines lines_;
  Pins pins_;
  BootRom rom_;
  Sio sio_;
  IoBank0 io_bank0_;
  PadsBank0 pads_bank0_;
  Timer timer_;
  Uart uart0_, uart1_;
  Spi spi0_, spi1_;
  I2c i2c0_, i2c1_;
  Adc adc_;
  Pwm pwm_;
  Pio pio0_, pio1_;
  Resets resets_;
  std::unique_ptr<Further> further_;
  BusMap map_;
  Cycles next_ = 0;               // when something is due, at the earliest
  Cycles now_ = 0;                // of the last event
  unsigned accessing_ = kNoCore;  // whose access it is
  unsigned boot_words_ = 0;
  std::array<uint32_t, 6> boot_{};
  std::optional<Stop> stopped_;
};

}  // namespace hocket::rp2040
