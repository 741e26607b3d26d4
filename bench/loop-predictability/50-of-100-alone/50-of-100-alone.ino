// A foreground loop with 50 ms in every 100 ms, alone.
#include <PeriodCounter.h>
#include <Workload.h>

PeriodCounter counter;

void setup() {
  Serial.begin(115200);
  counter.begin(100, ask("periods?", 100));
}

void loop(1, 50, 100) {
  counter.run();
}
