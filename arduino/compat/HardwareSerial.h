// Where libraries look for HardwareSerial.h.
#pragma once

#include "../api/HardwareSerial.h"
