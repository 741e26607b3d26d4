// Records in the image what a sketch does with each serial port, for admission before the sketch
// runs: whether it may read, and the rates that it opens the port with. The marks are symbols and
// not instructions.
//
//   hocket_serial_reads        linked code calls available(), read() or peek() of a port that the
//                              compiler does not know: through a Stream, or standard input
//   hocket_serial_reads_0      the same of port 0, Serial
//   hocket_serial_rate_0_9600  linked code begins port 0 with this rate, a constant
//   hocket_serial_rate_0_any   linked code begins port 0 with a rate that is only known at run time
//   hocket_serial_rate_any     the same of an unknown port
//
// Used on AVRs: the interrupts of a port take time from the loops
// (arduino/cores/avr8/image/declared.cpp), and a receiver stays off if nothing reads
// (arduino/cores/avr8/serial_line.h). Other boards ignore the marks. The calls that leave marks are
// templates which hide the virtual functions of the same names. So a class derived from Stream
// still overrides those, and a call through the sketch's own Serial is seen.
#pragma once

#define HOCKET_ALWAYS_INLINE_ __attribute__((always_inline)) inline

namespace hocket {

#if defined(ARDUINO_ARCH_HOCKET) && defined(__AVR__)
/// The second line of each mark links what it is for: a receiver (arduino/cores/avr8/
/// serial_receiver*.cpp), or begin() (serial_opening.cpp).
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {
  asm volatile(
      ".weak hocket_serial_reads\n.set hocket_serial_reads, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_receiver");
}
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {
  asm volatile(
      ".weak hocket_serial_reads_%0\n.set hocket_serial_reads_%0, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_receiver_%0" ::"i"(kPort));
}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {
  asm volatile(
      ".weak hocket_serial_rate_any\n.set hocket_serial_rate_any, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_opening");
}
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {
  asm volatile(
      ".weak hocket_serial_rate_%0_any\n.set hocket_serial_rate_%0_any, 1\n"
      ".reloc 0, R_AVR_NONE, hocket_serial_opening" ::"i"(kPort));
}
/// `baud` must be a constant.
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long baud) {
  asm volatile(".weak hocket_serial_rate_%0_%1\n.set hocket_serial_rate_%0_%1, 1" ::"i"(kPort),
               "i"(baud));
}
#else
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {}
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_serial_reads() {}
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {}
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_any_serial_rate() {}
template <unsigned kPort>
HOCKET_ALWAYS_INLINE_ void mark_serial_rate(unsigned long) {}
#endif

}  // namespace hocket
