// Threads by the terms of the EDF-eCos paper: each is created suspended with its deadline, WCET and
// period in milliseconds, is tested by edf_prepare(), and runs from resume() on. The fourth one
// does not fit, says why, and never runs.
#include <Hocket.h>
#include <hocket/EdfThread.h>

HOCKET_POLICY(edf)

namespace {

volatile unsigned long calls[4];

void work(unsigned thread, unsigned milliseconds) {
  delayMicroseconds(milliseconds * 900);
  calls[thread] = calls[thread] + 1;
}

void ahrs() {
  work(0, 3);
}
void control() {
  work(1, 6);
}
void gps() {
  work(2, 30);
}
void camera() {
  work(3, 20);
}

EdfThread threads[] = {
    {&ahrs, {.deadline = 10, .wcet = 3, .period = 10}},
    {&control, {.deadline = 15, .wcet = 6, .period = 20}},
    {&gps, {.deadline = 100, .wcet = 30, .period = 100}},
    {&camera, {.deadline = 50, .wcet = 20, .period = 50}},
};

}  // namespace

void setup() {
  Serial.begin(115200);
  for (EdfThread& thread : threads) {
    if (thread.edf_prepare()) {
      thread.resume();
    } else {
      Serial.println(thread.why_not());
    }
  }
}

// Every second, in what is left, how often each has been called.
HOCKET_LOOP(1, 1ms, 500ms) {
  delay(1000);
  Serial.print("calls");
  for (unsigned long count : calls) {
    Serial.print(' ');
    Serial.print(count);
  }
  Serial.println();
}
