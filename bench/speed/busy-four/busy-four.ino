// Four loops that never wait: they keep four cores busy, each its own.
volatile unsigned long steps[4];

void setup() {}

void loop(1, 90, 100) { steps[0] = steps[0] + 1; }
void loop(2, 90, 100) { steps[1] = steps[1] + 1; }
void loop(3, 90, 100) { steps[2] = steps[2] + 1; }
void loop(4, 90, 100) { steps[3] = steps[3] + 1; }
