// Four loops that compute and never wait: they keep four cores busy, each its own.
volatile unsigned long results[4];

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
void loop(2, 90, 100) { compute(results[1]); }
void loop(3, 90, 100) { compute(results[2]); }
void loop(4, 90, 100) { compute(results[3]); }
