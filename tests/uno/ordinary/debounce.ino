// part: key: {type: button, pin: 2, bounce: 3 ms, pressed: [{at: 100 ms, for: 100 ms}, {at: 300 ms, for: 50 ms}]}
// says: pressed 1|released|pressed 2|released
// A bouncing button, looked at every 5 ms.
byte history;
int presses;
bool down;

void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT_PULLUP);
}

void loop(1, 2, 5) {
  delay(5);
  history = history << 1 | !digitalRead(2);
  if (!down && history == 0xff) {
    down = true;
    Serial.print("pressed ");
    Serial.println(++presses);
  } else if (down && history == 0) {
    down = false;
    Serial.println("released");
  }
}

void loop(2, 1, 50) {
  digitalWrite(LED_BUILTIN, down);
  delay(50);
}
