// A light for pedestrians: who presses the button gets green, after the cars have had yellow and red.
//
//   $ ./hocket test examples/crossing
//
// One loop takes care of the button, whose contact bounces, and never waits for the lamps; the other one of the
// lamps, and waits for most of its time.
//
// Parts: a button on pin 2 (to ground, pulled up); lamps for the cars on pins 8 to 10, for who walks on 11 and 12.
const int BUTTON = 2;
const int GREEN = 8, YELLOW = 9, RED = 10;
const int STAY = 11, WALK = 12;

Channel<unsigned> presses;

void setup() {
  pinMode(BUTTON, INPUT_PULLUP);
  for (int lamp = GREEN; lamp <= WALK; lamp++) pinMode(lamp, OUTPUT);
  digitalWrite(GREEN, HIGH);
  digitalWrite(STAY, HIGH);
}

// A press counts when it has lasted for two looks, 10 ms apart: bouncing is over sooner.
void loop(1, 1ms, 10ms) {
  static unsigned looks = 0, count = 0;
  looks = digitalRead(BUTTON) == LOW ? looks + 1 : 0;
  if (looks == 2) channelWrite(presses, ++count);
  delay(10);
}

void change(int off, int on, int then) {
  digitalWrite(off, LOW);
  digitalWrite(on, HIGH);
  delay(then);
}

void loop(2, 5ms, 50ms) {
  static unsigned served = 0;
  unsigned now = channelRead(presses);
  if (now == served) return delay(50);
  served = now;
  change(GREEN, YELLOW, 1000);
  change(YELLOW, RED, 1000);
  change(STAY, WALK, 3000);
  change(WALK, STAY, 1000);
  change(RED, GREEN, 2000);
}
