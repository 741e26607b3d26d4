// Notes when an image writes to its ports, to the cycle:
//
//   avr_timing IMAGE HZ SECONDS PORT COUNT [TURNS]
//
// Runs the image with a processor clock of HZ until it has written COUNT times to port PORT (B, C
// or D), SECONDS of its time at most. Prints a line for each write to any of the three: the letter
// and the cycle, counted from reset. TURNS: how often the kernel's clock has overflowed before
// main. Exit status 2 when the image cannot be run or the writes did not come.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simulation/avr/preset.h"

namespace hocket::avr {
namespace {

struct Request {
  const char* image;
  uint32_t hz;
  uint64_t seconds;
  char port;
  uint64_t count;
  const uint32_t* turns;
};

constexpr uint16_t port_register(char port) {
  return port == 'B' ? 0x25 : port == 'C' ? 0x28 : 0x2b;  // data sheet, chapter 36
}

void run(const Request& request) {
  const uno::Firmware firmware{std::string(request.image)};
  Mcu mcu(firmware, request.hz);
  if (request.turns != nullptr) preset_clock(mcu, firmware, *request.turns);
  uint64_t seen = 0;
  for (const char port : {'B', 'C', 'D'}) {
    mcu.on_write(port_register(port), [&, port](uint8_t) {
      if (seen == request.count) return;
      std::printf("%c %llu\n", port, static_cast<unsigned long long>(mcu.cycle()));
      if (port == request.port && ++seen == request.count) mcu.stop();
    });
  }
  const auto state = mcu.run(request.seconds * request.hz);
  if (state != Mcu::State::Running) throw uno::BadFirmware("it crashed, or sleeps for good");
  if (seen < request.count) throw uno::BadFirmware("it did not write so often in that time");
}

uint64_t number(const char* text) {
  char* end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 10);
  return *end == '\0' ? value : 0;
}

}  // namespace
}  // namespace hocket::avr

int main(int count, char** arguments) {
  using namespace hocket::avr;
  Request request{};
  const auto turns = static_cast<uint32_t>(count == 7 ? number(arguments[6]) : 0);
  if ((count == 6 || count == 7) && std::strlen(arguments[4]) == 1) {
    request = {arguments[1],         static_cast<uint32_t>(number(arguments[2])),
               number(arguments[3]), arguments[4][0],
               number(arguments[5]), count == 7 ? &turns : nullptr};
  }
  if (request.hz == 0 || request.seconds == 0 || request.count == 0 ||
      std::strchr("BCD", request.port) == nullptr) {
    std::fputs("usage: avr_timing IMAGE HZ SECONDS PORT COUNT [TURNS]\n", stderr);
    return 2;
  }
  try {
    run(request);
  } catch (const hocket::uno::BadFirmware& problem) {
    std::fprintf(stderr, "%s: %s\n", request.image, problem.what());
    return 2;
  }
}
