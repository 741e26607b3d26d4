// The C++ library's configuration for Linux, without what a board lacks.
#pragma once

#include_next <bits/c++config.h>

#undef _GLIBCXX_HAS_GTHREADS       // no std::thread: loops are the threads here
#undef _GLIBCXX_HAVE_TIMESPEC_GET  // no calendar
#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_USE_NANOSLEEP
#undef _GLIBCXX_USE_SCHED_YIELD
