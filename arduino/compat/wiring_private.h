// What old libraries include for the core's insides; sketches need Arduino.h only.
#pragma once

#include "Arduino.h"
