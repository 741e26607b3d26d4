// Records in the image what a sketch does with Serial, for admission before the sketch runs:
// whether it may read, and the rates that it opens the port with. The marks are symbols and not
// instructions.
//
//   hocket_serial_reads        linked code calls available(), read() or peek()
//   hocket_serial_rate_9600    linked code begins with this rate, a constant
//   hocket_serial_rate_any     linked code begins with a rate that is only known at run time
//
// Used on the Uno: Serial's interrupts take time from its loops
// (arduino/cores/avr8/image/declared.cpp), and the receiver stays off if nothing reads
// (arduino/cores/avr8/serial.cpp). Other boards ignore the marks. The calls that leave marks are
// templates which hide the virtual functions of the same names. So a class derived from Stream
// still overrides those, and a call through the sketch's own Serial is seen.
#pragma once

#define HOCKET_ALWAYS_INLINE_ __attribute__((always_inline)) inline

namespace hocket {

#if defined(ARDUINO_ARCH_HOCKET) && defined(__AVR__)
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {
  // The second line links the receiver (arduino/cores/avr8/serial_receiver.cpp).
  asm volatile(
      ".weak hocket_serial_reads\n.set hocket_serial_reads, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_receiver");
}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {
  // The second line links begin() (serial_opening.cpp).
  asm volatile(
      ".weak hocket_serial_rate_any\n.set hocket_serial_rate_any, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_opening");
}
/// `baud` must be a constant.
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long baud) {
  asm volatile(".weak hocket_serial_rate_%0\n.set hocket_serial_rate_%0, 1" ::"i"(baud));
}
#else
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {}
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long) {}
#endif

}  // namespace hocket
