// One loop that never waits: it keeps one core busy.
volatile unsigned long steps;

void setup() {}

void loop(1, 90, 100) { steps = steps + 1; }
