// A loopback plug on a serial port: the transmit line is the receive line.

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Loopback final : public Part, private SerialListener {
 public:
  Loopback(Workbench& bench, Section& section) : Part(bench, section), port_(port(section)) {
    if (!port_.claim_sender()) section.fail("is on a port to which another part sends");
    port_.connect(*this);
  }

  void facts(Facts& facts, Nanos) const override { facts.count("bytes", bytes_); }

 private:
  void port_sent(Nanos, uint8_t byte) override {
    ++bytes_;
    port_.receive(byte);
  }
  bool may_answer() const override { return true; }
  Nanos sends_at() const override { return kNever; }

  SerialPort& port_;
  uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_loopback(Workbench& bench, Section& section) {
  return std::make_unique<Loopback>(bench, section);
}

}  // namespace hocket::sim
