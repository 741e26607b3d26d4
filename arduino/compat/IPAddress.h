// Where libraries look for IPAddress.h.
#pragma once

#include "../api/IPAddress.h"
