// What a linked sketch says about itself to the kernel: the first bytes of its image.
//
// A sketch is a program of its own: linked by sketch.ld at kBase, flattened to one piece of memory,
// and carried by the kernel's image. The kernel maps it for EL0 with what each part may do:
//
//   kBase   header, text          read, execute
//           rodata                read          loop table, constants
//           data                  read, write   copied from the image at each start of the sketch
//           bss, heap             read, write   zero at each start
//   kStacks one stack per loop, with a page that nobody may touch on both sides
//
// Every part begins on a page of its own. The kernel believes nothing here: a header with parts out
// of order, unaligned or beyond their region is refused with what is wrong (check.h).
#pragma once

#include <stdint.h>

namespace hocket::sketch {

inline constexpr uint64_t kPage = 4096;
inline constexpr uint64_t kBase = 0x1000'0000;    // virtual address of the header
inline constexpr uint64_t kEnd = 0x2000'0000;     // text to heap end below it
inline constexpr uint64_t kStacks = 0x2000'0000;  // the stacks' region
inline constexpr uint64_t kStacksEnd = 0x4000'0000;
inline constexpr uint64_t kTrustedPins = 0x5000'0000;  // a trusted sketch's GPIO registers

inline constexpr uint64_t kMagic = 0x31'48'43'54'4b'53'48ull;  // "HSKTCH1"
/// Changes whenever the header or the meaning of a system call does.
inline constexpr uint32_t kAbi = 6;

/// What happens when a loop faults (HOCKET_ON_FAULT).
enum class FaultPolicy : uint32_t { StopLoop = 0, StopSketch = 1, RestartSketch = 2 };

enum Flags : uint32_t {
  kUsesSpinlocks = 1,      // loops can delay each other by spinlocks: counted in admission
  kTrustedPinAccess = 2,   // asks for the board's GPIO registers (HOCKET_TRUSTED_PINS)
  kUsesPinInterrupts = 4,  // attaches handlers: wants a kernel that can deliver to them
  kHoldsHandlers = 8,      // has sections of noInterrupts(): counted in the delays of edges
};

/// All addresses are virtual; an end is the address behind the last byte.
struct Header {
  uint64_t magic;
  uint32_t abi;
  uint32_t flags;
  uint64_t text_end;      // the text begins with this header, at kBase
  uint64_t rodata_begin;  // = text_end, rounded up to a page; so are the following beginnings
  uint64_t rodata_end;
  uint64_t data_begin;
  uint64_t data_end;
  uint64_t bss_end;  // the bss begins at data_end
  uint64_t heap_begin;
  uint64_t heap_end;
  uint64_t loops_begin;  // table of pointers to LoopDescriptor, in rodata
  uint64_t loops_end;
  uint64_t
      tls_size;  // bytes of thread-local storage at the top of each stack, 16 for each begun 16
  // Entry points, in the text. Each is entered at EL0 with the stack pointer set, TPIDR_EL0
  // pointing at the thread's storage, and its arguments in x0 and x1; none returns.
  uint64_t enter_setup;  // (): initialises this thread's storage, runs constructors and setup()
  uint64_t enter_loop;   // (body): initialises this thread's storage, runs the body for ever
  uint64_t plain_loop;   // address of loop(); 0: the sketch has none
  FaultPolicy fault_policy;
  uint32_t longest_section;  // address of what HOCKET_LONGEST_SECTION() says, in ns; 0: nothing
};

}  // namespace hocket::sketch
