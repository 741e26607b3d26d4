// Where libraries look for Udp.h.
#pragma once

#include "../api/Udp.h"
