#include "arduino/cores/avr8/image/chip_model.h"

#include "arduino/cores/avr8/mega_ports.h"

namespace hocket::avr {
namespace {

// Timers 0 and 2 have 8 bits; their comparators have no third unit.
constexpr TimerModel kTimer0{0x44, 0x45, 0x46, {0x47, 0x48, 0}, 0, false};
constexpr TimerModel kTimer2{0xb0, 0xb1, 0xb2, {0xb3, 0xb4, 0}, 0, false};
/// A timer of 16 bits whose registers begin here.
constexpr TimerModel wide(uint16_t at, bool has_unit_c) {
  const auto plus = [at](unsigned offset) { return static_cast<uint16_t>(at + offset); };
  return {at,      plus(1), plus(4), {plus(8), plus(10), has_unit_c ? plus(12) : uint16_t{0}},
          plus(6), true};
}
constexpr UartModel uart(uint16_t at, uint8_t receives, uint8_t empty) {
  const auto plus = [at](unsigned offset) { return static_cast<uint16_t>(at + offset); };
  return {at, plus(1), plus(2), plus(4), plus(6), receives, empty};
}
constexpr uint8_t kUnitA = 0x80, kUnitB = 0x20, kUnitC = 0x08;

// --- ATmega328P ---

constexpr PortModel kPorts328[] = {{'B', 0x23, 0x3f}, {'C', 0x26, 0x3f}, {'D', 0x29, 0xff}};
constexpr uint8_t kPlaces328[] = {0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x00, 0x01,
                                  0x02, 0x03, 0x04, 0x05, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15};
constexpr TimerModel kTimers328[] = {kTimer0, wide(0x80, false), kTimer2};
constexpr PwmModel kPwm328[] = {{3, 2, 1, kUnitB}, {5, 0, 1, kUnitB},  {6, 0, 0, kUnitA},
                                {9, 1, 0, kUnitA}, {10, 1, 1, kUnitB}, {11, 2, 0, kUnitA}};
constexpr UartModel kUarts328[] = {uart(0xc0, 18, 19)};
constexpr ExternalModel kExternal328[] = {{'D', 2, 2, 0x69, 0}, {'D', 3, 3, 0x69, 2}};
constexpr ChangeModel kChanges328[] = {{'B', 0, 3}, {'C', 0, 4}, {'D', 0, 5}};
constexpr const char* kInterrupts328[] = {
    "RESET",    "INT0",     "INT1",     "PCINT0",   "PCINT1",   "PCINT2",   "WDT",
    "TIMER2_A", "TIMER2_B", "TIMER2_O", "TIMER1_C", "TIMER1_A", "TIMER1_B", "TIMER1_O",
    "TIMER0_A", "TIMER0_B", "TIMER0_O", "SPI",      "USART_RX", "USART_DE", "USART_TX",
    "ADC",      "EEPROM",   "ANALOG",   "TWI",      "SPM"};

// --- ATmega2560 ---

constexpr PortModel kPorts2560[] = {{'A', 0x20, 0xff},  {'B', 0x23, 0xff},  {'C', 0x26, 0xff},
                                    {'D', 0x29, 0x8f},  {'E', 0x2c, 0x3b},  {'F', 0x2f, 0xff},
                                    {'G', 0x32, 0x27},  {'H', 0x100, 0x7b}, {'J', 0x103, 0x03},
                                    {'K', 0x106, 0xff}, {'L', 0x109, 0xff}};
/// The table of the variant counts ports from 1, with an I that the chip lacks.
struct Places2560 {
  uint8_t at[70] = {HOCKET_MEGA_PORT_PINS};
  constexpr Places2560() {
    for (uint8_t& place : at) {
      const unsigned port = (place >> 4) - 1u;
      place = static_cast<uint8_t>((port > 8 ? port - 1 : port) << 4 | (place & 7));
    }
  }
};
constexpr Places2560 kPlaces2560;
constexpr TimerModel kTimers2560[] = {kTimer0,          wide(0x80, true), kTimer2,
                                      wide(0x90, true), wide(0xa0, true), wide(0x120, true)};
constexpr PwmModel kPwm2560[] = {{2, 3, 1, kUnitB},  {3, 3, 2, kUnitC},  {4, 0, 1, kUnitB},
                                 {5, 3, 0, kUnitA},  {6, 4, 0, kUnitA},  {7, 4, 1, kUnitB},
                                 {8, 4, 2, kUnitC},  {9, 2, 1, kUnitB},  {10, 2, 0, kUnitA},
                                 {11, 1, 0, kUnitA}, {12, 1, 1, kUnitB}, {13, 0, 0, kUnitA},
                                 {44, 5, 2, kUnitC}, {45, 5, 1, kUnitB}, {46, 5, 0, kUnitA}};
constexpr UartModel kUarts2560[] = {uart(0xc0, 25, 26), uart(0xc8, 36, 37), uart(0xd0, 51, 52),
                                    uart(0x130, 54, 55)};
constexpr ExternalModel kExternal2560[] = {{'D', 0, 21, 0x69, 0}, {'D', 1, 20, 0x69, 2},
                                           {'D', 2, 19, 0x69, 4}, {'D', 3, 18, 0x69, 6},
                                           {'E', 4, 2, 0x6a, 0},  {'E', 5, 3, 0x6a, 2}};
constexpr ChangeModel kChanges2560[] = {{'B', 0, 9}, {'J', 1, 10}, {'K', 0, 11}};
constexpr const char* kInterrupts2560[] = {
    "RESET",    "INT0",     "INT1",     "INT2",     "INT3",     "INT4",     "INT5",     "INT6",
    "INT7",     "PCINT0",   "PCINT1",   "PCINT2",   "WDT",      "TIMER2_A", "TIMER2_B", "TIMER2_O",
    "TIMER1_C", "TIMER1_A", "TIMER1_B", "TIMER1_3", "TIMER1_O", "TIMER0_A", "TIMER0_B", "TIMER0_O",
    "SPI",      "USART_RX", "USART_DE", "USART_TX", "ANALOG",   "ADC",      "EEPROM",   "TIMER3_C",
    "TIMER3_A", "TIMER3_B", "TIMER3_3", "TIMER3_O", "USART1RX", "USART1DE", "USART1TX", "TWI",
    "SPM",      "TIMER4_C", "TIMER4_A", "TIMER4_B", "TIMER4_3", "TIMER4_O", "TIMER5_C", "TIMER5_A",
    "TIMER5_B", "TIMER5_3", "TIMER5_O", "USART2RX", "USART2DE", "USART2TX", "USART3RX", "USART3DE",
    "USART3TX"};

}  // namespace

const ChipModel kAtmega328p{.name = "atmega328p",
                            .architecture = 5,
                            .flash = 32 * 1024,
                            .data_begin = 0x100,
                            .data_end = 0x900,
                            .return_bytes = 2,
                            .response = 4,
                            .pins = 20,
                            .first_analog = 14,
                            .places = kPlaces328,
                            .ports = kPorts328,
                            .timers = kTimers328,
                            .pwm = kPwm328,
                            .uarts = kUarts328,
                            .external = kExternal328,
                            .changes = kChanges328,
                            .interrupts = kInterrupts328,
                            .clock_timer = 1,
                            .alarm = 11,
                            .reschedule = 12,
                            .overflow = 13,
                            .refill = 14,
                            .wire = 24,
                            .tone_pins = {3, 11},
                            .most_loops = uno::Atmega328p::kMostLoops,
                            .costs = &uno::Atmega328p::kCosts};

const ChipModel kAtmega2560{.name = "atmega2560",
                            .architecture = 6,
                            .flash = 256 * 1024,
                            .data_begin = 0x200,
                            .data_end = 0x2200,
                            .return_bytes = 3,
                            .response = 5,
                            .pins = 70,
                            .first_analog = 54,
                            .places = kPlaces2560.at,
                            .ports = kPorts2560,
                            .timers = kTimers2560,
                            .pwm = kPwm2560,
                            .uarts = kUarts2560,
                            .external = kExternal2560,
                            .changes = kChanges2560,
                            .interrupts = kInterrupts2560,
                            .clock_timer = 5,
                            .alarm = 47,
                            .reschedule = 48,
                            .overflow = 50,
                            .refill = 21,
                            .wire = 39,
                            .tone_pins = {9, 10},
                            .most_loops = uno::Atmega2560::kMostLoops,
                            .costs = &uno::Atmega2560::kCosts};

const ChipModel* chip_of(unsigned architecture) {
  for (const ChipModel* chip : {&kAtmega328p, &kAtmega2560}) {
    if (chip->architecture == architecture) return chip;
  }
  return nullptr;
}

unsigned ChipModel::port_index(char name) const {
  unsigned index = 0;
  while (ports[index].name != name) ++index;
  return index;
}
const PortModel& ChipModel::port(char name) const {
  return ports[port_index(name)];
}

unsigned ChipModel::line_of(unsigned interrupt) const {
  if (interrupt >= 1 && interrupt <= external.size()) return interrupt - 1;
  for (unsigned i = 0; i < changes.size(); ++i) {
    if (changes[i].interrupt == interrupt) return static_cast<unsigned>(external.size()) + i;
  }
  return lines();
}

std::string ChipModel::pin_name(unsigned pin) const {
  const bool analog = pin >= first_analog;
  return (analog ? "pin A" : "pin ") + std::to_string(analog ? pin - first_analog : pin);
}

}  // namespace hocket::avr
