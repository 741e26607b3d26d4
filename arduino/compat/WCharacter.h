// Where libraries look for WCharacter.h.
#pragma once

#include "../api/WCharacter.h"
