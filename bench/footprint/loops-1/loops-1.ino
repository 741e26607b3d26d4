// One loop with a budget: the least that needs the kernel.
void setup() { pinMode(13, OUTPUT); }
void loop(1, 10, 100) { digitalWrite(13, HIGH); delay(500); digitalWrite(13, LOW); delay(500); }
