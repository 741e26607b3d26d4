// Where libraries look for Printable.h.
#pragma once

#include "../api/Printable.h"
