// The content of the board's own EEPROM at the start of a run, and the file that keeps it
// afterwards.

#include "simulation/devices/eeprom.h"

#include "simulation/parts/kept_bytes.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class EepromContent final : public Part {
 public:
  EepromContent(Workbench& bench, Section& section) : Part(bench, section), kept_(section) {
    kept_.load(bench.eeprom.bytes());
  }

  void facts(Facts& facts, Nanos) const override {
    const Eeprom& eeprom = bench_.eeprom;
    facts.count("reads", eeprom.reads());
    facts.count("writes", eeprom.writes());
    facts.count("most_writes_of_a_byte", eeprom.most_writes());
    facts.count("used_bytes", used_bytes(bench_.eeprom.bytes()));
  }
  void ended(Nanos) override { kept_.save(bench_.eeprom.bytes()); }

 private:
  KeptBytes kept_;
};

}  // namespace

std::unique_ptr<Part> make_eeprom(Workbench& bench, Section& section) {
  return std::make_unique<EepromContent>(bench, section);
}

}  // namespace hocket::sim
