// Feature macros that the C++ headers of a Linux compiler expect of the C library, for picolibc.
#pragma once

#include <sys/features.h>

#define __GLIBC_PREREQ(major, minor) 0
