// Three loops with a library: one that computes without end, one that sleeps, one that is stopped in its fifth round.
#include <Mean.h>

Mean mean;
int total = 7;
unsigned long busy;
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
  delay(100);
  int step = half(total);
  total += step;
  place.x = mean.add(step);
  Serial.println(total);
}

void loop(3, 1, 100) {
  int rounds = 40;
  delay(1000);
  rounds++;
}
