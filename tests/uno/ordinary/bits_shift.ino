// says: 11000101|a3|0b10100011|reversed 197
// Bits in and out of a byte.
byte reversed(byte value) {
  byte result = 0;
  for (byte i = 0; i < 8; i++) bitWrite(result, i, bitRead(value, 7 - i));
  return result;
}

void setup() {
  Serial.begin(115200);
  pinMode(8, OUTPUT);
  pinMode(9, OUTPUT);
}

void loop(1, 10, 100) {
  delay(100);
  static byte round_;
  if (round_++) return;
  byte value = 0xa3;
  for (byte i = 0; i < 8; i++) Serial.print(bitRead(value, i));
  Serial.println();
  String hex(value, HEX);
  Serial.println(hex);
  Serial.println("0b" + String(value, BIN));
  Serial.println("reversed " + String(reversed(value)));
}

void loop(2, 2, 20) {
  shiftOut(8, 9, MSBFIRST, 0x5a);
  delay(20);
}
