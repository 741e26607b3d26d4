// The part of the Arduino language that C and C++ share: types, constants, pins, time, bits.
//
// Pin and mode arguments are plain integers: sketches pass bool, char and enumerators alike, and a
// pin number is never cut to eight bits on its way to the board, so a wrong one cannot alias a
// right one. Each constant is an enumerator and a macro of its own name: libraries test for both.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The values are those of the Arduino core for the processor, because libraries store modes and
// pass literals. AVR has those of its own core. Other processors have those of ArduinoCore-API,
// where HIGH is also an interrupt mode and must differ from CHANGE.
#ifdef __AVR__
typedef enum { LOW = 0, HIGH = 1, CHANGE = 1, FALLING = 2, RISING = 3 } PinStatus;
#else
typedef enum { LOW = 0, HIGH = 1, CHANGE = 2, FALLING = 3, RISING = 4 } PinStatus;
#endif
#define LOW LOW
#define HIGH HIGH
#define CHANGE CHANGE
#define FALLING FALLING
#define RISING RISING

typedef enum {
  INPUT = 0,
  OUTPUT = 1,
  INPUT_PULLUP = 2,
  INPUT_PULLDOWN = 3,
  OUTPUT_OPENDRAIN = 4
} PinMode;
#define INPUT INPUT
#define OUTPUT OUTPUT
#define INPUT_PULLUP INPUT_PULLUP
#define INPUT_PULLDOWN INPUT_PULLDOWN
#define OUTPUT_OPENDRAIN OUTPUT_OPENDRAIN
#define OPENDRAIN OUTPUT_OPENDRAIN

typedef enum { LSBFIRST = 0, MSBFIRST = 1 } BitOrder;
#define LSBFIRST LSBFIRST
#define MSBFIRST MSBFIRST

/// Reference voltages of the analog converter, for analogReference().
#define EXTERNAL 0
#define DEFAULT 1
#define INTERNAL1V1 2
#define INTERNAL 3
#define INTERNAL2V56 4

#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI 6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define RAD_TO_DEG 57.295779513082320876798154814105
#define EULER 2.718281828459045235360287471352

#define SERIAL 0x0
#define DISPLAY 0x1

typedef bool boolean;
typedef uint8_t byte;
typedef uint16_t word;

/// A pin's number. Wide enough that -1 and 999 arrive unchanged, as pins that do not exist.
typedef unsigned int pin_size_t;

typedef void (*voidFuncPtr)(void);
typedef void (*voidFuncPtrParam)(void*);

#define lowByte(w) ((uint8_t)((w) & 0xff))
#define highByte(w) ((uint8_t)((w) >> 8))

#define bit(b) (1UL << (b))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bitClear(value, bit) ((value) &= ~(1UL << (bit)))
#define bitToggle(value, bit) ((value) ^= (1UL << (bit)))
#define bitWrite(value, bit, bitvalue) \
  ((bitvalue) ? bitSet((value), (bit)) : bitClear((value), (bit)))
#ifndef _BV
#define _BV(bit) (1 << (bit))
#endif

#ifndef F_CPU
#define F_CPU 16000000UL
#endif
#define clockCyclesPerMicrosecond() (F_CPU / 1000000UL)
#define clockCyclesToMicroseconds(cycles) ((cycles) / clockCyclesPerMicrosecond())
#define microsecondsToClockCycles(us) ((us) * clockCyclesPerMicrosecond())

/// The two functions that the sketch defines; `arduino/runtime` calls them by these C names.
void setup(void);
void loop(void);

// Digital and analog pins. A pin that the board lacks changes nothing and reads 0. The board counts
// such calls and reports the pin once.
void pinMode(pin_size_t pin, int mode);
void digitalWrite(pin_size_t pin, int value);
int digitalRead(pin_size_t pin);
int analogRead(pin_size_t pin);
void analogWrite(pin_size_t pin, int value);
void analogReference(uint8_t reference);
void analogReadResolution(int bits);
void analogWriteResolution(int bits);

// Time. millis() and micros() wrap at 32 bits on every board, even where unsigned long is wider.
unsigned long millis(void);
unsigned long micros(void);
/// Blocks this loop for `ms` milliseconds.
void delay(unsigned long ms);
/// Spins for `us` microseconds, which are charged to the loop's budget.
void delayMicroseconds(unsigned int us);
void yield(void);

#ifdef __cplusplus
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout = 1000000UL);
unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout = 1000000UL);
#else
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout);
unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout);
#endif

void shiftOut(pin_size_t dataPin, pin_size_t clockPin, int bitOrder, uint8_t value);
uint8_t shiftIn(pin_size_t dataPin, pin_size_t clockPin, int bitOrder);

#ifdef __cplusplus
}  // extern "C"

/// A square wave on `pin`, made by the board's timer, for `duration` ms (0: until noTone()).
void tone(pin_size_t pin, unsigned int frequency, unsigned long duration = 0);
void noTone(pin_size_t pin);

/// A number from 0 to `end` - 1, or from `begin` to `end` - 1.
long random(long end);
long random(long begin, long end);
/// Restarts the sequence of random(). 0 changes nothing, as on every Arduino.
void randomSeed(unsigned long seed);

/// Maps `x` from the range in… to the range out… in integer arithmetic, without clamping.
long map(long x, long inMin, long inMax, long outMin, long outMax);

constexpr uint16_t makeWord(uint16_t w) {
  return w;
}
constexpr uint16_t makeWord(uint8_t high, uint8_t low) {
  return static_cast<uint16_t>((high << 8) | low);
}
#define word(...) makeWord(__VA_ARGS__)

#endif

#include "Math.h"
