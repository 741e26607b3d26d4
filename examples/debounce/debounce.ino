// A button whose contact bounces, counted once for each press, and no loop that looks at it all the time.
//
// The handler may wait, as it has a virtual CPU of its own: it lets the contact come to rest, then looks.
// The edges of the bouncing are remembered meanwhile: each is one more call that finds nothing new.
//
// Parts: a button on pin 2 (to ground, pulled up) that bounces for some milliseconds; an LED on pin 13.
const int BUTTON = 2;

volatile unsigned presses = 0;

void moved() {
  static bool was_down = false;
  delay(8);
  bool down = digitalRead(BUTTON) == LOW;
  if (down && !was_down) {
    ++presses;
    digitalWrite(LED_BUILTIN, presses % 2);
  }
  was_down = down;
}

void setup() {
  Serial.begin(115200);
  pinMode(BUTTON, INPUT_PULLUP);
  pinMode(LED_BUILTIN, OUTPUT);
  attachInterruptVcpu(BUTTON, moved, CHANGE, 200us, 5ms);
}

void loop(1, 1ms, 100ms) {
  static unsigned told = 0;
  if (presses != told) {
    told = presses;
    Serial.print("presses ");
    Serial.println(told);
  }
  delay(100);
}
