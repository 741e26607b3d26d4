// Defines a serial port's object on an AVR with several: each in a file of its own, so that a
// sketch links only the ports that it names. For what is weak see HardwareSerial.cpp.
#pragma once

#include "arduino/api/HardwareSerial.h"

#define HOCKET_SERIAL_OBJECT(name, number)                                             \
  asm(".weak _ZN6hocket9BoardPort5beginEm\n.weak _ZN6hocket9BoardPort5beginEmj\n"      \
      ".weak _ZN6hocket9BoardPort9availableEv\n.weak _ZN6hocket9BoardPort4readEv\n"    \
      ".weak _ZN6hocket9BoardPort4peekEv\n.weak _ZN6hocket9BoardPort11waitForByteEy\n" \
      ".reloc 0, R_AVR_NONE, hocket_serial_port_" #number); /* serial_port.h */        \
  [[clang::require_constant_initialization]] hocket::SerialPort<number> name
