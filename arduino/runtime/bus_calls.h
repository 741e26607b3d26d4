// How calls for buses (I2C, SPI, EEPROM) wait, on any board.
//
// A device makes a transfer at one instant and says how long the bus is busy with it. The calling
// loop holds the bus for that time and sleeps. Other loops wait in FIFO order, so a loop waits at
// most for one transfer of each other loop. Context: any loop, and setup(). `Buses` is the board's
// part:
//   i2c_count(), spi_count(), eeprom_size()
//   i2c_transfer(bus, asked, free_at)  makes it; free_at: the instant (ns) of its last bit
//   spi_transfer(bus, asked)           makes it; returns that instant
//   eeprom_read(address), eeprom_write(address, value)
//   now_ns()
//   Holding                            exists while other loops must wait for the calling loop
#pragma once

#include "arduino/runtime/system.h"
#include "board_kernel.h"
#include "kernel/task/semaphore.h"

namespace hocket::runtime {

template <class Buses>
class BusCalls {
 public:
  static sys::I2cEnd i2c_transfer(unsigned bus, sys::I2cTransfer& asked) {
    asked.received = 0;
    if (bus >= Buses::i2c_count() || bus >= kMostBuses) return sys::I2cEnd::Failed;
    if (asked.out_size > sys::kLongestI2c || asked.in_size > sys::kLongestI2c)
      return sys::I2cEnd::Failed;
    const typename Buses::Holding until_the_bus_is_given_back;
    i2c_[bus].wait();
    uint64_t free_at = 0;
    const sys::I2cEnd end = Buses::i2c_transfer(bus, asked, free_at);
    sleep_until(free_at);
    i2c_[bus].signal();
    return end;
  }

  static bool spi_transfer(unsigned bus, const sys::SpiTransfer& asked) {
    if (bus >= Buses::spi_count() || bus >= kMostBuses || asked.size > sys::kLongestSpi)
      return false;
    const typename Buses::Holding until_the_bus_is_given_back;
    spi_[bus].wait();
    const uint64_t free_at = Buses::spi_transfer(bus, asked);
    if (sys::spi_time_ns(asked) >= sys::kWorthSleeping) sleep_until(free_at);
    spi_[bus].signal();
    return true;
  }

  static int eeprom_read(unsigned address) {
    if (address >= Buses::eeprom_size()) return 0xff;
    const typename Buses::Holding until_it_is_given_back;
    eeprom_.wait();
    sleep_until(written_at_);
    const int value = Buses::eeprom_read(address);
    eeprom_.signal();
    return value;
  }
  static void eeprom_write(unsigned address, uint8_t value) {
    if (address >= Buses::eeprom_size()) return;
    const typename Buses::Holding until_it_is_given_back;
    eeprom_.wait();
    sleep_until(written_at_);
    Buses::eeprom_write(address, value);
    written_at_ = Buses::now_ns() + sys::kEepromWrite;
    eeprom_.signal();
  }

 private:
  // FIFO order, as at a serial port.
  using Lock = Semaphore<System, Board::Port>;
  static constexpr unsigned kMostBuses = 1;
  static void sleep_until(uint64_t ns) {
    if (ns > Buses::now_ns()) System::sleep_until(Board::instant(ns));
  }

  static inline Lock i2c_[kMostBuses] = {Lock(1)};
  static inline Lock spi_[kMostBuses] = {Lock(1)};
  static inline Lock eeprom_ = Lock(1);
  static inline uint64_t written_at_ = 0;  // instant (ns) at which the last write is done;
                                           // protected by eeprom_
};

}  // namespace hocket::runtime
