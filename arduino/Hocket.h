// The header of a sketch with many loops: Arduino.h, loops, objects that loops share, and the
// settings of the system.
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
