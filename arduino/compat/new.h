// Where old sketches look for placement new.
#pragma once

#include <new>
