// A device on a serial port: sends texts at given times or in answer to what it hears, and expects
// texts (serial_script.h).

#include "simulation/parts/part.h"
#include "simulation/parts/serial_script.h"

namespace hocket::sim {
namespace {

class Serial final : public Part, private SerialListener {
 public:
  Serial(Workbench& bench, Section& section)
      : Part(bench, section), port_(port(section)), script_(section) {
    if (section.has("send") && !port_.claim_sender())
      section.fail("is on a port to which another part sends");
    port_.connect(*this);
  }

  void start() override { script_.start(bench_.events, *this); }
  void due(Nanos now, uint64_t token) override { port_.put(now, script_.due(token)); }
  void facts(Facts& facts, Nanos) const override { script_.facts(facts); }

 private:
  void port_sent(Nanos now, uint8_t byte) override {
    script_.hear(now, byte, bench_.events, *this);
  }
  bool may_answer() const override { return script_.may_answer(); }
  Nanos sends_at() const override { return script_.sends_at(); }

  SerialPort& port_;
  SerialScript script_;
};

}  // namespace

std::unique_ptr<Part> make_serial(Workbench& bench, Section& section) {
  return std::make_unique<Serial>(bench, section);
}

}  // namespace hocket::sim
