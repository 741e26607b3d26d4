// Selects the interrupt controller for C++ and assembler, so it contains only #defines. This
// board's controller is read by loads in C++ (drivers/bcm2836) and needs none.
#pragma once
