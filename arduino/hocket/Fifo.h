// FIFOs to and from programs on a Linux that runs beside the loops (docs/reference/fifos.md).
//
//   struct Pose { float x, y; };
//   fifoPut(0, pose);                       one record: a program of Linux reads it from /dev/hocket/fifo0
//   if (fifoGet(1, speeds)) drive(speeds);  the next record that a program wrote to /dev/hocket/fifo1
//   fifoPut(2, "stop\n");                   a text, without its end
//
// FIFOs 0, 2, 4 and 6 go to Linux; 1, 3, 5 and 7 come from it. One loop uses each end. No call
// waits: a full FIFO refuses a record, an empty one returns nothing. Without Linux, all records are
// refused and nothing arrives.
#pragma once

#include <string.h>

#include "arduino/runtime/system.h"

#ifdef __AVR__
#define HOCKET_FIFO_BOARD_                                                                        \
  [[clang::unavailable(                                                                           \
      "FIFOs go to programs of a Linux that runs beside, and this board has room for none: take " \
      "--board virt --beside linux, or sim")]]
#else
#define HOCKET_FIFO_BOARD_
#endif
// An impossible constant is a compile error at the call. Any other wrong number is a fault of the
// loop.
#define HOCKET_FIFO_THERE_(fifo) \
  __attribute__((diagnose_if((fifo) >= 8, "there is no such FIFO: they are 0 to 7", "error")))
#define HOCKET_FIFO_OUT_(fifo) \
  HOCKET_FIFO_THERE_(fifo)     \
  __attribute__((diagnose_if(  \
      (fifo) % 2 == 1, "this FIFO comes from Linux: a loop puts into 0, 2, 4 or 6", "error")))
#define HOCKET_FIFO_IN_(fifo)                 \
  HOCKET_FIFO_THERE_(fifo)                    \
  __attribute__((diagnose_if((fifo) % 2 == 0, \
                             "this FIFO goes to Linux: a loop gets from 1, 3, 5 or 7", "error")))

namespace hocket::detail {
template <typename T>
constexpr void check_record() {
  static_assert(!__is_pointer(T),
                "a record is values: an address means nothing to a program of Linux");
  static_assert(__is_trivially_copyable(T),
                "a record must be trivially copyable: numbers, enumerations and structs of them");
  static_assert(sizeof(T) <= sys::kLongestRecord, "a record has 4088 bytes at most");
}
}  // namespace hocket::detail

/// Puts one record of 1 … 4088 bytes, whole. Returns false, and counts it, if the FIFO is full or
/// there is no Linux. Context: any loop, setup() and handlers.
HOCKET_FIFO_BOARD_ inline bool fifoPut(unsigned fifo, const void* data, size_t bytes)
    HOCKET_FIFO_OUT_(fifo) {
  return hocket::sys::fifo_put(fifo, data, bytes);
}
template <typename T>
HOCKET_FIFO_BOARD_ inline bool fifoPut(unsigned fifo, const T& record) HOCKET_FIFO_OUT_(fifo) {
  hocket::detail::check_record<T>();
  return hocket::sys::fifo_put(fifo, &record, sizeof record);
}
HOCKET_FIFO_BOARD_ inline bool fifoPut(unsigned fifo, const char* text) HOCKET_FIFO_OUT_(fifo) {
  return hocket::sys::fifo_put(fifo, text, strlen(text));
}

/// Takes up to `size` bytes, from as many records as needed, and returns how many. 0: nothing
/// there.
HOCKET_FIFO_BOARD_ inline size_t fifoGet(unsigned fifo, void* buffer, size_t size)
    HOCKET_FIFO_IN_(fifo) {
  return hocket::sys::fifo_get(fifo, buffer, size, hocket::sys::FifoTake::Bytes);
}
/// Takes the next record if its size is that of `record`; otherwise discards it and returns false.
template <typename T>
HOCKET_FIFO_BOARD_ inline bool fifoGet(unsigned fifo, T& record) HOCKET_FIFO_IN_(fifo) {
  hocket::detail::check_record<T>();
  return hocket::sys::fifo_get(fifo, &record, sizeof record, hocket::sys::FifoTake::Exactly) ==
         sizeof record;
}
/// Takes the next record whole and returns its length. 0: there is none, or it was longer than
/// `size` and was discarded.
HOCKET_FIFO_BOARD_ inline size_t fifoGetRecord(unsigned fifo, void* buffer, size_t size)
    HOCKET_FIFO_IN_(fifo) {
  return hocket::sys::fifo_get(fifo, buffer, size, hocket::sys::FifoTake::Record);
}

/// The complete state of a FIFO.
HOCKET_FIFO_BOARD_ inline hocket::sys::FifoState fifoState(unsigned fifo) HOCKET_FIFO_THERE_(fifo) {
  hocket::sys::FifoState state;
  hocket::sys::fifo_state(fifo, state);
  return state;
}
/// Bytes of the next record that have not been taken; 0: there is no record.
HOCKET_FIFO_BOARD_ inline size_t fifoAvailable(unsigned fifo) HOCKET_FIFO_IN_(fifo) {
  return fifoState(fifo).available;
}
/// The longest record that fifoPut() is certain to take; 0: none.
HOCKET_FIFO_BOARD_ inline size_t fifoRoom(unsigned fifo) HOCKET_FIFO_OUT_(fifo) {
  return fifoState(fifo).room;
}
/// How many records were refused or discarded.
HOCKET_FIFO_BOARD_ inline uint32_t fifoLost(unsigned fifo) HOCKET_FIFO_THERE_(fifo) {
  return fifoState(fifo).lost;
}
/// Whether a Linux program has opened the other end.
HOCKET_FIFO_BOARD_ inline bool fifoIsOpen(unsigned fifo) HOCKET_FIFO_THERE_(fifo) {
  return fifoState(fifo).is_open;
}
