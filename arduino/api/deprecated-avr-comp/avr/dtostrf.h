// Where libraries look for dtostrf().
#pragma once

#include "../../dtostrf.h"
