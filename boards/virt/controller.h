// Selects the interrupt controller for C++ and assembler, so it contains only #defines.
#pragma once

#ifndef HOCKET_GIC
#define HOCKET_GIC 3
#endif

#if HOCKET_GIC == 3
// Real-time interrupts are acknowledged and ended with system registers (vectors.S).
#define HOCKET_ACKNOWLEDGE_BY_REGISTER
#endif
