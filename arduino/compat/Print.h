// Where libraries look for Print.h.
#pragma once

#include "../api/Print.h"
