// The sketch that is linked with the kernel and runs at its level.
#pragma once

#include "arduino/runtime/program.h"

namespace hocket::runtime {

Program linked_program();

}  // namespace hocket::runtime
