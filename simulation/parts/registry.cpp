// The list of all part types.

#include <array>
#include <string_view>

#include "simulation/parts/part.h"

namespace hocket::sim {

#define HOCKET_PART(type) std::unique_ptr<Part> make_##type(Workbench& bench, Section& section);
HOCKET_PART(ahrs)
HOCKET_PART(bme280)
HOCKET_PART(button)
HOCKET_PART(dht22)
HOCKET_PART(ds18b20)
HOCKET_PART(ds3231)
HOCKET_PART(eeprom)
HOCKET_PART(eeprom_24c)
HOCKET_PART(fifo)
HOCKET_PART(generator)
HOCKET_PART(gps)
HOCKET_PART(ground_station)
HOCKET_PART(hcsr04)
HOCKET_PART(hd44780)
HOCKET_PART(helicopter)
HOCKET_PART(i2c_registers)
HOCKET_PART(keypad)
HOCKET_PART(led)
HOCKET_PART(loopback)
HOCKET_PART(motors)
HOCKET_PART(mpu6050)
HOCKET_PART(potentiometer)
HOCKET_PART(probe)
HOCKET_PART(sd_card)
HOCKET_PART(serial)
HOCKET_PART(serial_pins)
HOCKET_PART(servo)
HOCKET_PART(spi_registers)
HOCKET_PART(ssd1306)
HOCKET_PART(wire)
HOCKET_PART(ws2812)
#undef HOCKET_PART

namespace {

struct Type {
  std::string_view name;
  std::unique_ptr<Part> (*make)(Workbench&, Section&);
};

constexpr std::array kTypes{
    Type{"ahrs", make_ahrs},
    Type{"bme280", make_bme280},
    Type{"button", make_button},
    Type{"dht22", make_dht22},
    Type{"ds18b20", make_ds18b20},
    Type{"ds3231", make_ds3231},
    Type{"eeprom", make_eeprom},
    Type{"eeprom_24c", make_eeprom_24c},
    Type{"fifo", make_fifo},
    Type{"generator", make_generator},
    Type{"gps", make_gps},
    Type{"ground_station", make_ground_station},
    Type{"hcsr04", make_hcsr04},
    Type{"hd44780", make_hd44780},
    Type{"helicopter", make_helicopter},
    Type{"i2c_registers", make_i2c_registers},
    Type{"keypad", make_keypad},
    Type{"led", make_led},
    Type{"loopback", make_loopback},
    Type{"motors", make_motors},
    Type{"mpu6050", make_mpu6050},
    Type{"potentiometer", make_potentiometer},
    Type{"probe", make_probe},
    Type{"sd_card", make_sd_card},
    Type{"serial", make_serial},
    Type{"serial_pins", make_serial_pins},
    Type{"servo", make_servo},
    Type{"spi_registers", make_spi_registers},
    Type{"ssd1306", make_ssd1306},
    Type{"wire", make_wire},
    Type{"ws2812", make_ws2812},
};

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
