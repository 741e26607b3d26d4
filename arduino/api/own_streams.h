// Streams that a sketch defines with avr-libc, which only the Uno supports. On other boards a call
// is a compile error that says so. (glibc's streams do not fit a sketch's FILE; picolibc's `stdout`
// is a constant.)
#pragma once

#if defined(__cplusplus) && !defined(__AVR__)

#define HOCKET_ONLY_ON_THE_UNO_                                                               \
  __attribute__((unavailable(                                                                 \
      "only the Uno has streams of a sketch's own (`stdout = &mine`): use snprintf() into a " \
      "text and Serial.print() of it in a sketch for several boards")))

#ifdef fdev_setup_stream  // picolibc's macro, which has one more argument
inline void hocket_setup_stream(FILE* stream, int (*put)(char, FILE*), int (*get)(FILE*),
                                int (*flush)(FILE*), int flags) {
  fdev_setup_stream(stream, put, get, flush, static_cast<decltype(stream->flags)>(flags));
}
#undef fdev_setup_stream
inline void fdev_setup_stream(FILE* stream, int (*put)(char, FILE*), int (*get)(FILE*),
                              int (*flush)(FILE*), int flags) {
  hocket_setup_stream(stream, put, get, flush, flags);
}
#endif
#ifndef _FDEV_SETUP_READ
#define _FDEV_SETUP_READ 1
#define _FDEV_SETUP_WRITE 2
#define _FDEV_SETUP_RW 3
#endif
#ifndef _FDEV_ERR
#define _FDEV_ERR (-1)
#define _FDEV_EOF (-2)
#endif

template <class Put, class Get>
HOCKET_ONLY_ON_THE_UNO_ void fdev_setup_stream(FILE* stream, Put put, Get get, int flags);
template <class Put, class Get>
HOCKET_ONLY_ON_THE_UNO_ FILE* fdevopen(Put put, Get get);

#undef HOCKET_ONLY_ON_THE_UNO_

#endif
