// The rate of Serial, where it is known as the sketch is compiled: for the admission test, which
// counts an interrupt for each character that may come or go (simulation/uno/declared.cpp).
#pragma once

/// A record of the image, in a section that is not loaded. (Of a rate that is known at run time
/// alone there is none.)
#define HOCKET_NOTE_RATE_(baud)                                                                   \
  if (__builtin_constant_p(baud)) {                                                               \
    asm volatile(".pushsection .hocket_rates,\"\",@progbits\n.long %0\n.popsection" ::"i"(baud)); \
  }
