// A lamp that is lit while a button is pressed, and the shortest scenario that tests it: scenario.yaml.
//
//   $ ./hocket test examples/button-light
//
// Parts: a button on pin 2 (to ground, pulled up), an LED on pin 13.
const int BUTTON = 2;

void setup() {
  pinMode(BUTTON, INPUT_PULLUP);
  pinMode(LED_BUILTIN, OUTPUT);
}

// Looks every 10 ms, so the lamp follows the button within 10 ms and this loop's response.
void loop(1, 1ms, 10ms) {
  digitalWrite(LED_BUILTIN, digitalRead(BUTTON) == LOW);
  delay(10);
}
