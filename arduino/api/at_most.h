// atMost(n), the first statement of a loop's body: the body runs n times at most each time that the
// loop is reached. `hocket wcet` believes it (docs/guide/how-long.md). It is a comment in the
// compiler's output, so the program contains no instruction for it.
#pragma once

#if defined(__AVR__) && defined(__clang__)
#define HOCKET_AT_MOST_NOTE(rounds) \
  asm volatile("; hocket_at_most %0" : : "i"(static_cast<unsigned long>(rounds)))
#else
#define HOCKET_AT_MOST_NOTE(rounds) static_cast<void>(0)
#endif

#define atMost(rounds)                                                 \
  do {                                                                 \
    static_assert((rounds) > 0, "atMost(n) takes a constant above 0"); \
    HOCKET_AT_MOST_NOTE(rounds);                                       \
  } while (false)
