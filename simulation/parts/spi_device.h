// The common part of SPI devices: a select pin, which is low while the device is selected.
#pragma once

#include "simulation/parts/part.h"

namespace hocket::sim {

class SpiDevice : public Part, private SpiTarget {
 public:
  /// Takes `select` and `mode` of the section.
  SpiDevice(Workbench& bench, Section& section)
      : Part(bench, section),
        select_(section.pin("select")),
        mode_(static_cast<unsigned>(section.number_or("mode", 0, 0, 3))) {
    resistor_ = bench.pins.add_driver(select_, /*main=*/false);
    listen(select_, 0, "select");
    bench.spi[0].connect(*this);
  }

  /// Modules pull it up, so no device is selected before the sketch starts.
  void start() override { bench_.pins.drive(0, resistor_, Drive::WeakHigh); }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (high) {
      deselected(now);
    } else {
      ++transfers_;
      selected(now);
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("transfers", transfers_);
    facts.count("wrong_mode", wrong_mode_);
  }

 protected:
  virtual void selected(Nanos /*now*/) {}
  virtual void deselected(Nanos /*now*/) {}
  /// A byte was received; returns the byte sent at the same time.
  virtual uint8_t byte(Nanos now, uint8_t in) = 0;

 private:
  uint8_t exchange(Nanos now, uint8_t in, uint8_t mode) final {
    if (bench_.pins.level(select_)) return 0xff;
    // Modes 0 and 3 sample at the rising edge of the clock; so do 1 and 2 at the falling one.
    const auto rising = [](unsigned each) { return each == 0 || each == 3; };
    if (rising(mode) != rising(mode_)) {
      ++wrong_mode_;
      return 0xff;
    }
    return byte(now, in);
  }

  unsigned select_, mode_;
  Pins::Driver resistor_ = 0;
  uint64_t transfers_ = 0, wrong_mode_ = 0;
};

}  // namespace hocket::sim
