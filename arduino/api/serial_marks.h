// What a sketch does with Serial, left in its image for who admits its loops before it runs: that
// something may read, and the rates that it begins with. Not an instruction: symbols.
//
//   hocket_serial_reads        some code that is linked calls available(), read() or peek()
//   hocket_serial_rate_9600    … begins with this rate, a constant
//   hocket_serial_rate_any     … begins with a rate that is known when it runs
//
// On the Uno: there Serial's interrupts take time from the loops (simulation/uno/declared.cpp), and
// the receiver is off where nobody reads (arduino/cores/avr8/serial.cpp). Elsewhere nothing. The
// calls that leave them are templates, which hide the virtual functions of the same names: so a
// class that is made from Stream overrides those, and who calls them is seen here.
#pragma once

#define HOCKET_ALWAYS_INLINE_ __attribute__((always_inline)) inline

namespace hocket {

#if defined(ARDUINO_ARCH_HOCKET) && defined(__AVR__)
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {
  // The second line takes the receiver along (arduino/cores/avr8/serial_receiver.cpp).
  asm volatile(
      ".weak hocket_serial_reads\n.set hocket_serial_reads, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_receiver");
}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {
  // The second line takes begin() along (serial_opening.cpp).
  asm volatile(
      ".weak hocket_serial_rate_any\n.set hocket_serial_rate_any, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_opening");
}
/// `baud` is a constant.
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long baud) {
  asm volatile(".weak hocket_serial_rate_%0\n.set hocket_serial_rate_%0, 1" ::"i"(baud));
}
#else
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {}
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long) {}
#endif

}  // namespace hocket
