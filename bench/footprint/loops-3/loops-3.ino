// Three loops with budgets, each blinking a pin.
void setup() { pinMode(13, OUTPUT); pinMode(12, OUTPUT); pinMode(8, OUTPUT); }
void loop(1, 10, 100) { digitalWrite(13, HIGH); delay(500); digitalWrite(13, LOW); delay(500); }
void loop(2, 10, 100) { digitalWrite(12, HIGH); delay(200); digitalWrite(12, LOW); delay(300); }
void loop(3, 10, 100) { digitalWrite(8, HIGH); delay(70); digitalWrite(8, LOW); delay(30); }
