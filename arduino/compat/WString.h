// Where libraries look for class String.
#pragma once

#include "../api/String.h"
