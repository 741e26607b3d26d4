// Which interrupt controller this image is for, for C++ and assembler alike: only #defines.
#pragma once

#ifndef HOCKET_GIC
#define HOCKET_GIC 3
#endif

#if HOCKET_GIC == 3
// The real-time level is acknowledged and ended by registers of the processor (vectors.S).
#define HOCKET_ACKNOWLEDGE_BY_REGISTER
#endif
