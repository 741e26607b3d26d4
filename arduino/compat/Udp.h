// Where libraries look for Udp.h.
#pragma once

// clang-format off
#include "../api/c_library.h"  // first: it hides names of headers that the others include
// clang-format on

#include "../api/Udp.h"
