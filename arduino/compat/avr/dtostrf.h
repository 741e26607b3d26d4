// Where libraries look for dtostrf().
#pragma once

#include "../../api/dtostrf.h"
