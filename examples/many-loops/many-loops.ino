// Forty loops, each with an LED of its own: all blink at different rates, none knows of the others.
//
// Each may use 1 ms in every 100 ms; together that is 40 % of one core. Each waits with delay(), which
// puts only its own loop to sleep.

const int FIRST_PIN = 2;

// Loop n blinks pin n + 1, faster the higher its number.
void blink(int n) {
  int halfPeriod = 1000 / n;
  digitalWrite(FIRST_PIN + n - 1, HIGH);
  delay(halfPeriod);
  digitalWrite(FIRST_PIN + n - 1, LOW);
  delay(halfPeriod);
}

void setup() {
  for (int n = 1; n <= 40; n++) {
    pinMode(FIRST_PIN + n - 1, OUTPUT);
  }
}

void loop(1, 1, 100) { blink(1); }
void loop(2, 1, 100) { blink(2); }
void loop(3, 1, 100) { blink(3); }
void loop(4, 1, 100) { blink(4); }
void loop(5, 1, 100) { blink(5); }
void loop(6, 1, 100) { blink(6); }
void loop(7, 1, 100) { blink(7); }
void loop(8, 1, 100) { blink(8); }
void loop(9, 1, 100) { blink(9); }
void loop(10, 1, 100) { blink(10); }
void loop(11, 1, 100) { blink(11); }
void loop(12, 1, 100) { blink(12); }
void loop(13, 1, 100) { blink(13); }
void loop(14, 1, 100) { blink(14); }
void loop(15, 1, 100) { blink(15); }
void loop(16, 1, 100) { blink(16); }
void loop(17, 1, 100) { blink(17); }
void loop(18, 1, 100) { blink(18); }
void loop(19, 1, 100) { blink(19); }
void loop(20, 1, 100) { blink(20); }
void loop(21, 1, 100) { blink(21); }
void loop(22, 1, 100) { blink(22); }
void loop(23, 1, 100) { blink(23); }
void loop(24, 1, 100) { blink(24); }
void loop(25, 1, 100) { blink(25); }
void loop(26, 1, 100) { blink(26); }
void loop(27, 1, 100) { blink(27); }
void loop(28, 1, 100) { blink(28); }
void loop(29, 1, 100) { blink(29); }
void loop(30, 1, 100) { blink(30); }
void loop(31, 1, 100) { blink(31); }
void loop(32, 1, 100) { blink(32); }
void loop(33, 1, 100) { blink(33); }
void loop(34, 1, 100) { blink(34); }
void loop(35, 1, 100) { blink(35); }
void loop(36, 1, 100) { blink(36); }
void loop(37, 1, 100) { blink(37); }
void loop(38, 1, 100) { blink(38); }
void loop(39, 1, 100) { blink(39); }
void loop(40, 1, 100) { blink(40); }
