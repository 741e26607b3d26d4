// A device on a 1-Wire bus: the time slots of the wire, and the commands that select one device.
//
//   reset      ‾└──── 480 µs or more ────┐‾30‾└─ 120: present ─┐‾‾
//   write 1    ‾└─┐‾‾‾‾‾‾‾‾‾‾‾   the device looks 30 µs after the fall
//   write 0    ‾└─────────────┐‾
//   read 0     ‾└── 30, the device holds it ──┐‾      read 1: it does nothing
//
// Every device sees every slot. After a reset each device waits for a command to all of them: READ,
// MATCH, SKIP or (ALARM) SEARCH ROM. A device that is not selected stays silent until the next
// reset.
//
// Sources: Maxim DS18B20 data sheet (19-7487, figures 10 to 14); application note 187 (the search).
#pragma once

#include <array>

#include "simulation/parts/part.h"

namespace hocket::sim {

class OneWireDevice : public Part {
 public:
  void start() override { let_go(0); }
  void level_changed(Nanos now, unsigned terminal, bool high) override;
  void due(Nanos now, uint64_t token) override;
  void facts(Facts& facts, Nanos end) const override;
  void link() override;

 protected:
  /// Takes `pin`, `resistor` and `number` of the section.
  OneWireDevice(Workbench& bench, Section& section, uint8_t family);

  using Bytes = std::vector<uint8_t>;

  /// The device is selected and gets this command. Returns how many bytes follow; these are passed
  /// to `told`.
  virtual unsigned command(Nanos now, uint8_t code) = 0;
  virtual void told(Nanos now, const Bytes& bytes) = 0;
  /// Whether it answers a search for devices with an alarm.
  virtual bool alarmed(Nanos /*now*/) { return false; }
  /// What read slots return after a command without data: 1 unless the device is busy with it.
  virtual bool ready(Nanos /*now*/) { return true; }

  /// Read slots return these bytes from now on.
  void give(Bytes bytes);
  static uint8_t crc8(const uint8_t* bytes, size_t size);

 private:
  enum Token : uint64_t { kLook, kRelease, kPresence, kPresent };
  enum class State : uint8_t { Silent, Presence, Rom, Match, Search, Function, Take, Give, Asked };

  void let_go(Nanos now);
  void slot(Nanos now);
  void received(Nanos now, bool bit);
  void rom_command(Nanos now, uint8_t code);
  void searched(Nanos now, bool bit);
  bool own_bit(unsigned number) const { return (rom_[number / 8] >> number % 8 & 1) != 0; }

  unsigned pin_;
  Pins::Driver wire_ = 0;
  bool resistor_;
  std::array<uint8_t, 8> rom_{};

  State state_ = State::Silent;
  Nanos fell_ = 0;
  bool looks_ = false;     // samples a bit in the slot in progress
  unsigned bits_ = 0;      // taken or given in this state
  unsigned byte_ = 0;      // the byte being received
  unsigned turn_ = 0;      // of a search: own bit, its complement, the controller's choice
  unsigned expected_ = 0;  // bytes to receive
  Bytes bytes_;            // received, or to send
  uint64_t resets_ = 0, chosen_ = 0;
};

}  // namespace hocket::sim
