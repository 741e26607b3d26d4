// Where libraries look for Server.h.
#pragma once

#include "../api/Server.h"
