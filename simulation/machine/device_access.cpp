// The devices as the program on the simulated board accesses them (see device_access.h).
#include "simulation/machine/device_access.h"

#include "ports/host/machine.h"

namespace hocket::sim {
namespace {

template <class Act>
auto beside(const Act& act) {
  return host::Machine::instance().beside(act);
}

}  // namespace

bool DeviceAccess::pin_mode(Nanos now, unsigned pin, sys::PinMode mode) {
  return beside([&] { return devices_.pin_mode(now, pin, mode); });
}
bool DeviceAccess::pin_write(Nanos now, unsigned pin, bool high) {
  return beside([&] { return devices_.pin_write(now, pin, high); });
}
int DeviceAccess::pin_read(Nanos now, unsigned pin) {
  return beside([&] { return devices_.pin_read(now, pin); });
}
int DeviceAccess::analog_read(Nanos now, unsigned pin, unsigned bits) {
  return beside([&] { return devices_.analog_read(now, pin, bits); });
}
bool DeviceAccess::pwm_write(Nanos now, unsigned pin, uint32_t value, uint32_t maximum) {
  return beside([&] { return devices_.pwm_write(now, pin, value, maximum); });
}
bool DeviceAccess::tone_start(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms) {
  return beside([&] { return devices_.tone_start(now, pin, hertz, duration_ms); });
}
bool DeviceAccess::tone_stop(Nanos now, unsigned pin) {
  return beside([&] { return devices_.tone_stop(now, pin); });
}
bool DeviceAccess::servo_write(Nanos now, unsigned pin, uint32_t pulse_us) {
  return beside([&] { return devices_.servo_write(now, pin, pulse_us); });
}

unsigned DeviceAccess::edges_asking(Nanos now, unsigned line, unsigned from) {
  return beside([&] { return devices_.edges_asking(now, line, from); });
}
Edges DeviceAccess::edges_watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line) {
  return beside([&] { return devices_.edges_watch(now, pin, mode, line); });
}
Edges DeviceAccess::edges_release(Nanos now, unsigned pin) {
  return beside([&] { return devices_.edges_release(now, pin); });
}
Edges DeviceAccess::edges_take(Nanos now, unsigned pin, uint64_t most) {
  return beside([&] { return devices_.edges_take(now, pin, most); });
}
void DeviceAccess::edges_mask(Nanos now, unsigned pin) {
  return beside([&] { return devices_.edges_mask(now, pin); });
}
void DeviceAccess::edges_unmask(Nanos now, unsigned pin) {
  return beside([&] { return devices_.edges_unmask(now, pin); });
}

bool DeviceAccess::serial_begin(Nanos now, unsigned port, uint32_t baud, uint32_t buffer) {
  return beside([&] { return devices_.serial_begin(now, port, baud, buffer); });
}
void DeviceAccess::serial_end(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_end(now, port); });
}
size_t DeviceAccess::serial_available(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_available(now, port); });
}
size_t DeviceAccess::serial_room(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_room(now, port); });
}
int DeviceAccess::serial_read(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_read(now, port); });
}
int DeviceAccess::serial_peek(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_peek(now, port); });
}
size_t DeviceAccess::serial_write(Nanos now, unsigned port, const uint8_t* data, size_t size) {
  return beside([&] { return devices_.serial_write(now, port, data, size); });
}
int DeviceAccess::serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted) {
  return beside([&] { return devices_.serial_line(now, rx, tx, inverted); });
}
void DeviceAccess::serial_listen(Nanos now, unsigned port, bool on) {
  return beside([&] { return devices_.serial_listen(now, port, on); });
}
bool DeviceAccess::serial_overflowed(Nanos now, unsigned port) {
  return beside([&] { return devices_.serial_overflowed(now, port); });
}

I2cAnswer DeviceAccess::i2c_transfer(Nanos now, unsigned bus, const sys::I2cTransfer& asked,
                                     const uint8_t* out, uint8_t* in) {
  return beside([&] { return devices_.i2c_transfer(now, bus, asked, out, in); });
}
Nanos DeviceAccess::spi_transfer(Nanos now, unsigned bus, const sys::SpiTransfer& asked,
                                 const uint8_t* out, uint8_t* in) {
  return beside([&] { return devices_.spi_transfer(now, bus, asked, out, in); });
}
uint8_t DeviceAccess::eeprom_read(Nanos now, unsigned address) {
  return beside([&] { return devices_.eeprom_read(now, address); });
}
void DeviceAccess::eeprom_write(Nanos now, unsigned address, uint8_t value) {
  return beside([&] { return devices_.eeprom_write(now, address, value); });
}

void DeviceAccess::advance(Nanos now) {
  return beside([&] { return devices_.advance(now); });
}
void DeviceAccess::fifo_tell(Nanos now) {
  return beside([&] { return devices_.fifo_tell(now); });
}

unsigned DeviceAccess::pin_count() const {
  return devices_.pin_count();
}
unsigned DeviceAccess::analog_base() const {
  return devices_.analog_base();
}
unsigned DeviceAccess::analog_count() const {
  return devices_.analog_count();
}
uint64_t DeviceAccess::edges_counted(unsigned pin) const {
  return devices_.edges_counted(pin);
}
Edges DeviceAccess::edges_waiting(unsigned pin) const {
  return devices_.edges_waiting(pin);
}
uint64_t DeviceAccess::edges_overflowed(unsigned pin) const {
  return devices_.edges_overflowed(pin);
}
unsigned DeviceAccess::serial_count() const {
  return devices_.serial_count();
}
bool DeviceAccess::serial_begun(unsigned port) const {
  return devices_.serial_begun(port);
}
Nanos DeviceAccess::serial_data_at(unsigned port) const {
  return devices_.serial_data_at(port);
}
unsigned DeviceAccess::i2c_count() const {
  return devices_.i2c_count();
}
unsigned DeviceAccess::spi_count() const {
  return devices_.spi_count();
}
unsigned DeviceAccess::eeprom_size() const {
  return devices_.eeprom_size();
}
void* DeviceAccess::fifo_window() {
  return devices_.fifo_window();
}

}  // namespace hocket::sim
