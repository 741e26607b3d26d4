// What the bare programs of these tests use of an Armv6-M processor, on the RP2040 and on machines
// of QEMU. Their console is the chip's UART, or semihosting (-D SEMIHOSTING).
#pragma once

#include <stdint.h>

inline volatile uint32_t& reg(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

constexpr uint32_t kSysTickControl = 0xe000e010, kSysTickReload = 0xe000e014,
                   kSysTickCount = 0xe000e018;
constexpr uint32_t kEnable = 0xe000e100, kPend = 0xe000e200, kUnpend = 0xe000e280,
                   kPriorities = 0xe000e400;
constexpr uint32_t kControl = 0xe000ed04, kVectors = 0xe000ed08, kSvCallPriority = 0xe000ed1c,
                   kPendSvPriority = 0xe000ed20;
constexpr uint32_t kMpuControl = 0xe000ed94, kMpuNumber = 0xe000ed98, kMpuBase = 0xe000ed9c,
                   kMpuAttributes = 0xe000eda0;

inline void barrier() {
  asm volatile("dsb\n isb" ::: "memory");
}

class Random {
 public:
  explicit constexpr Random(uint32_t seed) : state_(seed) {}
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ >> 4;
  }

 private:
  uint32_t state_;
};

#ifdef SEMIHOSTING

inline void say(const char* text) {
  register uint32_t operation asm("r0") = 4;  // SYS_WRITE0
  register const char* argument asm("r1") = text;
  asm volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}
inline void open_console() {}
[[noreturn]] inline void finish() {
  register uint32_t operation asm("r0") = 0x18;  // SYS_EXIT
  register uint32_t reason asm("r1") = 0x20026;
  asm volatile("bkpt 0xab" ::"r"(operation), "r"(reason) : "memory");
  for (;;) {
  }
}

#else

constexpr uint32_t kResets = 0x4000c000, kUart0 = 0x40034000;
constexpr uint32_t kClear = 0x3000;

inline void open_console() {
  reg(kResets + kClear) = 1u << 22;
  reg(kUart0 + 0x24) = 1;  // fast: nobody measures it
  reg(kUart0 + 0x28) = 0;
  reg(kUart0 + 0x2c) = 0x70;
  reg(kUart0 + 0x30) = 0x301;
}
inline void say(const char* text) {
  for (; *text != '\0'; ++text) {
    while ((reg(kUart0 + 0x18) & 0x20) != 0) {
    }
    reg(kUart0) = static_cast<uint8_t>(*text);
  }
}
/// Lets the last byte out, then sleeps for good.
[[noreturn]] inline void finish() {
  while ((reg(kUart0 + 0x18) & 8) != 0) {
  }
  asm volatile("cpsid i");
  for (;;) asm volatile("wfi");
}

#endif

inline void say_hex(uint32_t value) {
  char text[10];
  for (int i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
  text[8] = ' ';
  text[9] = '\0';
  say(text);
}
