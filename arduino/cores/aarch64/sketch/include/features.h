// What the C++ headers of a Linux compiler ask of the C library, answered for picolibc.
#pragma once

#include <sys/features.h>

#define __GLIBC_PREREQ(major, minor) 0
