// See stdio.cpp: the version for sketches that read standard input.
#define HOCKET_STDIO_READS
#include "arduino/cores/avr8/stdio.cpp"
