// Fuzz target: any text as a flat scenario either is refused with ScenarioError or makes a board
// that runs.
//
// With libFuzzer: `scenario_fuzz tests/fuzz/corpus/scenario`. Without (HOCKET_CORPUS_RUN):
// `scenario_corpus FOLDER` runs every file of the folder and a fixed number of mutations of each,
// the same ones every time.

#include <cstdint>
#include <string>

#include "simulation/devices/devices.h"

namespace {

using namespace hocket::sim;

class Sink : public DeviceSink {
 public:
  void serial_out(Nanos, unsigned, uint8_t) override {}
};

/// A little of everything that a sketch does, so that parts have something to react to.
void exercise(Devices& devices) {
  const uint8_t text[] = {'o', 'k', '\n'};
  devices.serial_begin(0, 1, 2'000'000);
  for (unsigned pin = 0; pin < devices.pin_count(); ++pin) {
    devices.pin_mode(pin, pin, static_cast<hocket::sys::PinMode>(pin % 5));
    devices.pin_write(pin, pin, pin % 3 == 0);
    devices.pin_write(11'000 + pin, pin, pin % 3 != 0);
    devices.analog_read(12'000 + pin, pin, 10);
  }
  devices.pwm_write(12'100, 9, 100, 255);
  devices.servo_write(12'200, 10, 1500);
  devices.tone_start(12'300, 8, 4000, 1);
  devices.serial_write(12'400, 1, text, sizeof text);
  uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (unsigned i = 0; i < 240; ++i) {
    hocket::sys::I2cTransfer transfer{};
    transfer.out_size = i % 5;
    transfer.in_size = i % 7;
    transfer.hertz = 400'000;
    transfer.address = static_cast<uint8_t>(i / 2);
    transfer.writes = i % 2 == 0;
    devices.i2c_transfer(20'000 + i, 0, transfer, bytes, bytes);
    devices.eeprom_write(20'000 + i, i, bytes[0]);
  }
  for (unsigned pin = 2; pin <= 13; ++pin) {  // each select pin of the corpus in its turn
    devices.pin_write(30'000 + 20 * pin, pin, false);
    hocket::sys::SpiTransfer spi{};
    spi.size = sizeof bytes;
    spi.mode = static_cast<uint8_t>(pin % 4);
    devices.spi_transfer(30'005 + 20 * pin, 0, spi, bytes, bytes);
    devices.pin_write(30'010 + 20 * pin, pin, true);
  }
  devices.advance(50'000);
  while (devices.serial_read(60'000, 1) >= 0) {
  }
  devices.finish(80'000);
  devices.serial_facts();
}

/// A part that would write a file: any path is no place for a fuzzer.
bool keeps_a_file(const std::string& text) {
  return text.find("\nfile ") != text.npos || text.find("\npicture ") != text.npos;
}

/// Whether the text is a scenario; when it is, a board is made of it and used.
bool accepted(const std::string& text) {
  if (keeps_a_file(text)) return false;
  Sink sink;
  try {
    exercise(*Devices::create({1, text, ""}, sink));
    return true;
  } catch (const ScenarioError&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  accepted(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

#ifdef HOCKET_CORPUS_RUN
#include "tests/fuzz/corpus.h"

namespace {

/// Up to four small changes: a byte replaced, removed, doubled, or a line copied elsewhere.
std::string mutated(std::string text, Random& random) {
  for (uint64_t changes = random.between(1, 4); changes > 0 && !text.empty(); --changes) {
    const size_t at = random.between(0, text.size() - 1);
    switch (random.between(0, 3)) {
      case 0:
        text[at] = static_cast<char>(random.between(0, 255));
        break;
      case 1:
        text.erase(at, random.between(1, 3));
        break;
      case 2:
        text.insert(at, 1, text[at]);
        break;
      default: {
        const size_t begin = text.rfind('\n', at) + 1;
        const size_t end = std::min(text.find('\n', begin), text.size() - 1);
        text.insert(
            std::min(text.find('\n', random.between(0, text.size() - 1)), text.size() - 1) + 1,
            text.substr(begin, end + 1 - begin));
      }
    }
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  return hocket::fuzz::run({.program = "scenario_corpus",
                            .what = "scenarios",
                            .mutations = 750,
                            .accepted = &accepted,
                            .mutated = &mutated},
                           count, words);
}
#endif
