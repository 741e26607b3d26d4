// The C library's headers that sketches use without including them, without the names that an
// Arduino's C library (avr-libc) lacks and that sketches define themselves: `int index;`, `float
// y1;`, `void remove()`.
//
// Each such name is a macro while the headers are read, so that they declare it under another name
// and leave this one free. The other name is defined nowhere, so it cannot be called by mistake. A
// source that includes the C library before <Arduino.h> keeps all of the library's names.
#pragma once

// <stdio.h>: its C++ form (<cstdio>) needs these four names, so it is replaced by cstdio.h.
#if __has_include(<cstdio>) && !defined(_GLIBCXX_CSTDIO)
#define HOCKET_MAKES_CSTDIO
#endif
#if defined(HOCKET_MAKES_CSTDIO) || !__has_include(<cstdio>)
#define remove hocket_hidden_remove
#define rename hocket_hidden_rename
#define tmpfile hocket_hidden_tmpfile
#define tmpnam hocket_hidden_tmpnam
#endif
#define dprintf hocket_hidden_dprintf
#define getdelim hocket_hidden_getdelim
#define getline hocket_hidden_getline
#define getw hocket_hidden_getw
#define putw hocket_hidden_putw
// <string.h>, <strings.h>
#define basename hocket_hidden_basename
#define bcmp hocket_hidden_bcmp
#define bcopy hocket_hidden_bcopy
#define index hocket_hidden_index
#define rindex hocket_hidden_rindex
// <stdlib.h> and what it includes
#define a64l hocket_hidden_a64l
#define ecvt hocket_hidden_ecvt
#define fcvt hocket_hidden_fcvt
#define gcvt hocket_hidden_gcvt
#define l64a hocket_hidden_l64a
#define mktemp hocket_hidden_mktemp
#define on_exit hocket_hidden_on_exit
#define pselect hocket_hidden_pselect
#define select hocket_hidden_select
#define setkey hocket_hidden_setkey
#define valloc hocket_hidden_valloc
// <math.h>
#define drem hocket_hidden_drem
#define finite hocket_hidden_finite
#define gamma hocket_hidden_gamma
#define j0 hocket_hidden_j0
#define j1 hocket_hidden_j1
#define jn hocket_hidden_jn
#define lgamma_r hocket_hidden_lgamma_r
#define pow10 hocket_hidden_pow10
#define scalb hocket_hidden_scalb
#define signgam hocket_hidden_signgam
#define significand hocket_hidden_significand
#define y0 hocket_hidden_y0
#define y1 hocket_hidden_y1
#define yn hocket_hidden_yn

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<strings.h>)
#include <strings.h>
#endif

#ifdef HOCKET_MAKES_CSTDIO
#include "api/cstdio.h"
#endif
#undef HOCKET_MAKES_CSTDIO

#undef remove
#undef rename
#undef tmpfile
#undef tmpnam
#undef dprintf
#undef getdelim
#undef getline
#undef getw
#undef putw
#undef basename
#undef bcmp
#undef bcopy
#undef index
#undef rindex
#undef a64l
#undef ecvt
#undef fcvt
#undef gcvt
#undef l64a
#undef mktemp
#undef on_exit
#undef pselect
#undef select
#undef setkey
#undef valloc
#undef drem
#undef finite
#undef gamma
#undef j0
#undef j1
#undef jn
#undef lgamma_r
#undef pow10
#undef scalb
#undef signgam
#undef significand
#undef y0
#undef y1
#undef yn

#include "api/avr_library.h"
#include "api/own_streams.h"
