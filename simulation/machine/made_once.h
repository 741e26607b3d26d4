// Functions of the kernel that are never in line are made in made_once.cpp alone. Without this each
// file would make its own copies of them, and of all that they call. All files of the kernel see it
// first: CMakeLists.txt precompiles it.
#pragma once

#include "board_kernel.h"

/// `make` is `extern template` or `template`.
#define HOCKET_MADE_ONCE(make)                                                              \
  make void Dispatcher<Board::Port, SystemConfig>::decide_any(LockedCore, Instant, Cause);  \
  make void Dispatcher<Board::Port, SystemConfig>::switch_to_next(LockedCore);              \
  make void Blocking<Board::Port, SystemConfig>::follow_wakeup(LockedCore, Wakeup, Instant, \
                                                               Cause);                      \
  make void Blocking<Board::Port, SystemConfig>::make_ready_afar(LockedCore, Thread&);

namespace hocket {

HOCKET_MADE_ONCE(extern template)

}  // namespace hocket
