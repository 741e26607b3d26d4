// The numbers of a sketch's system calls, for both sides.
//
// How a call is made is the processor's: up to four words of arguments, one of a result, and what
// an ordinary call preserves (user_level.h). Each call is the function of the same name in
// `arduino/runtime/system.h`, which documents it. Functions that only read the clock or the
// sketch's own memory are not system calls. An unknown number is a fault of the loop.
#pragma once

#include <stdint.h>

// X(number, function, argument count)
#define HOCKET_SYSTEM_CALLS(X) \
  X(0, end_iteration, 0)       \
  X(1, end_setup, 0)           \
  X(2, sleep_until_ns, 1)      \
  X(3, yield, 0)               \
  X(4, pin_count, 0)           \
  X(5, analog_base, 0)         \
  X(6, analog_count, 0)        \
  X(7, pin_mode, 2)            \
  X(8, pin_write, 2)           \
  X(9, pin_read, 1)            \
  X(10, analog_read, 2)        \
  X(11, pwm_write, 3)          \
  X(12, tone_start, 3)         \
  X(13, tone_stop, 1)          \
  X(14, servo_write, 2)        \
  X(15, serial_count, 0)       \
  X(16, serial_begin, 3)       \
  X(17, serial_end, 1)         \
  X(18, serial_available, 1)   \
  X(19, serial_room, 1)        \
  X(20, serial_read, 1)        \
  X(21, serial_peek, 1)        \
  X(22, serial_write, 3)       \
  X(23, serial_flush, 1)       \
  X(24, serial_wait, 2)        \
  X(25, loop_id, 0)            \
  X(26, core_id, 0)            \
  X(27, lock_given_back, 0)    \
  X(28, semaphore_take, 2)     \
  X(29, hold_pin_handlers, 1)  \
  X(30, fault, 2)              \
  X(31, entropy, 0)            \
  X(32, park_until_ns, 1)      \
  X(33, unpark, 1)             \
  X(34, semaphore_give, 1)     \
  X(35, attach_pin, 1)         \
  X(36, detach_pin, 1)         \
  X(37, next_pin_call, 1)      \
  X(38, edf_prepare, 2)        \
  X(39, edf_resume, 1)         \
  X(40, fifo_put, 3)           \
  X(41, fifo_get, 4)           \
  X(42, fifo_state, 2)         \
  X(43, i2c_count, 0)          \
  X(44, i2c_transfer, 2)       \
  X(45, spi_count, 0)          \
  X(46, spi_transfer, 2)       \
  X(47, eeprom_size, 0)        \
  X(48, eeprom_read, 1)        \
  X(49, eeprom_write, 2)       \
  X(50, serial_line, 3)        \
  X(51, serial_listen, 2)      \
  X(52, serial_overflowed, 1)  \
  X(53, note_no_room, 2)

namespace hocket {

enum class SystemCall : uint32_t {
#define HOCKET_NUMBER_(number, function, arguments) function = number,
  HOCKET_SYSTEM_CALLS(HOCKET_NUMBER_)
#undef HOCKET_NUMBER_
      count
};

}  // namespace hocket
