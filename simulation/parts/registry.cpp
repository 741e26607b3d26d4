// The list of all part types: a part has its line here, and no other.

#include <array>
#include <string_view>

#include "simulation/parts/part.h"

namespace hocket::sim {

#define HOCKET_PARTS(PART) \
  PART(a4988)              \
  PART(ahrs)               \
  PART(bme280)             \
  PART(button)             \
  PART(buzzer)             \
  PART(dc_motor)           \
  PART(dht22)              \
  PART(ds18b20)            \
  PART(ds3231)             \
  PART(eeprom)             \
  PART(eeprom_24c)         \
  PART(fifo)               \
  PART(generator)          \
  PART(gps)                \
  PART(ground_station)     \
  PART(hcsr04)             \
  PART(hd44780)            \
  PART(helicopter)         \
  PART(hx711)              \
  PART(i2c_registers)      \
  PART(ir_led)             \
  PART(ir_receiver)        \
  PART(keypad)             \
  PART(ldr)                \
  PART(led)                \
  PART(lm35)               \
  PART(loopback)           \
  PART(max7219)            \
  PART(mfrc522)            \
  PART(motors)             \
  PART(mpu6050)            \
  PART(mq2)                \
  PART(ntc)                \
  PART(potentiometer)      \
  PART(probe)              \
  PART(relay)              \
  PART(rgb_led)            \
  PART(rotary_encoder)     \
  PART(sd_card)            \
  PART(serial)             \
  PART(serial_pins)        \
  PART(servo)              \
  PART(soil_sensor)        \
  PART(spi_registers)      \
  PART(ssd1306)            \
  PART(tm1637)             \
  PART(tmp36)              \
  PART(uln2003)            \
  PART(w5500)              \
  PART(wire)               \
  PART(ws2812)

#define HOCKET_PART(type) std::unique_ptr<Part> make_##type(Workbench& bench, Section& section);
HOCKET_PARTS(HOCKET_PART)
#undef HOCKET_PART

namespace {

struct Type {
  std::string_view name;
  std::unique_ptr<Part> (*make)(Workbench&, Section&);
};

#define HOCKET_PART(type) Type{#type, make_##type},
constexpr std::array kTypes{HOCKET_PARTS(HOCKET_PART)};
#undef HOCKET_PART

}  // namespace

std::unique_ptr<Part> make_part(Workbench& bench, Section& section) {
  for (const Type& type : kTypes) {
    if (type.name != section.type()) continue;
    std::unique_ptr<Part> part = type.make(bench, section);
    section.finish();
    part->wired(section);
    return part;
  }
  throw ScenarioError(section.line(), "there is no part type " + section.type());
}

}  // namespace hocket::sim
