// What a sketch with many loops includes: Arduino.h, the loops, what loops share, and what
// the sketch asks of the board.
#pragma once

#include "Arduino.h"
#include "arduino/runtime/loops.h"
#include "hocket/Channel.h"
#include "hocket/FaultPolicy.h"
#include "hocket/Fifo.h"
#include "hocket/InterruptVcpu.h"
#include "hocket/Policy.h"
#include "hocket/Ringbuf.h"
#include "hocket/Spinlock.h"
#include "hocket/TimeBase.h"
#include "hocket/TrustedPins.h"
