// Old sketches include this header for placement new.
#pragma once

#include <new>
