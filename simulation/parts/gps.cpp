// GPS receiver: position and speed of an aircraft, 10 times a second as packets on a serial port.
//
//   number; north, east, height from where it began: mm; speed north, east, up: cm/s

#include "simulation/parts/instrument.h"

namespace hocket::sim {
namespace {

class Gps final : public Instrument {
 public:
  Gps(Workbench& bench, Section& section) : Instrument(bench, section, 10'000) {}

 private:
  void sample(Nanos now, uint16_t number, Aircraft& aircraft, PacketSender& sender) override {
    const Motion& motion = aircraft.motion(now);
    Payload payload;
    payload.u16(number);
    for (const double way : motion.place) payload.i32(way * 1000);
    for (const double speed : motion.speed) payload.i16(speed * 100);
    sender.send(now, PacketType::Position, payload);
  }
};

}  // namespace

std::unique_ptr<Part> make_gps(Workbench& bench, Section& section) {
  return std::make_unique<Gps>(bench, section);
}

}  // namespace hocket::sim
