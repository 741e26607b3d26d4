// Which interrupt controller this image is for, for C++ and assembler alike: only #defines. This
// board's is asked by loads (drivers/bcm2836), which is for C++: nothing to say.
#pragma once
