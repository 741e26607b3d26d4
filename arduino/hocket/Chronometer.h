// Chronometer: measures a span of time in microseconds.
//
//   Chronometer chron;
//   chron.start();  …  chron.stop();
//   Serial.println(chron.read());
//
// ("Temporal Event Management in EPOS", section 2.)
#pragma once

#include "arduino/runtime/sketch_clock.h"
#include "hocket/Microsecond.h"
#include "kernel/time/chronometer.h"

using Chronometer = hocket::BasicChronometer<hocket::services::SketchClock>;
