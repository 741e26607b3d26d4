// part: key: {type: button, pin: 2, pressed: [{at: 100 ms, for: 20 ms}, {at: 350 ms, for: 20 ms}]}
// says: start|lap|stop at 00:00.25
// A state machine behind a button's interrupt.
volatile bool pushed;
enum State { Idle, Running, Stopped } state;
unsigned long began, took;

void push() { pushed = true; }

String clock_(unsigned long ms) {
  char text[12];
  sprintf(text, "%02lu:%02lu.%02lu", ms / 60000, ms / 1000 % 60, ms / 10 % 100);
  return text;
}

void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(2), push, FALLING);
}

void loop(1, 5, 10) {
  delay(10);
  static bool lap;
  if (state == Running && !lap && millis() - began > 100) {
    lap = true;
    Serial.println("lap");
  }
  if (!pushed) return;
  pushed = false;
  switch (state) {
    case Idle:
      began = millis();
      state = Running;
      Serial.println("start");
      break;
    case Running:
      took = (millis() - began + 5) / 10 * 10;
      state = Stopped;
      Serial.println("stop at " + clock_(took));
      break;
    case Stopped:
      break;
  }
}

void loop(2, 1, 100) { delay(100); }
