// Case 1 of the paper's Table III: one loop that issues 2,000 digitalWrite() requests.
#include <Workload.h>

const int OUT = 13;
const int WRITING = 11;  // high from the first write to the end of the last one

uint32_t writes;
uint32_t waitMs;
bool finished = false;

void setup() {
  Serial.begin(115200);
  pinMode(OUT, OUTPUT);
  pinMode(WRITING, OUTPUT);
  writes = ask("writes?", 2000);
  waitMs = ask("wait?", 2);
}

void loop(1, 498, 500) {
  if (finished) {
    delay(1000);
    return;
  }
  digitalWrite(WRITING, HIGH);
  writePin(OUT, writes, waitMs);
  digitalWrite(WRITING, LOW);
  finished = true;
}
