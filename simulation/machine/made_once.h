// The kernel's functions that are never inlined are instantiated only in made_once.cpp. Otherwise
// each file would instantiate them again, with all that they call. CMakeLists.txt precompiles this
// header, so that all files of the kernel include it first.
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
