// Three loops with a library: one computes without end, one waits for the third, which sleeps for an hour.
#include <Mean.h>

Mean mean;
int total = 7;
unsigned long busy;
volatile bool asleep;
struct Point {
  int x, y;
} place = {3, 4};

int half(int value) {
  int result = value / 2;
  return result;
}

void setup() {
  Serial.begin(115200);
}

void loop(1, 20, 100) {
  busy++;
}

void loop(2, 10, 100) {
  while (!asleep) delay(10);
  delay(100);
  int step = half(total);
  total += step;
  place.x = mean.add(step);
  Serial.println(total);
}

void loop(3, 30, 100) {
  int rounds = 40;
  asleep = true;
  delay(3600000);
  rounds++;
}
