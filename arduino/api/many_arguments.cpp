// An IPv6 address of more arguments than an AVR has registers for. (map() is in map.cpp.)
//
// clang reads what is on the stack one byte off where a return address has three bytes, so avr-gcc
// compiles both files for every sketch (arduino/cores/avr8/CMakeLists.txt).
#include "arduino/api/IPAddress.h"

IPAddress::IPAddress(uint8_t o1, uint8_t o2, uint8_t o3, uint8_t o4, uint8_t o5, uint8_t o6,
                     uint8_t o7, uint8_t o8, uint8_t o9, uint8_t o10, uint8_t o11, uint8_t o12,
                     uint8_t o13, uint8_t o14, uint8_t o15, uint8_t o16)
    : bytes_{o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13, o14, o15, o16}, type_(IPv6) {}
