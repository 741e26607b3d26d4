// Runs an image that tests itself: `avr_contract IMAGE [TURNS]`.
//
// The image prints through GPIOR1 and ends by writing its status to GPIOR2. TURNS: how often the
// kernel's clock has overflowed before the first instruction of main, so that it wraps during the
// run. At the end it prints the longest time that interrupts were masked, and the longest section
// of the kernel. Exit status: that of the image; 70 if it crashed or never ended, 2 if it cannot be
// run.
#include <cstdio>
#include <cstdlib>

#include "simulation/avr/mask_watch.h"
#include "simulation/avr/preset.h"
#include "simulation/avr/section_watch.h"

namespace {

constexpr uint16_t kConsole = 0x4a;  // GPIOR1 in data memory
constexpr uint16_t kStatus = 0x4b;   // GPIOR2
constexpr hocket::avr::Cycles kLongest = 60ull * hocket::avr::kCyclesPerSecond;

/// Runs to the end. Measures the longest time that interrupts (and so device handlers) were masked,
/// and the longest section of the kernel, from when interrupts were first enabled.
void run_measured(hocket::avr::Mcu& mcu, hocket::avr::Mcu::State& state, const int& status,
                  hocket::avr::MaskWatch& masks, hocket::avr::SectionWatch& sections) {
  bool begun = false;
  while (status < 0 && state == hocket::avr::Mcu::State::Running && mcu.cycle() < kLongest) {
    state = mcu.step(mcu.cycle() + 1);
    masks.update(mcu, -1, mcu.pc());
    sections.update(mcu);
    if (begun || sections.open()) continue;
    begun = true;
    masks.forget();
    sections.forget();
  }
}

int run(const char* file, uint32_t turns) {
  const hocket::uno::Firmware firmware{std::string(file)};
  hocket::avr::Mcu mcu(firmware);
  int status = -1;
  mcu.on_write(kConsole, [](uint8_t byte) { std::putchar(byte); });
  mcu.on_write(kStatus, [&](uint8_t value) { status = value; });
  preset_clock(mcu, firmware, turns);
  auto state = hocket::avr::Mcu::State::Running;
  hocket::avr::MaskWatch masks(std::nullopt);
  hocket::avr::SectionWatch sections;
  run_measured(mcu, state, status, masks, sections);
  if (state != hocket::avr::Mcu::State::Running) {
    std::printf("FAIL: %s at %#x\n",
                state == hocket::avr::Mcu::State::Crashed ? "crashed" : "asleep for good",
                mcu.pc());
    return 70;
  }
  if (status < 0) {
    std::puts("FAIL: it never ended");
    return 70;
  }
  std::printf("longest masked: %llu cycles\nlongest section: %llu cycles\n",
              static_cast<unsigned long long>(masks.longest().length),
              static_cast<unsigned long long>(sections.longest()));
  return status;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fputs("usage: avr_contract IMAGE [TURNS]\n", stderr);
    return 2;
  }
  try {
    const char* turns = count > 2 ? arguments[2] : "0";
    return run(arguments[1], static_cast<uint32_t>(std::strtoul(turns, nullptr, 0)));
  } catch (const hocket::uno::BadFirmware& problem) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], problem.what());
    return 2;
  }
}
