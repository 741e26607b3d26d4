// A header of Qduino's libarduino.
#pragma once

#include <qduino.h>
