// Where libraries look for Client.h.
#pragma once

#include "../api/Client.h"
