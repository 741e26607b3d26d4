// The time services: alarms, clocks, semaphores, threads. docs/guide/time-and-alarms.md
//
// A service that the sketch does not use adds no loop, no budget and no memory to it.
#pragma once

#include "Hocket.h"
#include "hocket/Alarm.h"
#include "hocket/Chronometer.h"
#include "hocket/Clock.h"
#include "hocket/Handler.h"
#include "hocket/Semaphore.h"
#include "hocket/Thread.h"
