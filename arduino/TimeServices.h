// The time services: alarms, clocks, semaphores, threads. docs/guide/time-and-alarms.md
//
// What a sketch does not use of them is not in it: no loop, no budget, no memory.
#pragma once

#include "Hocket.h"
#include "hocket/Alarm.h"
#include "hocket/Chronometer.h"
#include "hocket/Clock.h"
#include "hocket/Handler.h"
#include "hocket/Semaphore.h"
#include "hocket/Thread.h"
