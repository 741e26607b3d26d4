// An instrument on an aircraft: samples it at its rate and sends each sample as a packet.
#pragma once

#include "simulation/parts/aircraft.h"
#include "simulation/parts/packets.h"
#include "simulation/parts/part.h"

namespace hocket::sim {

class Instrument : public Part, private SerialListener {
 public:
  void link() override;
  void start() override { bench_.events.schedule(next_, *this); }
  void due(Nanos now, uint64_t) override;
  void facts(Facts& facts, Nanos) const override { sender_.facts(facts); }

 protected:
  /// `rate`: samples per second in millihertz, if the scenario does not set it.
  Instrument(Workbench& bench, Section& section, int64_t rate);
  /// Sends the sample with this number.
  virtual void sample(Nanos now, uint16_t number, Aircraft& aircraft, PacketSender& sender) = 0;

 private:
  void port_sent(Nanos, uint8_t) override {}
  bool may_answer() const override { return false; }
  Nanos sends_at() const override { return next_; }
  Nanos instant(uint64_t sample) const;

  SerialPort& port_;
  PacketSender sender_;
  uint64_t rate_;  // mHz
  std::string aircraft_name_;
  Aircraft* aircraft_ = nullptr;
  uint64_t samples_ = 0;
  Nanos next_;
};

}  // namespace hocket::sim
