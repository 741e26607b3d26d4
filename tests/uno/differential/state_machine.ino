// Prototypes that the IDE makes, an enum, a switch, a struct by reference.
enum State { RED, GREEN, YELLOW };
struct Light { State state; unsigned long since; };
Light light = {RED, 0};
void setup() { Serial.begin(9600); }
void loop() {
  step(light);
  delay(20);
}
void step(Light &l) {
  switch (l.state) {
    case RED: l.state = GREEN; break;
    case GREEN: l.state = YELLOW; break;
    default: l.state = RED;
  }
  Serial.println(nameOf(l.state));
}
const char *nameOf(State s) { return s == RED ? "red" : s == GREEN ? "green" : "yellow"; }
