// AHRS, attitude and heading reference system: angles, rates and accelerations of an aircraft, 100
// times a second as packets on a serial port.
//
//   number; roll, pitch, yaw: 0.01°; their rates: 0.1°/s; specific force ahead, right, up: mm/s²

#include <cmath>

#include "simulation/parts/instrument.h"

namespace hocket::sim {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Normalises an angle to -180° … 180°.
double heading(double angle) {
  return angle - 2 * kPi * std::floor(angle / (2 * kPi) + 0.5);
}

class Ahrs final : public Instrument {
 public:
  Ahrs(Workbench& bench, Section& section) : Instrument(bench, section, 100'000) {}

 private:
  void sample(Nanos now, uint16_t number, Aircraft& aircraft, PacketSender& sender) override {
    constexpr double kCentidegrees = 18'000 / kPi, kDecidegrees = 1800 / kPi;
    const Motion& motion = aircraft.motion(now);
    Payload payload;
    payload.u16(number);
    for (const double angle : {motion.roll, motion.pitch, heading(motion.yaw)})
      payload.i16(angle * kCentidegrees);
    for (const double rate : motion.rates) payload.i16(rate * kDecidegrees);
    for (const double force : motion.specific) payload.i16(force * 1000);
    aircraft.attitude_told(now, number);
    sender.send(now, PacketType::Attitude, payload);
  }
};

}  // namespace

std::unique_ptr<Part> make_ahrs(Workbench& bench, Section& section) {
  return std::make_unique<Ahrs>(bench, section);
}

}  // namespace hocket::sim
