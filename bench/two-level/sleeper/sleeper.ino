// Sleeps until an instant, every 500 us, and counts how late it wakes: what cyclictest's thread does (thread.py).
const uint64_t STEP_NS = 500'000;
const unsigned BINS = 8192;  // of 1 ns
uint16_t counts[BINS];
uint64_t beyond = 0, worst = 0;

uint64_t instant = BEGIN_NS;
bool over = false;

void setup() { Serial.begin(115200); }

void loop(1, 100us, 500us) {
  if (instant >= END_NS) {
    over = true;
    delay(1000);
    return;
  }
  hocket::sys::sleep_until_ns(instant);
  const uint64_t late = hocket::sys::now_ns() - instant;
  if (late < BINS) {
    counts[late]++;
  } else {
    beyond++;
  }
  if (late > worst) worst = late;
  instant += STEP_NS;
}

// Tells when all has been measured.
void loop(2, 40ms, 100ms) {
  while (!over) delay(20);
  for (unsigned late = 0; late < BINS; late++) {
    if (counts[late] > 0) Serial.println(String(late) + " " + counts[late]);
  }
  Serial.println(String("beyond ") + unsigned(beyond) + " worst " + unsigned(worst));
  for (;;) delay(1000);
}
