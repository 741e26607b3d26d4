// The sketch's side of each system call (arduino/cores/protected/system_calls.h): three
// instructions.
//
// By the procedure call standard the arguments are already where the kernel expects them. The
// standard leaves the upper bits of narrow arguments undefined, so the kernel ignores them.
#include "arduino/cores/protected/system_calls.h"

#include "arduino/cores/protected/sketch/system.h"
#include "arduino/runtime/system.h"
#include "user_level.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winvalid-noreturn"

namespace hocket::sys {

[[gnu::naked]] OverrunHandler end_iteration() {
  HOCKET_SYSTEM_CALL_(end_iteration);
}
[[gnu::naked]] void end_setup() {
  HOCKET_SYSTEM_CALL_(end_setup);
}

// --- Time ---

[[gnu::naked]] void sleep_until_ns(uint64_t) {
  HOCKET_SYSTEM_CALL_(sleep_until_ns);
}
[[gnu::naked]] void yield() {
  HOCKET_SYSTEM_CALL_(yield);
}

// --- Pins ---

[[gnu::naked]] unsigned pin_count() {
  HOCKET_SYSTEM_CALL_(pin_count);
}
[[gnu::naked]] unsigned analog_base() {
  HOCKET_SYSTEM_CALL_(analog_base);
}
[[gnu::naked]] unsigned analog_count() {
  HOCKET_SYSTEM_CALL_(analog_count);
}
[[gnu::naked]] bool pin_mode(unsigned, PinMode) {
  HOCKET_SYSTEM_CALL_(pin_mode);
}
[[gnu::naked]] bool pin_write(unsigned, bool) {
  HOCKET_SYSTEM_CALL_(pin_write);
}
[[gnu::naked]] int pin_read(unsigned) {
  HOCKET_SYSTEM_CALL_(pin_read);
}
[[gnu::naked]] int analog_read(unsigned, unsigned) {
  HOCKET_SYSTEM_CALL_(analog_read);
}
[[gnu::naked]] bool pwm_write(unsigned, uint32_t, uint32_t) {
  HOCKET_SYSTEM_CALL_(pwm_write);
}
[[gnu::naked]] bool tone_start(unsigned, uint32_t, uint32_t) {
  HOCKET_SYSTEM_CALL_(tone_start);
}
[[gnu::naked]] bool tone_stop(unsigned) {
  HOCKET_SYSTEM_CALL_(tone_stop);
}
[[gnu::naked]] bool servo_write(unsigned, uint32_t) {
  HOCKET_SYSTEM_CALL_(servo_write);
}

// --- Serial ports ---

[[gnu::naked]] unsigned serial_count() {
  HOCKET_SYSTEM_CALL_(serial_count);
}
[[gnu::naked]] bool serial_begin(unsigned, uint32_t, uint32_t) {
  HOCKET_SYSTEM_CALL_(serial_begin);
}
[[gnu::naked]] void serial_end(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_end);
}
[[gnu::naked]] size_t serial_available(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_available);
}
[[gnu::naked]] size_t serial_room(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_room);
}
[[gnu::naked]] int serial_read(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_read);
}
[[gnu::naked]] int serial_peek(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_peek);
}
[[gnu::naked]] size_t serial_write(unsigned, const uint8_t*, size_t) {
  HOCKET_SYSTEM_CALL_(serial_write);
}
[[gnu::naked]] void serial_flush(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_flush);
}
[[gnu::naked]] bool serial_wait(unsigned, uint64_t) {
  HOCKET_SYSTEM_CALL_(serial_wait);
}

[[gnu::naked]] int serial_line(unsigned, unsigned, bool) {
  HOCKET_SYSTEM_CALL_(serial_line);
}
[[gnu::naked]] void serial_listen(unsigned, bool) {
  HOCKET_SYSTEM_CALL_(serial_listen);
}
[[gnu::naked]] bool serial_overflowed(unsigned) {
  HOCKET_SYSTEM_CALL_(serial_overflowed);
}

// --- Buses and EEPROM ---

[[gnu::naked]] unsigned i2c_count() {
  HOCKET_SYSTEM_CALL_(i2c_count);
}
[[gnu::naked]] I2cEnd i2c_transfer(unsigned, I2cTransfer&) {
  HOCKET_SYSTEM_CALL_(i2c_transfer);
}
[[gnu::naked]] unsigned spi_count() {
  HOCKET_SYSTEM_CALL_(spi_count);
}
[[gnu::naked]] bool spi_transfer(unsigned, const SpiTransfer&) {
  HOCKET_SYSTEM_CALL_(spi_transfer);
}
[[gnu::naked]] unsigned eeprom_size() {
  HOCKET_SYSTEM_CALL_(eeprom_size);
}
[[gnu::naked]] int eeprom_read(unsigned) {
  HOCKET_SYSTEM_CALL_(eeprom_read);
}
[[gnu::naked]] void eeprom_write(unsigned, uint8_t) {
  HOCKET_SYSTEM_CALL_(eeprom_write);
}

// --- FIFOs ---

[[gnu::naked]] bool fifo_put(unsigned, const void*, size_t) {
  HOCKET_SYSTEM_CALL_(fifo_put);
}
[[gnu::naked]] size_t fifo_get(unsigned, void*, size_t, FifoTake) {
  HOCKET_SYSTEM_CALL_(fifo_get);
}
[[gnu::naked]] void fifo_state(unsigned, FifoState&) {
  HOCKET_SYSTEM_CALL_(fifo_state);
}

// --- Loops, locks and faults ---

[[gnu::naked]] unsigned loop_id() {
  HOCKET_SYSTEM_CALL_(loop_id);
}
[[gnu::naked]] bool park_until_ns(uint64_t) {
  HOCKET_SYSTEM_CALL_(park_until_ns);
}
[[gnu::naked]] bool unpark(unsigned) {
  HOCKET_SYSTEM_CALL_(unpark);
}
[[gnu::naked]] bool edf_prepare(unsigned, EdfContract&) {
  HOCKET_SYSTEM_CALL_(edf_prepare);
}
[[gnu::naked]] bool edf_resume(unsigned) {
  HOCKET_SYSTEM_CALL_(edf_resume);
}
[[gnu::naked]] bool semaphore_take(int*, uint64_t) {
  HOCKET_SYSTEM_CALL_(semaphore_take);
}
[[gnu::naked]] void semaphore_give(int*) {
  HOCKET_SYSTEM_CALL_(semaphore_give);
}
[[gnu::naked]] unsigned core_id() {
  HOCKET_SYSTEM_CALL_(core_id);
}
[[gnu::naked]] void lock_given_back() {
  HOCKET_SYSTEM_CALL_(lock_given_back);
}
/// A mark that is linked together with this function: if it is there, handlers are attached, and
/// the header says so (kUsesPinInterrupts).
[[gnu::naked]] bool attach_pin(const PinInterrupt&) {
  asm(".pushsection hocket_pin_interrupts, \"ao\", @progbits, "
      "_ZN6hocket3sys10attach_pinERKNS0_12PinInterruptE\n\t"
      ".byte 1\n\t"
      ".popsection");
  HOCKET_SYSTEM_CALL_(attach_pin);
}
[[gnu::naked]] bool detach_pin(unsigned) {
  HOCKET_SYSTEM_CALL_(detach_pin);
}
[[gnu::naked]] void next_pin_call(PinCall&) {
  HOCKET_SYSTEM_CALL_(next_pin_call);
}
[[gnu::naked]] void hold_pin_handlers(bool) {
  HOCKET_SYSTEM_CALL_(hold_pin_handlers);
}
[[gnu::naked]] void fault(const char*, const void*) {
  HOCKET_SYSTEM_CALL_(fault);
}
[[gnu::naked]] void note_no_room(uint64_t, uint64_t) {
  HOCKET_SYSTEM_CALL_(note_no_room);
}
[[gnu::naked]] uint32_t entropy() {
  HOCKET_SYSTEM_CALL_(entropy);
}

}  // namespace hocket::sys

#pragma clang diagnostic pop
