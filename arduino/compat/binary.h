// Where libraries look for the binary constants.
#pragma once

#include "../api/Binary.h"
