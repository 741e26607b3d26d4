// Character classes, as the C++ library's stream headers name them (see c++locale.h).
#pragma once

namespace std {

struct ctype_base {
  typedef const int* __to_type;
  typedef unsigned short mask;
  static const mask upper = 1;
  static const mask lower = 2;
  static const mask alpha = upper | lower;
  static const mask digit = 4;
  static const mask xdigit = 8;
  static const mask space = 16;
  static const mask print = 32;
  static const mask graph = alpha | digit | 64;
  static const mask cntrl = 128;
  static const mask punct = 64;
  static const mask alnum = alpha | digit;
  static const mask blank = 256;
};

}  // namespace std
