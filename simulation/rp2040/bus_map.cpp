#include "simulation/rp2040/bus_map.h"

#include <algorithm>

#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040 {
namespace {

/// A device that the emulator does not have.
class Missing : public Device {
 public:
  using Device::Device;
  uint32_t read(uint32_t offset, Access) override { no_register(offset); }
  void write(uint32_t offset, Written, Access) override { no_register(offset); }
};

struct Name {
  const char* name;
  uint32_t base;
};
constexpr Name kNames[] = {
    {"SYSINFO", 0x4000'0000},   {"SYSCFG", 0x4000'4000},
    {"CLOCKS", 0x4000'8000},    {"RESETS", 0x4000'c000},
    {"PSM", 0x4001'0000},       {"IO_BANK0", 0x4001'4000},
    {"IO_QSPI", 0x4001'8000},   {"PADS_BANK0", 0x4001'c000},
    {"PADS_QSPI", 0x4002'0000}, {"XOSC", 0x4002'4000},
    {"PLL_SYS", 0x4002'8000},   {"PLL_USB", 0x4002'c000},
    {"BUSCTRL", 0x4003'0000},   {"UART0", 0x4003'4000},
    {"UART1", 0x4003'8000},     {"SPI0", 0x4003'c000},
    {"SPI1", 0x4004'0000},      {"I2C0", 0x4004'4000},
    {"I2C1", 0x4004'8000},      {"ADC", 0x4004'c000},
    {"PWM", 0x4005'0000},       {"TIMER", 0x4005'4000},
    {"WATCHDOG", 0x4005'8000},  {"RTC", 0x4005'c000},
    {"ROSC", 0x4006'0000},      {"VREG_AND_CHIP_RESET", 0x4006'4000},
    {"TBMAN", 0x4006'c000},     {"DMA", 0x5000'0000},
    {"USB", 0x5010'0000},       {"PIO0", 0x5020'0000},
    {"PIO1", 0x5030'0000},      {"XIP_AUX", 0x5040'0000},
};
constexpr uint32_t kRegisters = 0xfff;

constexpr Written::Alias alias_of(uint32_t address) {
  constexpr Written::Alias kAliases[] = {Written::Alias::Plain, Written::Alias::Xor,
                                         Written::Alias::Set, Written::Alias::Clear};
  return kAliases[address >> 12 & 3];
}

}  // namespace

BusMap::BusMap() {
  for (const Name& each : kNames) {
    missing_.push_back(std::make_unique<Missing>(each.name));
    slot(*this, each.base)->device = missing_.back().get();
  }
}

BusMap::Slot* BusMap::slot(BusMap& map, uint32_t base) {
  const uint32_t apb = (base - kApbBase) / kApbStep, ahb = (base - kAhbBase) / kAhbStep;
  if (base < kAhbBase) return apb < kApbSlots ? &map.apb_[apb] : nullptr;
  return ahb < kAhbSlots ? &map.ahb_[ahb] : nullptr;
}

void BusMap::add(Device& device, uint32_t base, unsigned reset_bit) {
  *slot(*this, base) = {&device, reset_bit};
  devices_.push_back(&device);
}

BusMap::Place BusMap::find(uint32_t address) const {
  const uint32_t apb = (address - kApbBase) / kApbStep, ahb = (address - kAhbBase) / kAhbStep;
  Slot found;
  if (address >= kApbBase && apb < kApbSlots) found = apb_[apb];
  if (address >= kAhbBase && ahb < kAhbSlots) found = ahb_[ahb];
  return {found, address & kRegisters, alias_of(address)};
}

Device* BusMap::by_reset_bit(unsigned bit) const {
  const auto has = [bit](const Slot& each) {
    return each.device != nullptr && each.reset_bit == bit;
  };
  if (const auto at = std::find_if(apb_.begin(), apb_.end(), has); at != apb_.end()) {
    return at->device;
  }
  const auto at = std::find_if(ahb_.begin(), ahb_.end(), has);
  return at != ahb_.end() ? at->device : nullptr;
}

}  // namespace hocket::rp2040
