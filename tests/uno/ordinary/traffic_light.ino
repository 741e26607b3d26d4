// says: red|red yellow|green|yellow|red
// Phases by a table, and lamps that show them.
struct Phase {
  const __FlashStringHelper *name;
  byte lamps;
  int lasts;
};
byte phase = 0;

Phase get(byte number) {
  switch (number) {
    case 0: return {F("red"), 0b100, 100};
    case 1: return {F("red yellow"), 0b110, 50};
    case 2: return {F("green"), 0b001, 100};
    default: return {F("yellow"), 0b010, 50};
  }
}

void setup() {
  Serial.begin(115200);
  for (byte pin = 8; pin < 11; pin++) pinMode(pin, OUTPUT);
}

void loop(1, 5, 10) {
  delay(10);
  static unsigned long until;
  static bool first = true;
  if (!first && millis() < until) return;
  if (!first) phase = (phase + 1) % 4;
  first = false;
  Phase now = get(phase);
  Serial.println(now.name);
  until = millis() + now.lasts;
}

void loop(2, 1, 10) {
  delay(10);
  byte lamps = get(phase).lamps;
  for (byte i = 0; i < 3; i++) digitalWrite(8 + i, bitRead(lamps, i));
}
