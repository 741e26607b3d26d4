"""Names the origin of a linked object for the author of a sketch."""

from __future__ import annotations

import re

# The origin of all objects of a link-time optimisation (avr_gcc.py).
WHOLE = "the sketch and its libraries"
# Members of Hocket's own archives, by the file that they were made from.
_FEATURES = {
    "HardwareSerial": "Serial",
    "Print": "print()",
    "Stream": "Stream",
    "String": "String",
    "analog_read": "analogRead()",
    "analog_resolution": "analogWriteResolution()",
    "analog_write": "analogWrite()",
    "any_interrupt": "attachInterrupt()",
    "any_interrupt_param": "attachInterruptParam()",
    "clock.S": "the clock: millis(), delay()",
    "delay": "the clock: millis(), delay()",
    "digits.S": "print()",
    "dtostrf": "dtostrf()",
    "eeprom": "EEPROM",
    "heap": "the heap: String, new",
    "interrupt_param": "attachInterruptParam()",
    "interrupts": "attachInterrupt() for pins 2 and 3",
    "kernel": "the kernel of the loops",
    "micros.S": "the clock: millis(), delay()",
    "millis.S": "the clock: millis(), delay()",
    "plain_clock.S": "the clock: millis(), delay()",
    "plain_delay.S": "the clock: millis(), delay()",
    "plain_delay_yields": "the clock: millis(), delay()",
    "plain_long_clock.S": "the clock: millis(), delay()",
    "plain_millis.S": "the clock: millis(), delay()",
    "plain_pulse": "pulseIn()",
    "pin_change_b": "attachInterrupt() for pins 8 to 13",
    "pin_change_c": "attachInterrupt() for pins A0 to A5",
    "pin_change_d": "attachInterrupt() for pins 0 to 7",
    "pin_changes.S": "attachInterrupt() for pins without an interrupt of their own",
    "pins": "pins",
    "pulse": "pulseIn()",
    "serial": "Serial",
    "serial_events": "Serial",
    "serial_opening": "Serial",
    "serial_reading": "Serial",
    "serial_receiver": "Serial",
    "servo": "Servo",
    "shift": "shiftOut(), shiftIn()",
    "ticks.S": "the clock: millis(), delay()",
    "time": "the clock: millis(), delay()",
    "tone": "tone()",
}


def origin_of(object_file: str) -> str:
    """Returns the origin of an object or of a member of an archive, in the linkers' form: FILE or
    FILE(MEMBER)."""
    library = re.search(r"/\.?obj/libraries/([^/]+)/", object_file)
    if library:
        return f"the library {library[1]}"
    if re.search(r"/\.?obj/(sketch/|[^/]+\.ino(\.\w+)?\.o)", object_file):
        return "the sketch"
    if ".ltrans" in object_file:
        return WHOLE
    member = re.search(r"libhocket_\w+\.a[(:]([\w.]+?)(?:\.cpp)?\.o(?:bj)?\)?", object_file)
    if member:
        return _FEATURES.get(member[1], "Hocket's Arduino language")
    if re.search(r"/lib(c|m|gcc|printf_\w+|atmega\w+)\.a\b", object_file):
        return "the C library (arithmetic, text)"
    return "start-up code"
