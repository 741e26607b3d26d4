// says: in 0 to 100|100 steps
// Random numbers, with bounds.
int x = 50;
volatile int steps;
bool inside = true;

void setup() {
  Serial.begin(115200);
  randomSeed(analogRead(A3));
}

void loop(1, 1, 4) {
  delay(4);
  if (steps >= 100) return;
  x = constrain(x + (int)random(-9, 10), 0, 100);
  inside &= x >= 0 && x <= 100;
  steps++;
}

void loop(2, 10, 100) {
  delay(100);
  static bool told;
  if (told || steps < 100) return;
  told = true;
  Serial.println(inside ? "in 0 to 100" : "out");
  Serial.print(steps);
  Serial.println(" steps");
}
