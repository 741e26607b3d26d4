// Where libraries look for Stream.h.
#pragma once

#include "../api/Stream.h"
