// Stands in for the file of this name in the library FastLED, which compares the settings of each
// processor that it knows with what they should be (tools/hocket/stand_ins.py). Nothing is left.
#define FASTLED_INTERNAL
#include "fl/system/fastled.h"
