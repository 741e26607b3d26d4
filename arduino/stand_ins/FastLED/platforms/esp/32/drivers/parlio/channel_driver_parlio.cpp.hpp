// Stands in for the file of this name in the library FastLED (tools/hocket/stand_ins.py): a driver
// of the ESP32 that is compiled for all processors and calls functions that only the ESP32 has.
// Nothing is left, because the linker of the board sim keeps what nothing calls.
