// A linked sketch's description of itself for the kernel: the first bytes of its image.
//
// A sketch is a program of its own: linked by sketch.ld at kBase, flattened to one piece of memory,
// and carried by the kernel's image. The kernel lets user level do with each part:
//
//   kBase   header, text          read, execute
//           rodata                read          loop table, constants
//           data                  read, write   copied from the image at each start of the sketch
//           bss, heap             read, write   zero at each start
//   kStacks one stack per loop, with a page on both sides that no code may access
//
// Every part begins on its own page. The kernel trusts nothing here: it refuses a header whose
// parts are out of order, unaligned or outside their region, and says what is wrong (check.h).
#pragma once

#include <stdint.h>

#include "address_space.h"

namespace hocket::sketch {

inline constexpr uint64_t kMagic = 0x31'48'43'54'4b'53'48ull;  // "HSKTCH1"
/// Must change whenever the header or the meaning of a system call changes.
inline constexpr uint32_t kAbi = 6;

/// What happens when a loop faults (HOCKET_ON_FAULT).
enum class FaultPolicy : uint32_t { StopLoop = 0, StopSketch = 1, RestartSketch = 2 };

enum Flags : uint32_t {
  kUsesSpinlocks = 1,      // loops can delay each other by spinlocks; admission counts that
  kTrustedPinAccess = 2,   // asks for the board's GPIO registers (HOCKET_TRUSTED_PINS)
  kUsesPinInterrupts = 4,  // attaches handlers; needs a kernel that can deliver to them
  kHoldsHandlers = 8,      // has sections of noInterrupts(); counted in the delays of edges
};

/// All addresses are virtual; an end is the address after the last byte.
struct Header {
  uint64_t magic;
  uint32_t abi;
  uint32_t flags;
  uint64_t text_end;      // the text begins with this header, at kBase
  uint64_t rodata_begin;  // text_end rounded up to a page; the following begins likewise
  uint64_t rodata_end;
  uint64_t data_begin;
  uint64_t data_end;
  uint64_t bss_end;  // the bss begins at data_end
  uint64_t heap_begin;
  uint64_t heap_end;
  uint64_t loops_begin;  // table of pointers to LoopDescriptor, in rodata
  uint64_t loops_end;
  uint64_t tls_size;  // bytes of thread-local storage at the top of each stack; a multiple of 16
  // Entry points, in the text. Each is entered at user level with the stack pointer set, the
  // thread pointer at the thread's storage, and its argument as a call has it; none returns.
  uint64_t enter_setup;  // (): initialises this thread's storage, runs constructors and setup()
  uint64_t enter_loop;   // (body): initialises this thread's storage, runs the body for ever
  uint64_t plain_loop;   // address of loop(); 0: the sketch has none
  FaultPolicy fault_policy;
  uint32_t longest_section;  // address of the value of HOCKET_LONGEST_SECTION(), in ns; 0: none
};

}  // namespace hocket::sketch
