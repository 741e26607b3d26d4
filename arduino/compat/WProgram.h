// The header that sketches from before Arduino 1.0 include.
#pragma once

#include "Arduino.h"
