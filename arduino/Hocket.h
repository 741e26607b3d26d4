// What a sketch with many loops includes: Arduino.h, the loops, and what loops share.
#pragma once

#include "Arduino.h"
#include "arduino/runtime/loops.h"
#include "hocket/Channel.h"
#include "hocket/InterruptVcpu.h"
#include "hocket/Ringbuf.h"
#include "hocket/Spinlock.h"
