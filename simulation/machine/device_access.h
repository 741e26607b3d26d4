// The devices as the program on the simulated board accesses them. Each access runs on the
// machine's own stack, so a loop's stack shows what the sketch and the kernel need, and does not
// depend on the parts at the pins or on the wave file.
//
// The calls are those of Devices (simulation/devices/devices.h). Not instrumented: no other core
// comes between, and an access costs what the machine charges for it.
// comes between, and an access costs what the machine charges for it.
#pragma once

#include "simulation/devices/devices.h"

namespace hocket::sim {

class DeviceAccess {
 public:
  explicit DeviceAccess(Devices& devices) : devices_(devices) {}

  bool pin_mode(Nanos now, unsigned pin, sys::PinMode mode);
  bool pin_write(Nanos now, unsigned pin, bool high);
  int pin_read(Nanos now, unsigned pin);
  int analog_read(Nanos now, unsigned pin, unsigned bits);
  bool pwm_write(Nanos now, unsigned pin, uint32_t value, uint32_t maximum);
  bool tone_start(Nanos now, unsigned pin, uint32_t hertz, uint32_t duration_ms);
  bool tone_stop(Nanos now, unsigned pin);
  bool servo_write(Nanos now, unsigned pin, uint32_t pulse_us);

  unsigned edges_asking(Nanos now, unsigned line, unsigned from);
  Edges edges_watch(Nanos now, unsigned pin, sys::EdgeMode mode, unsigned line);
  Edges edges_release(Nanos now, unsigned pin);
  Edges edges_take(Nanos now, unsigned pin, uint64_t most);
  void edges_mask(Nanos now, unsigned pin);
  void edges_unmask(Nanos now, unsigned pin);

  bool serial_begin(Nanos now, unsigned port, uint32_t baud, uint32_t buffer);
  void serial_end(Nanos now, unsigned port);
  size_t serial_available(Nanos now, unsigned port);
  size_t serial_room(Nanos now, unsigned port);
  int serial_read(Nanos now, unsigned port);
  int serial_peek(Nanos now, unsigned port);
  size_t serial_write(Nanos now, unsigned port, const uint8_t* data, size_t size);
  int serial_line(Nanos now, unsigned rx, unsigned tx, bool inverted);
  void serial_listen(Nanos now, unsigned port, bool on);
  bool serial_overflowed(Nanos now, unsigned port);

  I2cAnswer i2c_transfer(Nanos now, unsigned bus, const sys::I2cTransfer& asked, const uint8_t* out,
                         uint8_t* in);
  Nanos spi_transfer(Nanos now, unsigned bus, const sys::SpiTransfer& asked, const uint8_t* out,
                     uint8_t* in);
  uint8_t eeprom_read(Nanos now, unsigned address);
  void eeprom_write(Nanos now, unsigned address, uint8_t value);

  void advance(Nanos now);
  void fifo_tell(Nanos now);

  // Known without an access.
  unsigned pin_count() const;
  unsigned analog_base() const;
  unsigned analog_count() const;
  uint64_t edges_counted(unsigned pin) const;
  Edges edges_waiting(unsigned pin) const;
  uint64_t edges_overflowed(unsigned pin) const;
  unsigned serial_count() const;
  bool serial_begun(unsigned port) const;
  Nanos serial_room_at(unsigned port, size_t bytes) const {
    return devices_.serial_room_at(port, bytes);
  }
  Nanos serial_data_at(unsigned port) const;
  unsigned i2c_count() const;
  unsigned spi_count() const;
  unsigned eeprom_size() const;
  void* fifo_window();

 private:
  Devices& devices_;
};

}  // namespace hocket::sim
