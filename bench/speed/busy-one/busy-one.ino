// One loop that computes and never waits: it keeps one core busy.
volatile unsigned long results[1];

void compute(volatile unsigned long& result) {
  unsigned long value = result;
  for (int i = 0; i < 10000; i++) {
    value = value * 1664525 + 1013904223;  // Numerical Recipes' random numbers
    if (value & 256) value ^= i;
  }
  result = value;
}

void setup() {}

void loop(1, 90, 100) { compute(results[0]); }
