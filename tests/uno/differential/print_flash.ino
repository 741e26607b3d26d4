// Text in flash, bytes, and how many print() says it has sent.
const char text[] PROGMEM = "from flash";
void setup() {
  Serial.begin(57600);
  Serial.println(F("F() text"));
  Serial.println((const __FlashStringHelper *)text);
  Serial.write(65);
  Serial.write("BC");
  byte data[] = {68, 69, 10};
  Serial.write(data, sizeof data);
  Serial.println(Serial.print("count "));
}
void loop() {}
