// Libraries include this header for dtostrf().
#pragma once

#include "../../dtostrf.h"
