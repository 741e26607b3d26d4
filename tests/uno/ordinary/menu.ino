// part: up: {type: button, pin: 2, pressed: [{at: 100 ms, for: 50 ms}, {at: 200 ms, for: 50 ms}]}
// part: ok: {type: button, pin: 3, pressed: [{at: 300 ms, for: 50 ms}]}
// says: > Speed|> Light|> Sound|Sound!
// A menu with names in flash and functions behind.
struct Item {
  const char *name;
  void (*act)();
};
void speed() { Serial.println(F("Speed!")); }
void light() { Serial.println(F("Light!")); }
void sound() { Serial.println(F("Sound!")); }
const Item items[] = {{"Speed", speed}, {"Light", light}, {"Sound", sound}};
byte at;

bool pushed(byte pin) {
  static byte before;
  bool down = !digitalRead(pin);
  bool edge = down && !(before >> pin & 1);
  bitWrite(before, pin, down);
  return edge;
}
void show() {
  Serial.print(F("> "));
  Serial.println(items[at].name);
}

void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT_PULLUP);
  pinMode(3, INPUT_PULLUP);
  show();
}

void loop(1, 5, 20) {
  delay(20);
  if (pushed(2)) {
    at = (at + 1) % 3;
    show();
  }
  if (pushed(3)) items[at].act();
}

void loop(2, 1, 100) { delay(100); }
